# gnu
# View numbers go on from one subsection to the next, and count from 0 behind a row without one.
  .file 1 "a.c"
  .text
  .loc 1 1 view .LV1
  nop
  .loc 1 2 view .LV2
  .text 1
  .loc 1 3 view .LV3
  .loc 1 4
  .loc 1 5 view .LV5
  nop
  .data
  .uleb128 .LV1, .LV2, .LV3, .LV5

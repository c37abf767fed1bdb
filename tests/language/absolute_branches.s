# both
# Branches to what turns out to be a number.
  jne a1
  call a1
  jmp 16
  .set a1, 22
  jmp a1

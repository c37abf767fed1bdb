# both
# llvm-mc lists a symbol from its first mention on, where .size, .weakref, .addrsig_sym and sizes are none.
  .size s4, 34
  .weakref w, s2
  .uleb128 late
  .globl s3
  .globl s4
  jne a2
  jne s2
  call s5
  .set late, 5
  .set again, s6
  .set again, here-1
here:

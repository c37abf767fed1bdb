	nop
/* A comment
   of several lines,

   one of them empty. */
	ret
  /* And one
  with */ .byte 1 # code behind it

# A comment of one line
	.byte 2 /* here */

# gnu
# a comment that goes on in the next line ends the statement
mov $1,%eax /* a
 b */ ret
nop /* a
 */ ret
mov $1,%eax/* a
 b */ ret
 .byte 1 /* a
 b */ ret
nop /* a */ /* b

*/ ret /* c 
 */
 .long x-1 /*
*/;nop

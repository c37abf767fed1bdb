# llvm-aarch64 -triple=aarch64
# llvm-thumb -triple=thumbv7m-linux-gnueabi
# An empty .text is execute-only where another section is.
	.section .text.a,"axy",%progbits
	nop
	.section .text.b,"ax",%progbits
	nop

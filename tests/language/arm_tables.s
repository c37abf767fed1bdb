# llvm-thumb -triple=armv7-linux-gnueabihf
@ Where the sections of exception tables stand among the symbols: where the first table begins.
	.syntax unified
	.section .text.f,"ax",%progbits
	.fnstart
f:
	push {r4, r5, r8, r10, r11, lr}
	.save {r4, r5, r8, r10, r11, lr}
	vpush {d8, d9}
	.vsave {d8, d9}
	bx lr
	.fnend
.Llocal:
	.section .text.g,"ax",%progbits
	.fnstart
g:	bx lr
	.personality h
	.handlerdata
	.word .Llocal
	.fnend
	.section .ARM.extab.text.f,"a",%progbits
	.text
	.FNSTART
	.SETFP sp, sp, #8
	.MOVSP r11
	.FNEND

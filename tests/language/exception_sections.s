# gnu-thumb
@ Every .fnend of GNU as makes a section for a table, needed or not; registers of lists by names of their own.
	.syntax unified
	.text
f:
	.fnstart
	push	{r4-r7}
	.save	{r4-r7}
	pop	{r4-r7}
	mov	pc, lr
	.fnend
frame	.req	r11
	.section .init.text, "ax"
g:
	.fnstart
	push	{r4, frame, lr}
	.save	{r4, frame, lr}
	mov	frame, sp
	.setfp	frame, sp
	pop	{r4, frame, pc}
	.fnend
k:
	.fnstart
	push	{r4, lr}
	.save	{r4, lr}
	pop	{r4, pc}
	.fnend
	.section .late, "ax"
	nop
l:	.fnstart
	push	{r4, lr}
	.save	{r4, lr}
	pop	{r4, pc}
	.fnend
h:
	.fnstart
	mov	pc, lr
	.cantunwind
	.fnend

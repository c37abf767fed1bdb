# gnu-thumb
# A number is the address that a branch goes to, and relocations name it by a symbol of its own.
	.syntax unified
	nop
	b	0x100
	bl	0x200
	beq	0x40
	b	0x100
	blx	0x200
	.thumb
	bl	0x200
	bne.w	-16

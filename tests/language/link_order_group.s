# both
# A section of a group that is linked to another, and one that is linked to none.
	.section .foo,"a",@progbits
	.byte 0
	.section .meta,"aGo",@progbits,.foo,g,comdat
	.byte 5

# Frames in a section without contents.
	.section .eh_frame,"a",@nobits
	.long 1f-2f             # ERROR 2 has no contents
2:
	.long 0, 0, 0
1:
	.long 3f-4f             # ERROR 2 has no contents
4:
	.long 0, 0, 0
3:

# mingw64 mingw32
# Line tables: offsets in debug sections are relative to them.
	.file	"lines.c"
	.file	1 "folder" "lines.c"
	.text
f:	.loc	1 1 1
	nop
	.loc	1 2 3
	ret
	.section .debug_info,"dr"
	.secrel32	.Lline
	.section .debug_line,"dr"
.Lline:

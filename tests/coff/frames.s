# gnu64 gnu32 mingw64 mingw32
# DWARF on COFF: .eh_frame, .debug_frame, lines; offsets in debug sections are relative to them.
	.file	"frames.c"
	.cfi_sections .eh_frame, .debug_frame
	.text
f:	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	ret
	.cfi_endproc

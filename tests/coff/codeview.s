# msvc64 msvc32
# Lines, inlined functions, ranges with gaps and of more than 61,440 bytes, strings, checksums.
	.cv_file	1 "a.c" "70B51F534D80639D033AE92C6A856AF6" 1
	.cv_file	2 "a_header_that_is_included.h"
	.text
	.globl	f
	.def	f; .scl 2; .type 32; .endef
f:
.Lbegin:
Lbegin:
	.cv_func_id	0
	.cv_loc	0 1 3 5
	nop
	.cv_inline_site_id	1 within 0 inlined_at 1 4 2
	.cv_loc	1 2 10 0 is_stmt 1
	nop
	.cv_inline_site_id	2 within 1 inlined_at 2 11
	.cv_loc	2 1 50 prologue_end
	nop
Lx:
	jmp	Lfar
	.cv_loc	1 2 9
	.p2align 4
	.skip	300
Lfar:
	.cv_loc	0 1 6
	nop
Ly:	.skip	100000
	.cv_loc	0 1 7
	ret
Lend:
	.section .debug$S,"dr"
	.p2align 2
	.long	4
	.cv_linetable	0, f, Lend
	.cv_inline_linetable	1 2 8 f Lend
	.cv_inline_linetable	2 1 40 f Lend
	.cv_def_range	f Lx, reg, 17
	.cv_def_range	f Lx Lfar Ly, frame_ptr_rel, -8
	.cv_def_range	Ly Lend, subfield_reg, 18, 4
	.cv_def_range	f Lx Lfar Ly, reg_rel, 335, 0, 16
	.cv_filechecksumoffset	2
	.cv_string	"text"
	.cv_filechecksums
	.cv_filechecksumoffset	1
	.cv_stringtable

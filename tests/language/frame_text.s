# both
# Frames that are written as data: GNU as turns four-byte advances into the shortest ones, if the section begins with a CIE of
# version 1; LLVM leaves them.
	.text
.Lcode:
	nop
.L1:
	jmp	.Lfar
.L2:
	.skip	300
.L3:
	.skip	70000
.L4:
.Lfar:
	ret
.L5:
	.section .debug_frame,"",@progbits
.Lcie:	.long	.Lcie_end-.Lcie_id
.Lcie_id:
	.long	-1
	.byte	1
	.asciz	""
	.uleb128 1
	.sleb128 -8
	.byte	16, 12, 7, 8
	.balign	8
.Lcie_end:
	.long	.Lfde_end-.Lfde
.Lfde:	.long	.Lcie
	.quad	.Lcode
	.quad	.L5-.Lcode
	.byte	4
	.long	.L1-.Lcode
	.byte	14
	.uleb128 16
	.byte	4
	.long	.L2-.L1
	.byte	4
	.long	.L3-.L2
	.byte	4
	.long	.L4-.L3
	.byte	4
	.long	.Lfar-.L4
	.byte	4
	.long	5
	.byte	4
	.long	500
	.balign	8
.Lfde_end:
	.section .eh_frame,"a",@unwind
.Lehcie: .long	.Lehcie_end-.Lehcie_id
.Lehcie_id:
	.long	0
	.byte	1
	.string	"zR"
	.uleb128 1
	.sleb128 -8
	.byte	16
	.uleb128 1
	.byte	0x1b
	.balign	8
.Lehcie_end:
	.long	.Lehfde_end-.Lehfde
.Lehfde:
	.long	.Lehfde-.Lehcie
	.long	.Lcode-.
	.long	.L5-.Lcode
	.uleb128 0
	.byte	4
	.long	.L2-.Lcode
	.byte	4
	.long	.L4-.L3
	.balign	8
.Lehfde_end:

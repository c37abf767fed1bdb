# llvm
# SHT_LLVM_BB_ADDR_MAP, versions 2 to 5, as their descriptions show them.
	.text
.Lfunc_begin0:
	nop
.LBB_END0_0:
	nop
.LBB0_1:
	call f
.LBB0_1_CS0:
	call g
.LBB0_1_CS1:
	ret
.LBB_END0_1:
	.section .text.split,"ax",@progbits
func.part.1:
	nop
.LBB_END0_2:
	.section ".llvm_bb_addr_map","o",@llvm_bb_addr_map,.text
	.byte 4				# version
	.byte 96			# features: call sites, hashes
	.quad .Lfunc_begin0
	.byte 2
	.byte 0
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.byte 0
	.uleb128 .LBB_END0_0-.Lfunc_begin0
	.byte 3
	.quad 9080480745856761856
	.byte 1
	.uleb128 .LBB0_1-.LBB_END0_0
	.byte 2
	.uleb128 .LBB0_1_CS0-.LBB0_1
	.uleb128 .LBB0_1_CS1-.LBB0_1_CS0
	.uleb128 .LBB_END0_1-.LBB0_1_CS1
	.byte 1
	.quad 2363478788702666771
	.section ".llvm_bb_addr_map","",@llvm_bb_addr_map
	.byte 3
	.byte 32			# call sites
	.quad .Lfunc_begin0
	.byte 1
	.byte 0
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.byte 0
	.uleb128 .LBB_END0_0-.Lfunc_begin0
	.byte 3
	.section ".llvm_bb_addr_map","o",@llvm_bb_addr_map,.text.split
	.byte 2
	.byte 8				# several ranges
	.byte 2
	.quad .Lfunc_begin0
	.byte 1
	.byte 0
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .LBB_END0_0-.Lfunc_begin0
	.byte 3
	.quad func.part.1
	.byte 1
	.byte 1
	.uleb128 func.part.1-func.part.1
	.uleb128 .LBB_END0_2-func.part.1
	.byte 1
	.section ".llvm_bb_addr_map","",@llvm_bb_addr_map
	.byte 5				# two bytes of features: frequencies after linking too
	.2byte 0x80
	.quad .Lfunc_begin0
	.uleb128 1
	.uleb128 0
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .LBB_END0_0-.Lfunc_begin0
	.byte 0x18
	.uleb128 1000			# PGO: entry count, frequency, one successor and its probability
	.uleb128 1000
	.uleb128 1
	.uleb128 1
	.uleb128 0x22222222

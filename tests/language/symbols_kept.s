# gnu -L
# gnu --keep-locals
# gnu --strip-local-absolute
# gnu --keep-locals --strip-local-absolute
# gnu -D
# gnu --elf-stt-common=yes
# gnu --no-pad-sections
# gnu --execstack
# gnu --noexecstack
# gnu -R
# gnu --defsym a=5 --defsym b=0x10
# gnu --alternate
# gnu --size-check=warning
# gnu --hash-size=5 --reduce-memory-overheads -J -w -X -f
# gnu -mshared
# llvm -save-temp-labels
# llvm -no-exec-stack
# llvm -defsym=a=5
# Options about symbols and sections.
	.text
f:	nop
.Llocal:
	jmp g
	.set number, 5
	.set other, number + 1
	.globl global
	.set global, 7
	.comm c, 8
	.ifdef a
	.long a
	.endif
	.globl g
g:	call g
	.data
.Ldata:	.long .Ldata
	.section .rodata.str1.1,"aMS",@progbits,1
	.asciz "x"
	.subsection 1
	.asciz "y"

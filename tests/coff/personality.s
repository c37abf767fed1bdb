# mingw32
# A personality routine that nothing else names comes into being with the frames, and has an address that counts.
	.text
	.globl	_f
_f:
	.cfi_startproc
	.cfi_personality 0, ___gxx_personality_v0
	.cfi_lsda 0, _lsda
	call	_g
	ret
	.cfi_endproc
	.section	.rdata,"dr"
_lsda:
	.long	_h
	.addrsig
	.addrsig_sym ___gxx_personality_v0
	.addrsig_sym _h
	.addrsig_sym _unheard_of

# gnu64: what GNU as alone knows of unwind tables
	.text
	.seh_proc f
	.seh_eh
	.seh_32
	.seh_no32
f:	.seh_endprologue
	nop
	.seh_handler h, @except
	.seh_handlerdata
	.long	1
	.seh_code
	ret
	.seh_endproc

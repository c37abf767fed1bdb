# OPTIONS --compat=llvm --target=aarch64-pc-windows-msvc
	.seh_proc f
f:	nop
	.seh_stackalloc 16
	.seh_endprologue
	.seh_handlerdata
	.seh_handler h, @except         // ERROR 2 before .seh_handlerdata
	.seh_handlerdata
	.text
	ret
	.seh_endproc

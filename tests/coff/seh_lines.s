# msvc64 mingw64 msvcarm64 mingwarm64 mingwarm
# A .loc that no instruction follows ends with its function's unwind tables, which are in another section.
	.file	1 "a.c"
	.text
f:
	.loc	1 1 0
	.seh_proc f
	.seh_handler h, %unwind
	.seh_endprologue
	nop
	.loc	1 3 0
	.seh_endproc
g:
	.loc	1 4 0
	.seh_proc g
	.seh_handler h, %except
	.seh_endprologue
	.loc	1 5 0
	.seh_handlerdata
	.long	1
	.text
	.seh_endproc
	.loc	1 6 0
	nop

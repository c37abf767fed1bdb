# gnu64 gnu32: the header of .stab names the file as .file did.
	.file	"o.m"
	.text
	.stabs	"/x/o.m",100,0,0,0
	.stabs	"main:F1",36,0,3,main
main:	nop

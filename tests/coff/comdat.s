# msvc64 msvc32 mingw64 mingw32
# COMDAT sections with their symbols, associated sections, several sections of one name.
	.section .text,"xr",one_only,f
	.globl	f
f:	ret
	.section .text,"xr",discard,g
	.globl	g
g:	call	f
	.section .text,"xr",same_size,h
	.globl	h
h:	ret
	.section .text,"xr",same_contents,i
	.globl	i
i:	ret
	.section .data,"dw",largest,j
	.globl	j
j:	.long	k
	.section .data,"dw",newest,k
	.globl	k
k:	.long	j
	.section .rdata,"dr",associative,f
	.long	f
	.section .early,"dr",associative,m
	.long	m
	.section .last,"dr",discard,m
	.globl	m
m:	.long	1
	.section .once,"dr"
	.linkonce same_size
	.long	2
	.section .text,"xr",discard,g
	ret

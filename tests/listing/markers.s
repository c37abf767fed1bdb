	nop
# 2 "source.c"
	nop
	.ascii "a"
# 5 "source.c" 1
	.byte 5
	nop
# 4 "markers.s" 2
	ret
	nop

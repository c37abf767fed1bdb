	.psize 12, 60
	.title title without quotes here
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop # a long comment that goes on for quite some time so that it is longer than sixty
	.sbttl "second"
	nop
	nop
	.warning "hm"
	nop
	nop
	nop
	nop
	.psize 2000
	.nopage

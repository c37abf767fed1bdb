// Negative numbers of SVE's sums stand for the ones that are above by the element's size.
	.arch armv8-a+sve
        add z0.b, z0.b, #-255
        add z0.b, z0.b, #-1
        add z0.b, z0.b, #-1, lsl #0
        sub z1.h, z1.h, #-65536
        subr z1.h, z1.h, #-65281
        sqadd z1.h, z1.h, #-32768
        add z1.s, z1.s, #-4294967169
        add z0.h, z0.h, #-255, lsl #8

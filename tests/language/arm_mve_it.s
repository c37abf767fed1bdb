# gnu-thumb -march=armv8.1-m.main+mve.fp
@ GNU as takes MVE's instructions in IT blocks; a subtracted zero is an added one.
	.syntax unified
	.thumb
	it eq
	vclz.i32 q0, q1
	ite ne
	vadd.i8 q0, q1, q2
	vadd.f32 q0, q1, q2
	vstrw.32 q0, [q1, #-0]
	vldrw.u32 q0, [q1, #-4]
	vand.f16 q0, q1, q2
	lsll r0, r1, r6
	asrl r2, r3, r5
	vpst
	vclzt.i16 q0, q1

# gnu-thumb -march=armv8.6-a+fp16+predres -mfpu=neon-fp-armv8
@ Types on operands, names of registers with types and elements, names for quad registers, and spellings of GNU as alone.
	.syntax unified
fish	.qn	q2
cow	.dn	d2[1]
banana	.dn	d3
x	.dn	d0.s16
y	.dn	d1.s16
z	.dn	y[2]
	vmov r0, r1, d0
	vmul fish.s16, fish.s16, fish.s16
	vmul banana, banana, cow.s32
	vmull fish.u32, d2.u16, d2.u16[1]
	vmla x, y, z
	vmla X, Y, Y[2]
	vmov d2.s16[1], r1
	vmov r0, r1, d0
	vcvt q1.s32, q2.f32
	vcvt d4.f, d5.u32, #5
	vcvt d0.f16, q1.f32
	vdot d11.bf16, d0.bf16, d20.bf16
el1	.dn	d4.16[1]
el2	.dn	d6.16[1]
	vld2 {el1, el2}, [r10]
	vld2 {d2.32[1], d3.32[1]}, [r10]
	vaddq.i32 q0, q1, q2
	vabdq.s8 q0, q1, q2
	ffmas s0, s1, s2
	ffnmad d1, d2, d3
	cfprctx r1
	dvprctx r3
	fmsrr {s15, s16}, r5, r10
	fmrrs r5, r10, {s4, s5}
	teqp r0, #10
	cmpp r1, r2, lsl r3
	tsts r1, r2
	ldsh r1, [r2, #2]
	ldsgeb r1, [r11, #4]
	fmrx r0, c12
	vmov s1, #2.5
	ldrd r2, [r0]
	bfi r0, #0, #0, #1
	udf
	hlt
	mov wr, sb
	fshtos s1, #16
	vmov.s16 r0, s1

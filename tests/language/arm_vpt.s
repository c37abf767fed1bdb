# llvm-thumb -triple=thumbv8.1m.main-none-eabi -mattr=+mve.fp,+fp64,+pacbti
f:
	vpst
	vaddt.i32 q0, q1, q2
	vpste
	vcvtnt.s16.f16 q0, q1
	vcvtne.s32.f32 q0, q1
	vpttee.s8 ge, q1, r2
	vldrbt.u8 q0, [r0], #16
	vmovltt.s8 q0, q1
	vmullbe.s16 q0, q1, q2
	vpsele q0, q1, q2
	vptet.f32 ne, q1, zr
	vcmpt.i8 ne, q0, r0
	vcmpe.i8 ne, q0, r0
	vmvnt q0, q1
	itt eq
	vcvtteq.f16.f32 s0, s1
	vcvtbeq.f16.f32 s0, s1
	wls lr, r0, end
start:
	dls lr, r1
	le lr, start
	letp lr, start
	le start
end:
	bfx branch, r3
	bf branch, target
	bfl branch, target
	bflx branch, r4
	bfcsel branch, target, else, ge
	nop
branch:
	b target
else:
	clrm {r0-r3, apsr}
	vscclrm {s0-s3, vpr}
target:
	bti

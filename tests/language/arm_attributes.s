# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=0
# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=1
# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=2
# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=3
# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=4
# llvm-thumb -triple=armv7-linux-gnueabihf -defsym=N=5
@ What LLVM makes up of architectures and units that go by several names.
	.if N == 0
	.arch armv5
	.fpu vfpv3xd-fp16
	.elseif N == 1
	.arch armv6zk
	.fpu neon-fp-armv8
	.elseif N == 2
	.arch armv6s-m
	.fpu fpv5-sp-d16
	.elseif N == 3
	.arch armv8.1m.main
	.object_arch armv7
	.elseif N == 4
	.arch armv9.5-a
	.eabi_attribute Tag_CPU_name, "mine"
	.cpu cortex-a8
	.else
	.object_arch armv4
	.eabi_attribute 6, 3
	.endif

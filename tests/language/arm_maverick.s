# gnu-thumb -mcpu=ep9312
# Every form of the table of Maverick (arm-forms).
	.syntax unified
	.arm
	cfstr32 mvfx0, [r6]
	cfstr32 mvfx0, [r6, #16]
	cfstr32 mvfx0, [r6, #16]!
	cfstr32 mvfx0, [r6], #16
	cfnegd mvd0, mvd0
	cfmvrdh r2, mvd0
	cfmvrdl r2, mvd0
	cfstr64 mvdx0, [r6]
	cfstr64 mvdx0, [r6, #16]
	cfstr64 mvdx0, [r6, #16]!
	cfstr64 mvdx0, [r6], #16
	cfcvt64s mvf0, mvdx0
	cfcvt64d mvd0, mvdx0
	cfadd32 mvfx0, mvfx0, mvfx0
	cfmva32 mvax0, mvfx0
	cfldr64 mvdx0, [r6]
	cfldr64 mvdx0, [r6, #16]
	cfldr64 mvdx0, [r6, #16]!
	cfldr64 mvdx0, [r6], #16
	cfcpys mvf0, mvf0
	cfldr32 mvfx0, [r6]
	cfldr32 mvfx0, [r6, #16]
	cfldr32 mvfx0, [r6, #16]!
	cfldr32 mvfx0, [r6], #16
	cfmuls mvf0, mvf0, mvf0
	cfmvdlr mvd0, r4
	cfcvtds mvf0, mvd0
	cfmvah32 mvax0, mvfx0
	cfcmp32 r2, mvfx0, mvfx0
	cfrshl32 mvfx0, mvfx0, r6
	cfrshl64 mvdx0, mvdx0, r6
	cfaddd mvd0, mvd0, mvd0
	cfabss mvf0, mvf0
	cfabs64 mvdx0, mvdx0
	cfsub64 mvdx0, mvdx0, mvdx0
	cfsubs mvf0, mvf0, mvf0
	cfcmps r2, mvf0, mvf0
	cfcmp64 r2, mvdx0, mvdx0
	cfsub32 mvfx0, mvfx0, mvfx0
	cfmvdhr mvd0, r4
	cfmsub32 mvax0, mvfx0, mvfx0, mvfx0
	cfmval32 mvax0, mvfx0
	cfmul32 mvfx0, mvfx0, mvfx0
	cfstrd mvd0, [r6]
	cfstrd mvd0, [r6, #16]
	cfstrd mvd0, [r6, #16]!
	cfstrd mvd0, [r6], #16
	cftruncd32 mvfx0, mvd0
	cfldrd mvd0, [r6]
	cfldrd mvd0, [r6, #16]
	cfldrd mvd0, [r6, #16]!
	cfldrd mvd0, [r6], #16
	cfsh64 mvdx0, mvdx0, #-1
	cfmul64 mvdx0, mvdx0, mvdx0
	cfmadda32 mvax0, mvax0, mvfx0, mvfx0
	cfnegs mvf0, mvf0
	cfneg64 mvdx0, mvdx0
	cfmsuba32 mvax0, mvax0, mvfx0, mvfx0
	cfneg32 mvfx0, mvfx0
	cfsh32 mvfx0, mvfx0, #-1
	cfabs32 mvfx0, mvfx0
	cfmvsr mvf0, r4
	cfcpyd mvd0, mvd0
	cfmvsc32 dspsc, mvdx0
	cfmuld mvd0, mvd0, mvd0
	cftruncs32 mvfx0, mvf0
	cfadds mvf0, mvf0, mvf0
	cfadd64 mvdx0, mvdx0, mvdx0
	cfmva64 mvax0, mvdx0
	cfabsd mvd0, mvd0
	cfmv32a mvfx0, mvax0
	cfmv32ah mvfx0, mvax0
	cfmv32sc mvdx0, dspsc
	cfmv32al mvfx0, mvax0
	cfmv32am mvfx0, mvax0
	cfcvts32 mvfx0, mvf0
	cfcvt32s mvf0, mvfx0
	cfcvt32d mvd0, mvfx0
	cfmac32 mvfx0, mvfx0, mvfx0
	cfmvr64h r2, mvdx0
	cfmvr64l r2, mvdx0
	cfsubd mvd0, mvd0, mvd0
	cfmvrs r2, mvf0
	cfcvtsd mvd0, mvf0
	cfcmpd r2, mvd0, mvd0
	cfmv64hr mvdx0, r4
	cfmv64lr mvdx0, r4
	cfmv64a mvdx0, mvax0
	cfmadd32 mvax0, mvfx0, mvfx0, mvfx0
	cfstrs mvf0, [r6]
	cfstrs mvf0, [r6, #16]
	cfstrs mvf0, [r6, #16]!
	cfstrs mvf0, [r6], #16
	cfmvam32 mvax0, mvfx0
	cfldrs mvf0, [r6]
	cfldrs mvf0, [r6, #16]
	cfldrs mvf0, [r6, #16]!
	cfldrs mvf0, [r6], #16
	cfmsc32 mvfx0, mvfx0, mvfx0
	cfcvtd32 mvfx0, mvd0
	cfsh32 mvfx3, mvfx4, #-64
	cfsh64 mvdx3, mvdx14, #63
	cfmadda32 mvax1, mvax2, mvfx13, mvfx4
	cfmvsc32 dspsc, mvdx5
	cfldr64le mvdx7, [r9, #416]!

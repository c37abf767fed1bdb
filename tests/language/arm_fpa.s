# gnu-thumb -mfpu=fpa -mcpu=arm7m
# FPA: one in eight of the forms of its table (arm-forms), and conditions in front of the last letters.
	.syntax unified
	.arm
	sqtep f0, f0
	fmlep f0, f0, f0
	rndd f0, f0
	polez f0, f0, f0
	stfs f0, [r6, #16]!
	mvfep f0, f0
	mvfe f0, f0
	mvfem f0, f0
	logep f0, f0
	exps f0, f0
	rdfdm f0, f0, f0
	flts f0, r4
	cosem f0, #3
	sfmfd f0, #2, [r2]!
	cose f0, #3
	dvfsm f0, f0, #3
	sufd f0, f0, #3
	logd f0, #3
	atnez f0, #3
	rdfdz f0, f0, #3
	rdfdp f0, f0, #3
	lgns f0, #3
	nrmdz f0, f0
	sfm f0, #3, [r2]
	sfm f0, #3, [r2, #16]!
	fmle f0, f0, f0
	dvfdz f0, f0, f0
	rpwez f0, f0, f0
	powsm f0, f0, f0
	rpwem f0, f0, f0
	powsp f0, f0, f0
	adfe f0, f0, f0
	fltd f0, r4
	pols f0, f0, f0
	ldfs f0, [r6, #16]!
	coss f0, f0
	acse f0, f0
	nrmez f0, f0
	pows f0, f0, f0
	sufep f0, f0, f0
	sindm f0, f0
	tandm f0, f0
	lfm f0, #1, [r2]
	lfm f0, #1, [r2, #16]!
	tandp f0, f0
	powdp f0, f0, f0
	tansm f0, f0
	sinsm f0, f0
	sfmea f0, #3, [r2]!
	rdfep f0, f0, f0
	fmldm f0, f0, f0
	rdfem f0, f0, f0
	frdsz f0, f0, f0
	cossp f0, f0
	mnfsm f0, f0
	fdvep f0, f0, f0
	rndsz f0, f0
	lfmea f0, #1, [r2]
	mnfsz f0, f0
	sufdm f0, f0, f0
	atndz f0, f0
	rndsm f0, #3
	rdfe f0, f0, #3
	sufsz f0, f0, #3
	expdz f0, #3
	ldfe f0, [r6], #16
	urddz f0, #3
	acsep f0, #3
	acsez f0, #3
	poldm f0, f0, #3
	expdm f0, #3
	lgndp f0, #3
	acsem f0, #3
	rpwsz f0, f0, f0
	expsz f0, #3
	cosdm f0, #3
	fix r2, f0
	expsp f0, #3
	atnsz f0, f0
	urdsz f0, f0
	rpwdp f0, f0, f0
	nrme f0, f0
	sins f0, #3
	stfd f0, [r6, #16]
	powez f0, f0, #3
	rmfsz f0, f0, f0
	asnd f0, f0
	abssm f0, #3
	sqtdz f0, #3
	lgnep f0, #3
	lgnem f0, f0
	fltdp f0, r4
	rndez f0, #3
	absdm f0, #3
	rndep f0, #3
	rndem f0, #3
	absdz f0, #3
	frddp f0, f0, #3
	rsfdp f0, f0, f0
	rsfdm f0, f0, f0
	lfmfd f0, #3, [r2]
	rsfdz f0, f0, f0
	wfs r2
	stfpls f0, [r0]
	sufneez f3, f4, f5
	pows f1, f3, #0e1e1
	rdfs f3, f7, #0f1
	adfe f0, f1, #0.5
	cmfeeq f1, f2
	cmfeqe f3, #5.0

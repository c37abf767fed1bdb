# gnu-thumb -mcpu=iwmmxt2
# Every form of the table of XScale and iWMMXt (arm-forms).
	.syntax unified
	.arm
	wslld wr0, wr0, wr0
	wslld wr0, wr0, #0
	wslld wr0, wr0, #15
	tmrc r2, wcasf
	wunpckihh wr0, wr0, wr0
	wrorwg wr0, wr0, wcgr0
	wabsh wr0, wr0
	waddb wr0, wr0, wr0
	wabsw wr0, wr0
	wmulwumr wr0, wr0, wr0
	wsllh wr0, wr0, wr0
	wsllh wr0, wr0, #0
	wsllh wr0, wr0, #15
	mar acc0, r4, r6
	textrmsh r2, wr0, #3
	textrmuh r2, wr0, #3
	textrmsb r2, wr0, #3
	textrmub r2, wr0, #3
	textrmsw r2, wr0, #3
	textrmuw r2, wr0, #3
	waddh wr0, wr0, wr0
	wqmiabb wr0, wr0, wr0
	wqmiabt wr0, wr0, wr0
	wsllw wr0, wr0, wr0
	wsllw wr0, wr0, #0
	wsllw wr0, wr0, #15
	wmiawtbn wr0, wr0, wr0
	wmiawttn wr0, wr0, wr0
	wmulsl wr0, wr0, wr0
	wmulsm wr0, wr0, wr0
	wqmiabbn wr0, wr0, wr0
	wqmiabtn wr0, wr0, wr0
	wmiabt wr0, wr0, wr0
	wmacsz wr0, wr0, wr0
	waligni wr0, wr0, wr0, #3
	wsllhg wr0, wr0, wcgr0
	tbcsth wr0, r4
	waddhus wr0, wr0, wr0
	wabsb wr0, wr0
	wunpckilh wr0, wr0, wr0
	wminsh wr0, wr0, wr0
	wzero wr0
	waddhc wr0, wr0, wr0
	tinsrh wr0, r4, #3
	wminuw wr0, wr0, wr0
	torvsch pc
	torvscb pc
	torvscw pc
	wsubhss wr0, wr0, wr0
	tmiatb wr0, r4, r6
	wrorhg wr0, wr0, wcgr0
	wmulumr wr0, wr0, wr0
	waddwss wr0, wr0, wr0
	wandn wr0, wr0, wr0
	wmiawtb wr0, wr0, wr0
	wmiawtt wr0, wr0, wr0
	wmulwum wr0, wr0, wr0
	wpackhss wr0, wr0, wr0
	wpackhus wr0, wr0, wr0
	wsubbus wr0, wr0, wr0
	miaph acc0, r4, r6
	wmaxub wr0, wr0, wr0
	wsrlhg wr0, wr0, wcgr0
	wqmulmr wr0, wr0, wr0
	wmadds wr0, wr0, wr0
	wmaddu wr0, wr0, wr0
	wqmiatb wr0, wr0, wr0
	wqmiatt wr0, wr0, wr0
	wunpckilw wr0, wr0, wr0
	wmiatb wr0, wr0, wr0
	wsrad wr0, wr0, wr0
	wsrad wr0, wr0, #0
	wsrad wr0, wr0, #15
	wmulwsm wr0, wr0, wr0
	miatt acc0, r4, r6
	wunpckihw wr0, wr0, wr0
	wsllwg wr0, wr0, wcgr0
	wrord wr0, wr0, wr0
	wrord wr0, wr0, #0
	wrord wr0, wr0, #15
	wsrah wr0, wr0, wr0
	wsrah wr0, wr0, #0
	wsrah wr0, wr0, #15
	wsraw wr0, wr0, wr0
	wsraw wr0, wr0, #0
	wsraw wr0, wr0, #15
	wand wr0, wr0, wr0
	wavg2br wr0, wr0, wr0
	miabb acc0, r4, r6
	waddbus wr0, wr0, wr0
	wmulwsmr wr0, wr0, wr0
	tbcstb wr0, r4
	wsrahg wr0, wr0, wcgr0
	wsrlwg wr0, wr0, wcgr0
	wminsw wr0, wr0, wr0
	tmiabb wr0, r4, r6
	wunpckeluh wr0, wr0
	wavg2hr wr0, wr0, wr0
	tinsrb wr0, r4, #3
	wsubbss wr0, wr0, wr0
	wmaddsx wr0, wr0, wr0
	wmaddsn wr0, wr0, wr0
	waddhss wr0, wr0, wr0
	waddbhusl wr0, wr0, wr0
	waddbhusm wr0, wr0, wr0
	wunpckehuh wr0, wr0
	wpackwss wr0, wr0, wr0
	wpackwus wr0, wr0, wr0
	wunpckihb wr0, wr0, wr0
	wqmulwmr wr0, wr0, wr0
	torcb pc
	wrorw wr0, wr0, wr0
	wrorw wr0, wr0, #0
	wrorw wr0, wr0, #15
	miatb acc0, r4, r6
	torch pc
	wsadbz wr0, wr0, wr0
	wabsdiffh wr0, wr0, wr0
	wmaxsb wr0, wr0, wr0
	wmiabbn wr0, wr0, wr0
	waddw wr0, wr0, wr0
	wrorh wr0, wr0, wr0
	wrorh wr0, wr0, #0
	wrorh wr0, wr0, #15
	torcw pc
	wmaxuh wr0, wr0, wr0
	mra r2, r4, acc0
	textrch pc, #3
	textrcb pc, #3
	textrcw pc, #3
	wqmulm wr0, wr0, wr0
	tmovmskh r2, wr0
	tmovmskb r2, wr0
	tmovmskw r2, wr0
	wavg4 wr0, wr0, wr0
	wmacs wr0, wr0, wr0
	wmacu wr0, wr0, wr0
	wmerge wr0, wr0, wr0, #3
	wunpckeluw wr0, wr0
	wsubaddhx wr0, wr0, wr0
	mia acc0, r4, r6
	wsrawg wr0, wr0, wcgr0
	wsubb wr0, wr0, wr0
	wsubh wr0, wr0, wr0
	wunpckehuw wr0, wr0
	tmcrr wr0, r4, r6
	wor wr0, wr0, wr0
	wmiattn wr0, wr0, wr0
	wunpckilb wr0, wr0, wr0
	wsubw wr0, wr0, wr0
	wmiabb wr0, wr0, wr0
	wslldg wr0, wr0, wcgr0
	wunpckelsb wr0, wr0
	wmulwl wr0, wr0, wr0
	waddsubhx wr0, wr0, wr0
	wsadb wr0, wr0, wr0
	wunpckehsb wr0, wr0
	wmiatbn wr0, wr0, wr0
	wsubwus wr0, wr0, wr0
	wmiabtn wr0, wr0, wr0
	waddbss wr0, wr0, wr0
	wminub wr0, wr0, wr0
	wrordg wr0, wr0, wcgr0
	wsadh wr0, wr0, wr0
	wqmulwm wr0, wr0, wr0
	tmiatt wr0, r4, r6
	wcmpgtsh wr0, wr0, wr0
	wcmpgtsb wr0, wr0, wr0
	wcmpgtub wr0, wr0, wr0
	wcmpgtsw wr0, wr0, wr0
	wcmpgtuh wr0, wr0, wr0
	wcmpgtuw wr0, wr0, wr0
	miabt acc0, r4, r6
	wavg2h wr0, wr0, wr0
	tmcr wcasf, r4
	wsrldg wr0, wr0, wcgr0
	wmaxsh wr0, wr0, wr0
	wavg4r wr0, wr0, wr0
	wsadhz wr0, wr0, wr0
	wunpckelsh wr0, wr0
	wmaxuw wr0, wr0, wr0
	wcmpeqh wr0, wr0, wr0
	wcmpeqb wr0, wr0, wr0
	wcmpeqw wr0, wr0, wr0
	wunpckehsh wr0, wr0
	wmiatt wr0, wr0, wr0
	wacch wr0, wr0
	waccw wr0, wr0
	wmiawbb wr0, wr0, wr0
	wmiawbt wr0, wr0, wr0
	wqmiatbn wr0, wr0, wr0
	wqmiattn wr0, wr0, wr0
	wunpckelub wr0, wr0
	waddwc wr0, wr0, wr0
	wunpckehub wr0, wr0
	wstrb wr0, [r6]
	wstrb wr0, [r6, #4]
	wstrb wr0, [r6, #4]!
	wstrb wr0, [r6], #4
	wstrd wr0, [r6]
	wstrd wr0, [r6, #16]
	wstrd wr0, [r6, #16]!
	wstrd wr0, [r6], #16
	wstrd wr0, [r6, r4]
	wstrd wr0, [r6, r4, lsl #7]
	wstrd wr0, [r6, r4]!
	wstrd wr0, [r6, r4, lsl #7]!
	wstrd wr0, [r6], r6
	wstrd wr0, [r6], r6, lsl #7
	wstrh wr0, [r6]
	wstrh wr0, [r6, #4]
	wstrh wr0, [r6, #4]!
	wstrh wr0, [r6], #4
	tmia wr0, r4, r6
	wsubwss wr0, wr0, wr0
	wstrw wr0, [r6]
	wstrw wr0, [r6, #16]
	wstrw wr0, [r6, #16]!
	wstrw wr0, [r6], #16
	wstrw wcasf, [r6]
	wstrw wcasf, [r6, #16]
	wstrw wcasf, [r6, #16]!
	wstrw wcasf, [r6], #16
	wmacuz wr0, wr0, wr0
	wpackdss wr0, wr0, wr0
	wpackdus wr0, wr0, wr0
	wmaddux wr0, wr0, wr0
	wmaddun wr0, wr0, wr0
	wsradg wr0, wr0, wcgr0
	tbcstw wr0, r4
	wabsdiffw wr0, wr0, wr0
	wmulul wr0, wr0, wr0
	wmulum wr0, wr0, wr0
	wunpckelsw wr0, wr0
	waccb wr0, wr0
	wmiawbbn wr0, wr0, wr0
	wmiawbtn wr0, wr0, wr0
	wshufh wr0, wr0, #127
	wunpckehsw wr0, wr0
	wminsb wr0, wr0, wr0
	tmiabt wr0, r4, r6
	walignr0 wr0, wr0, wr0
	walignr1 wr0, wr0, wr0
	walignr2 wr0, wr0, wr0
	walignr3 wr0, wr0, wr0
	wsrld wr0, wr0, wr0
	wsrld wr0, wr0, #0
	wsrld wr0, wr0, #15
	waddwus wr0, wr0, wr0
	wsrlh wr0, wr0, wr0
	wsrlh wr0, wr0, #0
	wsrlh wr0, wr0, #15
	tinsrw wr0, r4, #3
	wminuh wr0, wr0, wr0
	wxor wr0, wr0, wr0
	wsrlw wr0, wr0, wr0
	wsrlw wr0, wr0, #0
	wsrlw wr0, wr0, #15
	tmiaph wr0, r4, r6
	wmulsmr wr0, wr0, wr0
	wavg2b wr0, wr0, wr0
	wldrh wr0, [r6]
	wldrh wr0, [r6, #4]
	wldrh wr0, [r6, #4]!
	wldrh wr0, [r6], #4
	wldrw wr0, [r6]
	wldrw wr0, [r6, #16]
	wldrw wr0, [r6, #16]!
	wldrw wr0, [r6], #16
	wldrw wcasf, [r6]
	wldrw wcasf, [r6, #16]
	wldrw wcasf, [r6, #16]!
	wldrw wcasf, [r6], #16
	wmaxsw wr0, wr0, wr0
	wsubhus wr0, wr0, wr0
	wmov wr0, wr0
	wabsdiffb wr0, wr0, wr0
	wldrb wr0, [r6]
	wldrb wr0, [r6, #4]
	wldrb wr0, [r6, #4]!
	wldrb wr0, [r6], #4
	wldrd wr0, [r6]
	wldrd wr0, [r6, #16]
	wldrd wr0, [r6, #16]!
	wldrd wr0, [r6], #16
	wldrd wr0, [r6, r4]
	wldrd wr0, [r6, r4, lsl #7]
	wldrd wr0, [r6, r4]!
	wldrd wr0, [r6, r4, lsl #7]!
	wldrd wr0, [r6], r6
	wldrd wr0, [r6], r6, lsl #7
	wldrb wr1, [r1], #0
	wrorh wr1, wr2, #21
	wshufh wr4, wr9, #251
	tmiabt wr13, r2, r3
	wldrw wcssf, [r1, #20]!
	wsllhg wr2, wr9, wcgr3
	miaph acc0, r2, r4

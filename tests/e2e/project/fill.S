// SPDX-License-Identifier: Apache-2.0
#include <linux/linkage.h>
#include <asm/asm.h>

SYM_FUNC_START(xas_fill)
	movq	%rsi, %rcx
	movb	$1, %al
1:	rep stosb
2:	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(xas_fill)

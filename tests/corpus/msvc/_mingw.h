// SPDX-License-Identifier: Apache-2.0
/* mingw's headers leave this out for compilers of the Microsoft kind. */
#include_next <_mingw.h>
#ifndef __MINGW_IMPORT
#define __MINGW_IMPORT extern
#endif

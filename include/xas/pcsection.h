/* SPDX-License-Identifier: Apache-2.0 */
/* xas/pcsection.h: reads PC sections (tables of program counters) in the program that they are linked into. C99, no
 * allocation, safe in signal handlers.
 *
 *     extern const unsigned char __start_faults[], __stop_faults[];      // .pcsection "faults", (i32 .Lfix - .)
 *
 *     const unsigned char* at = __start_faults;
 *     uintptr_t pc;
 *     while (xas_pc_next(&at, __stop_faults, 4, &pc)) {
 *       const unsigned char* field = at;
 *       uint64_t distance;
 *       if (!xas_pc_integer(&at, __stop_faults, 4, &distance)) break;    // what the table has behind each PC
 *       if (pc == fault) return (uintptr_t)field + (uintptr_t)(int32_t)distance;
 *     }
 *
 * Each function takes one field off the front and moves `*at` behind it. It returns 0, and moves nothing, when the
 * field is not there or does not end before `end`. */
#ifndef XAS_PCSECTION_H
#define XAS_PCSECTION_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The PC of an entry. The field is its distance from the field itself, in 4 bytes, or 8 with large code models. */
static inline int xas_pc_next(const unsigned char** at, const unsigned char* end, unsigned offset_size, uintptr_t* pc) {
  const unsigned char* entry = *at;
  if ((offset_size != 4 && offset_size != 8) || (uintptr_t)(end - entry) < offset_size) return 0;
  if (offset_size == 4) {
    int32_t distance;
    memcpy(&distance, entry, 4);
    *pc = (uintptr_t)entry + (uintptr_t)(intptr_t)distance;
  } else {
    int64_t distance;
    memcpy(&distance, entry, 8);
    *pc = (uintptr_t)entry + (uintptr_t)distance;
  }
  *at = entry + offset_size;
  return 1;
}

/* An integer of 1, 2, 4 or 8 bytes, zero-extended: a constant, or the size of a range (4 bytes). */
static inline int xas_pc_integer(const unsigned char** at, const unsigned char* end, unsigned size, uint64_t* value) {
  uint8_t v1;
  uint16_t v2;
  uint32_t v4;
  if ((uintptr_t)(end - *at) < size) return 0;
  switch (size) {
    case 1: memcpy(&v1, *at, 1), *value = v1; break;
    case 2: memcpy(&v2, *at, 2), *value = v2; break;
    case 4: memcpy(&v4, *at, 4), *value = v4; break;
    case 8: memcpy(value, *at, 8); break;
    default: return 0;
  }
  *at += size;
  return 1;
}

/* A ULEB128: what a table with the option C has in place of integers of 2 to 8 bytes and of sizes. Bits above 64 are
 * dropped. */
static inline int xas_uleb128(const unsigned char** at, const unsigned char* end, uint64_t* value) {
  const unsigned char* p = *at;
  uint64_t result = 0;
  unsigned shift = 0;
  for (; p != end; shift += 7) {
    const unsigned char byte = *p++;
    if (shift < 64) result |= (uint64_t)(byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    *at = p;
    *value = result;
    return 1;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif

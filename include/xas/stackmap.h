/* SPDX-License-Identifier: Apache-2.0 */
/* xas/stackmap.h: reads stack maps (version 3, of LLVM and xas) in the program that they are linked into, for garbage
 * collectors and runtimes that patch code. C99, no allocation, safe in signal handlers.
 *
 *     extern const unsigned char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
 *
 *     xas_stackmap map;
 *     if (!xas_stackmap_open(&map, __start_llvm_stackmaps, __stop_llvm_stackmaps - __start_llvm_stackmaps)) abort();
 *     xas_stackmap_record record;
 *     if (xas_stackmap_find(&map, return_address, &record)) {
 *       for (unsigned i = 0; i < record.locations; ++i) {
 *         struct xas_stackmap_location location;
 *         uint64_t value;
 *         if (!xas_stackmap_location(&record, i, &location)) continue;
 *         void* slot = xas_stackmap_slot(&location, &registers, &value);
 *         if (slot) move(slot, value);
 *       }
 *       next_frame = stack_pointer + record.stack_size;                   // x86-64: + 8 for the return address
 *     }
 *
 * `xas_stackmap_open` checks the bounds of everything, once; the other functions rely on it. A linked section holds the
 * maps of all objects, one behind the other, and all of them are looked at. A runtime that looks up often walks through
 * the records once, with `xas_stackmap_first` and `xas_stackmap_next`, and makes a table of its own. */
#ifndef XAS_STACKMAP_H
#define XAS_STACKMAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  XAS_STACKMAP_REGISTER = 1,      /* the value is in the register */
  XAS_STACKMAP_DIRECT = 2,        /* the value is register + offset, an address in the frame */
  XAS_STACKMAP_INDIRECT = 3,      /* the value is in memory at register + offset */
  XAS_STACKMAP_CONSTANT = 4,      /* the value is `value` */
  XAS_STACKMAP_CONSTANT_INDEX = 5 /* likewise; it stood in the pool of large constants */
};

#define XAS_STACKMAP_DYNAMIC UINT64_MAX /* the stack size of a frame that varies or is realigned */

typedef struct xas_stackmap {
  const unsigned char* begin;
  const unsigned char* end;
} xas_stackmap;

typedef struct xas_stackmap_record {
  uint64_t id;
  uint64_t address;    /* of the instruction, or the return address */
  uint64_t function;   /* address of the function */
  uint64_t stack_size; /* of its frame, or XAS_STACKMAP_DYNAMIC */
  unsigned locations;
  unsigned live_outs;
  /* for the functions below */
  const unsigned char* location_data;
  const unsigned char* live_out_data;
  const unsigned char* constants;
  const unsigned char* map;         /* the header of its map */
  const unsigned char* next_record; /* behind this one */
  uint32_t function_index;          /* of its function in its map */
  uint64_t left_in_function;        /* records of the function behind this one */
} xas_stackmap_record;

struct xas_stackmap_location {
  unsigned kind;      /* XAS_STACKMAP_* */
  unsigned size;      /* of the value, in bytes */
  unsigned dwarf;     /* the register's DWARF number */
  int32_t offset;     /* of direct and indirect */
  uint64_t value;     /* of constants */
};

struct xas_stackmap_live_out {
  unsigned dwarf;
  unsigned size; /* in bytes */
};

/* Registers by their DWARF numbers. */
struct xas_stackmap_registers {
  uintptr_t* values;
  size_t count;
};

static inline uint16_t xas_stackmap_u16(const unsigned char* p) {
  uint16_t value;
  memcpy(&value, p, sizeof value);
  return value;
}
static inline uint32_t xas_stackmap_u32(const unsigned char* p) {
  uint32_t value;
  memcpy(&value, p, sizeof value);
  return value;
}
static inline uint64_t xas_stackmap_u64(const unsigned char* p) {
  uint64_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

/* Behind `size` bytes at `p`, and padding to 8 bytes from the map's start; null if that is beyond the end. */
static inline const unsigned char* xas_stackmap_skip(const unsigned char* map, const unsigned char* p, uint64_t size,
                                                     const unsigned char* end) {
  const uint64_t to = ((uint64_t)(p - map) + size + 7) & ~(uint64_t)7;
  return to <= (uint64_t)(end - map) ? map + to : 0;
}

/* Behind the record at `p`, or null if it does not end. */
static inline const unsigned char* xas_stackmap_record_end(const unsigned char* map, const unsigned char* p,
                                                           const unsigned char* end) {
  if (end - p < 16) return 0;
  p = xas_stackmap_skip(map, p, 16 + 12 * (uint64_t)xas_stackmap_u16(p + 14), end);
  if (!p || end - p < 4) return 0;
  return xas_stackmap_skip(map, p, 4 + 4 * (uint64_t)xas_stackmap_u16(p + 2), end);
}

/* The first record of a map, or null if its tables do not fit. */
static inline const unsigned char* xas_stackmap_records(const unsigned char* map, const unsigned char* end) {
  uint64_t size;
  if (end - map < 16) return 0;
  size = 16 + 24 * (uint64_t)xas_stackmap_u32(map + 4) + 8 * (uint64_t)xas_stackmap_u32(map + 8);
  return size <= (uint64_t)(end - map) ? map + size : 0;
}

/* Takes a section's bytes. 0 if they are not stack maps of version 3, one behind the other. */
static inline int xas_stackmap_open(xas_stackmap* map, const void* section, size_t size) {
  const unsigned char* at = (const unsigned char*)section;
  const unsigned char* end = at + size;
  map->begin = at;
  map->end = end;
  while (at != end) {
    const unsigned char* start = at;
    uint64_t in_functions = 0;
    uint32_t i, functions, constants, records;
    at = xas_stackmap_records(start, end);
    if (!at || start[0] != 3) return 0;
    functions = xas_stackmap_u32(start + 4);
    constants = xas_stackmap_u32(start + 8);
    records = xas_stackmap_u32(start + 12);
    for (i = 0; i < functions; ++i) {
      const uint64_t count = xas_stackmap_u64(start + 16 + 24 * (size_t)i + 16);
      if (count > records) return 0;
      in_functions += count;
    }
    if (in_functions != records) return 0;
    for (i = 0; i < records; ++i) {
      const unsigned char* record = at;
      unsigned k;
      at = xas_stackmap_record_end(start, record, end);
      if (!at) return 0;
      for (k = 0; k < xas_stackmap_u16(record + 14); ++k) {
        const unsigned char* location = record + 16 + 12 * (size_t)k;
        if (location[0] == XAS_STACKMAP_CONSTANT_INDEX && xas_stackmap_u32(location + 8) >= constants) return 0;
      }
    }
  }
  return 1;
}

/* Fills `record` with what stands at `p`. */
static inline void xas_stackmap_fill(const xas_stackmap* map, xas_stackmap_record* record, const unsigned char* p) {
  const unsigned char* function = record->map + 16 + 24 * (size_t)record->function_index;
  const unsigned char* live_outs;
  record->id = xas_stackmap_u64(p);
  record->function = xas_stackmap_u64(function);
  record->stack_size = xas_stackmap_u64(function + 8);
  record->address = record->function + xas_stackmap_u32(p + 8);
  record->locations = xas_stackmap_u16(p + 14);
  record->location_data = p + 16;
  live_outs = xas_stackmap_skip(record->map, p, 16 + 12 * (uint64_t)record->locations, map->end);
  record->live_outs = xas_stackmap_u16(live_outs + 2);
  record->live_out_data = live_outs + 4;
  record->constants = record->map + 16 + 24 * (size_t)xas_stackmap_u32(record->map + 4);
  record->next_record = xas_stackmap_record_end(record->map, p, map->end);
}

/* Goes to the first record at or behind `p`, which follows what `record` says already. */
static inline int xas_stackmap_advance(const xas_stackmap* map, xas_stackmap_record* record, const unsigned char* p) {
  for (;;) {
    while (record->left_in_function == 0) {
      if (++record->function_index >= xas_stackmap_u32(record->map + 4)) {
        /* the next map */
        if (p == map->end) return 0;
        record->map = p;
        p = xas_stackmap_records(p, map->end);
        record->function_index = (uint32_t)-1;
        continue;
      }
      record->left_in_function = xas_stackmap_u64(record->map + 16 + 24 * (size_t)record->function_index + 16);
    }
    --record->left_in_function;
    xas_stackmap_fill(map, record, p);
    return 1;
  }
}

/* The first record of all. 0 if there is none. */
static inline int xas_stackmap_first(const xas_stackmap* map, xas_stackmap_record* record) {
  if (map->begin == map->end) return 0;
  record->map = map->begin;
  record->function_index = (uint32_t)-1;
  record->left_in_function = 0;
  return xas_stackmap_advance(map, record, xas_stackmap_records(map->begin, map->end));
}

/* The record behind `record`, in its place. 0 if it was the last one. */
static inline int xas_stackmap_next(const xas_stackmap* map, xas_stackmap_record* record) {
  return xas_stackmap_advance(map, record, record->next_record);
}

/* The record of an instruction's address (of a statepoint or call: the return address). 0 if there is none. */
static inline int xas_stackmap_find(const xas_stackmap* map, uintptr_t address, xas_stackmap_record* record) {
  int found = xas_stackmap_first(map, record);
  while (found && record->address != address) found = xas_stackmap_next(map, record);
  return found;
}

/* Location `i` of a record, from 0. 0 if there is none. */
static inline int xas_stackmap_location(const xas_stackmap_record* record, unsigned i,
                                        struct xas_stackmap_location* location) {
  const unsigned char* p = record->location_data + 12 * (size_t)i;
  if (i >= record->locations) return 0;
  location->kind = p[0];
  location->size = xas_stackmap_u16(p + 2);
  location->dwarf = xas_stackmap_u16(p + 4);
  location->offset = (int32_t)xas_stackmap_u32(p + 8);
  location->value = (uint64_t)(int64_t)location->offset;
  if (location->kind == XAS_STACKMAP_CONSTANT_INDEX) {
    location->value = xas_stackmap_u64(record->constants + 8 * (size_t)(uint32_t)location->offset);
  }
  return 1;
}

/* Live-out register `i` of a record, from 0. 0 if there is none. */
static inline int xas_stackmap_live_out(const xas_stackmap_record* record, unsigned i,
                                        struct xas_stackmap_live_out* live_out) {
  const unsigned char* p = record->live_out_data + 4 * (size_t)i;
  if (i >= record->live_outs) return 0;
  live_out->dwarf = xas_stackmap_u16(p);
  live_out->size = p[3];
  return 1;
}

/* The low `size` bytes of a register; null if it is given with fewer. */
static inline void* xas_stackmap_register_bytes(uintptr_t* reg, unsigned size) {
  const uint16_t one = 1;
  unsigned char first;
  if (size > sizeof *reg) return 0;
  memcpy(&first, &one, 1);
  return (unsigned char*)reg + (first ? 0 : sizeof *reg - size);
}

/* Where a value is, so that it can be written: in `registers` (as they were at the record's address) or in the frame,
 * in the machine's byte order. Null for constants, for addresses in the frame (direct), and for a register that is not
 * given, or is wider than a pointer. `*value` is the value, of 8 bytes at most, zero-extended; 0 if it is not to be
 * had. */
static inline void* xas_stackmap_slot(const struct xas_stackmap_location* location,
                                      const struct xas_stackmap_registers* registers, uint64_t* value) {
  void* slot = 0;
  uint8_t v1;
  uint16_t v2;
  uint32_t v4;
  *value = 0;
  if (location->kind == XAS_STACKMAP_CONSTANT || location->kind == XAS_STACKMAP_CONSTANT_INDEX) {
    *value = location->value;
    return 0;
  }
  if (location->dwarf >= registers->count) return 0;
  if (location->kind == XAS_STACKMAP_REGISTER) {
    slot = xas_stackmap_register_bytes(&registers->values[location->dwarf], location->size);
    if (!slot) return 0;
  } else {
    const uintptr_t address = registers->values[location->dwarf] + (uintptr_t)(intptr_t)location->offset;
    if (location->kind == XAS_STACKMAP_DIRECT) {
      *value = address;
      return 0;
    }
    if (location->kind != XAS_STACKMAP_INDIRECT) return 0;
    slot = (void*)address;
  }
  switch (location->size) {
    case 1: memcpy(&v1, slot, 1), *value = v1; break;
    case 2: memcpy(&v2, slot, 2), *value = v2; break;
    case 4: memcpy(&v4, slot, 4), *value = v4; break;
    case 8: memcpy(value, slot, 8); break;
    default: break;
  }
  return slot;
}

#ifdef __cplusplus
}
#endif

#endif

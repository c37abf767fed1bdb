/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime that reads its own program's tables through xas/stackmap.h and xas/pcsection.h, and prints what it finds;
 * run.sh compares that with what xas-dump says of the file. The arguments are what to print. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xas/pcsection.h"
#include "xas/stackmap.h"

extern const unsigned char __start_llvm_stackmaps[] __attribute__((weak)),
    __stop_llvm_stackmaps[] __attribute__((weak));
extern const unsigned char __start_sanmd_covered2[] __attribute__((weak)),
    __stop_sanmd_covered2[] __attribute__((weak));
extern const unsigned char __start_sanmd_atomics2[] __attribute__((weak)),
    __stop_sanmd_atomics2[] __attribute__((weak));
extern int main(int argc, char** argv);

/* What clang's metadata calls when the program starts. */
void __sanitizer_metadata_atomics_add(void) {}
void __sanitizer_metadata_atomics_del(void) {}
void __sanitizer_metadata_covered_add(void) {}
void __sanitizer_metadata_covered_del(void) {}

static void print_stack_maps(void) {
  xas_stackmap map;
  xas_stackmap_record record;
  uintptr_t values[4] = {10, 20, 30, 40};
  const struct xas_stackmap_registers registers = {values, 4};
  int found;
  if (!xas_stackmap_open(&map, __start_llvm_stackmaps, (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps)))
    exit(1);
  for (found = xas_stackmap_first(&map, &record); found; found = xas_stackmap_next(&map, &record)) {
    unsigned i;
    xas_stackmap_record again;
    struct xas_stackmap_location location;
    struct xas_stackmap_live_out live_out;
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64, record.id, record.address - record.function, record.stack_size);
    for (i = 0; xas_stackmap_location(&record, i, &location); ++i) {
      uint64_t value;
      const int is_constant = location.kind >= XAS_STACKMAP_CONSTANT;
      printf(" %u:%u:%u:%" PRId64, location.kind, location.size, location.dwarf,
             is_constant ? (int64_t)location.value : (int64_t)location.offset);
      if (location.kind == XAS_STACKMAP_REGISTER && location.dwarf < 4 && location.size == 8 &&
          (xas_stackmap_slot(&location, &registers, &value) != &values[location.dwarf] ||
           value != values[location.dwarf])) {
        exit(2);
      }
      if (location.kind == XAS_STACKMAP_DIRECT && xas_stackmap_slot(&location, &registers, &value)) exit(3);
    }
    for (i = 0; xas_stackmap_live_out(&record, i, &live_out); ++i) printf(" live%u:%u", live_out.dwarf, live_out.size);
    printf("\n");
    if (!xas_stackmap_find(&map, (uintptr_t)record.address, &again) || again.address != record.address) exit(4);
  }
}

static void print_pcs(void) {
  const unsigned char* at = __start_sanmd_covered2;
  uintptr_t pc;
  uint64_t size, features, stack;
  while (xas_pc_next(&at, __stop_sanmd_covered2, 4, &pc)) {
    if (!xas_uleb128(&at, __stop_sanmd_covered2, &size) || !xas_pc_integer(&at, __stop_sanmd_covered2, 1, &features))
      exit(1);
    printf("%" PRIdPTR " %" PRIu64 " %" PRIu64, (intptr_t)(pc - (uintptr_t)main), size, features);
    if (features & 4) {
      if (!xas_uleb128(&at, __stop_sanmd_covered2, &stack)) exit(1);
      printf(" %" PRIu64, stack);
    }
    printf("\n");
  }
}

static void print_atomics(void) {
  const unsigned char* at = __start_sanmd_atomics2;
  uintptr_t pc;
  while (xas_pc_next(&at, __stop_sanmd_atomics2, 4, &pc)) printf("%" PRIdPTR "\n", (intptr_t)(pc - (uintptr_t)main));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "stackmaps") == 0) print_stack_maps();
  else if (argc > 1 && strcmp(argv[1], "atomics") == 0) print_atomics();
  else print_pcs();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A copying collector that finds its roots by the stack maps of the program itself, and writes a call into the running
 * code. cons.s and build.s are the program; run.sh builds it. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "xas/stackmap.h"

struct node {
  struct node* next; /* of a node that has been copied: where it is now, plus 1 */
  long number;
};

struct node* build(int n);
struct node* allocate(void);

extern const unsigned char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];

enum { heap_nodes = 2000, patch_id = 1, patched_at = 3 };

static xas_stackmap maps;
static struct node heaps[2][heap_nodes];
static struct node *space = heaps[0], *top = heaps[0];
static int collections;
static long taken;

/* What the patched call calls. */
static void count_taken(void) { ++taken; }

static int in_space(const struct node* n, const struct node* s) { return n >= s && n < s + heap_nodes; }

/* Where the node is in the new space. */
static struct node* copied(struct node* n, const struct node* from) {
  if (!n || !in_space(n, from)) return n;
  if ((uintptr_t)n->next & 1) return (struct node*)((uintptr_t)n->next - 1);
  *top = *n;
  n->next = (struct node*)((uintptr_t)top + 1);
  return top++;
}

/* The pointers that the frame of a return address holds. 0: the frame has no record. */
static int copy_frame(uintptr_t address, struct xas_stackmap_registers* registers, uint64_t* stack_size,
                      const struct node* from) {
  xas_stackmap_record record;
  struct xas_stackmap_location location;
  unsigned i = 3; /* behind the calling convention, the flags and the number of deopt values, 0 */
  if (!xas_stackmap_find(&maps, address, &record)) return 0;
  for (; xas_stackmap_location(&record, i, &location); i += 2) {
    uint64_t value;
    struct node** slot = xas_stackmap_slot(&location, registers, &value);
    if (slot) *slot = copied(*slot, from);
  }
  *stack_size = record.stack_size;
  return 1;
}

/* The frames from that of `allocate`'s caller up to the first without a record. */
static void copy_roots(void* frame, const struct node* from) {
  uint64_t stack_size;
  uintptr_t values[32] = {0};
  struct xas_stackmap_registers registers = {values, 32};
  uintptr_t* at = frame; /* the caller's frame pointer, and the return address */
#if defined __x86_64__
  enum { rsp = 7 };
  uintptr_t* sp = at + 2;
  for (;;) {
    values[rsp] = (uintptr_t)sp;
    if (!copy_frame(sp[-1], &registers, &stack_size, from)) return;
    sp = (uintptr_t*)((char*)sp + stack_size) + 1;
  }
#else
  enum { x29 = 29 };
  for (;; at = (uintptr_t*)at[0]) {
    values[x29] = at[0];
    if (!copy_frame(at[1], &registers, &stack_size, from)) return;
  }
#endif
}

/* Writes a call over all bytes of the patch point. */
static void patch(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  xas_stackmap_record record;
  int found = xas_stackmap_first(&maps, &record);
  while (found && record.id != patch_id) found = xas_stackmap_next(&maps, &record);
  if (!found) abort();
  unsigned char* code = (unsigned char*)(uintptr_t)record.address;
  const uintptr_t first = record.address & ~(page - 1);
  if (mprotect((void*)first, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) abort();
#if defined __x86_64__
  enum { size = 5 };
  const int32_t distance = (int32_t)((uintptr_t)count_taken - (record.address + size));
  code[0] = 0xe8;
  memcpy(code + 1, &distance, 4);
#else
  enum { size = 4 };
  const uint32_t distance = (uint32_t)((intptr_t)((uintptr_t)count_taken - record.address) >> 2);
  const uint32_t bl = 0x94000000 | (distance & 0x03ffffff);
  memcpy(code, &bl, 4);
#endif
  __builtin___clear_cache((char*)code, (char*)code + size);
}

static __attribute__((noinline)) void collect(void* frame) {
  struct node* const from = space;
  space = from == heaps[0] ? heaps[1] : heaps[0];
  struct node* scan = top = space;
  copy_roots(frame, from);
  for (; scan != top; ++scan) scan->next = copied(scan->next, from);
  memset(from, 0xff, sizeof heaps[0]); /* whoever still uses it is found out */
  if (++collections == patched_at) patch();
}

struct node* allocate(void) {
  if (top == space + heap_nodes) collect(__builtin_frame_address(0));
  if (top == space + heap_nodes) abort();
  return top++;
}

int main(void) {
  const size_t size = (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps);
  long sum = 0;
  if (!xas_stackmap_open(&maps, __start_llvm_stackmaps, size)) return 1;
  for (int round = 0; round < 10; ++round)
    for (const struct node* n = build(1000); n; n = n->next) sum += n->number;
  printf("sum %ld, %d collections, the patched call was taken %ld times\n", sum, collections, taken);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
// What makes CodeView of every kind: inlined functions within others, variables whose place changes, gaps in their
// ranges, a switch, types that refer to each other, a large frame (windows.sh). No library is needed.
typedef struct Node {
  struct Node *next;
  union {
    int number;
    float real;
    unsigned flags : 3;
  } value;
  enum Kind { none, one, many } kind;
} Node;

Node nodes[4];
volatile int sink;
int _fltused;

static inline int twice(int x) {
  int sum = x + x;
  sink = sum;
  return sum ^ sink;
}
static inline int nested(int x, int y) {
  int z = twice(x) + y;
  if (z > 10) z = twice(z);
  return z;
}

__attribute__((noinline)) int walk(Node *n, int limit) {
  int total = 0;
  for (int i = 0; n && i < limit; ++i, n = n->next) {
    switch (n->kind) {
      case none: total += nested(i, total); break;
      case one: total ^= n->value.number; break;
      case many: total -= twice(total); break;
    }
  }
  return total;
}

__attribute__((noinline)) int large(int k) {
  volatile char space[3000];
  space[k] = (char)k;
  int copy = space[k + 1];
  if (copy) sink = nested(copy, k);
  return space[k] + copy;
}

int mainCRTStartup(void) {
  nodes[0].next = &nodes[1];
  return walk(nodes, 3) + large(5);
}

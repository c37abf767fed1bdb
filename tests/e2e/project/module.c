/* SPDX-License-Identifier: Apache-2.0 */
// A module of the Linux kernel: static calls, jump labels and bugs are assembly in its headers.
#include <linux/module.h>

void xas_fill(void *to, unsigned long size);

static char room[64];

static int __init hello_init(void) {
  BUG_ON(!room);
  xas_fill(room, sizeof room);
  pr_info("hello: %d\n", room[63]);
  return 0;
}

static void __exit hello_exit(void) { WARN_ON(room[0] != 1); }

module_init(hello_init);
module_exit(hello_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("hello");

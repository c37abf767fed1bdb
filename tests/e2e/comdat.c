/* SPDX-License-Identifier: Apache-2.0 */
/* What comdat.s has come to. */
int printf(const char*, ...);
extern int* pointers[] __asm__("pointers");
extern char end_of_pointers[] __asm__("end_of_pointers");
extern int leader[] __asm__("leader");
extern const unsigned char sized[] __asm__("sized"), equal[] __asm__("equal");
extern const int big[] __asm__("big"), start[] __asm__("start"), finish[] __asm__("finish");
int sum(void) __asm__("sum");
int call_padded(void) __asm__("call_padded");
int call_twice(void) __asm__("call_twice");
int call_thrice(void) __asm__("call_thrice");

int main(void) {
  for (int i = 0; (char*)&pointers[i] < end_of_pointers; ++i) printf("%d\n", *pointers[i]);
  for (int i = 0; i < 4; ++i) printf("%d\n", **(int**)((char*)leader + 16 + i * sizeof(int*)));
  printf("%d %d %d\n", sized[2], equal[4], big[1]);
  int list = 0;
  for (const int* p = start; p <= finish; ++p) list += *p;
  printf("%d\n", list);
  printf("%d %d %d %d\n", sum(), call_padded(), call_twice(), call_thrice());
  return 0;
}

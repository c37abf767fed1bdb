/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a formula in reverse Polish notation to a function, by the functions of xas/stream.h: no text is made of it.
 *
 *     stream OUTPUT NAME WORD...
 *     stream poly.o poly x x '*' 3 x '*' + 1 +        long poly(long x) { return x * x + 3 * x + 1; }
 *
 * For x86-64 Linux. Words are numbers, x, +, - and *; a mistake is told with the number of its word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xas/x86.h"
#include "xas/xas.h"

static xas_arg reg(xas_register r) { return (xas_arg){.kind = XAS_ARG_REGISTER, .reg = r}; }
static xas_arg number(int64_t n) { return (xas_arg){.kind = XAS_ARG_VALUE, .value = {.constant = n}}; }

/* What goes wrong need not be looked at here: xas_finish tells all of it. */
static void emit(xas_context* xas, xas_mnemonic mnemonic, xas_arg a) { xas_emit(xas, mnemonic, 0, &a, 1); }
static void emit2(xas_context* xas, xas_mnemonic mnemonic, xas_arg from, xas_arg to) {
  const xas_arg args[] = {from, to}; /* in AT&T's order */
  xas_emit(xas, mnemonic, 0, args, 2);
}

/* An error of the formula, among those of the assembly. */
static void error(xas_context* xas, const char* text) {
  const xas_operand message = {.kind = XAS_OPERAND_STRING, .text = text, .text_size = strlen(text)};
  xas_directive(xas, ".error", &message, 1);
}

/* One word. Its operands and result are on the stack, x in rdi. Returns how many values there are then. */
static int compile(xas_context* xas, const char* word, int depth) {
  static const struct {
    const char* word;
    xas_mnemonic mnemonic;
  } operators[] = {{"+", XAS_X86_ADDQ}, {"-", XAS_X86_SUBQ}, {"*", XAS_X86_IMULQ}};
  char* end;
  const long long n = strtoll(word, &end, 0);
  if (*word && !*end) return emit(xas, XAS_X86_PUSHQ, number(n)), depth + 1;
  if (strcmp(word, "x") == 0) return emit(xas, XAS_X86_PUSHQ, reg(XAS_X86_RDI)), depth + 1;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i) {
    if (strcmp(word, operators[i].word) != 0) continue;
    if (depth < 2) return error(xas, "an operator needs two values"), depth;
    emit(xas, XAS_X86_POPQ, reg(XAS_X86_RCX));
    emit(xas, XAS_X86_POPQ, reg(XAS_X86_RAX));
    emit2(xas, operators[i].mnemonic, reg(XAS_X86_RCX), reg(XAS_X86_RAX));
    emit(xas, XAS_X86_PUSHQ, reg(XAS_X86_RAX));
    return depth - 1;
  }
  return error(xas, "unknown word"), depth;
}

static void function(xas_context* xas, const char* name, char** words, int count) {
  const xas_symbol f = xas_symbol_named(xas, name, strlen(name));
  xas_declare(xas, f, XAS_GLOBAL);
  xas_declare(xas, f, XAS_FUNCTION);
  xas_label(xas, f);
  xas_cfi_begin(xas, 0);
  emit(xas, XAS_X86_PUSHQ, reg(XAS_X86_RBP));
  const int rbp = xas_dwarf_number(xas, XAS_X86_RBP);
  xas_cfi(xas, XAS_CFI_DEF_CFA_OFFSET, 0, 16);
  xas_cfi(xas, XAS_CFI_OFFSET, rbp, -16);
  emit2(xas, XAS_X86_MOVQ, reg(XAS_X86_RSP), reg(XAS_X86_RBP));
  xas_cfi(xas, XAS_CFI_DEF_CFA_REGISTER, rbp, 0);

  int depth = 0;
  for (int i = 0; i < count; ++i) {
    xas_place(xas, name, i + 1); /* what follows is of this word */
    depth = compile(xas, words[i], depth);
  }
  if (depth != 1) error(xas, "a formula leaves one value");

  emit(xas, XAS_X86_POPQ, reg(XAS_X86_RAX));
  const char leave[] = "popq %rbp\n.cfi_def_cfa %rsp, 8\nret"; /* what is easier to write than to call */
  xas_feed(xas, leave, strlen(leave));
  xas_cfi_end(xas);
  const xas_value size = {.add = XAS_HERE, .subtract = f};
  xas_set_size(xas, f, &size);
  const char stack[] = ".note.GNU-stack"; /* it need not be executable */
  const xas_section_request request = {
      .struct_size = sizeof request, .name = stack, .name_size = strlen(stack), .flags = ""};
  xas_open_section(xas, &request, NULL);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: stream OUTPUT NAME WORD...\n");
    return 2;
  }
  xas_context* xas = xas_create();
  if (!xas) return 1;
  int failed = xas_set_option(xas, "--target=x86_64-linux-gnu", NULL) != XAS_OK || xas_begin(xas) != XAS_OK;
  if (!failed) {
    function(xas, argv[2], argv + 3, argc - 3);
    failed = xas_finish(xas) != XAS_OK;
  }
  if (failed) fputs(xas_diagnostics_text(xas, 0, NULL), stderr);
  if (!failed) {
    size_t size;
    const uint8_t* object = xas_object(xas, &size); /* belongs to the context */
    FILE* out = fopen(argv[1], "wb");
    failed = !out || fwrite(object, 1, size, out) != size;
    if (out && fclose(out) != 0) failed = 1;
    if (failed) perror(argv[1]);
  }
  xas_destroy(xas);
  return failed;
}

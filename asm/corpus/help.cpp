#include "asm/corpus/corpus.h"

namespace xas::corpus {

std::string_view help_text() {
  return "Usage: xas-corpus VERB [OPTION...]\n"
         "Test data for assemblers, disassemblers, linkers and readers of objects, with the truth about it. The same\n"
         "version, options and seed give the same bytes on every machine.\n"
         "\n"
         "xas-corpus instructions --target=x86_64|i386|x86_16|aarch64|arm|thumb\n"
         "                              instructions of every row of the tables, with the bytes that xas makes of "
         "them\n"
         "  --values=one                one line a form (default)\n"
         "  --values=edges              each operand in turn at the limits of what it takes\n"
         "  --values=random             all operands at random; --count=N lines a form (1), --seed=N others (1)\n"
         "  --invalid                   what must be refused, with xas's message, in place of what is valid\n"
         "  --all-encodings             x86: also encodings that are only chosen when asked for ({vex3}, {disp32}, "
         "...)\n"
         "  --syntax=att|intel          x86 (att)\n"
         "  --compat=gnu|llvm           whose encoding where GNU as and llvm-mc choose different ones (gnu)\n"
         "  --feature=NAME,...          only forms that need one of these\n"
         "  --mnemonic=REGEX            only these, as a POSIX extended regular expression\n"
         "  --shard=K/N                 only part K, from 0, of N; all parts together are the whole\n"
         "  --format=jsonl              a JSON object a line (default; docs/corpus.schema.json)\n"
         "           s                  text with the encoding as a comment\n"
         "           mc, dis            a test for llvm-lit; input of llvm-mc -disassemble\n"
         "           capstone           test cases for Capstone's cstest\n"
         "           go, hex            text // bytes; bytes alone\n"
         "           raw                one stream of bytes, and PATH.index: offset, size, text\n"
         "           seeds              a folder with a file an instruction, named by its SHA-1\n"
         "  -o PATH                     in place of standard output\n"
         "\n"
         "xas-corpus texts -o DIR       random assembly texts of directives, sections, frames, line tables, macros\n"
         "  --count=N                   so many of each topic (100)\n"
         "  --seed=N                    others (1)\n"
         "\n"
         "  --help, --version\n"
         "\n"
         "Exit status: 0, or 1 after an error, which standard error tells.\n";
}

}  // namespace xas::corpus

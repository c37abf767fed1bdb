#include "asm/corpus/corpus.h"

namespace xas::corpus {

std::string_view help_text() {
  return "Usage: xas-corpus VERB [OPTION...]\n"
         "Test data for assemblers, disassemblers, linkers and readers of objects, with the truth about it. The same\n"
         "version, options and seed give the same bytes on every machine.\n"
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

// SPDX-License-Identifier: Apache-2.0
#include "asm/dump/dump.h"

namespace xas::dump {

std::string help_text() {
  return "Usage: xas-dump WHAT... [OPTION...] FILE...\n"
         "Prints metadata of LLVM's that is in objects (ELF, COFF, bigobj), linked images (ELF, PE), archives and\n"
         "bitcode files. - is standard input.\n"
         "\n"
         "What:\n"
         "  --pc-sections[=NAME,...]  tables of program counters (!pcsections, .pcsection). In an object they are "
         "found\n"
         "                            by themselves; in an image they are named, or those of clang's sanitizer "
         "metadata\n"
         "  --stackmaps               stack maps and patch points, all that are in a linked section\n"
         "  --bitstream               bitstreams (bitcode, precompiled headers, diagnostics, remarks) as text that\n"
         "                            xas assembles to the same bits\n"
         "  --bitcode                 LLVM modules: producer, triple, data layout, source, kind, and symbols as of nm\n"
         "\n"
         "How:\n"
         "  --json                    one JSON object a line: an entry, a record, a block, a module\n"
         "  --tree                    with --bitstream: how many blocks and records there are, and their bits\n"
         "  --verify                  print what is wrong, and nothing else. Alone: PC tables and stack maps; with\n"
         "                            --bitstream: that the text gives the same bits\n"
         "  --schema NAME=FIELD,...   what is in the entries of a PC table, behind the PC; FIELD is range (4 bytes),\n"
         "                            rangeu (ULEB128), u (a ULEB128), i8, i16, i32, i64, i128 or ptr. In front may\n"
         "                            stand pc8 (a PC of 8 bytes) or pc4\n"
         "  --section=NAME            only this section, whatever its name is usually for\n"
         "  --member=NAME             only this member of an archive\n"
         "  --help, --version\n"
         "\n"
         "Exit status: 0, or 1 if a file cannot be read or --verify has found something; then standard error says\n"
         "what and at which byte offset (or bit, in a bitstream).\n"
         "\n"
         "Examples:\n"
         "  xas-dump --pc-sections a.o                      # PC tables of an object\n"
         "  xas-dump --pc-sections=faults --schema faults=i32,i16 a.out\n"
         "  xas-dump --stackmaps --json a.out | jq .id      # IDs of all stack map records\n"
         "  xas-dump --bitstream m.bc > m.s                 # edit m.s; xas -filetype=raw -o m.bc m.s\n"
         "  xas-dump --bitcode libx.a                       # modules of an archive made for LTO\n";
}

}  // namespace xas::dump

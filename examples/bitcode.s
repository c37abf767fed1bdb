# A module of LLVM IR, written without LLVM: an identification block, the module, the table of strings.
#
#   xas -filetype=raw -o module.bc examples/bitcode.s
#   llvm-dis module.bc -o -        # prints the triple, the layout and 'declare void @hello()'
#
# What the numbers mean is in LLVM's "LLVM Bitcode File Format"; `xas-dump --bitstream` prints any file in this form, with
# names. docs/bitstreams.md lists the directives.
        .set    IDENTIFICATION, 13
        .set    MODULE, 8
        .set    TYPE, 17
        .set    STRTAB, 23

        .bs_begin "BC\xc0\xde"
        .bs_block IDENTIFICATION, 5
          .bs_abbrev 1, array(char6)
          .bs_record_as 4, 1, "LLVM22.1.8"              # STRING: the producer
          .bs_record 2, 0                               # EPOCH
        .bs_end_block
        .bs_block MODULE, 3
          .bs_record 1, 2                               # VERSION 2: names are in STRTAB
          .bs_record 2, "x86_64-unknown-linux-gnu"      # TRIPLE
          .bs_block TYPE, 4
            .bs_record 1, 2                             # NUMENTRY
            .bs_record 2                                # type 0: void
            .bs_record 21, 0, 0                         # type 1: FUNCTION, not variadic, returns type 0
          .bs_end_block
          # FUNCTION: offset and size of its name, type, calling convention, is a declaration, linkage; then nothing
          .bs_record 8, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .bs_end_block
        .bs_block STRTAB, 3
          .bs_abbrev 1, blob
          .bs_record_as 4, 1, "hello"
        .bs_end_block
        .bs_end

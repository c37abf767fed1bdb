# OPTIONS --compat=llvm
# .cg_profile: a temporary symbol must be defined by the end of the text.
        .text
f:      nop
        .cg_profile f, .Lundefined, 1   # ERROR 24 Lundefined
        .cg_profile f, .Llater, 1
.Llater:

# OPTIONS --compat=llvm -n
# Bundled code before a section has been chosen.
        .bundle_align_mode 3
        imull $17, %ebx, %ebp         # ERROR 9 no section has been chosen

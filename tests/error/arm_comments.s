# OPTIONS --target=armv7-linux-gnueabihf
@ '@' begins a comment, so that the types of sections and symbols are written with '%' or as a string.
        .section .a,"aw",@progbits      @ ERROR 26 expected 'unique'
        .type f, @function              @ ERROR 18 expected the symbol's type

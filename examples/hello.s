# Writes a line and exits: no C library.
#   xas -o hello.o hello.s && ld -o hello hello.o && ./hello
        .globl  _start
        .text
_start:
        movl    $1, %eax                # write
        movl    $1, %edi                # to standard output
        leaq    message(%rip), %rsi
        movl    $message_end - message, %edx
        syscall
        movl    $60, %eax               # exit
        xorl    %edi, %edi
        syscall

        .section .rodata
message:
        .ascii  "hello from xas\n"
message_end:
        .section .note.GNU-stack, "", @progbits

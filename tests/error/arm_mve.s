# OPTIONS --target=thumbv8.1m.main-none-eabi --compat=llvm -mattr=+mve
        .syntax unified
        .thumb
        vrev64.8 q0, q0             @ ERROR 9 can't be a source

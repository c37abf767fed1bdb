# OPTIONS --target=thumbv8m.main-none-eabi -mcpu=generic -mattr=+cdecp0,+cdecp1 --compat=llvm
# Which coprocessors are custom datapaths.
        mrc     p0, #1, r2, c3, c4, #5  @ ERROR 9 is a custom datapath
        mrc     p2, #1, r2, c3, c4, #5
        cx1     p2, r0, #1          @ ERROR 9 not configured as a custom datapath
        cx1     p1, r0, #1
        vcx1    p0, s0, #0          @ ERROR 9 requires fpregs

# Rows for labels without any file: a table, and no unit that it would belong to.
        .loc_label here
        nop

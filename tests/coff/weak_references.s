# gnu64 gnu32: a target of .weakref that is no weak symbol in the end has an empty record
        .text
        .weakref alias, target
        .long   alias, target
        .weakref other, here
        .long   other
here:   .long   1
        .globl  global
        .weakref third, global
        .long   third

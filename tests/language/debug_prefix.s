# gnu -g --debug-prefix-map /=/root/
# gnu --gdwarf-5 --debug-prefix-map=/=x --debug-prefix-map=/work=y
# llvm -g -fdebug-prefix-map=/=/root/
# llvm -g -dwarf-version=5 -fdebug-prefix-map=/=/root/
# Paths in debug information that begin with one text get another.
	.text
	nop

# llvm
# SHT_LLVM_CALL_GRAPH: the example of its description.
	.text
.Lball:	ret
foo:	ret
bar:	ret
baz:	ret
	.section ".llvm.callgraph","",@llvm_call_graph
	.byte 0
	.byte 7
	.quad .Lball
	.quad 0
	.byte 3
	.quad foo
	.quad bar
	.quad baz
	.byte 3
	.quad 4524972987496481828
	.quad 3498816979441845844
	.quad 8646233951371320954

// SPDX-License-Identifier: Apache-2.0
// The objects of cons.s and build.s as a compiler makes them that writes no files of assembly: code from the encoder,
// the rest from the builder.
//
//     objects x86_64|aarch64 DIRECTORY        writes DIRECTORY/cons.o and DIRECTORY/build.o
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "xas/object.hpp"
#include "xas/xas.hpp"

using namespace xas::object;

namespace {

/// What is live at a label of the code: one pointer to the heap at register + offset, or nothing.
struct Record {
  const char* label;
  xas::u64 id;
  int offset = -1;
};

struct Function {
  const char* name;
  const char* code;
  xas::u64 stack_size;
  std::vector<Record> records;
};

struct Target {
  Machine machine;
  const char* triple;
  xas::u16 base;  ///< DWARF's number of the register that slots are addressed by
  Function functions[2];
};

/// The no-ops at `patch` are for the runtime to write a call over.
const Target x86_64 = {Machine::x86_64, "x86_64-linux-gnu", 7, {
  {"cons", R"(
        subq    $24, %rsp
        movq    %rdi, (%rsp)
        movq    %rsi, 8(%rsp)
        call    allocate@PLT
allocated:
        movq    (%rsp), %rcx
        movq    %rcx, (%rax)
        movq    8(%rsp), %rcx
        movq    %rcx, 8(%rax)
        addq    $24, %rsp
        ret)", 24, {{"allocated", 2, 0}}},
  {"build", R"(
        pushq   %rbx
        subq    $16, %rsp
        movq    $0, (%rsp)
        movl    %edi, %ebx
patch:  .byte   0x0f, 0x1f, 0x44, 0x00, 0x08
        xorl    %edi, %edi
        movl    %ebx, %esi
        call    cons@PLT
garbage:
        movq    (%rsp), %rdi
        movl    %ebx, %esi
        call    cons@PLT
longer: movq    %rax, (%rsp)
        decl    %ebx
        jnz     patch
        movq    (%rsp), %rax
        addq    $16, %rsp
        popq    %rbx
        ret)", 24, {{"patch", 1}, {"garbage", 3, 0}, {"longer", 4, 0}}}}};

const Target aarch64 = {Machine::aarch64, "aarch64-linux-gnu", 29, {
  {"cons", R"(
        stp     x29, x30, [sp, #-32]!
        mov     x29, sp
        stp     x0, x1, [x29, #16]
        bl      allocate
allocated:
        ldp     x1, x2, [x29, #16]
        stp     x1, x2, [x0]
        ldp     x29, x30, [sp], #32
        ret)", 32, {{"allocated", 2, 16}}},
  {"build", R"(
        stp     x29, x30, [sp, #-32]!
        mov     x29, sp
        stp     xzr, x19, [x29, #16]
        mov     w19, w0
patch:  nop
        mov     x0, #0
        mov     w1, w19
        bl      cons
garbage:
        ldr     x0, [x29, #16]
        mov     w1, w19
        bl      cons
longer: str     x0, [x29, #16]
        subs    w19, w19, #1
        b.ne    patch
        ldp     x0, x19, [x29, #16]
        ldp     x29, x30, [sp], #32
        ret)", 32, {{"patch", 1}, {"garbage", 3, 16}, {"longer", 4, 16}}}}};

/// As a .statepoint has them: calling convention, flags, the number of deopt values, then base and derived pointer.
std::vector<Location> locations(const Target& target, const Record& record) {
  if (record.offset < 0) return {};
  const Location zero{Location::constant, 8, 0, 0};
  const Location slot{Location::indirect, 8, target.base, record.offset};
  return {zero, zero, zero, slot, slot};
}

void write_object(const Target& target, const Function& function, const std::string& path) {
  xas::Context assembler;
  assembler.option("--target", target.triple);
  const auto code = assembler.encode(function.code, 0, XAS_ENCODE_RELOCATABLE);
  if (!code) throw std::runtime_error(std::string(assembler.text()) + assembler.error());

  Builder o(target.machine);
  o.stack_map_section("llvm_stackmaps", 0x83);  // SHF_WRITE | SHF_ALLOC | SHF_LINK_ORDER
  const auto text = o.section(".text", {1, 0x6, 4});
  const auto symbol = o.symbol(function.name);
  o.define(symbol, text, 0);
  o.set_type(symbol, SymbolType::function);
  o.append(text, code.bytes());
  o.set_size(symbol, o.size(text));
  for (const xas_relocation& r : code.relocations()) o.relocate(text, r.offset, r.type, o.symbol(r.symbol), r.addend);
  o.stack_map_function(symbol, function.stack_size);
  for (const Record& record : function.records)
    o.stack_map(text, *assembler.label(record.label), record.id, locations(target, record));

  const auto object = o.write();
  if (object.empty()) throw std::runtime_error(o.error());
  std::ofstream file(path, std::ios::binary);
  if (!file.write(reinterpret_cast<const char*>(object.data()), std::streamsize(object.size())))
    throw std::runtime_error(path + " can't be written");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc == 3 ? argv[1] : "";
  if (name != "x86_64" && name != "aarch64") {
    std::fputs("usage: objects x86_64|aarch64 DIRECTORY\n", stderr);
    return 2;
  }
  try {
    const Target& target = name == "x86_64" ? x86_64 : aarch64;
    for (const Function& f : target.functions) write_object(target, f, std::string(argv[2]) + "/" + f.name + ".o");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "objects: %s\n", e.what());
    return 1;
  }
}

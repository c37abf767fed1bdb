// SPDX-License-Identifier: Apache-2.0
// From the Program to the object model: relocations decided, symbols chosen and ordered.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "asm/object/fixup.h"
#include "asm/program/program.h"
#include "objwriter/object.h"
#include "objwriter/output_buffer.h"

namespace xas {

/// What is found wrong when contents are written, perhaps by several threads.
class ContentErrors {
 public:
  void add(u32 section, SourceLoc loc, std::string message);
  /// In the order of sections; they are forgotten then.
  void report(Diags& diags);

 private:
  struct Error {
    u32 section;
    SourceLoc loc;
    std::string message;
  };
  std::mutex mutex_;
  std::vector<Error> list_;
};

/// Everything a made object borrows from.
struct ObjectStorage {
  std::vector<BigVector<obj::Reloc>> relocs;  ///< per section of the assembler
  std::deque<std::string> names;
  std::deque<std::vector<u8>> bytes;            ///< of compressed sections
  std::vector<u8> address_significant;          ///< contents of .llvm_addrsig
  Program* program = nullptr;
  bool keeps_contents = false;  ///< bytes and fragments are needed when they have been written
  mutable ContentErrors errors;
};

/// Decides every fixup: patches what is known into the sections' fixed bytes and turns the rest into relocations;
/// chooses and orders sections, groups and symbols as the profile does. Called once, after layout. Errors go to the
/// assembler's diags. Section contents are written on demand by the object's Contents callbacks; what goes wrong there
/// is in storage.errors.
void make_object(Program& program, obj::Object& object, ObjectStorage& storage);

/// The same for COFF, which make_object leads to.
void make_coff_object(Program& program, obj::Object& object, ObjectStorage& storage);

/// In place of an object: the bytes of the only section that has some, and has no relocations; what is in the way is an
/// error. Sections that the assembler adds by itself (attributes of the machine) do not count.
bool write_raw(Program& program, const obj::Object& object, OutputBuffer& out);

/// Gives section `index` of the object its contents, if it has any: its one buffer, or the callback below.
void borrow_contents(Program& program, u32 index, const ObjectStorage& storage, obj::Contents& contents);

/// Makes all contents of the object, so that they are in memory.
void take_contents(obj::Object& object, ObjectStorage& storage);

/// Reports branches whose target is out of reach, as writing contents does.
void check_branches(Program& program);

/// Makes LineBytes::first of what has been marked. All fields have been decided.
void take_line_bytes(Program& program);

/// Makes numbers of all that contents consist of, so that several threads may write them: no expression is worked out.
void settle_numbers(Program& program);

/// Contents callback: writes the bytes of section `index`. `producer` is the ObjectStorage.
void write_contents(const void* producer, u32 index, u8* out);

}  // namespace xas

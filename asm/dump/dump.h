// SPDX-License-Identifier: Apache-2.0
// xas-dump: what its parts share. Each kind of metadata has a file of its own, with a function that takes one input.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/text/output.h"
#include "objwriter/metadata/pc_section.h"
#include "objwriter/read/object.h"
#include "objwriter/read/places.h"
#include "xas/types.hpp"

namespace xas::dump {

struct Options {
  bool pc_sections = false;
  bool stack_maps = false;
  bool bitstream = false;
  bool bitcode = false;
  bool json = false;
  bool tree = false;
  bool verify = false;
  std::vector<std::string> tables;  ///< of --pc-sections=NAME,...
  std::vector<pc_section::Schema> schemas;
  std::string section, member;
  std::vector<std::string> files;
};

/// A file, or a member of an archive.
struct Input {
  std::string file;
  std::string member;  ///< empty for a file
  std::span<const u8> bytes;
  read::FileKind kind = read::FileKind::unknown;

  std::string name() const { return member.empty() ? file : file + "(" + member + ")"; }
};

/// What all inputs have in common: where the text goes, and whether anything was wrong.
struct Session {
  const Options& options;
  Output& out;
  bool failed = false;

  /// `place` is "offset 0x40", "bit 4711", or empty.
  void error(const Input& input, std::string_view place, std::string_view message);
  /// Begins a line of JSON with the input's names.
  void json_start(const Input& input);
};

/// What the dumpers of an object's tables have in common.
class TableDumper {
 protected:
  TableDumper(Session& session, const Input& input, const read::Object& object)
      : session_(session),
        options_(session.options),
        input_(input),
        object_(object),
        places_(object),
        relocs_(field_relocs(object)) {}

  void error(const read::Section& section, u64 offset, std::string_view message) {
    session_.error(input_, fmt::format("{}, offset {:#x}", section.name, offset), message);
  }

  Session& session_;
  const Options& options_;
  const Input& input_;
  const read::Object& object_;
  read::Places places_;
  read::FieldRelocs relocs_;
};

// Each prints what is of its kind in the input. An object has been read already; `object` is null for other files.
void dump_pc_sections(Session& session, const Input& input, const read::Object* object);
void dump_stack_maps(Session& session, const Input& input, const read::Object* object);
void dump_bitstreams(Session& session, const Input& input, const read::Object* object);
void dump_bitcode(Session& session, const Input& input, const read::Object* object);

/// The bytes of an input that are bitstreams: a file of its own, or the sections of an object that hold some.
struct StreamSource {
  std::string_view section;  ///< empty for the whole input
  std::span<const u8> bytes;
};
std::vector<StreamSource> stream_sources(const Options& options, const Input& input, const read::Object* object);

std::string help_text();

}  // namespace xas::dump

// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: bitstreams, from bits and from text. What can be printed must give the same bytes again; nothing
// may crash, read beyond the end, or take more than linear time. The first byte chooses: 't' is text, else bits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "objwriter/metadata/bitcode.h"
#include "objwriter/metadata/bitstream_text.h"
#include "objwriter/metadata/pc_section.h"
#include "objwriter/metadata/stack_map.h"
#include "tests/metadata/assemble_stream.h"

using namespace xas;

namespace {

void from_bits(std::span<const u8> bytes) {
  std::string text;
  bitstream::Error error;
  if (bitstream::print_file(
          bytes, [&](std::string_view part) { text += part; }, error)) {
    std::vector<u8> made;
    bitstream::TextError wrong;
    const bool assembled = bitstream::assemble_text(text, made, wrong);
    if (!assembled || !std::equal(made.begin(), made.end(), bytes.begin(), bytes.end())) {
      std::fprintf(stderr, "line %d: %s\n%s", int(wrong.line), wrong.message.c_str(), text.c_str());
      std::abort();
    }
  } else if (error.message.empty() || error.bit > bytes.size() * 8) {
    std::abort();
  }
  std::vector<bitstream::Module> modules;
  bitstream::read_modules(bytes, modules, error);
}

void from_text(std::string_view text) {
  std::vector<u8> bytes;
  bitstream::TextError error;
  if (!bitstream::assemble_text(text, bytes, error)) {
    if (error.message.empty()) std::abort();
    return;
  }
  from_bits(bytes);
}

/// The other formats, as they are read from a section.
void from_section(std::span<const u8> bytes) {
  std::vector<stack_map::Map> maps;
  std::vector<stack_map::Problem> problems;
  read::Error error;
  const bool whole = stack_map::decode_all(bytes, false, maps, problems, error);
  if (whole && problems.empty()) {
    std::vector<u8> again;
    for (const stack_map::Map& map : maps) {
      const auto made = stack_map::encode(map, false);
      again.insert(again.end(), made.begin(), made.end());
    }
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  }
  const auto schema = pc_section::built_in_schema("sanmd_covered2");
  pc_section::Entry entry;
  for (u64 at = 0; at < bytes.size() && pc_section::decode_entry(bytes, at, *schema, 4, 8, false, entry, error);) {
    at = entry.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const u8> rest(data + 1, size - 1);
  if (data[0] == 't')
    from_text({reinterpret_cast<const char*>(rest.data()), rest.size()});
  else if (data[0] == 's')
    from_section(rest);
  else
    from_bits(rest);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Compressed debug sections.
//
// The ELF form is a header (Elf32_Chdr, Elf64_Chdr) in front of the stream and the flag SHF_COMPRESSED; the older GNU
// form is the name .zdebug_*, and "ZLIB" with the size as eight big-endian bytes. Both reference assemblers use their
// libraries' default levels, so the same libraries give the same bytes.
#include "asm/object/compress.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <new>

#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas {

using namespace elf;

namespace {

constexpr int zstd_level = 5;  // llvm-mc's; GNU as leaves it at the library's default

/// Bytes that another thread is worth starting for: some two milliseconds of zlib's, a third of one of zstd's.
constexpr u64 compress_share = u64(64) << 10;

/// As a stream whose size was not told at its start, which is how GNU as writes it.
std::size_t zstd_stream(u8* out, std::size_t capacity, const std::vector<u8>& bytes) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_outBuffer to{out, capacity, 0};
  ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
  std::size_t left = ZSTD_compressStream2(context.get(), &to, &from, ZSTD_e_continue);
  if (!ZSTD_isError(left)) left = ZSTD_compressStream2(context.get(), &to, &from, ZSTD_e_end);
  if (ZSTD_isError(left)) return left;
  constexpr std::size_t failed = ~std::size_t(0);  // an error to ZSTD_isError
  return left == 0 ? to.pos : failed;
}

/// Appends the compressed bytes to `out`; false if the library fails for another reason than a lack of memory.
bool compress_bytes(CompressDebug how, const Profile& profile, const std::vector<u8>& bytes, std::vector<u8>& out) {
  const std::size_t header = out.size();
  if (how == CompressDebug::zstd) {
    out.resize(header + ZSTD_compressBound(bytes.size()));
    const std::size_t n = profile.zstd_stream ? zstd_stream(out.data() + header, out.size() - header, bytes)
                                              : ZSTD_compress(out.data() + header, out.size() - header, bytes.data(),
                                                              bytes.size(), zstd_level);
    if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(n)) return false;
    out.resize(header + n);
    return true;
  }
  uLongf n = compressBound(uLong(bytes.size()));
  out.resize(header + n);
  const int status = compress2(out.data() + header, &n, bytes.data(), uLong(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_OK) return false;
  out.resize(header + n);
  return true;
}

std::vector<u8> header(CompressDebug how, const obj::Object& object, const obj::Section& s) {
  std::vector<u8> out;
  const bool big = object.big_endian;
  if (how == CompressDebug::zlib_gnu) {
    for (char c : {'Z', 'L', 'I', 'B'}) out.push_back(u8(c));
    append_int(out, s.size, 8, true);
    return out;
  }
  const unsigned word = object.elf64 ? 8 : 4;
  append_int(out, how == CompressDebug::zstd ? ELFCOMPRESS_ZSTD : ELFCOMPRESS_ZLIB, 4, big);
  if (object.elf64) append_int(out, 0, 4, big);
  append_int(out, s.size, word, big);
  append_int(out, s.align, word, big);
  return out;
}

/// What is to be in place of a section's contents.
struct Packed {
  std::vector<u8> bytes;
  bool smaller = false;  ///< compressed; else they are as they were
  bool failed = false;
};

Packed pack(CompressDebug how, const Profile& profile, const obj::Object& object, const obj::Section& s) {
  std::vector<u8> bytes(s.size);
  if (s.contents.data) {
    std::copy_n(s.contents.data, s.size, bytes.begin());
  } else if (s.contents.write) {
    s.contents.write(s.contents.producer, s.contents.id, bytes.data());
  }
  std::vector<u8> packed = header(how, object, s);
  if (!compress_bytes(how, profile, bytes, packed)) return {.failed = true};
  const bool smaller = packed.size() < bytes.size();
  return {.bytes = smaller ? std::move(packed) : std::move(bytes), .smaller = smaller};
}

void replace_contents(CompressDebug how, Program& program, obj::Section& s, Packed packed, ObjectStorage& storage) {
  std::vector<u8>& kept = storage.bytes.emplace_back(std::move(packed.bytes));
  s.contents = {.data = kept.data()};
  if (!packed.smaller) return;
  if (program.is_coff) s.defined_size = s.size;
  s.size = kept.size();
  if (how == CompressDebug::zlib_gnu) {
    s.name = storage.names.emplace_back(".z" + std::string(s.name.substr(1)));
    s.align = 1;
    return;
  }
  s.flags |= SHF_COMPRESSED;
  const u64 word = program.info.elf.is_64 ? 8 : 4;
  s.file_align = program.profile.compressed_aligned_in_file ? word : s.align;
  s.align = word;
}

}  // namespace

void compress_debug_sections(Program& program, obj::Object& object, ObjectStorage& storage) {
  CompressDebug how = program.options.compress;
  if (how == CompressDebug::none) return;
  if (program.is_coff) {
    // COFF has no flag that tells: the name does (GNU as), or nothing is compressed (llvm-mc).
    if (!program.profile.coff_compresses) return;
    if (how == CompressDebug::zstd)
      return program.diags.error(0, "sections of an object for Windows can be compressed by zlib only");
    how = CompressDebug::zlib_gnu;
  }
  std::vector<obj::Section*> sections;
  u64 bytes = 0;
  for (obj::Section& s : object.sections) {
    if (!s.name.starts_with(".debug_") || (s.flags & SHF_ALLOC) || s.size < program.profile.compress_from) continue;
    sections.push_back(&s);
    bytes += s.size;
  }
  // The largest first, so that threads come to their ends at about the same time.
  std::stable_sort(sections.begin(), sections.end(),
                   [](const obj::Section* a, const obj::Section* b) { return a->size > b->size; });
  std::vector<Packed> packed(sections.size());
  in_threads(object.threads.count(bytes, compress_share), u32(sections.size()),
             [&](u32 i) { packed[i] = pack(how, program.profile, object, *sections[i]); });
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (packed[i].failed)
      return program.diags.error(0, fmt::format("section {} can't be compressed", sections[i]->name));
    replace_contents(how, program, *sections[i], std::move(packed[i]), storage);
  }
}

}  // namespace xas

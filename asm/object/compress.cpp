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

namespace xas {

using namespace elf;

namespace {

constexpr int zstd_level = 5;  // llvm-mc's; GNU as leaves it at the library's default

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

void put(std::vector<u8>& out, u64 value, unsigned size, bool big_endian) {
  for (unsigned i = 0; i < size; ++i) out.push_back(u8(value >> 8 * (big_endian ? size - 1 - i : i)));
}

std::vector<u8> header(CompressDebug how, const obj::Object& object, const obj::Section& s) {
  std::vector<u8> out;
  const bool big = object.big_endian;
  if (how == CompressDebug::zlib_gnu) {
    for (char c : {'Z', 'L', 'I', 'B'}) out.push_back(u8(c));
    put(out, s.size, 8, true);
    return out;
  }
  const unsigned word = object.elf64 ? 8 : 4;
  put(out, how == CompressDebug::zstd ? ELFCOMPRESS_ZSTD : ELFCOMPRESS_ZLIB, 4, big);
  if (object.elf64) put(out, 0, 4, big);
  put(out, s.size, word, big);
  put(out, s.align, word, big);
  return out;
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
  for (obj::Section& s : object.sections) {
    if (!s.name.starts_with(".debug_") || (s.flags & SHF_ALLOC) || s.size < program.profile.compress_from) continue;
    std::vector<u8> bytes(s.size);
    if (s.contents.data) {
      std::copy_n(s.contents.data, s.size, bytes.begin());
    } else if (s.contents.write) {
      s.contents.write(s.contents.producer, s.contents.id, bytes.data());
    }
    std::vector<u8> packed = header(how, object, s);
    if (!compress_bytes(how, program.profile, bytes, packed)) {
      program.diags.error(0, fmt::format("section {} can't be compressed", s.name));
      return;
    }
    const bool smaller = packed.size() < bytes.size();
    std::vector<u8>& kept = storage.bytes.emplace_back(smaller ? std::move(packed) : std::move(bytes));
    s.contents = {.data = kept.data()};
    if (!smaller) continue;
    if (program.is_coff) s.defined_size = s.size;
    s.size = kept.size();
    if (how == CompressDebug::zlib_gnu) {
      s.name = storage.names.emplace_back(".z" + std::string(s.name.substr(1)));
      s.align = 1;
      continue;
    }
    s.flags |= SHF_COMPRESSED;
    const u64 word = object.elf64 ? 8 : 4;
    s.file_align = program.profile.compressed_aligned_in_file ? word : s.align;
    s.align = word;
  }
}

}  // namespace xas

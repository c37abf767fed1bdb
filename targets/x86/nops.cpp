// SPDX-License-Identifier: Apache-2.0
// The no-ops that fill gaps in code, which are part of "the same object".
//
// GNU as: nopl up to 11 bytes in 64-bit code and for processors known to have it, lea up to 7 bytes in 32-bit and
// 4 bytes in 16-bit code; as many of the longest as fit, then one or two for the rest; when there would be too many, a
// jump over them comes first. -mtune chooses, where -march or .arch have not said what there is. From 2.44 on lea has
// up to 8 bytes in 32-bit, 9 in 64-bit and 5 in 16-bit code, and -mtune=core2 takes nopl of 15 in 64-bit code; behind
// data, which may end in a prefix, a single byte comes first. From 2.47 on the rest stands before those of full length.
// LLVM: nopl up to 7, 10, 11 or 15 bytes, whatever the processor decodes well; single bytes in 32-bit code unless the
// processor is known to have nopl; lea in 16-bit code; never a jump.
#include <cstring>

#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr std::string_view nopl[] = {
    {"\x90", 1},
    {"\x66\x90", 2},
    {"\x0F\x1F\x00", 3},
    {"\x0F\x1F\x40\x00", 4},
    {"\x0F\x1F\x44\x00\x00", 5},
    {"\x66\x0F\x1F\x44\x00\x00", 6},
    {"\x0F\x1F\x80\x00\x00\x00\x00", 7},
    {"\x0F\x1F\x84\x00\x00\x00\x00\x00", 8},
    {"\x66\x0F\x1F\x84\x00\x00\x00\x00\x00", 9},
    {"\x66\x2E\x0F\x1F\x84\x00\x00\x00\x00\x00", 10},
};

constexpr std::string_view lea32[] = {
    {"\x90", 1},
    {"\x66\x90", 2},
    {"\x8D\x76\x00", 3},
    {"\x8D\x74\x26\x00", 4},
    {"\x8D\x74\x26\x00\x90", 5},
    {"\x8D\xB6\x00\x00\x00\x00", 6},
    {"\x8D\xB4\x26\x00\x00\x00\x00", 7},
};

// Of GNU as from 2.44 on.
constexpr std::string_view lea64[] = {
    {"\x90", 1},
    {"\x66\x90", 2},
    {"\x48\x89\xF6", 3},
    {"\x48\x8D\x76\x00", 4},
    {"\x48\x8D\x74\x26\x00", 5},
    {"\x2E\x48\x8D\x74\x26\x00", 6},
    {"\x48\x8D\xB6\x00\x00\x00\x00", 7},
    {"\x48\x8D\xB4\x26\x00\x00\x00\x00", 8},
    {"\x2E\x48\x8D\xB4\x26\x00\x00\x00\x00", 9},
};

constexpr std::string_view new_lea32[] = {
    {"\x90", 1},
    {"\x66\x90", 2},
    {"\x8D\x76\x00", 3},
    {"\x8D\x74\x26\x00", 4},
    {"\x2E\x8D\x74\x26\x00", 5},
    {"\x8D\xB6\x00\x00\x00\x00", 6},
    {"\x8D\xB4\x26\x00\x00\x00\x00", 7},
    {"\x2E\x8D\xB4\x26\x00\x00\x00\x00", 8},
};

constexpr std::string_view new_lea16[] = {
    {"\x90", 1},
    {"\x89\xF6", 2},
    {"\x8D\x74\x00", 3},
    {"\x8D\xB4\x00\x00", 4},
    {"\x2E\x8D\xB4\x00\x00", 5},
};

constexpr std::string_view lea16[] = {
    {"\x90", 1},
    {"\x66\x90", 2},
    {"\x8D\x74\x00", 3},
    {"\x8D\xB4\x00\x00", 4},
};

u8* put(u8* o, std::string_view bytes) {
  std::memcpy(o, bytes.data(), bytes.size());
  return o + bytes.size();
}

/// nopl of any size up to 15: above ten bytes by more 66h in front.
u8* put_nopl(u8* o, u64 size) {
  for (; size > 10; --size) *o++ = 0x66;
  return size ? put(o, nopl[size - 1]) : o;
}

/// nopl with REX.W from 9 bytes on, as GNU as has it for -mtune=core2.
u8* put_wide_nopl(u8* o, u64 size) {
  for (; size > 10; --size) *o++ = 0x66;
  if (size < 9) return put_nopl(o, size);
  if (size == 10) *o++ = 0x2E;
  *o++ = 0x48;
  return put(o, nopl[8 - 1]);
}

/// GNU as jumps over so many no-ops, of the processor's longest, however long .nops wants them.
bool needs_jump(u64 size, u64 longest, bool long_nops) { return size / longest > (long_nops ? 7 : 2); }

/// A jump over `size` bytes, itself included.
u8* put_jump(u8* o, u64& size, bool in_16) {
  if (size - 2 <= 127) {
    *o++ = 0xEB;
    *o++ = u8(size -= 2);
    return o;
  }
  if (in_16) {
    *o++ = 0x66;
    --size;
  }
  *o++ = 0xE9;
  size -= 5;
  for (int i = 0; i < 4; ++i) *o++ = u8(size >> (8 * i));
  return o;
}

}  // namespace

unsigned X86Target::longest_nop(u16 style) const {
  const bool lea_16 = options_.gnu_before(244) && (style & nop_mode16);
  return lea_16 ? 4 : style & nop_max_size;
}

void X86Target::write_nops(u8* out, const NopRequest& request) const {
  u64 size = request.size;
  u8* o = out;
  const u16 style = request.style ? request.style : nop_style();
  if (options_.gnu_since(244) && request.gnu) return write_new_gnu_nops(out, request, style);
  const bool lea_16 = request.gnu ? mode_ == 16 : style & nop_mode16;
  const bool long_nops = style & nop_long && !lea_16;
  u64 max_size = request.gnu && lea_16 && (style & nop_max_size) != 1 ? 4 : style & nop_max_size;
  const bool jumps = request.gnu && needs_jump(size, max_size, long_nops) && max_size > 1;
  if (request.longest) max_size = std::min<u64>(max_size, request.longest);
  if (max_size == 5 && !long_nops && !lea_16) max_size = 4;  // the five bytes are two no-ops
  if (jumps) o = put_jump(o, size, lea_16);
  if (max_size == 1) return void(std::memset(o, 0x90, size));
  auto one = [&](u64 n) { o = long_nops ? put_nopl(o, n) : put(o, (lea_16 ? lea16 : lea32)[n - 1]); };
  for (; size > max_size; size -= max_size) one(max_size);
  if (size) one(size);
}

/// As GNU as has them from 2.44 on.
void X86Target::write_new_gnu_nops(u8* o, const NopRequest& request, u16 style) const {
  u64 size = request.size;
  if (size == 0) return;
  if (request.after_data) {
    *o++ = 0x90;
    --size;
  }
  const bool long_nops = style & nop_long;
  u64 max_size = style & nop_max_size;
  const bool jumps = needs_jump(size, max_size, long_nops);
  if (request.longest) max_size = std::min<u64>(max_size, request.longest);
  if (jumps) o = put_jump(o, size, style & nop_mode16);
  const std::string_view* const lea = style & nop_mode16 ? new_lea16 : style & nop_mode64 ? lea64 : new_lea32;
  auto one = [&](u64 n) {
    if (!long_nops) o = put(o, lea[n - 1]);
    else if ((style & nop_max_size) == 15) o = put_wide_nopl(o, n);
    else o = put_nopl(o, n);
  };
  const u64 rest = size % max_size;
  const bool rest_first = options_.gnu_since(247);
  if (rest && rest_first) one(rest);
  for (u64 n = size / max_size; n; --n) one(max_size);
  if (rest && !rest_first) one(rest);
}

}  // namespace xas::x86

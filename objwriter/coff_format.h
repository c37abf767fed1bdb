// SPDX-License-Identifier: Apache-2.0
// The structures of a COFF object file, regular and bigobj. All little endian; symbol records are 18 bytes, in a bigobj
// 20, auxiliary records as large. Source: Microsoft, "PE Format"; of the bigobj header, winnt.h
// (ANON_OBJECT_HEADER_BIGOBJ).
#pragma once

#include "objwriter/endian.h"

namespace xas::coff {

struct Header {
  ul16 Machine;
  ul16 NumberOfSections;
  ul32 TimeDateStamp;
  ul32 PointerToSymbolTable;
  ul32 NumberOfSymbols;
  ul16 SizeOfOptionalHeader;
  ul16 Characteristics;
};

struct BigObjHeader {
  ul16 Sig1;  ///< IMAGE_FILE_MACHINE_UNKNOWN
  ul16 Sig2;  ///< 0xffff
  ul16 Version;
  ul16 Machine;
  ul32 TimeDateStamp;
  u8 ClassID[16];
  ul32 SizeOfData;
  ul32 Flags;
  ul32 MetaDataSize;
  ul32 MetaDataOffset;
  ul32 NumberOfSections;
  ul32 PointerToSymbolTable;
  ul32 NumberOfSymbols;
};

inline constexpr u8 bigobj_class_id[16] = {0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b,
                                           0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8};

struct SectionHeader {
  u8 Name[8];
  ul32 VirtualSize;
  ul32 VirtualAddress;
  ul32 SizeOfRawData;
  ul32 PointerToRawData;
  ul32 PointerToRelocations;
  ul32 PointerToLinenumbers;
  ul16 NumberOfRelocations;
  ul16 NumberOfLinenumbers;
  ul32 Characteristics;
};

struct Relocation {
  ul32 VirtualAddress;
  ul32 SymbolTableIndex;
  ul16 Type;
};

struct Symbol {
  u8 Name[8];
  ul32 Value;
  ul16 SectionNumber;
  ul16 Type;
  u8 StorageClass;
  u8 NumberOfAuxSymbols;
};

struct BigObjSymbol {
  u8 Name[8];
  ul32 Value;
  ul32 SectionNumber;
  ul16 Type;
  u8 StorageClass;
  u8 NumberOfAuxSymbols;
};

struct AuxSectionDefinition {
  ul32 Length;
  ul16 NumberOfRelocations;
  ul16 NumberOfLinenumbers;
  ul32 CheckSum;
  ul16 Number;
  u8 Selection;
  u8 Reserved;
  ul16 HighNumber;
};

struct AuxWeakExternal {
  ul32 TagIndex;
  ul32 Characteristics;
  u8 Unused[10];
};

/// GNU as keeps a file name that does not fit the record in the string table.
struct AuxFileOffset {
  ul32 Zeroes;
  ul32 Offset;
  u8 Unused[10];
};

static_assert(sizeof(Header) == 20 && sizeof(BigObjHeader) == 56 && sizeof(SectionHeader) == 40);
static_assert(sizeof(Relocation) == 10 && sizeof(Symbol) == 18 && sizeof(BigObjSymbol) == 20);
static_assert(sizeof(AuxSectionDefinition) == 18 && sizeof(AuxWeakExternal) == 18 && sizeof(AuxFileOffset) == 18);

}  // namespace xas::coff

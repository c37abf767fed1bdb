// SPDX-License-Identifier: Apache-2.0
// The numbers are LLVM's (llvm/Bitcode/LLVMBitCodes.h); a name is the enumerator's without its prefix. Numbers of
// earlier releases that nothing writes any more are kept, for files that are older than the program.
#include "objwriter/metadata/bitcode_names.h"

#include <span>

namespace xas::bitstream {
namespace {

struct Name {
  u8 code;
  std::string_view name;
};

constexpr Name module_records[] = {{1, "VERSION"},
                                   {2, "TRIPLE"},
                                   {3, "DATALAYOUT"},
                                   {4, "ASM"},
                                   {5, "SECTIONNAME"},
                                   {6, "DEPLIB"},
                                   {7, "GLOBALVAR"},
                                   {8, "FUNCTION"},
                                   {9, "ALIAS_OLD"},
                                   {11, "GCNAME"},
                                   {12, "COMDAT"},
                                   {13, "VSTOFFSET"},
                                   {14, "ALIAS"},
                                   {15, "METADATA_VALUES_UNUSED"},
                                   {16, "SOURCE_FILENAME"},
                                   {17, "HASH"},
                                   {18, "IFUNC"},
                                   {20, "GUIDLIST"}};
constexpr Name paramattr_records[] = {{1, "ENTRY_OLD"}, {2, "ENTRY"}};
constexpr Name paramattr_group_records[] = {{3, "ENTRY"}};
constexpr Name constants_records[] = {{1, "SETTYPE"},
                                      {2, "NULL"},
                                      {3, "UNDEF"},
                                      {4, "INTEGER"},
                                      {5, "WIDE_INTEGER"},
                                      {6, "FLOAT"},
                                      {7, "AGGREGATE"},
                                      {8, "STRING"},
                                      {9, "CSTRING"},
                                      {10, "CE_BINOP"},
                                      {11, "CE_CAST"},
                                      {12, "CE_GEP_OLD"},
                                      {13, "CE_SELECT"},
                                      {14, "CE_EXTRACTELT"},
                                      {15, "CE_INSERTELT"},
                                      {16, "CE_SHUFFLEVEC"},
                                      {17, "CE_CMP"},
                                      {18, "INLINEASM_OLD"},
                                      {19, "CE_SHUFVEC_EX"},
                                      {20, "CE_INBOUNDS_GEP"},
                                      {21, "BLOCKADDRESS"},
                                      {22, "DATA"},
                                      {23, "INLINEASM_OLD2"},
                                      {24, "CE_GEP_WITH_INRANGE_INDEX_OLD"},
                                      {25, "CE_UNOP"},
                                      {26, "POISON"},
                                      {27, "DSO_LOCAL_EQUIVALENT"},
                                      {28, "INLINEASM_OLD3"},
                                      {29, "NO_CFI_VALUE"},
                                      {30, "INLINEASM"},
                                      {31, "CE_GEP_WITH_INRANGE"},
                                      {32, "CE_GEP"},
                                      {33, "PTRAUTH"}};
constexpr Name function_records[] = {{1, "DECLAREBLOCKS"},
                                     {2, "INST_BINOP"},
                                     {3, "INST_CAST"},
                                     {4, "INST_GEP_OLD"},
                                     {5, "INST_SELECT"},
                                     {6, "INST_EXTRACTELT"},
                                     {7, "INST_INSERTELT"},
                                     {8, "INST_SHUFFLEVEC"},
                                     {9, "INST_CMP"},
                                     {10, "INST_RET"},
                                     {11, "INST_BR"},
                                     {12, "INST_SWITCH"},
                                     {13, "INST_INVOKE"},
                                     {15, "INST_UNREACHABLE"},
                                     {16, "INST_PHI"},
                                     {19, "INST_ALLOCA"},
                                     {20, "INST_LOAD"},
                                     {23, "INST_VAARG"},
                                     {24, "INST_STORE_OLD"},
                                     {26, "INST_EXTRACTVAL"},
                                     {27, "INST_INSERTVAL"},
                                     {28, "INST_CMP2"},
                                     {29, "INST_VSELECT"},
                                     {30, "INST_INBOUNDS_GEP_OLD"},
                                     {31, "INST_INDIRECTBR"},
                                     {33, "DEBUG_LOC_AGAIN"},
                                     {34, "INST_CALL"},
                                     {35, "DEBUG_LOC"},
                                     {36, "INST_FENCE"},
                                     {37, "INST_CMPXCHG_OLD"},
                                     {38, "INST_ATOMICRMW_OLD"},
                                     {39, "INST_RESUME"},
                                     {40, "INST_LANDINGPAD_OLD"},
                                     {41, "INST_LOADATOMIC"},
                                     {42, "INST_STOREATOMIC_OLD"},
                                     {43, "INST_GEP"},
                                     {44, "INST_STORE"},
                                     {45, "INST_STOREATOMIC"},
                                     {46, "INST_CMPXCHG"},
                                     {47, "INST_LANDINGPAD"},
                                     {48, "INST_CLEANUPRET"},
                                     {49, "INST_CATCHRET"},
                                     {50, "INST_CATCHPAD"},
                                     {51, "INST_CLEANUPPAD"},
                                     {52, "INST_CATCHSWITCH"},
                                     {55, "OPERAND_BUNDLE"},
                                     {56, "INST_UNOP"},
                                     {57, "INST_CALLBR"},
                                     {58, "INST_FREEZE"},
                                     {59, "INST_ATOMICRMW"},
                                     {60, "BLOCKADDR_USERS"},
                                     {61, "DEBUG_RECORD_VALUE"},
                                     {62, "DEBUG_RECORD_DECLARE"},
                                     {63, "DEBUG_RECORD_ASSIGN"},
                                     {64, "DEBUG_RECORD_VALUE_SIMPLE"},
                                     {65, "DEBUG_RECORD_LABEL"},
                                     {66, "DEBUG_RECORD_DECLARE_VALUE"}};
constexpr Name identification_records[] = {{1, "STRING"}, {2, "EPOCH"}};
constexpr Name value_symtab_records[] = {{1, "ENTRY"}, {2, "BBENTRY"}, {3, "FNENTRY"}, {5, "COMBINED_ENTRY"}};
constexpr Name metadata_records[] = {{1, "STRING_OLD"},
                                     {2, "VALUE"},
                                     {3, "NODE"},
                                     {4, "NAME"},
                                     {5, "DISTINCT_NODE"},
                                     {6, "KIND"},
                                     {7, "LOCATION"},
                                     {8, "OLD_NODE"},
                                     {9, "OLD_FN_NODE"},
                                     {10, "NAMED_NODE"},
                                     {11, "ATTACHMENT"},
                                     {12, "GENERIC_DEBUG"},
                                     {13, "SUBRANGE"},
                                     {14, "ENUMERATOR"},
                                     {15, "BASIC_TYPE"},
                                     {16, "FILE"},
                                     {17, "DERIVED_TYPE"},
                                     {18, "COMPOSITE_TYPE"},
                                     {19, "SUBROUTINE_TYPE"},
                                     {20, "COMPILE_UNIT"},
                                     {21, "SUBPROGRAM"},
                                     {22, "LEXICAL_BLOCK"},
                                     {23, "LEXICAL_BLOCK_FILE"},
                                     {24, "NAMESPACE"},
                                     {25, "TEMPLATE_TYPE"},
                                     {26, "TEMPLATE_VALUE"},
                                     {27, "GLOBAL_VAR"},
                                     {28, "LOCAL_VAR"},
                                     {29, "EXPRESSION"},
                                     {30, "OBJC_PROPERTY"},
                                     {31, "IMPORTED_ENTITY"},
                                     {32, "MODULE"},
                                     {33, "MACRO"},
                                     {34, "MACRO_FILE"},
                                     {35, "STRINGS"},
                                     {36, "GLOBAL_DECL_ATTACHMENT"},
                                     {37, "GLOBAL_VAR_EXPR"},
                                     {38, "INDEX_OFFSET"},
                                     {39, "INDEX"},
                                     {40, "LABEL"},
                                     {41, "STRING_TYPE"},
                                     {44, "COMMON_BLOCK"},
                                     {45, "GENERIC_SUBRANGE"},
                                     {46, "ARG_LIST"},
                                     {47, "ASSIGN_ID"},
                                     {48, "SUBRANGE_TYPE"},
                                     {49, "FIXED_POINT_TYPE"}};
constexpr Name metadata_attachment_records[] = {{11, "ATTACHMENT"}};
constexpr Name type_records[] = {{1, "NUMENTRY"},        {2, "VOID"},         {3, "FLOAT"},        {4, "DOUBLE"},
                                 {5, "LABEL"},           {6, "OPAQUE"},       {7, "INTEGER"},      {8, "POINTER"},
                                 {9, "FUNCTION_OLD"},    {10, "HALF"},        {11, "ARRAY"},       {12, "VECTOR"},
                                 {13, "X86_FP80"},       {14, "FP128"},       {15, "PPC_FP128"},   {16, "METADATA"},
                                 {17, "X86_MMX"},        {18, "STRUCT_ANON"}, {19, "STRUCT_NAME"}, {20, "STRUCT_NAMED"},
                                 {21, "FUNCTION"},       {22, "TOKEN"},       {23, "BFLOAT"},      {24, "X86_AMX"},
                                 {25, "OPAQUE_POINTER"}, {26, "TARGET_TYPE"}};
constexpr Name uselist_records[] = {{1, "DEFAULT"}, {2, "BB"}};
constexpr Name module_strtab_records[] = {{1, "ENTRY"}, {2, "HASH"}};
constexpr Name globalval_summary_records[] = {{1, "PERMODULE"},
                                              {2, "PERMODULE_PROFILE"},
                                              {3, "PERMODULE_GLOBALVAR_INIT_REFS"},
                                              {4, "COMBINED"},
                                              {5, "COMBINED_PROFILE"},
                                              {6, "COMBINED_GLOBALVAR_INIT_REFS"},
                                              {7, "ALIAS"},
                                              {8, "COMBINED_ALIAS"},
                                              {9, "COMBINED_ORIGINAL_NAME"},
                                              {10, "VERSION"},
                                              {11, "TYPE_TESTS"},
                                              {12, "TYPE_TEST_ASSUME_VCALLS"},
                                              {13, "TYPE_CHECKED_LOAD_VCALLS"},
                                              {14, "TYPE_TEST_ASSUME_CONST_VCALL"},
                                              {15, "TYPE_CHECKED_LOAD_CONST_VCALL"},
                                              {16, "VALUE_GUID"},
                                              {17, "CFI_FUNCTION_DEFS"},
                                              {18, "CFI_FUNCTION_DECLS"},
                                              {19, "PERMODULE_RELBF"},
                                              {20, "FLAGS"},
                                              {21, "TYPE_ID"},
                                              {22, "TYPE_ID_METADATA"},
                                              {23, "PERMODULE_VTABLE_GLOBALVAR_INIT_REFS"},
                                              {24, "BLOCK_COUNT"},
                                              {25, "PARAM_ACCESS"},
                                              {26, "PERMODULE_CALLSITE_INFO"},
                                              {27, "PERMODULE_ALLOC_INFO"},
                                              {28, "COMBINED_CALLSITE_INFO"},
                                              {29, "COMBINED_ALLOC_INFO"},
                                              {30, "STACK_IDS"},
                                              {31, "ALLOC_CONTEXT_IDS"},
                                              {32, "CONTEXT_RADIX_TREE_ARRAY"},
                                              {33, "COMBINED_ALLOC_INFO_NO_CONTEXT"}};
constexpr Name operand_bundle_tags_records[] = {{1, "OPERAND_BUNDLE_TAG"}};
constexpr Name metadata_kind_records[] = {{6, "KIND"}};
constexpr Name strtab_records[] = {{1, "BLOB"}};
constexpr Name symtab_records[] = {{1, "BLOB"}};
constexpr Name sync_scope_names_records[] = {{1, "SYNC_SCOPE_NAME"}};

struct Block {
  u8 id;
  std::string_view name;
  std::span<const Name> records;
};

constexpr Block blocks[] = {
    {8, "MODULE", module_records},
    {9, "PARAMATTR", paramattr_records},
    {10, "PARAMATTR_GROUP", paramattr_group_records},
    {11, "CONSTANTS", constants_records},
    {12, "FUNCTION", function_records},
    {13, "IDENTIFICATION", identification_records},
    {14, "VALUE_SYMTAB", value_symtab_records},
    {15, "METADATA", metadata_records},
    {16, "METADATA_ATTACHMENT", metadata_attachment_records},
    {17, "TYPE", type_records},
    {18, "USELIST", uselist_records},
    {19, "MODULE_STRTAB", module_strtab_records},
    {20, "GLOBALVAL_SUMMARY", globalval_summary_records},
    {21, "OPERAND_BUNDLE_TAGS", operand_bundle_tags_records},
    {22, "METADATA_KIND", metadata_kind_records},
    {23, "STRTAB", strtab_records},
    {24, "FULL_LTO_GLOBALVAL_SUMMARY", globalval_summary_records},
    {25, "SYMTAB", symtab_records},
    {26, "SYNC_SCOPE_NAMES", sync_scope_names_records},
};

const Block* find_block(u64 id) {
  const u64 i = id - blocks[0].id;  // they have no gaps
  return i < std::size(blocks) ? &blocks[i] : nullptr;
}

}  // namespace

std::string_view bitcode_block_name(u64 block) {
  const Block* found = find_block(block);
  return found ? found->name : std::string_view();
}

std::string_view bitcode_record_name(u64 block, u64 code) {
  const Block* found = find_block(block);
  if (!found) return {};
  for (const Name& name : found->records) {
    if (name.code == code) return name.name;
  }
  return {};
}

}  // namespace xas::bitstream

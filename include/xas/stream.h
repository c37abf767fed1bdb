/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Assembly without one text: sections, labels, instructions, data and what debuggers and unwinders want are said by
 * functions, and whatever is easier to write than to call by pieces of text.
 *
 *     xas_begin(xas);
 *     xas_symbol f = xas_symbol_named(xas, "f", 1);
 *     xas_place(xas, "program.toy", 7);             what goes wrong from here on is about this line
 *     xas_declare(xas, f, XAS_GLOBAL);
 *     xas_label(xas, f);
 *     xas_cfi_begin(xas, 0);
 *     const xas_arg args[] = {{.kind = XAS_ARG_VALUE, .value = {.constant = 1}},
 *                             {.kind = XAS_ARG_REGISTER, .reg = XAS_X86_EAX}};
 *     xas_emit(xas, XAS_X86_MOV, 0, args, 2);       mnemonics and registers: xas/x86.h
 *     xas_feed(xas, "ret", 3);                      the same, as text
 *     xas_cfi_end(xas);
 *     if (xas_finish(xas) == XAS_OK) object = xas_object(xas, &size);
 *     else fputs(xas_diagnostics_text(xas, 0, NULL), stderr);
 *
 * The object is the one that the text of all this would give (docs/streaming.md has a table of directives and their
 * functions). All functions but those that tell handles and numbers return XAS_OK; XAS_ERRORS if what is said is wrong:
 * xas_finish gives the diagnostics, and going on finds more of them; XAS_BAD_ARGUMENT for null pointers, handles that
 * are none or of an earlier assembly, unknown flags and structures of unknown size, which is also an error of the
 * assembly, so that no object comes of it, and outside of xas_begin and xas_finish; XAS_OUT_OF_MEMORY, which ends the
 * assembly. Those that tell handles and numbers return the one that is none. xas_error tells why a call is refused. */
#ifndef XAS_STREAM_H
#define XAS_STREAM_H

#include "xas/xas.h"

/* The type behind enumerations is the one that C gives them: in C++, too, any of its values may be handed in. */
#ifdef __cplusplus
#define XAS_ENUM : unsigned
#else
#define XAS_ENUM
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** A name or label, good until xas_finish; 0 is none. Whoever keeps it saves looking the name up. */
typedef uint32_t xas_symbol;
/** In a value: the place where the field stands. */
#define XAS_HERE UINT32_MAX
/** A section, and in it a subsection, good until xas_finish; 0 is none. */
typedef uint32_t xas_section;

/** Begins an assembly with the context's options; the last one's results are gone. XAS_BAD_OPTION as from xas_assemble,
 * and for listings (-a), which show a text. XAS_BAD_ARGUMENT if the context has one that xas_finish has not ended: of
 * two at a time, each needs a context of its own. One that is given up is ended by xas_finish, xas_assemble,
 * xas_assemble_files or xas_reset. */
xas_status xas_begin(xas_context* context);

/** The number of the assembly that xas_begin has begun and nothing has ended yet: 1 of the context's first one, and so
 * on. 0: there is none. */
uint64_t xas_assembly(const xas_context* context);

/** Ends it. XAS_OK: xas_object has the object. XAS_ERRORS: xas_diagnostic_at tells why there is none. */
xas_status xas_finish(xas_context* context);

/** What is said from here on stands in this line of this file, as diagnostics and line tables (-g) have it. `line` may
 * be any number but 0, and is handed back as it is. `file` is copied; null: the one before, at first "<memory>". In
 * texts, lines count on from `line`, modulo 2^32. */
xas_status xas_place(xas_context* context, const char* file, uint32_t line);

/** Assembles statements: instructions, or anything else. A line may not be cut in two, nor a conditional, macro or loop
 * before its end. */
xas_status xas_feed(xas_context* context, const char* text, size_t size);

/** The handle of a name of `size` bytes, at least one, none of which is zero. A symbol comes of it when it is used. Of
 * one name there may be several handles. 0 if the name is none, which is an error of the assembly, if there is not
 * enough memory, or between no xas_begin and xas_finish. */
xas_symbol xas_symbol_named(xas_context* context, const char* name, size_t size);

/** A label that has no name: it has no attributes and no size, and is not common. It is in no symbol table, but for one
 * in a mergeable section (flag M of ELF) that a relocation has to name: its name there is no other symbol's to use,
 * "L0\1" as GNU as's local labels have it, ".L0 " as LLVM's. xas_label says where it stands; xas_finish reports one
 * that is used and stands nowhere. 0 if there is not enough memory, or between no xas_begin and xas_finish. */
xas_symbol xas_new_label(xas_context* context);

/** What can be said of a symbol beside its value. */
typedef enum xas_attribute XAS_ENUM {
  XAS_GLOBAL, /**< .globl */
  XAS_WEAK,
  XAS_LOCAL,  /**< of ELF, as all that follow but XAS_FUNCTION */
  XAS_HIDDEN, /**< visibility */
  XAS_INTERNAL,
  XAS_PROTECTED,
  XAS_FUNCTION, /**< type: code; in COFF, `.def name; .type 32; .endef` */
  XAS_OBJECT,   /**< data */
  XAS_TLS_OBJECT,
  XAS_NO_TYPE,
  XAS_INDIRECT_FUNCTION, /**< STT_GNU_IFUNC */
  XAS_UNIQUE_OBJECT      /**< STB_GNU_UNIQUE */
} xas_attribute;

/** The symbol has this attribute. */
xas_status xas_declare(xas_context* context, xas_symbol symbol, xas_attribute attribute);

/** The label stands here. */
xas_status xas_label(xas_context* context, xas_symbol symbol);

/** `add` - `subtract` + `constant`. */
typedef struct xas_value {
  int64_t constant;
  xas_symbol add;      /**< 0: none */
  xas_symbol subtract; /**< 0: none */
  uint32_t modifier;   /**< of `add`, from xas_modifier; 0: none */
} xas_value;

/** What xas_modifier gives for a name that the target does not have. A value with it is refused. */
#define XAS_NO_MODIFIER UINT32_MAX
/** The number of a relocation modifier, as in `symbol@GOTPCREL` ("GOTPCREL", "@GOTPCREL") and `:lo12:symbol` ("lo12",
 * ":lo12:"); XAS_NO_MODIFIER if the target has none of this name, `name` is null, or between no xas_begin and
 * xas_finish. */
uint32_t xas_modifier(xas_context* context, const char* name);

/** The symbol stands for this value, and for no other (.equiv); `again`: for the last of several (.set), which labels
 * without names have not. */
xas_status xas_assign(xas_context* context, xas_symbol symbol, const xas_value* value, int again);
/** The symbol's size in bytes (.size), as from its label to XAS_HERE. Only ELF has it. */
xas_status xas_set_size(xas_context* context, xas_symbol symbol, const xas_value* size);
/** The linker provides `size` bytes for the symbol (.comm), at a multiple of 1 << `log2`. */
xas_status xas_common(xas_context* context, xas_symbol symbol, uint64_t size, unsigned log2);

/** Text as a value: one expression, of numbers, names and operators, and nothing behind it. *value is 0 if it is wrong,
 * or refused. */
xas_status xas_expression(xas_context* context, const char* text, size_t size, xas_value* value);

/** A register: an enumerator of the target's header (XAS_X86_EAX of xas/x86.h, XAS_AARCH64_X0 of xas/aarch64.h,
 * XAS_ARM_R4 of xas/arm.h); 0 is none. */
typedef uint32_t xas_register;
/** The register of this name, in lower case: "eax", "st(1)", "x0", "v1.4s", "p0/z", "r4". 0 if the target, in the mode
 * of the code at this place, has none of this name, or `name` is null. Between no xas_begin and xas_finish, the mode is
 * the options'; 0, too, if they make no sense together. */
xas_register xas_register_named(xas_context* context, const char* name);
/** The register's number in DWARF, which xas_cfi takes; -1 if it has none, or the target no such register. */
int xas_dwarf_number(xas_context* context, xas_register reg);

/** What an operand of xas_instruction is. Fields that the kind does not have are not read. */
typedef enum xas_arg_kind XAS_ENUM {
  XAS_ARG_REGISTER, /**< `reg`; it also has `mask`, `element` and `flags` */
  XAS_ARG_VALUE,    /**< the number or address itself, as in `$8`, `#8`: `value` */
  XAS_ARG_TARGET,   /**< where a branch goes, or (x86) data at an address: `value`; `reg` and `index` are 0 */
  XAS_ARG_MEMORY,   /**< what stands at `reg` + `index` * `scale` + `value`, with all other fields; AArch64, ARM: index
                         and value exclude each other */
  XAS_ARG_LIST,     /**< AArch64: `count` vector registers from `reg` on; fields as of a register */
  XAS_ARG_WORD      /**< `text`, as the operand is written: a condition, a shift with its amount, a floating-point
                         number, a name */
} xas_arg_kind;

/** A sum of these is `flags` of an operand. */
enum {
  XAS_ARG_ZEROING = 1,    /**< x86: {z} */
  XAS_ARG_WRITE_BACK = 2, /**< AArch64, ARM: `!` behind the address or register */
  XAS_ARG_ELEMENT = 4,    /**< AArch64, ARM: of the register or list, element number `element` */
  XAS_ARG_MINUS = 8       /**< ARM: the index is subtracted */
};

/** An operand of an instruction. What its kind has and is not said is zero. */
typedef struct xas_arg {
  xas_arg_kind kind;
  xas_register reg;     /**< of memory the base; 0: none */
  xas_register index;   /**< of memory; 0: none */
  xas_register segment; /**< x86, of memory; 0: the usual one */
  xas_register mask;    /**< x86: the write mask, k1 to k7; 0: none */
  uint8_t scale;        /**< x86: 1 (or 0), 2, 4, 8 */
  uint8_t size;         /**< x86 in Intel syntax: bytes of memory, as PTR says them; 0: registers tell */
  uint8_t broadcast;    /**< x86: n of {1ton}; 0: none */
  uint8_t count;        /**< of lists: 1 to 4 */
  uint8_t element;
  uint8_t flags;
  xas_value value;
  const char* text; /**< ends with 0; AArch64, ARM: of memory with an index its shift or extension, "lsl #3", or null */
} xas_arg;

/** An instruction without text: its mnemonic, with prefixes if there are any ("lock addl", "b.eq"), in lower case and
 * with no blank in front, and its operands. Mnemonics, the operands' order, forms, sizes and messages are those of the
 * text: with AT&T syntax "movl" and the source first, with Intel syntax (option -msyntax=intel) "mov" and the
 * destination first. Directives and labels are none. `count` is 16 at most; more are refused before one is read. */
xas_status xas_instruction(xas_context* context, const char* mnemonic, const xas_arg* args, size_t count);

/** A mnemonic: an enumerator of the target's header (XAS_X86_ADDL, XAS_AARCH64_ADD, XAS_ARM_ADD); 0 is none. */
typedef uint32_t xas_mnemonic;
/** The number of a mnemonic in lower case, whatever target has it; 0 if `name` is null or empty. Enumerators have the
 * same one, in all versions. */
xas_mnemonic xas_mnemonic_named(const char* name);

/** What is said beside the mnemonic: a sum. */
enum {
  /* x86: prefixes, and the encoding that is asked for */
  XAS_BND = 1,
  XAS_NOTRACK = 2,
  XAS_XACQUIRE = 4,
  XAS_XRELEASE = 8,
  XAS_REP = 16, /**< and repe */
  XAS_REPNE = 32,
  XAS_LOCK = 64,
  XAS_VEX = 128,  /**< {vex} */
  XAS_VEX3 = 256, /**< {vex3} */
  XAS_EVEX = 512, /**< {evex} */
  XAS_NF = 1024,  /**< {nf}: leaves the flags alone */

  /* ARM: one condition (none: always), and suffixes */
  XAS_EQ = 1,
  XAS_NE = 2,
  XAS_HS = 3,
  XAS_LO = 4,
  XAS_MI = 5,
  XAS_PL = 6,
  XAS_VS = 7,
  XAS_VC = 8,
  XAS_HI = 9,
  XAS_LS = 10,
  XAS_GE = 11,
  XAS_LT = 12,
  XAS_GT = 13,
  XAS_LE = 14,
  XAS_AL = 15,
  XAS_SETS_FLAGS = 16, /**< the suffix s */
  XAS_WIDE = 32,       /**< .w */
  XAS_NARROW = 64,     /**< .n */
  XAS_THEN = 128,      /**< in VPT blocks: t */
  XAS_ELSE = 256       /**< e */
};

/** As xas_instruction, of a mnemonic that is a number; nothing is looked up by its name. `how` is a sum of XAS_LOCK and
 * its kin (x86), XAS_EQ and its kin (ARM), or 0. Mnemonics have AT&T's names with AT&T syntax, and Intel's with Intel
 * syntax. ARM's `it` has no number. */
xas_status xas_emit(xas_context* context, xas_mnemonic mnemonic, uint32_t how, const xas_arg* args, size_t count);

/** The bytes of one instruction, as xas_encode gives them, without text: values are numbers, of no symbols; what a
 * branch goes to is as in xas_encode. XAS_BAD_ARGUMENT as from xas_encode, for operands that are none, and for a
 * mnemonic of 0. */
xas_status xas_encode_instruction(xas_context* context, xas_mnemonic mnemonic, uint32_t how, const xas_arg* args,
                                  size_t count, uint64_t address, xas_encoding* result);

/** Bytes as they are. */
xas_status xas_bytes(xas_context* context, const void* bytes, size_t size);
/** A number in `size` bytes, 1 to 8, in the target's byte order; what does not fit is cut off. */
xas_status xas_integer(xas_context* context, uint64_t value, unsigned size);
/** A value in 1, 2, 4 or 8 bytes: a number, or what the linker makes of it. */
xas_status xas_data(xas_context* context, const xas_value* value, unsigned size);
/** A value as LEB128. */
xas_status xas_leb128(xas_context* context, const xas_value* value, int is_signed);
/** `pattern`, of `size` bytes (1 to 8, of which four count), so many times. In sections without contents it reserves.
 */
xas_status xas_fill(xas_context* context, const xas_value* count, unsigned size, uint64_t pattern);
/** To a multiple of 1 << `log2`, with no-ops in code and zeros in data; not if it takes more than `most` bytes (0: any
 * number of them). */
xas_status xas_align(xas_context* context, unsigned log2, uint32_t most);
/** The same, filled with a byte. */
xas_status xas_align_filled(xas_context* context, unsigned log2, uint8_t fill, uint32_t most);
/** On to a place in the section: a number from its start, or a label and a constant. `fill` is for what lies between;
 * sections without contents have no use for another than 0: a warning or an error, as of .org. A number below 0 is an
 * error at once, a place that has been passed one of xas_finish. */
xas_status xas_org(xas_context* context, const xas_value* place, uint8_t fill);

/** A section as it is asked for. What is not said is zero. */
typedef struct xas_section_request {
  size_t struct_size; /**< sizeof(xas_section_request) */
  const char* name;   /**< of `name_size` bytes */
  size_t name_size;
  /** Letters as .section has them, ended by 0: "ax", "aw", "aMS" (ELF); "xr", "dr", "dw", "b" (COFF). Null: what the
   * name stands for (".text", ".rodata"), or the flags that the section has. */
  const char* flags;
  uint32_t type;       /**< ELF, with flags: SHT_*; 0: of the name, or SHT_PROGBITS */
  uint32_t entry_size; /**< ELF: bytes, of sections that are merged ("M") */
  xas_symbol group;    /**< ELF: the signature of the group that the section is in; COFF: the COMDAT's symbol; 0: none.
                            Not of xas_new_label */
  uint32_t selection;  /**< of `group`: ELF 1: a COMDAT, 0: a group whose sections stay; COFF: IMAGE_COMDAT_SELECT_* */
  xas_symbol linked_to; /**< ELF: a symbol or label in the section that this one goes with ("o"); 0: none */
  uint32_t unique;      /**< tells sections of one name apart; 0: nothing does; n: `unique, n - 1` */
  int32_t subsection;   /**< of ELF */
} xas_section_request;

/** Goes on in a section, which is made if there is none, and gives its handle, if `section` is not null: 0 if there is
 * anything wrong. */
xas_status xas_open_section(xas_context* context, const xas_section_request* request, xas_section* section);

/** The current section and subsection. 0 between no xas_begin and xas_finish. */
xas_section xas_current_section(xas_context* context);
/** Chooses one that was current before, in this assembly. */
xas_status xas_switch_section(xas_context* context, xas_section section);
/** As .pushsection and .popsection: remembers the current section, and goes back to it. */
xas_status xas_push_section(xas_context* context);
xas_status xas_pop_section(xas_context* context);
/** How many bytes stand before this place in the current section and subsection. Returns 1 and sets *offset, if it is
 * not null; 0, with the least number, if branches or alignments before it have not got their sizes yet, and 0, with 0,
 * between no xas_begin and xas_finish. */
int xas_offset(xas_context* context, uint64_t* offset);

/** A row of the line table, for the next instruction (.loc). */
typedef struct xas_line {
  size_t struct_size; /**< sizeof(xas_line) */
  uint32_t file;      /**< its number, which xas_directive(".file") has made */
  uint32_t line;
  uint32_t column; /**< 0: not known */
  uint32_t discriminator;
  uint32_t flags; /**< a sum of XAS_LINE_* */
} xas_line;
enum {
  XAS_LINE_NO_STATEMENT = 1, /**< is_stmt 0: no place for a breakpoint */
  XAS_LINE_STATEMENT = 2,    /**< is_stmt 1; neither: as before */
  XAS_LINE_BASIC_BLOCK = 4,
  XAS_LINE_PROLOGUE_END = 8,
  XAS_LINE_EPILOGUE_BEGIN = 16
};
/** The next instruction is of this row. */
xas_status xas_loc(xas_context* context, const xas_line* line);

/** What can be said of a frame: the directives .cfi_* of these names. Behind each, which arguments of xas_cfi it has.
 */
typedef enum xas_cfi_rule XAS_ENUM {
  XAS_CFI_DEF_CFA,           /**< reg, value = offset */
  XAS_CFI_DEF_CFA_REGISTER,  /**< reg */
  XAS_CFI_DEF_CFA_OFFSET,    /**< value */
  XAS_CFI_ADJUST_CFA_OFFSET, /**< value */
  XAS_CFI_OFFSET,            /**< reg, value */
  XAS_CFI_REL_OFFSET,        /**< reg, value */
  XAS_CFI_VAL_OFFSET,        /**< reg, value */
  XAS_CFI_REGISTER,          /**< reg, value = the other register's number in DWARF */
  XAS_CFI_RETURN_COLUMN,     /**< reg */
  XAS_CFI_RESTORE,           /**< reg */
  XAS_CFI_UNDEFINED,         /**< reg */
  XAS_CFI_SAME_VALUE,        /**< reg */
  XAS_CFI_REMEMBER_STATE,
  XAS_CFI_RESTORE_STATE,
  XAS_CFI_NEGATE_RA_STATE, /**< on SPARC and in .cfi_window_save: window_save */
  XAS_CFI_NEGATE_RA_STATE_WITH_PC,
  XAS_CFI_SIGNAL_FRAME,
  XAS_CFI_B_KEY_FRAME,
  XAS_CFI_MTE_TAGGED_FRAME
} xas_cfi_rule;

/** A function's frame begins here; `simple`: without the target's initial rules. */
xas_status xas_cfi_begin(xas_context* context, int simple);
/** It ends here. */
xas_status xas_cfi_end(xas_context* context);
/** From here on a rule holds. `reg` is the register's number in DWARF (xas_dwarf_number, which is not -1). What a rule
 * does not have is 0. */
xas_status xas_cfi(xas_context* context, xas_cfi_rule rule, uint32_t reg, int64_t value);

/** What can be said of a function for unwinding on Windows: the directives .seh_* of these names, each behind the
 * instruction that it is about (in version 3 of x86-64: in front of it). Behind each, which arguments of xas_seh it
 * has. */
typedef enum xas_seh_rule XAS_ENUM {
  XAS_SEH_ENDPROLOGUE,
  XAS_SEH_STACKALLOC,    /**< value = bytes */
  XAS_SEH_STARTEPILOGUE, /**< ARM: value = the condition of its instructions (XAS_EQ and its kin), 0: always */
  XAS_SEH_ENDEPILOGUE,
  XAS_SEH_ENDFUNCLET,  /**< the function's code ends here, and its data follow */
  XAS_SEH_HANDLERDATA, /**< what follows belongs to the handler */
  XAS_SEH_CODE,        /**< back from there to the function's section */
  XAS_SEH_PUSHFRAME,   /**< x86-64: value = 1 with an error code, 0 without; ARM64 */
  XAS_SEH_NOP,         /**< ARM64, ARM */

  /* x86-64 */
  XAS_SEH_PUSHREG,         /**< reg */
  XAS_SEH_SETFRAME,        /**< reg, value = its distance to rsp */
  XAS_SEH_SAVEREG,         /**< reg, value = its distance to rsp */
  XAS_SEH_SAVEXMM,         /**< reg, value */
  XAS_SEH_STARTCHAINED,    /**< a region whose prologue follows the function's */
  XAS_SEH_ENDCHAINED,
  XAS_SEH_UNWINDVERSION,   /**< value = 1, 2 or 3 */
  XAS_SEH_UNWINDV2START,   /**< version 2: the epilogue's pops begin here */

  /* ARM64: reg of XAS_AARCH64_X19 and its kin; value = offset from sp */
  XAS_SEH_SAVE_R19R20_X, /**< value; what ends with X has made the room */
  XAS_SEH_SAVE_FPLR,     /**< value */
  XAS_SEH_SAVE_FPLR_X,   /**< value */
  XAS_SEH_SAVE_REG,      /**< reg, value */
  XAS_SEH_SAVE_REG_X,    /**< reg, value */
  XAS_SEH_SAVE_REGP,     /**< reg = the first of two, value */
  XAS_SEH_SAVE_REGP_X,   /**< reg, value */
  XAS_SEH_SAVE_LRPAIR,   /**< reg, value */
  XAS_SEH_SAVE_FREG,     /**< reg, value */
  XAS_SEH_SAVE_FREG_X,   /**< reg, value */
  XAS_SEH_SAVE_FREGP,    /**< reg, value */
  XAS_SEH_SAVE_FREGP_X,  /**< reg, value */
  XAS_SEH_ALLOCZ,        /**< value = vectors */
  XAS_SEH_SET_FP,
  XAS_SEH_ADD_FP,        /**< value */
  XAS_SEH_SAVE_NEXT,
  XAS_SEH_TRAP_FRAME,
  XAS_SEH_CONTEXT,
  XAS_SEH_EC_CONTEXT,
  XAS_SEH_CLEAR_UNWOUND_TO_CALL,
  XAS_SEH_PAC_SIGN_LR,
  XAS_SEH_SAVE_ANY_REG,    /**< reg of x, d or q, value */
  XAS_SEH_SAVE_ANY_REG_P,  /**< reg = the first of two, value */
  XAS_SEH_SAVE_ANY_REG_X,  /**< reg, value */
  XAS_SEH_SAVE_ANY_REG_PX, /**< reg, value */
  XAS_SEH_SAVE_ZREG,       /**< reg, value = vectors */
  XAS_SEH_SAVE_PREG,       /**< reg, value = predicates */

  /* ARM; those that end with W are of instructions of 32 bits */
  XAS_SEH_STACKALLOC_W,         /**< value = bytes */
  XAS_SEH_SAVE_REGS,            /**< value = a bit for each of r0 to r15 */
  XAS_SEH_SAVE_REGS_W,          /**< value = the same */
  XAS_SEH_SAVE_SP,              /**< reg */
  XAS_SEH_SAVE_FREGS,           /**< value = a bit for each of d0 to d31 */
  XAS_SEH_SAVE_LR,              /**< value = offset from sp */
  XAS_SEH_NOP_W,
  XAS_SEH_CUSTOM,               /**< value = a code of up to four bytes, the first one highest */
  XAS_SEH_ENDPROLOGUE_FRAGMENT,

  /* x86-64 */
  XAS_SEH_SPLITCHAINED, /**< the function goes on in a region of its own */
  XAS_SEH_PUSH2REGS     /**< version 3: reg, value = the other one (an xas_register), which is pushed first */
} xas_seh_rule;

/** When a handler is called: a sum of these. */
enum {
  XAS_SEH_EXCEPT = 1, /**< for exceptions */
  XAS_SEH_UNWIND = 2  /**< while unwinding */
};

/** A function begins here that has unwind information of Windows (.seh_proc): COFF objects of x86-64, ARM64 and ARM. */
xas_status xas_seh_begin(xas_context* context);
/** It ends here (.seh_endproc). */
xas_status xas_seh_end(xas_context* context);
/** Says it of the function that is open. What a rule does not have is 0. */
xas_status xas_seh(xas_context* context, xas_seh_rule rule, xas_register reg, int64_t value);
/** Its handler, and when it is called (.seh_handler). */
xas_status xas_seh_handler(xas_context* context, const xas_value* handler, unsigned when);

/** A constant behind a PC (docs/pc-sections.md) in 1, 2, 4 or 8 bytes. */
typedef struct xas_pc_constant {
  xas_value value;
  unsigned size;
} xas_pc_constant;

/** A table of PCs that gets an entry, and what stands behind the PC. */
typedef struct xas_pc_tag {
  size_t struct_size;  /**< sizeof(xas_pc_tag) */
  const char* section; /**< its name, of `section_size` bytes */
  size_t section_size;
  int compress; /**< option C: constants of 2 to 8 bytes, and the size of a range, are ULEB128 */
  const xas_pc_constant* constants;
  size_t constant_count;
} xas_pc_tag;

/** As .pcsection: an entry in each table for the next instruction, or for a place, a label and perhaps a constant, if
 * it is not null. */
xas_status xas_tag_pc(xas_context* context, const xas_value* place, const xas_pc_tag* tags, size_t count);
/** The same for what stands between two places. */
xas_status xas_tag_range(xas_context* context, const xas_value* begin, const xas_value* end, const xas_pc_tag* tags,
                         size_t count);
/** Bytes of a PC in the entries that follow: 4, or 8 in ELF objects of 64 bits. */
xas_status xas_pc_offset_size(xas_context* context, unsigned bytes);

/** What an operand of xas_directive is. */
typedef enum xas_operand_kind XAS_ENUM {
  XAS_OPERAND_VALUE,  /**< a number, symbol or value without modifier: `value` */
  XAS_OPERAND_STRING, /**< `text` in double quotes, with escapes as they are needed */
  XAS_OPERAND_WORD    /**< `text` as it stands: a register, a symbol's type, a selection */
} xas_operand_kind;

typedef struct xas_operand {
  xas_operand_kind kind;
  xas_value value;
  const char* text;
  size_t text_size;
} xas_operand;

/** Any directive by its name (".globl", ".section", ".symver"), with its operands as a text has them between
 * commas. Labels without a name can't be operands here. */
xas_status xas_directive(xas_context* context, const char* name, const xas_operand* operands, size_t count);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif

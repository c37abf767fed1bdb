/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * xas as a library: GNU-syntax assembly in, an ELF or COFF object and diagnostics out.
 *
 *     xas_context* xas = xas_create();
 *     xas_set_option(xas, "--32", NULL);
 *     if (xas_assemble(xas, text, strlen(text), "hello.s") == XAS_OK) {
 *       size_t size;
 *       const uint8_t* object = xas_object(xas, &size);
 *       ...
 *     } else {
 *       fputs(xas_diagnostics_text(xas, 0, NULL), stderr);
 *     }
 *     xas_destroy(xas);
 *
 * The library prints nothing, never exits and has no global state: contexts are independent of each other, and each
 * may be used by one thread at a time. A context keeps its memory from call to call, so use one for many assemblies.
 *
 * What a function returns belongs to the context, and is good until one of these is called on it:
 *
 * - the object, the listing, what .print says, the dependencies and the diagnostics (also their text: until the next
 *   xas_diagnostics_text, too): xas_assemble, xas_assemble_files, xas_begin, xas_encode, xas_encode_instruction,
 *   xas_load, xas_reset, xas_destroy;
 * - an xas_encoding and xas_encoded_label: xas_encode, xas_encode_instruction, xas_load, xas_begin, xas_set_option,
 *   xas_reset, xas_destroy;
 * - an assembly that xas_begin has begun, and the symbols and sections of it: xas_finish, xas_assemble,
 *   xas_assemble_files, xas_reset, xas_destroy. While there is one, xas_begin, xas_encode, xas_encode_instruction and
 *   xas_load return XAS_BAD_ARGUMENT, and end nothing;
 * - the text of xas_error: any function.
 *
 * XAS_OUT_OF_MEMORY, from any of them, ends all of these. An xas_code is good until xas_code_free.
 *
 * Structures with a field `struct_size` say which version of this header they are of. The caller sets it to the size
 * that the structure has there. A shorter one than the library knows, of an earlier version, is as one whose other
 * fields are 0; of a longer one, of a later version, the bytes that the library does not know have to be 0, or it is
 * refused (XAS_BAD_ARGUMENT). In results they become 0. Bits of flags that the library does not know are refused, too.
 *
 * All text is bytes. Sizes are in bytes; lines and columns are counted from 1, columns in bytes. All strings that are
 * handed in end with NUL, except where a size is given; they are copied.
 */
#ifndef XAS_XAS_H
#define XAS_XAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** An assembler: options, the result of the last assembly, and memory that is used again. */
typedef struct xas_context xas_context;

typedef enum xas_status {
  XAS_OK = 0,
  /** The input has errors: see xas_diagnostic. There is no object. */
  XAS_ERRORS = 1,
  /** An option was not accepted (or a flag of xas_encode), or the options together make no sense: see xas_error, and
   * the diagnostics. */
  XAS_BAD_OPTION = 2,
  /** A null pointer where there must be none, or a function that is not to be called now: see xas_error. */
  XAS_BAD_ARGUMENT = 3,
  /** There is not enough memory. The context can be used further. */
  XAS_OUT_OF_MEMORY = 4
} xas_status;

typedef enum xas_severity { XAS_NOTE = 0, XAS_WARNING = 1, XAS_ERROR = 2 } xas_severity;

/** An error or a warning, or one of the notes that explain it. */
typedef struct xas_diagnostic {
  xas_severity severity;
  /** The file as it was named, or as a line marker (`# 12 "file.c"`) names it; "" if the message concerns no place. */
  const char* file;
  uint32_t line;
  uint32_t column;
  /** How many bytes of the line it concerns, from `column`; at least 1. */
  uint32_t length;
  /** One sentence without a full stop at its end. */
  const char* message;
  /** The line's text, after macro expansion, without the line's end; not terminated. Null if there is no place. */
  const char* source_line;
  size_t source_line_size;
  /** Why, and through which macros and included files the place was reached, innermost first. */
  const struct xas_diagnostic* notes;
  size_t note_count;
} xas_diagnostic;

/** The version as text, "0.1.0". It is constant. */
const char* xas_version(void);

/** The version of this interface. It grows when functions are added; a program may check XAS_API_VERSION against it. */
#define XAS_API_VERSION 3
uint32_t xas_api_version(void);

/** A new context with the default options: objects for x86_64-linux-gnu as GNU as makes them. Null if there is not
 * enough memory. */
xas_context* xas_create(void);

/** Frees a context and all it has returned. Null is allowed. */
void xas_destroy(xas_context* context);

/** Sets an option by its spelling on the command line of GNU as or llvm-mc; `xas --help` lists them.
 * The value stands in `option` ("--defsym=N=1", "-I/usr/include") or, for options that take one, in `value`
 * ("--defsym", "N=1"); otherwise `value` is null. Options hold for all following assemblies. "--compat=llvm" is best
 * set first: it decides whose option a spelling is where both assemblers have it.
 * "--threads=N": an assembly of much may start up to N - 1 threads, which have ended when the call returns; without it
 * none are started. Options of the program alone (-o, --version, ...) are not accepted. Intel syntax takes two:
 * "-msyntax=intel", and
 * "-mnaked-reg" for registers without '%'. An assembly that xas_begin has begun keeps its options.
 * Returns XAS_BAD_OPTION, and changes nothing, if the option is unknown, or its value in itself, or if it takes no
 * value and `value` is not null; XAS_BAD_ARGUMENT if `option` is none: null, "", "-", or text that does not begin with
 * '-' (also "@file": the library reads no options from files). xas_error tells why. Values that depend on other options
 * (of --target, -march, -mcpu, ...) are looked at when an assembly begins, which returns XAS_BAD_OPTION then and has
 * the reason among its diagnostics, too. */
xas_status xas_set_option(xas_context* context, const char* option, const char* value);

/** Back to the default options, and no result. Keeps the memory. */
void xas_reset(xas_context* context);

/** Finds the text of a file that the input asks for.
 * `path` is the name after the search in the -I folders has been applied to it, one call for each candidate.
 * Returns 1 and sets *text and *size if there is such a file (a null *text: an empty one); the text must stay until the
 * assembly is over.
 * Returns 0 if there is none.
 * It can't use the context that it is called from: functions that change it return XAS_BAD_ARGUMENT and do nothing, and
 * it must not be destroyed. */
typedef int (*xas_include_callback)(void* user, const char* path, const char** text, size_t* size);

/** Reads included files (.include, .incbin) through `callback` in place of the file system; null: the file system
 * again. It holds at once, for an assembly that xas_begin has begun, too. `user` is handed to each call and is
 * otherwise left alone. xas_reset keeps the callback. */
void xas_set_include_callback(xas_context* context, xas_include_callback callback, void* user);

/** Assembles `size` bytes of text. `name` is what diagnostics and line information call it; null: "<memory>".
 * The text need not end with NUL and is only read during the call, but diagnostics refer to a copy that is kept.
 * Returns XAS_OK, and then there is an object, or what went wrong: XAS_ERRORS, XAS_BAD_OPTION if the options make no
 * sense together, XAS_BAD_ARGUMENT if `text` is null and `size` is not 0, which changes nothing. */
xas_status xas_assemble(xas_context* context, const char* text, size_t size, const char* name);

/** Assembles `count` files, one after the other as if they were one. "-" is standard input. A file that can't be read
 * is an error among the diagnostics. Without files the object is an empty text's. Returns as xas_assemble, and
 * XAS_BAD_ARGUMENT if `paths`, of more than no files, or one of them is null. */
xas_status xas_assemble_files(xas_context* context, const char* const* paths, size_t count);

/** The object that the last assembly made; null if there is none. *size, if `size` is not null, is its length, or 0. */
const uint8_t* xas_object(const xas_context* context, size_t* size);

/** The listing of the last assembly, if one was asked for (option "-a"), with NUL at its end; else null. *size, if
 * `size` is not null, is its length. There is one after errors too. */
const char* xas_listing(const xas_context* context, size_t* size);

/** What the last assembly's .print directives say, a line each, with NUL at its end. *size, if `size` is not null, is
 * its length. */
const char* xas_printed(const xas_context* context, size_t* size);

/** How many errors and warnings the last assembly gave, up to the limit (-fmax-errors). */
size_t xas_diagnostic_count(const xas_context* context);

/** Number `index` of them, from 0, in the order in which they were found; null if there are not so many. */
const xas_diagnostic* xas_diagnostic_at(const xas_context* context, size_t index);

/** How many errors there were, those beyond the limit included. */
size_t xas_error_count(const xas_context* context);
/** How many warnings there were, those beyond the limit included. */
size_t xas_warning_count(const xas_context* context);

/** How xas_diagnostics_text writes. */
enum { XAS_TEXT_COLOR = 1, XAS_TEXT_JSON = 2 };

/** All diagnostics as text for a person ("file:line:column: error: ...", the line, a caret), or as one JSON array.
 * `flags` is a sum of XAS_TEXT_*; other bits mean nothing. Ends with NUL; *size, if `size` is not null, is its length.
 * Never null. */
const char* xas_diagnostics_text(xas_context* context, unsigned flags, size_t* size);

/* Instructions to bytes, without an object. */

/** How a text uses a name that it does not define. */
typedef enum xas_use {
  /** As a number: an immediate, an absolute address, data. */
  XAS_USE_VALUE = 0,
  /** By its distance: data near the code. */
  XAS_USE_DISTANCE = 1,
  /** As what a call or jump goes to. */
  XAS_USE_BRANCH = 2
} xas_use;

/** Says what a name stands for: sets *value, an address or a number, and returns 1; returns 0 if it is not known.
 * `address` is that of the first statement that uses the name (as far as it is known by then: branches before it may
 * still grow), `use` how it does. Each name is asked for once. What an include callback can't do, it can't either. */
typedef int (*xas_resolver)(void* user, const char* name, uint64_t address, xas_use use, uint64_t* value);

enum {
  /** Where the code will stand is not known: all that depends on it becomes a relocation, as in an object. */
  XAS_ENCODE_RELOCATABLE = 1,
  /** Calls and jumps to names that are out of reach go by way of a jump behind the code, which changes AArch64's x16
   * or Thumb's ip. One of A32 enters Thumb code if the address has bit 0; one of Thumb stays in Thumb code; `blx` has
   * none, nor have 16-bit x86 and Thumb without 32-bit instructions. In 32-bit x86 nothing is out of reach. */
  XAS_ENCODE_STUBS = 2
};

/** How xas_encode works. */
typedef struct xas_encode_options {
  size_t struct_size; /**< sizeof(xas_encode_options) */
  unsigned flags;     /**< a sum of XAS_ENCODE_* */
  xas_resolver resolver; /**< null: names become relocations */
  void* user;            /**< handed to the resolver */
} xas_encode_options;

/** A statement of the text: an instruction, directive or call of a macro with the labels in front of it, or labels
 * alone. What a macro or loop makes belongs to its call; comments are no statements. */
typedef struct xas_statement {
  size_t text_offset; /**< where it begins in the text */
  size_t offset;      /**< where its bytes begin */
  size_t size;        /**< how many it has */
} xas_statement;

/** A field that a linker has to fill in. */
typedef struct xas_relocation {
  uint64_t offset;    /**< of the field, from the first byte */
  const char* symbol; /**< null: none */
  int64_t addend;     /**< where relocations have no addends (i386, ARM, COFF), the field holds it too */
  uint32_t type;      /**< the format's number: R_*, IMAGE_REL_* */
} xas_relocation;

/** What xas_encode has made. How long it is good: see the top of this file. */
typedef struct xas_encoding {
  size_t struct_size; /**< sizeof(xas_encoding), set by the caller */
  const uint8_t* bytes;
  size_t size;
  const xas_statement* statements; /**< in the order of the text */
  size_t statement_count;
  const xas_relocation* relocations; /**< by offset */
  size_t relocation_count;
} xas_encoding;

/** The bytes of instructions that stand at `address`: of the target, mode and syntax that the context's options choose.
 * `text` is `size` bytes of assembly, any number of statements; labels and directives are allowed, but all has to stay
 * in one section. What a text says holds for that text alone. `options` may be null.
 * A number that a branch goes to is an address on x86 and ARM, and a distance on AArch64, as in GNU as: `b 16` (but
 * `adrp x0, 0x404000` is an address); names whose values the resolver tells are addresses everywhere. A name that is
 * not known is no error: its field is 0, and there is a relocation for it (relocation_count). Alignment counts from the
 * first byte. A warm context allocates nothing for an instruction without growing branches. Returns XAS_OK and fills in
 * *result; XAS_ERRORS, and the diagnostics (xas_diagnostic_at) tell why; XAS_BAD_OPTION if the context's options make
 * no sense together, or for unknown flags; XAS_BAD_ARGUMENT for null pointers, structures of unknown size, and between
 * xas_begin and xas_finish. The object of an earlier xas_assemble is gone.
 *
 *     xas_encoding e = {.struct_size = sizeof e};      without its size: XAS_BAD_ARGUMENT, see xas_error
 *     if (xas_encode(xas, "jmp 0x402000", 12, 0x401000, NULL, &e) == XAS_OK) patch(e.bytes, e.size); */
xas_status xas_encode(xas_context* context, const char* text, size_t size, uint64_t address,
                      const xas_encode_options* options, xas_encoding* result);

/** The address of a label in the text that xas_encode has encoded last. Returns 1 and sets *address; 0, and leaves
 * *address alone, if there is no such label, or a pointer is null. */
int xas_encoded_label(const xas_context* context, const char* name, uint64_t* address);

/* Code that runs at once. */

/** Code in memory that this process can execute. */
typedef struct xas_code xas_code;

/** Encodes `text` (see xas_encode) to where this process can call it. The context's target has to be for the processor
 * of this machine (x86-64 or AArch64, on Linux); its system and format make no difference. The memory is never
 * writable and executable at once. Names come from `resolver` (null: there are none); calls and jumps reach any
 * address, data have to lie within 1 GiB of the code or be loaded by their whole address. A name that is not known is
 * an error.
 * Returns XAS_OK and sets *code, which xas_code_free frees; otherwise *code is null, and the status as of xas_encode,
 * XAS_BAD_OPTION for another machine, or XAS_OUT_OF_MEMORY. The code is independent of the context. */
xas_status xas_load(xas_context* context, const char* text, size_t size, xas_resolver resolver, void* user,
                    xas_code** code);

/** The address of a label of the code; of a null `name`, of its first byte. Null if there is no such label, or `code`
 * is null. */
void* xas_code_label(const xas_code* code, const char* name);

/** The code's bytes. *size, if `size` is not null, is their number. Of a null `code` there are none: null and 0. */
const uint8_t* xas_code_bytes(const xas_code* code, size_t* size);

/** Frees the memory: nothing may run in it. Null is allowed. */
void xas_code_free(xas_code* code);

/** Why the last call was refused: it returned XAS_BAD_OPTION, XAS_BAD_ARGUMENT or XAS_OUT_OF_MEMORY, or of xas/stream.h
 * no handle, number or offset. "" if it was not. Functions that take a constant context, and xas_diagnostics_text, are
 * not refused and leave it as it is. In UTF-8: other bytes of names are told in hexadecimal. */
const char* xas_error(const xas_context* context);

/** Number `index`, from 0, of the files that the last assembly read, for build systems: inputs, .include and .incbin,
 * each once, in order of first use. Null if there are not so many. */
const char* xas_dependency_at(const xas_context* context, size_t index);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

/* Assembly by functions in place of a text. */
#include "xas/stream.h"
#endif

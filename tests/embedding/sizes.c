/* SPDX-License-Identifier: Apache-2.0 */
/* Prints sizes and offsets of the C interface's structures; tests/embedding/sizes.txt has them for hosts of 64 bits. */
#include <stddef.h>
#include <stdio.h>

#include "xas/xas.h"

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) printf("  %s %zu\n", #field, offsetof(type, field))

int main(void) {
  SIZE(xas_diagnostic);
  FIELD(xas_diagnostic, severity);
  FIELD(xas_diagnostic, file);
  FIELD(xas_diagnostic, line);
  FIELD(xas_diagnostic, column);
  FIELD(xas_diagnostic, length);
  FIELD(xas_diagnostic, message);
  FIELD(xas_diagnostic, source_line);
  FIELD(xas_diagnostic, source_line_size);
  FIELD(xas_diagnostic, notes);
  FIELD(xas_diagnostic, note_count);
  SIZE(xas_encode_options);
  FIELD(xas_encode_options, struct_size);
  FIELD(xas_encode_options, flags);
  FIELD(xas_encode_options, resolver);
  FIELD(xas_encode_options, user);
  SIZE(xas_statement);
  FIELD(xas_statement, text_offset);
  FIELD(xas_statement, offset);
  FIELD(xas_statement, size);
  SIZE(xas_relocation);
  FIELD(xas_relocation, offset);
  FIELD(xas_relocation, symbol);
  FIELD(xas_relocation, addend);
  FIELD(xas_relocation, type);
  SIZE(xas_encoding);
  FIELD(xas_encoding, struct_size);
  FIELD(xas_encoding, bytes);
  FIELD(xas_encoding, size);
  FIELD(xas_encoding, statements);
  FIELD(xas_encoding, statement_count);
  FIELD(xas_encoding, relocations);
  FIELD(xas_encoding, relocation_count);
  SIZE(xas_status);
  SIZE(xas_severity);
  SIZE(xas_use);
  SIZE(xas_value);
  FIELD(xas_value, constant);
  FIELD(xas_value, add);
  FIELD(xas_value, subtract);
  FIELD(xas_value, modifier);
  SIZE(xas_section_request);
  FIELD(xas_section_request, struct_size);
  FIELD(xas_section_request, name);
  FIELD(xas_section_request, name_size);
  FIELD(xas_section_request, flags);
  FIELD(xas_section_request, type);
  FIELD(xas_section_request, entry_size);
  FIELD(xas_section_request, group);
  FIELD(xas_section_request, selection);
  FIELD(xas_section_request, linked_to);
  FIELD(xas_section_request, unique);
  FIELD(xas_section_request, subsection);
  SIZE(xas_line);
  FIELD(xas_line, struct_size);
  FIELD(xas_line, file);
  FIELD(xas_line, line);
  FIELD(xas_line, column);
  FIELD(xas_line, discriminator);
  FIELD(xas_line, flags);
  SIZE(xas_arg);
  FIELD(xas_arg, kind);
  FIELD(xas_arg, reg);
  FIELD(xas_arg, index);
  FIELD(xas_arg, segment);
  FIELD(xas_arg, mask);
  FIELD(xas_arg, scale);
  FIELD(xas_arg, size);
  FIELD(xas_arg, broadcast);
  FIELD(xas_arg, count);
  FIELD(xas_arg, element);
  FIELD(xas_arg, flags);
  FIELD(xas_arg, value);
  FIELD(xas_arg, text);
  SIZE(xas_operand);
  FIELD(xas_operand, kind);
  FIELD(xas_operand, value);
  FIELD(xas_operand, text);
  FIELD(xas_operand, text_size);
  SIZE(xas_pc_constant);
  FIELD(xas_pc_constant, value);
  FIELD(xas_pc_constant, size);
  SIZE(xas_pc_tag);
  FIELD(xas_pc_tag, struct_size);
  FIELD(xas_pc_tag, section);
  FIELD(xas_pc_tag, section_size);
  FIELD(xas_pc_tag, compress);
  FIELD(xas_pc_tag, constants);
  FIELD(xas_pc_tag, constant_count);
  SIZE(xas_cfi_rule);
  SIZE(xas_attribute);
  SIZE(xas_operand_kind);
  SIZE(xas_arg_kind);
  return 0;
}

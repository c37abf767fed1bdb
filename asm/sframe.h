// .sframe: stack trace data made from the same records as .eh_frame.
#pragma once

namespace xas {

class Assembler;

/// Appends .sframe if --gsframe or .cfi_sections asks for it. All user sections must have been laid out.
void generate_sframe(Assembler& a);

}  // namespace xas

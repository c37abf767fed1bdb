/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles a file through the C interface, shows what it had to say, and writes the object.
 *
 *     assemble INPUT OUTPUT [OPTION]...
 */
#include <stdio.h>

#include "xas/xas.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: assemble INPUT OUTPUT [OPTION]...\n");
    return 2;
  }
  xas_context* xas = xas_create();
  if (!xas) return 1;
  for (int i = 3; i < argc; ++i) {
    if (xas_set_option(xas, argv[i], NULL) == XAS_OK) continue;
    fprintf(stderr, "assemble: %s\n", xas_error(xas));
    xas_destroy(xas);
    return 2;
  }

  const char* const inputs[] = {argv[1]};
  const xas_status status = xas_assemble_files(xas, inputs, 1);
  /* Each message with its place. xas_diagnostics_text writes all of them as the program does, with the line and a
   * caret. */
  for (size_t i = 0; i < xas_diagnostic_count(xas); ++i) {
    const xas_diagnostic* d = xas_diagnostic_at(xas, i);
    const char* severity = d->severity == XAS_ERROR ? "error" : "warning";
    fprintf(stderr, "%s:%u:%u: %s: %s\n", d->file, d->line, d->column, severity, d->message);
  }

  int failed = status != XAS_OK;
  if (!failed) {
    size_t size;
    const uint8_t* object = xas_object(xas, &size); /* belongs to the context */
    FILE* out = fopen(argv[2], "wb");
    failed = !out || fwrite(object, 1, size, out) != size;
    if (out && fclose(out) != 0) failed = 1;
    if (failed) perror(argv[2]);
  }
  xas_destroy(xas);
  return failed;
}

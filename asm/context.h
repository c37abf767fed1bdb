// SPDX-License-Identifier: Apache-2.0
// What stands behind xas_context. The program sees it too, for what the command line needs beyond the public API: the
// program's own options, and taking arguments apart.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asm/diagnostics/render.h"
#include "asm/encode.h"
#include "asm/options/settings.h"
#include "asm/read/reader.h"
#include "asm/stream_verbs.h"
#include "objwriter/output_buffer.h"
#include "xas/xas.h"

struct xas_context {
  xas::Settings settings;
  xas_include_callback include = nullptr;
  void* include_user = nullptr;
  bool in_callback = false;  ///< the program's own function is running: the context takes no calls

  // The last assembly. `options` is what it was asked to do; the reader refers to it.
  xas::Options options;
  std::unique_ptr<xas::Target> target;
  std::optional<xas::Reader> reader;
  xas::KnownInstructions::KnownShapes shapes;  ///< of the streams before, for the options as they are
  bool options_changed = false;                ///< since xas_begin
  xas::FirstHandles first_handles;             ///< of the next stream
  std::optional<xas::StreamVerbs> stream;  ///< between xas_begin and xas_finish: says things to the reader
  xas::u64 assemblies = 0;                 ///< that xas_begin has begun
  xas::Report report;
  xas::OutputBuffer object;
  bool has_object = false;
  std::vector<const char*> dependencies;

  std::optional<xas::Encoder> encoder;  ///< of xas_encode; made for the options as they are

  std::unique_ptr<xas::Target> names;  ///< names registers where there is no stream; made for the options as they are

  std::string error;
  std::string text;  ///< of xas_diagnostics_text
};

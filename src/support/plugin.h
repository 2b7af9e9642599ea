// Libraries of our own that stand beside the program and are loaded when what they bring is needed.
#pragma once

#include "support/result.h"

#include <string>

namespace forewarp {

/// How the library's symbols are seen by others that are loaded later.
enum class PluginSymbols { local, global };

/// A symbol of `file` (forewarp_NAME.so) beside the program, or in ../lib/forewarp. The library stays loaded.
/// Errors: unsupported (no such file, or the loader's words).
Result<void*> load_plugin(const std::string& file, const char* symbol,
                          PluginSymbols symbols = PluginSymbols::local);

} // namespace forewarp

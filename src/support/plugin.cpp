#include "support/plugin.h"

#include <array>
#include <dlfcn.h>
#include <filesystem>

namespace forewarp {

Result<void*> load_plugin(const std::string& file, const char* symbol, PluginSymbols symbols) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::array<std::filesystem::path, 2> places = {folder / file, folder / "../lib/forewarp" / file};
  std::string why = file + " is not there";
  for (const auto& path : places) {
    if (!std::filesystem::exists(path, error))
      continue;
    const int visible = symbols == PluginSymbols::global ? RTLD_GLOBAL : RTLD_LOCAL;
    if (void* library = dlopen(path.c_str(), RTLD_NOW | visible))
      if (void* found = dlsym(library, symbol))
        return found;
    const char* message = dlerror();
    why = message != nullptr ? message : file + " has another form";
  }
  return fail(ErrorCode::unsupported, why, file);
}

} // namespace forewarp

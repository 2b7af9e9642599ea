#include "frontend/driver.h"

#include <dlfcn.h>

#include <filesystem>

namespace forewarp::frontend {

namespace fs = std::filesystem;

Result<std::string> resource_directory() {
  auto is_complete = [](const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "include" / "opencl-c-base.h", ignored);
  };
  // Beside the library that is loaded (a package brings both along): found by a symbol of libclang-cpp that
  // is known by name and needs no Clang header.
  Dl_info info{};
  void* symbol = dlsym(RTLD_DEFAULT, "_ZN5clang15getClangVersionB5cxx11Ev");
  if (!symbol)
    symbol = dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev");
  if (symbol && dladdr(symbol, &info) && info.dli_fname) {
    std::error_code ignored;
    fs::path library = fs::canonical(info.dli_fname, ignored).parent_path();
    for (const fs::path& folder : {library / "clang" / "19", library / "llvm-19" / "lib" / "clang" / "19",
                                   library / ".." / "llvm-19" / "lib" / "clang" / "19"})
      if (is_complete(folder))
        return folder.lexically_normal().string();
  }
  if (is_complete(FOREWARP_CLANG_RESOURCE_DIR))
    return std::string(FOREWARP_CLANG_RESOURCE_DIR);
  return fail(ErrorCode::not_found, "the compiler's own headers are missing (opencl-c-base.h)",
              FOREWARP_CLANG_RESOURCE_DIR, "install the package libclang-common-19-dev");
}

} // namespace forewarp::frontend

#include "measure/device/library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <utility>

namespace forewarp::measure {

Result<Library> Library::open(std::initializer_list<const char*> names, const char* variable) {
  std::string words;
  if (const char* given = std::getenv(variable); given && *given) {
    if (void* handle = dlopen(given, RTLD_NOW | RTLD_LOCAL))
      return Library(handle);
    return fail(ErrorCode::not_found, dlerror(), variable);
  }
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return Library(handle);
    words = dlerror();
  }
  return fail(ErrorCode::not_found, words);
}

Library::Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Library& Library::operator=(Library&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Library::~Library() {
  if (handle_)
    dlclose(handle_);
}

void* Library::symbol(const char* name) const {
  return dlsym(handle_, name);
}

} // namespace forewarp::measure

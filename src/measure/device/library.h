// A shared library opened at run time and its functions by name.
#pragma once

#include "support/result.h"

#include <string>

namespace forewarp::measure {

class Library {
public:
  /// The first of `names` that the loader finds; `variable`, where set in the environment, is taken instead.
  /// Errors: not_found with the loader's words.
  static Result<Library> open(std::initializer_list<const char*> names, const char* variable);
  Library(Library&& other) noexcept;
  Library& operator=(Library&& other) noexcept;
  ~Library();

  /// Sets `function` to the symbol; false where the library lacks it.
  template <class Function> bool get(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }

private:
  explicit Library(void* handle) : handle_(handle) {}
  void* symbol(const char* name) const;
  void* handle_ = nullptr;
};

} // namespace forewarp::measure

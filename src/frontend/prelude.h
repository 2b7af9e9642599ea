// What stands in front of every source of a language (own headers), compiled once for many sources.
#pragma once

#include "frontend/file_log.h"

#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace forewarp::frontend {

/// A precompiled header of the compiler, to be named by PreprocessorOptions::ImplicitPCHInclude.
struct Prelude {
  std::string bytes;
  std::set<std::string, std::less<>> names; ///< every identifier that its text holds
  FileLog log;                              ///< what was read for it
};

/// Keeps the preludes used last. What was compiled with one is what would have been compiled without. One
/// thread's use only.
class PreludeStore {
public:
  explicit PreludeStore(std::size_t capacity = 8) : capacity_(capacity) {}

  /// The prelude of these compiler arguments (without source and the user's -D, with `-include`). Null where
  /// one of `defines` ("NAME" or "NAME=VALUE") is a name of its text, and the first time, since one source
  /// costs less without. `configure`: gives the compiler its view of the files, of which `own_folders` are no
  /// files of the machine.
  std::shared_ptr<const Prelude> get(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& defines,
                                     const std::function<void(clang::CompilerInstance&)>& configure,
                                     const std::vector<std::string>& own_folders);

private:
  struct Entry {
    std::vector<std::string> arguments;
    bool tried = false;
    std::shared_ptr<const Prelude> prelude;
  };
  std::size_t capacity_;
  std::list<Entry> entries_; ///< used last first
};

} // namespace forewarp::frontend

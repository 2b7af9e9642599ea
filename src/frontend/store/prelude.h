// What stands in front of every source of a language (own headers) and the library headers of one source,
// compiled once for many compilations.
#pragma once

#include "frontend/store/file_log.h"
#include "frontend/store/library_headers.h"

#include <functional>
#include <list>
#include <map>
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
  std::string source;                       ///< of `prelude_source`, with which alone it is valid
  std::set<std::string, std::less<>> names; ///< every identifier that its text holds
  FileLog log;                              ///< what was read for it
};

/// Keeps the preludes used last. What was compiled with one is what would have been compiled without. One
/// thread's use only.
class PreludeStore {
public:
  explicit PreludeStore(std::size_t capacity = 8) : capacity_(capacity) {}

  struct Wanted {
    std::vector<std::string>
        arguments;                    ///< of the compiler, without source and the user's -D, with `-include`
    std::vector<std::string> defines; ///< the user's: "NAME" or "NAME=VALUE"
    LibraryHeaders headers;           ///< of the source that is compiled, beside what `arguments` include
    std::vector<std::string> own_folders; ///< whose files are no files of the machine
    /// Gives the compiler its view of the files, in which `prelude_source` has these contents.
    std::function<void(clang::CompilerInstance&, const std::string&)> configure;
  };
  /// Null where a define or a macro that the source changed is a name of its text, and the first time where
  /// there are no headers, since one source costs less without.
  std::shared_ptr<const Prelude> get(const Wanted& wanted);

  /// What sources of `origin` included the first time; empty where that is not known, or was another thing
  /// from one compilation to the next.
  LibraryHeaders headers_of(const std::string& origin) const;
  void note_headers(const std::string& origin, const LibraryHeaders& seen);

private:
  struct Entry {
    std::vector<std::string> arguments, headers;
    bool asked = false, tried = false;
    std::shared_ptr<const Prelude> prelude;
  };
  Entry& entry_of(const Wanted& wanted);
  std::size_t capacity_;
  std::list<Entry> entries_; ///< used last first
  std::map<std::string, LibraryHeaders> headers_by_origin_;
};

} // namespace forewarp::frontend

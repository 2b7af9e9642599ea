// Compiled modules kept on disk between runs, one file each. Safe for several processes at a time: a file
// appears whole or not at all. What cannot be read, is damaged or does not fit any longer counts as absent.
#pragma once

#include "frontend/compile.h"
#include "frontend/store/file_log.h"

#include <optional>
#include <string>

namespace forewarp::frontend {

class ModuleStore {
public:
  /// `folder` is made when something is kept. `most_bytes`: beyond it, what was used longest ago goes.
  explicit ModuleStore(std::string folder, std::uint64_t most_bytes = 256ULL << 20)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// What an earlier compilation of this request gave, where every file that it looked for is as it was: the
  /// module, or the error of a source that does not compile.
  std::optional<Result<ir::KernelModule>> find(const CompileRequest& request) const;
  /// Failures to write are no errors: the next run compiles again.
  void keep(const CompileRequest& request, const FileLog& log, const Result<ir::KernelModule>& outcome) const;

private:
  std::string path_of(const CompileRequest& request) const;
  void make_room() const;
  std::string folder_;
  std::uint64_t most_bytes_;
};

/// $XDG_CACHE_HOME/forewarp, else ~/.cache/forewarp; "" where neither is known.
std::string default_cache_folder();

} // namespace forewarp::frontend

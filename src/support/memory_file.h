#pragma once

#include "support/result.h"

#include <string>
#include <utility>

namespace forewarp {

/// A file that has a path in this process (and in those it starts, as they are started), and lies on no disk:
/// whatever ends the process, nothing of it stays.
class MemoryFile {
public:
  /// Errors: not_found (the system gives none).
  static Result<MemoryFile> write(const std::string& bytes, const std::string& name);
  MemoryFile(MemoryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~MemoryFile();
  /// The name that a file in memory was given; of another path: nothing. Its ending tells a source's
  /// language.
  static std::string name_of(const std::string& path);
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  /// In place of what it holds. Errors: not_found (no memory).
  Result<void> rewrite(const std::string& bytes) const;

private:
  explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

} // namespace forewarp

#pragma once

#include "support/result.h"

#include <string>
#include <utility>

namespace forewarp {

/// A file in the system's folder for temporary files, removed at the end of its owner's life.
class TemporaryFile {
public:
  /// `suffix`: ".cl". Errors: not_found (the folder cannot be written).
  static Result<TemporaryFile> write(const std::string& text, const std::string& suffix);
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFile();
  const std::string& path() const { return path_; }

private:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

} // namespace forewarp

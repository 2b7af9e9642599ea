// Starts the user's program with the library inside.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::program {

/// `NAME=VALUE` words over this process's own environment.
using Environment = std::vector<std::string>;

/// The library beside this program (or in ../lib/forewarp), and the words that make OpenCL's loader and the
/// dynamic loader take it in. Errors: unsupported (it was not built).
Result<Environment> environment_of(const std::string& server_name);

/// A program that runs. `ended()` becomes readable when it has ended.
class Child {
public:
  /// Errors: not_found (no such program, or it cannot be executed).
  static Result<Child> start(const std::vector<std::string>& words, const Environment& environment);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();
  int ended() const { return descriptor_; }
  struct End {
    std::optional<int> exit_code;
    int signal = 0;
  };
  End wait();

private:
  Child(int pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}
  int pid_, descriptor_;
};

} // namespace forewarp::program

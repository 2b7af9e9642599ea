// Starts the user's program with the library inside.
#pragma once

#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::program {

/// `NAME=VALUE` words over this process's own environment.
using Environment = std::vector<std::string>;

/// Path of a library of ours beside this program, or in ../lib/forewarp. Errors: unsupported (not built).
Result<std::string> library_beside(const std::string& name);

/// The words that make OpenCL's loader and the dynamic loader take our library in, and PoCL show `devices`
/// devices. Errors: unsupported (it was not built).
Result<Environment> opencl_environment(const std::string& server_name, std::size_t devices);
/// Of a program that our CUDA runtime is linked to.
Environment cuda_environment(const std::string& server_name);

/// A program that runs. `ended()` becomes readable when it has ended.
class Child {
public:
  /// `file`: what is executed; "": the first word, as a shell finds it. Errors: not_found (no such program,
  /// or it cannot be executed).
  static Result<Child> start(const std::vector<std::string>& words, const Environment& environment,
                             const std::string& file = {});
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

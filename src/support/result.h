// Result<T>: how a room says that something went wrong. No room prints, exits or aborts; `cli` alone does.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace forewarp {

/// Class of an error; the command's exit code follows from it (see `exit_code`).
enum class ErrorCode {
  usage,        ///< an option or argument of the command is wrong
  not_found,    ///< a file, kernel, GPU or name does not exist
  bad_input,    ///< a file was read and is not what it has to be (syntax, schema, encoding)
  compile,      ///< the compiler refused the source; `message` holds its diagnostics as it words them
  launch,       ///< launch sizes or arguments do not fit the kernel or the GPU
  unsupported,  ///< well-formed, but this program cannot model it
  kernel_fault, ///< the kernel itself is wrong: out-of-bounds access, barrier divergence
  budget,       ///< a limit on time, steps or memory was reached
  internal,     ///< a broken invariant of this program
};

/// Exit code of the process for an error class: 2 usage, 3 not_found, 4 bad_input, 5 compile, 6 launch,
/// 7 unsupported, 8 kernel_fault, 9 budget, 70 internal.
int exit_code(ErrorCode code);
const char* to_string(ErrorCode code);

/// What was found, where, and what to do about it. `message` starts in lower case and has no final period.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string where = {}; ///< "file:line:column", option or key; may be empty
  std::string hint = {};  ///< the way out; may be empty
  /// Of a file without a kernel: those that `--kernel` makes of its templates, with their arguments.
  std::vector<std::string> possible_kernels = {};
};

/// "where: message" and, on a line of its own, "hint: ...".
std::string to_string(const Error& error);

template <class T> using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {},
                                  std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where), std::move(hint)});
}

} // namespace forewarp

/// Returns the error of a Result from the calling function, or goes on.
#define FOREWARP_TRY(result)                                                                                 \
  do {                                                                                                       \
    if (auto&& forewarp_result = (result); !forewarp_result)                                                 \
      return tl::unexpected<::forewarp::Error>(std::move(forewarp_result).error());                          \
  } while (false)

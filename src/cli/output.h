// Where answers, errors and progress go. The only room that prints.
#pragma once

#include "support/result.h"

#include <string>

namespace forewarp::cli {

/// To standard output, or to a file when `path` is not empty. Errors: not_found (cannot be written).
Result<void> write_output(const std::string& text, const std::string& path = "");

/// "forewarp: error: where: message" and "hint: ..." on standard error.
void print_error(const Error& error);
void print_warning(const std::string& text);

/// One line on standard error that is overwritten; nothing when standard error is no terminal.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void say(const std::string& text);

private:
  bool on_terminal_ = false, shown_ = false;
};

} // namespace forewarp::cli

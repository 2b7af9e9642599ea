// Where answers, errors and progress go. The only room that prints.
#pragma once

#include "support/result.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace forewarp::cli {

/// To standard output, or to a file when `path` is not empty. Errors: not_found (cannot be written), with an
/// empty message where the reader of standard output has left (is_closed_pipe).
Result<void> write_output(const std::string& text, const std::string& path = "");

/// `forewarp gpus | head -1`: the reader took what it wanted.
bool is_closed_pipe(const Error& error);

/// The same piece by piece, for answers that do not fit into memory.
class OutputFile {
public:
  static Result<OutputFile> open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();
  Result<void> write(std::string_view text);
  /// Has to be called: what is not written yet may fail here.
  Result<void> close();

private:
  OutputFile(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}
  std::FILE* file_;
  std::string path_;
};

/// What to do about an error that says nothing of it itself.
std::string usual_way_out(ErrorCode code);

/// "forewarp: error: where: message" and "hint: ..." on standard error.
void print_error(const Error& error);
void print_warning(const std::string& text);
/// Whole lines on standard error, beside the answer.
void print_note(const std::string& text);

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

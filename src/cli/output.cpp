#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace forewarp::cli {
namespace {

/// Quiet: no message.
const Error reader_left = {ErrorCode::not_found, "", "standard output", ""};

constexpr const char* clear_line = "\r\033[K";

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Of what has just failed; a reader that took enough and left is no error to speak of.
tl::unexpected<Error> cannot_write(const std::string& path) {
  if (path.empty() && errno == EPIPE)
    return tl::unexpected<Error>(reader_left);
  return fail(ErrorCode::not_found, "the output cannot be written", path.empty() ? "standard output" : path,
              "check that the folder exists, that it may be written, and that the disk is not full");
}

} // namespace

Result<OutputFile> OutputFile::open(const std::string& path) {
  std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr)
    return cannot_write(path);
  return OutputFile(file, path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)), path_(std::move(other.path_)) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr && !path_.empty())
    std::fclose(file_);
}

Result<void> OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    return cannot_write(path_);
  return {};
}

Result<void> OutputFile::close() {
  std::FILE* file = std::exchange(file_, nullptr);
  bool good = std::fflush(file) == 0;
  if (!path_.empty())
    good = std::fclose(file) == 0 && good;
  if (!good)
    return cannot_write(path_);
  return {};
}

Result<void> write_output(const std::string& text, const std::string& path) {
  auto file = OutputFile::open(path);
  FOREWARP_TRY(file);
  FOREWARP_TRY(file->write(text));
  return file->close();
}

bool is_closed_pipe(const Error& error) {
  return error.message.empty() && error.where == reader_left.where;
}

std::string usual_way_out(ErrorCode code) {
  switch (code) {
  case ErrorCode::usage:
    return "`forewarp COMMAND --help` lists the options and what they take";
  case ErrorCode::not_found:
    return "check the name; files are looked for from this folder on, `forewarp gpus` lists GPUs";
  case ErrorCode::bad_input:
    return "mend the file where it is named; docs/README.md leads to the page of each format";
  case ErrorCode::compile:
    return "-D NAME=VALUE, -I FOLDER, --std and --option change how the source is compiled";
  case ErrorCode::launch:
    return "`forewarp template FILE --kernel NAME -o launch.toml` writes a launch that fits, to be changed";
  case ErrorCode::unsupported:
    return "name another kernel (--kernel) or GPU (--gpu); docs/reference says what is modelled";
  case ErrorCode::kernel_fault:
    return "--arg NAME=VALUE and --arg NAME=buffer:TYPE[COUNT] change what the kernel is given; "
           "--out-of-bounds read-zero goes on behind an access outside of its buffers";
  case ErrorCode::budget:
    return "--max-instructions N and --max-seconds N give more, a smaller launch asks for less";
  case ErrorCode::internal:
    return "this is a fault of forewarp: please report it with the command and its input";
  }
  return {};
}

void print_error(const Error& error) {
  Error told = error;
  if (told.hint.empty())
    told.hint = usual_way_out(told.code);
  to_stderr(fmt::format("forewarp: error: {}\n", to_string(told)));
}

void print_warning(const std::string& text) {
  to_stderr(fmt::format("forewarp: warning: {}\n", text));
}

void print_note(const std::string& text) {
  to_stderr(text);
}

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_)
    to_stderr(clear_line);
}

void Progress::say(const std::string& text) {
  if (!on_terminal_)
    return;
  to_stderr(fmt::format("{}{}", clear_line, text));
  shown_ = true;
}

} // namespace forewarp::cli

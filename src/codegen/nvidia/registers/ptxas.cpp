#include "codegen/nvidia/registers/ptxas.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <fmt/format.h>
#include <optional>
#include <regex>

namespace forewarp::codegen {

namespace {

/// Removed when it goes out of scope.
class TemporaryFile {
public:
  explicit TemporaryFile(const char* suffix) {
    valid_ = !llvm::sys::fs::createTemporaryFile("forewarp", suffix, path_);
  }
  ~TemporaryFile() {
    if (valid_)
      (void)llvm::sys::fs::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  bool valid() const { return valid_; }
  llvm::StringRef path() const { return path_; }

private:
  bool valid_ = false;
  llvm::SmallString<128> path_;
};

double number_after(const std::string& text, const char* pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::stod(found[1]) : 0;
}

} // namespace

bool has_ptxas() {
  return static_cast<bool>(llvm::sys::findProgramByName("ptxas"));
}

Result<facts::ResourceUse> ptxas_resources(const std::string& ptx, const std::string& target) {
  const auto program = llvm::sys::findProgramByName("ptxas");
  if (!program)
    return fail(ErrorCode::not_found, "no ptxas on the PATH", "--registers=ptxas",
                "install the CUDA toolkit, or use --registers=estimate");
  const TemporaryFile source("ptx"), report("txt"), binary("cubin");
  if (!source.valid() || !report.valid() || !binary.valid())
    return fail(ErrorCode::internal, "no temporary file could be made");
  {
    std::error_code error;
    llvm::raw_fd_ostream out(source.path(), error);
    if (error)
      return fail(ErrorCode::internal, fmt::format("temporary file: {}", error.message()));
    out << ptx;
  }
  const std::string architecture = "-arch=" + target;
  const std::array<llvm::StringRef, 6> arguments = {*program,      "-v", architecture,
                                                    source.path(), "-o", binary.path()};
  const std::array<std::optional<llvm::StringRef>, 3> redirects = {llvm::StringRef(""), report.path(),
                                                                   report.path()};
  const int status = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects, 120);
  const auto buffer = llvm::MemoryBuffer::getFile(report.path());
  const std::string text = buffer ? (*buffer)->getBuffer().str() : "";
  if (status != 0)
    return fail(ErrorCode::unsupported,
                fmt::format("ptxas refused the kernel for {}: {}", target, text.substr(0, 400)),
                "--registers=ptxas", "use --registers=estimate");
  facts::ResourceUse use;
  use.source = "ptxas";
  use.registers_per_thread = number_after(text, "Used ([0-9]+) registers");
  use.static_shared_bytes = static_cast<std::uint64_t>(number_after(text, "([0-9]+) bytes smem"));
  use.local_bytes_per_thread = static_cast<std::uint64_t>(number_after(text, "([0-9]+) bytes stack frame"));
  use.spill_bytes_per_thread = number_after(text, "([0-9]+) bytes spill stores");
  if (use.registers_per_thread == 0)
    return fail(ErrorCode::unsupported, "ptxas gave no register count", "--registers=ptxas",
                "use --registers=estimate");
  return use;
}

} // namespace forewarp::codegen

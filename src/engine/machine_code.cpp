#include "engine/machine_code.h"

#include "codegen/markers/ptx.h"
#include "frontend/languages/source_language.h"
#include "lift/lift.h"
#include "sass/program.h"
#include "support/temporary_file.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace forewarp::engine {
namespace {

/// What a compiler may take before it counts as hanging.
constexpr unsigned longest_seconds = 300;

std::string text_of(const std::string& path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Runs a tool that writes `-o FILE`; gives the file's bytes.
Result<std::string> made_by(const char* name, std::vector<std::string> words, const std::string& source) {
  const auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return fail(ErrorCode::not_found, fmt::format("no {} on the PATH", name), "--code",
                "install the CUDA toolkit, or leave --code away: the code is then imitated");
  const auto output = TemporaryFile::write("", ".cubin"), messages = TemporaryFile::write("", ".txt");
  FOREWARP_TRY(output);
  FOREWARP_TRY(messages);
  words.insert(words.begin(), *program);
  words.insert(words.end(), {"-o", output->path()});
  const std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  const std::array<std::optional<llvm::StringRef>, 3> redirects = {
      llvm::StringRef(""), llvm::StringRef(messages->path()), llvm::StringRef(messages->path())};
  std::string problem;
  const int status = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects, longest_seconds,
                                               0, &problem);
  if (status != 0)
    return fail(ErrorCode::compile,
                fmt::format("{} refused it: {}{}", name, problem, text_of(messages->path()).substr(0, 2000)),
                source, "leave --code away: the code is then imitated");
  std::string bytes = text_of(output->path());
  if (bytes.empty())
    return fail(ErrorCode::compile, fmt::format("{} made no machine code", name), source);
  return bytes;
}

Result<std::string> by_nvcc(const frontend::CompileRequest& request) {
  std::vector<std::string> words = {"-cubin", "-w", "-lineinfo", "-x", "cu", "-arch=" + request.target};
  if (!request.standard.empty())
    words.push_back("-std=" + request.standard);
  for (const std::string& define : request.defines)
    words.push_back("-D" + define);
  for (const std::string& folder : request.include_directories)
    words.insert(words.end(), {"-I", folder});
  words.insert(words.end(), request.extra_options.begin(), request.extra_options.end());
  words.push_back(request.path);
  return made_by("nvcc", std::move(words), request.path);
}

Result<std::string> by_ptxas(const frontend::CompileRequest& request, const ir::KernelModule& source,
                             const ir::KernelSignature& kernel) {
  const auto ptx = codegen::emit_ptx(source, kernel, request.target);
  FOREWARP_TRY(ptx);
  const auto file = TemporaryFile::write(*ptx, ".ptx");
  FOREWARP_TRY(file);
  return made_by("ptxas", {"-arch=" + request.target, file->path()}, request.path);
}

} // namespace

bool wants_machine_code(const frontend::CompileRequest& request) {
  return std::ranges::find(request.extra_options, machine_code_option) != request.extra_options.end();
}

Result<ir::KernelModule> compile_by_vendor(const frontend::CompileRequest& asked, const std::string& kernel) {
  frontend::CompileRequest request = asked;
  std::erase(request.extra_options, machine_code_option);
  if (frontend::is_machine_code(request.path))
    return frontend::compile(request);
  if (request.family != ir::TargetFamily::nvidia)
    return fail(ErrorCode::unsupported, "--code sass is for GPUs of NVIDIA's", "--code");
  const auto source = frontend::compile(request);
  FOREWARP_TRY(source);
  const auto declared = frontend::select_kernel(*source, kernel);
  FOREWARP_TRY(declared);
  const bool cuda = frontend::is_cuda_source(request.path);
  const auto cubin = cuda ? by_nvcc(request) : by_ptxas(request, *source, **declared);
  FOREWARP_TRY(cubin);
  const auto code = sass::read_cubin(std::as_bytes(std::span(*cubin)), request.path);
  FOREWARP_TRY(code);
  lift::LiftOptions options;
  options.path = request.path;
  options.only_kernel = (*declared)->symbol;
  options.source = source->kernels;
  auto module = lift::lift(*code, options);
  FOREWARP_TRY(module);
  lift::keep_machine_code(module->module(), *cubin);
  module->notes.push_back({facts::Note::Severity::info,
                           cuda ? "the code is nvcc's" : "the code is ptxas', of this program's own PTX"});
  return module;
}

} // namespace forewarp::engine

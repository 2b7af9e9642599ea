#include "engine/machine_code.h"

#include "codegen/markers/ptx.h"
#include "engine/embedded_ptx.h"
#include "frontend/languages/source_language.h"
#include "gpu/code_target.h"
#include "lift/lift.h"
#include "sass/program.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>

namespace forewarp::engine {
namespace {

Result<toolkit::Assembled> assembled(const frontend::CompileRequest& request, const ir::KernelModule& source,
                                     const ir::KernelSignature& kernel) {
  toolkit::AssembleRequest asked;
  asked.target = request.target;
  asked.cache_folder = request.cache_folder;
  if (frontend::is_cuda_source(request.path)) {
    asked.path = request.path;
    asked.defines = request.defines;
    asked.include_folders = request.include_directories;
    asked.options = request.extra_options;
    if (!request.standard.empty())
      asked.options.push_back("-std=" + request.standard);
    return toolkit::assemble(asked);
  }
  const auto ptx = codegen::emit_ptx(source, kernel, gpu::compiler_target(request.target));
  FOREWARP_TRY(ptx);
  const auto path = write_ptx(*ptx, request.cache_folder);
  FOREWARP_TRY(path);
  asked.path = *path;
  asked.told_as = request.path;
  return toolkit::assemble(asked);
}

Result<std::string> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty())
    return fail(ErrorCode::not_found, "cannot be read", path);
  return bytes;
}

/// Triton keeps what its own assembler made beside its LLVM IR. None: nothing for this target lies there.
std::optional<toolkit::Assembled> beside(const frontend::CompileRequest& request) {
  std::filesystem::path path = request.path;
  if (path.extension() != ".llir")
    return std::nullopt;
  const auto cubin = bytes_of(path.replace_extension(".cubin").string());
  const auto code = cubin ? sass::read_cubin(std::as_bytes(std::span(*cubin)), path.string())
                          : tl::unexpected<Error>(cubin.error());
  if (!code || !request.target.starts_with(fmt::format("sm_{}", code->sm)))
    return std::nullopt;
  return toolkit::Assembled{.path = path.string(), .tool = "Triton"};
}

/// Where a file has PTX alone for the target, what the vendor's assembler makes of that.
Result<ir::KernelModule> compile_machine_code(const frontend::CompileRequest& request) {
  if (request.signatures_only || !has_only_ptx(request.path, request.target))
    return frontend::compile(request);
  const auto made =
      assembled_of_file(request.path, request.target, request.only_kernel, request.cache_folder);
  FOREWARP_TRY(made);
  frontend::CompileRequest of_cubin = request;
  of_cubin.path = made->path;
  auto module = frontend::compile(of_cubin);
  if (module)
    module->notes.push_back({facts::Note::Severity::info,
                             fmt::format("no machine code in {} is for {}: {} made it of the PTX there",
                                         request.path, request.target, made->tool)});
  return module;
}

} // namespace

Result<ir::KernelModule> compile_by_vendor(const frontend::CompileRequest& request,
                                           const std::string& kernel) {
  if (frontend::is_machine_code(request.path))
    return compile_machine_code(request);
  if (request.family != ir::TargetFamily::nvidia)
    return fail(ErrorCode::unsupported, "--code sass is for GPUs of NVIDIA's", "--code");
  frontend::CompileRequest of_source = request;
  of_source.target = gpu::compiler_target(request.target);
  const auto source = frontend::compile(of_source);
  FOREWARP_TRY(source);
  const auto declared = frontend::select_kernel(*source, kernel);
  FOREWARP_TRY(declared);
  const auto kept = beside(request);
  const auto made = kept ? Result<toolkit::Assembled>(*kept) : assembled(request, *source, **declared);
  FOREWARP_TRY(made);
  const auto cubin = bytes_of(made->path);
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
  const bool own_ptx = !kept && !frontend::is_cuda_source(request.path);
  module->notes.push_back(
      {facts::Note::Severity::info,
       fmt::format("the machine code is {}'s{}", made->tool, own_ptx ? ", of this program's own PTX" : "")});
  return module;
}

} // namespace forewarp::engine

// Machine code: cubins of NVIDIA's GPUs, code objects of AMD's; decoded and lifted as it stands. Nothing is
// optimised: what runs is what the assembler wrote.
#include "amdgcn/program.h"
#include "frontend/languages/languages.h"
#include "frontend/languages/source_language.h"
#include "lift/amd/lift.h"
#include "lift/lift.h"
#include "sass/container.h"
#include "sass/program.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace forewarp::frontend {
namespace {

Result<std::string> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file && bytes.empty())
    return fail(ErrorCode::bad_input, "cannot be read", path);
  return bytes;
}

/// 86 of "sm_86", "sm_86a"; 0: no such name.
unsigned number_of(const std::string& target) {
  unsigned number = 0;
  if (target.starts_with("sm_"))
    std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number;
}

/// A GPU runs code of its own major version up to its own minor one.
Result<void> check_target(const sass::Module& code, const CompileRequest& request) {
  const unsigned wanted = number_of(request.target);
  if (request.signatures_only || (code.sm / 10 == wanted / 10 && code.sm <= wanted))
    return {};
  return fail(ErrorCode::unsupported,
              fmt::format("machine code of sm_{} does not run on {}", code.sm, request.target), request.path,
              fmt::format("compile it for {}: nvcc -cubin -arch={}", request.target, request.target));
}

/// Code objects run on the very processor that they are for.
Result<ir::KernelModule> lift_code_object(const CompileRequest& request, std::span<const std::byte> bytes) {
  if (request.family != ir::TargetFamily::amd)
    return fail(ErrorCode::unsupported, "machine code of AMD's, but a GPU of another vendor", request.path,
                "predict its source instead, or name a GPU of AMD's");
  const auto part = amdgcn::code_object_in(bytes, request.signatures_only ? "" : request.target,
                                           request.only_kernel, request.path);
  FOREWARP_TRY(part);
  const auto code = amdgcn::read_module(std::as_bytes(std::span(*part)), request.path);
  FOREWARP_TRY(code);
  if (!request.signatures_only && code->target != request.target)
    return fail(ErrorCode::unsupported,
                fmt::format("machine code of {} does not run on {}", code->target, request.target),
                request.path,
                fmt::format("compile it for {}: --offload-arch={} (hipcc), -mcpu={} (clang)", request.target,
                            request.target, request.target));
  lift::LiftOptions options;
  options.path = request.path;
  options.only_kernel = request.only_kernel;
  auto module = lift::amd::lift(*code, options);
  FOREWARP_TRY(module);
  lift::keep_machine_code(module->module(), *part);
  return module;
}

} // namespace

/// By its ending or its first bytes: of an ELF file (objects, programs, libraries), of a fat binary or
/// bundle.
bool is_machine_code(const std::string& path) {
  if (path.ends_with(".cubin") || path.ends_with(".hsaco"))
    return true;
  constexpr std::string_view elf = "\177ELF", fat_binary = "\x50\xed\x55\xba", bundle = "__CL",
                             packed = "CCOB";
  char first[4] = {};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return false;
  std::ifstream(path, std::ios::binary).read(first, sizeof first);
  const std::string_view begin(first, sizeof first);
  return begin == elf || begin == fat_binary || begin == bundle || begin == packed;
}

Result<ir::KernelModule> compile_machine_code(const CompileRequest& request) {
  auto bytes = bytes_of(request.path);
  FOREWARP_TRY(bytes);
  if (const auto all = std::as_bytes(std::span(*bytes));
      request.path.ends_with(".hsaco") ||
      ((request.family == ir::TargetFamily::amd || !request.path.ends_with(".cubin")) &&
       amdgcn::is_code_object(all)))
    return lift_code_object(request, all);
  if (request.family != ir::TargetFamily::nvidia)
    return fail(ErrorCode::unsupported, "machine code of NVIDIA's, but a GPU of another vendor", request.path,
                "predict its source instead");
  const bool is_cubin =
      request.path.ends_with(".cubin"); // of one target: what it lacks is said by name below
  const auto cubin = sass::cubin_in(std::as_bytes(std::span(*bytes)), request.path,
                                    is_cubin || request.signatures_only ? 0 : number_of(request.target),
                                    request.only_kernel);
  FOREWARP_TRY(cubin);
  const auto code = sass::read_cubin(*cubin, request.path);
  FOREWARP_TRY(code);
  FOREWARP_TRY(check_target(*code, request));
  lift::LiftOptions options;
  options.path = request.path;
  options.only_kernel = request.only_kernel;
  auto module = lift::lift(*code, options);
  FOREWARP_TRY(module);
  lift::keep_machine_code(module->module(), {reinterpret_cast<const char*>(cubin->data()), cubin->size()});
  return module;
}

} // namespace forewarp::frontend

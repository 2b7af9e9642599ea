#include "bundle/kernel_code.h"

#include "bundle/device_math.h"
#include "bundle/pointer_arguments.h"
#include "codegen/markers/ptx.h"
#include "frontend/compile.h"
#include "support/text_file.h"

#include <fmt/format.h>
#include <tuple>

namespace forewarp::bundle {

bool SourceBuild::operator<(const SourceBuild& other) const {
  return std::tie(path, standard, defines, include_directories, options) <
         std::tie(other.path, other.standard, other.defines, other.include_directories, other.options);
}

Result<KernelCode> KernelCode::compile(const SourceBuild& build, const std::string& target) {
  frontend::CompileRequest request;
  request.path = build.path;
  request.standard = build.standard;
  request.defines = build.defines;
  request.include_directories = build.include_directories;
  request.extra_options = build.options;
  if (target != "opencl") // else only the signature is wanted
    request.target = target;
  auto module = frontend::compile(request);
  FOREWARP_TRY(module);
  return KernelCode(std::move(*module), build);
}

Result<std::string> KernelCode::ptx(const ir::KernelSignature& kernel, const std::string& target) {
  if (!math_linked_) {
    FOREWARP_TRY(link_device_math(module_));
    for (const ir::KernelSignature& each : module_.kernels) {
      lower_shared_arguments(module_, each);
      FOREWARP_TRY(lower_constant_arguments(module_, each));
    }
    math_linked_ = true;
  }
  return codegen::emit_ptx(module_, kernel, target);
}

Result<std::string> KernelCode::source() const {
  auto text = read_text_file(build_.path, "source", 1 << 24);
  FOREWARP_TRY(text);
  std::string macros;
  for (const std::string& define : build_.defines) {
    const std::size_t equals = define.find('=');
    macros += equals == std::string::npos
                  ? fmt::format("#define {} 1\n", define)
                  : fmt::format("#define {} {}\n", define.substr(0, equals), define.substr(equals + 1));
  }
  return macros.empty() ? *text : macros + "#line 1\n" + *text;
}

} // namespace forewarp::bundle

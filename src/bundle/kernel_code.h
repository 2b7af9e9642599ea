// One source with its macros -> what a device loads, and the signatures that launches need.
#pragma once

#include "bundle/source_build.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::bundle {

class KernelCode {
public:
  /// `target`: "sm_90", or "opencl". Errors: the compiler's.
  static Result<KernelCode> compile(const SourceBuild& build, const std::string& target);

  const ir::KernelModule& module() const { return module_; }
  /// PTX of a kernel; math without PTX instruction comes from libclc. Errors: unsupported, not_found.
  Result<std::string> ptx(const ir::KernelSignature& kernel, const std::string& target);
  /// The source with the macros as #define lines in front. Errors: not_found.
  Result<std::string> source() const;

private:
  KernelCode(ir::KernelModule module, SourceBuild build)
      : module_(std::move(module)), build_(std::move(build)) {}
  ir::KernelModule module_;
  SourceBuild build_;
  bool math_linked_ = false;
};

} // namespace forewarp::bundle

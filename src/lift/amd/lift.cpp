#include "lift/amd/lift.h"

#include "ir/address_spaces.h"
#include "lift/amd/arguments.h"
#include "lift/amd/join_blocks.h"
#include "lift/amd/lifter.h"
#include "lift/declare_kernel.h"
#include "lift/lines.h"
#include "lift/simplify.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <fmt/format.h>

namespace forewarp::lift::amd {
namespace {

constexpr const char* triple = "amdgcn-amd-amdhsa";
/// As LLVM 19's back end has it.
constexpr const char* layout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:"
                               "256:32-p8:128:128-p9:192:256:256:"
                               "32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
                               "v1024:1024-v2048:2048-n32:64-S32-"
                               "A5-G1-ni:7:8:9";

llvm::Function* declare(llvm::Module& module, const amdgcn::Kernel& kernel,
                        const ir::KernelSignature& signature) {
  std::vector<std::uint32_t> bytes;
  for (const amdgcn::Argument& argument : explicit_arguments(kernel))
    bytes.push_back(argument.bytes);
  return declare_kernel(module, kernel.resources.name, signature, bytes,
                        {ir::global_space, ir::shared_space, llvm::Attribute::ByRef});
}

Result<void> lift_into(llvm::Function& function, const amdgcn::Module& machine_code,
                       const amdgcn::Kernel& kernel) {
  if (kernel.refused)
    return tl::unexpected<Error>(*kernel.refused);
  if (kernel.instructions.empty())
    return fail(ErrorCode::bad_input, fmt::format("kernel '{}' has no instructions", kernel.resources.name));
  Lifter lifter(machine_code, kernel, function);
  FOREWARP_TRY(lifter.run());
  FOREWARP_TRY(resolve_arguments(function, kernel, lifter.local_data()));
  simplify(function);
  join_blocks(function);
  function.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  return {};
}

} // namespace

Result<ir::KernelModule> lift(const amdgcn::Module& machine_code, const LiftOptions& options) {
  if (machine_code.kernels.empty())
    return fail(ErrorCode::bad_input, "no kernel is in this code object", options.path);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto owned = std::make_unique<llvm::Module>(options.path, *context);
  owned->setTargetTriple(triple);
  owned->setDataLayout(layout);
  ir::KernelModule module(std::move(context), std::move(owned));
  module.language = ir::SourceLanguage::llvm_ir;
  module.family = ir::TargetFamily::amd;
  module.target = machine_code.target;
  module.files = machine_code.files.empty() ? facts::SourceFiles{options.path} : machine_code.files;
  Lines lines(module.module(), machine_code.files);
  for (const amdgcn::Kernel& kernel : machine_code.kernels) {
    ir::KernelSignature signature = signature_of(kernel, options.source);
    if (!options.only_kernel.empty() && kernel.resources.name != options.only_kernel &&
        signature.name != options.only_kernel)
      continue;
    module.warp_width = kernel.resources.wave_size;
    llvm::Function* function = declare(module.module(), kernel, signature);
    if (!machine_code.files.empty())
      lines.add(*function);
    if (auto lifted = lift_into(*function, machine_code, kernel); !lifted) {
      function->deleteBody();
      function->setSubprogram(nullptr);
      Error error = lifted.error();
      if (!error.where.starts_with(options.path))
        error.where = options.path + (error.where.empty() ? "" : ", ") + error.where;
      module.refused.push_back({kernel.resources.name, std::move(error)});
    }
    module.kernels.push_back(std::move(signature));
  }
  lines.finish();
  if (module.kernels.empty())
    return fail(ErrorCode::not_found, fmt::format("no kernel '{}' in this code object", options.only_kernel),
                options.path);
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module.module(), &out))
    return fail(ErrorCode::internal, "the lifted module is broken: " + message);
  return module;
}

} // namespace forewarp::lift::amd

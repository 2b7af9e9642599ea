#include "lift/amd/lift.h"

#include "ir/address_spaces.h"
#include "lift/amd/arguments.h"
#include "lift/amd/join_blocks.h"
#include "lift/amd/lifter.h"
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

llvm::Type* type_of(const ir::Parameter& parameter, llvm::LLVMContext& context) {
  if (parameter.is_pointer)
    return llvm::PointerType::get(context, parameter.space == ir::AddressSpace::shared ? ir::shared_space
                                                                                       : ir::global_space);
  switch (parameter.size_bytes) {
  case 1:
  case 2:
  case 4:
  case 8:
    return llvm::Type::getIntNTy(context, 8 * parameter.size_bytes);
  default:
    return nullptr; // by its bytes
  }
}

llvm::Function* declare(llvm::Module& module, const amdgcn::Kernel& kernel,
                        const ir::KernelSignature& signature) {
  llvm::LLVMContext& context = module.getContext();
  const std::vector<amdgcn::Argument> arguments = explicit_arguments(kernel);
  std::vector<llvm::Type*> types;
  for (const ir::Parameter& parameter : signature.parameters) {
    llvm::Type* type = type_of(parameter, context);
    types.push_back(type != nullptr ? type : llvm::PointerType::get(context, 0));
  }
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::ExternalLinkage, kernel.resources.name, module);
  for (unsigned p = 0; p < signature.parameters.size(); ++p) {
    function->getArg(p)->setName(signature.parameters[p].name);
    if (type_of(signature.parameters[p], context) == nullptr)
      function->addParamAttr(
          p, llvm::Attribute::getWithByRefType(
                 context, llvm::ArrayType::get(llvm::Type::getInt8Ty(context), arguments[p].bytes)));
  }
  return function;
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

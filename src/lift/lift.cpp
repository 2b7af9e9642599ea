#include "lift/lift.h"

#include "ir/machine_markers.h"
#include "lift/declare_kernel.h"
#include "lift/lifter.h"
#include "lift/lines.h"
#include "lift/signature.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <fmt/format.h>

namespace forewarp::lift {
namespace {

constexpr const char* triple = "nvptx64-nvidia-cuda";
constexpr const char* layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

llvm::Function* declare(llvm::Module& module, const sass::Kernel& kernel,
                        const ir::KernelSignature& signature) {
  std::vector<std::uint32_t> bytes;
  for (const auto& parameter : kernel.parameters)
    bytes.push_back(parameter.bytes);
  llvm::Function* function =
      declare_kernel(module, kernel.name, signature, bytes, {.by_bytes = llvm::Attribute::ByVal});
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  return function;
}

bool is_wanted(const sass::Kernel& kernel, const LiftOptions& options, const ir::KernelSignature& signature) {
  return options.only_kernel.empty() || kernel.name == options.only_kernel ||
         signature.name == options.only_kernel;
}

Result<void> lift_into(llvm::Function& function, const sass::Module& machine_code, const sass::Kernel& kernel,
                       const LiftOptions& options) {
  if (kernel.refused)
    return tl::unexpected<Error>(*kernel.refused);
  if (kernel.instructions.empty())
    return fail(ErrorCode::bad_input, fmt::format("kernel '{}' has no instructions", kernel.name));
  return Lifter(machine_code, kernel, function, options.computes_products).run();
}

Result<void> verified(const llvm::Module& module) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    return fail(ErrorCode::internal, "the lifted module is broken: " + message);
  return {};
}

} // namespace

Result<ir::KernelModule> lift(const sass::Module& machine_code, const LiftOptions& options) {
  if (machine_code.kernels.empty())
    return fail(ErrorCode::bad_input, "no kernel is in this machine code", options.path);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto owned = std::make_unique<llvm::Module>(options.path, *context);
  owned->setTargetTriple(triple);
  owned->setDataLayout(layout);
  ir::KernelModule module(std::move(context), std::move(owned));
  module.language = ir::SourceLanguage::llvm_ir;
  module.non_uniform_groups_allowed = false;
  module.target = fmt::format("sm_{}", machine_code.sm);
  module.files = machine_code.files.empty() ? facts::SourceFiles{options.path} : machine_code.files;
  Lines lines(module.module(), machine_code.files);
  for (const sass::Kernel& kernel : machine_code.kernels) {
    ir::KernelSignature signature = signature_of(kernel, options.source);
    if (!is_wanted(kernel, options, signature))
      continue;
    llvm::Function* function = declare(module.module(), kernel, signature);
    if (!kernel.lines.empty())
      lines.add(*function);
    if (auto lifted = lift_into(*function, machine_code, kernel, options); !lifted) {
      function->deleteBody();
      function->setSubprogram(nullptr);
      Error error = lifted.error();
      if (!error.where.starts_with(options.path))
        error.where = options.path + (error.where.empty() ? "" : ", ") + error.where;
      module.refused.push_back({kernel.name, std::move(error)});
    }
    module.kernels.push_back(std::move(signature));
  }
  lines.finish();
  if (module.kernels.empty())
    return fail(ErrorCode::not_found, fmt::format("no kernel '{}' in this machine code", options.only_kernel),
                options.path);
  FOREWARP_TRY(verified(module.module()));
  return module;
}

void keep_machine_code(llvm::Module& module, std::string_view cubin) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(ir::machine_markers::cubin)
      ->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, cubin)));
}

std::string_view machine_code_of(const llvm::Module& module) {
  const llvm::NamedMDNode* kept = module.getNamedMetadata(ir::machine_markers::cubin);
  if (kept == nullptr || kept->getNumOperands() == 0)
    return {};
  return llvm::cast<llvm::MDString>(kept->getOperand(0)->getOperand(0))->getString();
}

} // namespace forewarp::lift

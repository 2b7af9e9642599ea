#include "bundle/shared_arguments.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace forewarp::bundle {
namespace {

constexpr unsigned shared_space = 3;
constexpr const char* variable_name = "forewarp_dynamic_shared";

llvm::GlobalVariable* dynamic_shared(llvm::Module& module) {
  if (llvm::GlobalVariable* there = module.getNamedGlobal(variable_name))
    return there;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* variable =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                               variable_name, nullptr, llvm::GlobalValue::NotThreadLocal, shared_space);
  variable->setAlignment(llvm::Align(16));
  return variable;
}

} // namespace

void lower_shared_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel) {
  llvm::Function* function = module.module().getFunction(kernel.symbol);
  if (!function)
    return;
  for (llvm::Argument& argument : function->args()) {
    const auto* type = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    if (!type || type->getAddressSpace() != shared_space)
      continue;
    llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
    llvm::Value* offset = builder.CreatePtrToInt(&argument, builder.getInt64Ty());
    llvm::Value* place = builder.CreateGEP(builder.getInt8Ty(), dynamic_shared(module.module()), offset);
    argument.replaceUsesWithIf(place, [&](llvm::Use& use) { return use.getUser() != offset; });
  }
}

} // namespace forewarp::bundle

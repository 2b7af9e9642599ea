#include "bundle/pointer_arguments.h"

#include "ir/address_spaces.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace forewarp::bundle {
namespace {

constexpr const char* variable_name = "forewarp_dynamic_shared";

llvm::GlobalVariable* dynamic_shared(llvm::Module& module) {
  if (llvm::GlobalVariable* there = module.getNamedGlobal(variable_name))
    return there;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* variable =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                               variable_name, nullptr, llvm::GlobalValue::NotThreadLocal, ir::shared_space);
  variable->setAlignment(llvm::Align(16));
  return variable;
}

bool is_constant_pointer(const llvm::Argument& argument) {
  const auto* type = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  return type && type->getAddressSpace() == ir::constant_space;
}

/// Moves what is computed of `from` over to `to`, which points to the same place in another address space.
Result<void> move_uses(llvm::Value& from, llvm::Value& to, const std::string& kernel) {
  for (llvm::Use& use : llvm::make_early_inc_range(from.uses())) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setOperand(load->getPointerOperandIndex(), &to);
      continue;
    }
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (!address || address->getPointerOperand() != &from)
      return fail(ErrorCode::unsupported,
                  fmt::format("a constant pointer is used by '{}'", user->getOpcodeName()), kernel,
                  "leave this kernel out of a PTX bundle");
    llvm::IRBuilder<> builder(address);
    const std::vector<llvm::Value*> indices(address->idx_begin(), address->idx_end());
    llvm::Value* moved =
        builder.CreateGEP(address->getSourceElementType(), &to, indices, "", address->isInBounds());
    FOREWARP_TRY(move_uses(*address, *moved, kernel));
    address->eraseFromParent();
  }
  return {};
}

} // namespace

void lower_shared_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel) {
  llvm::Function* function = module.module().getFunction(kernel.symbol);
  if (!function)
    return;
  for (llvm::Argument& argument : function->args()) {
    const auto* type = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    if (!type || type->getAddressSpace() != ir::shared_space)
      continue;
    llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
    llvm::Value* offset = builder.CreatePtrToInt(&argument, builder.getInt64Ty());
    llvm::Value* place = builder.CreateGEP(builder.getInt8Ty(), dynamic_shared(module.module()), offset);
    argument.replaceUsesWithIf(place, [&](llvm::Use& use) { return use.getUser() != offset; });
  }
}

Result<void> lower_constant_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel) {
  llvm::Function* before = module.module().getFunction(kernel.symbol);
  if (!before)
    return {};
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : before->args())
    types.push_back(is_constant_pointer(argument)
                        ? llvm::PointerType::get(before->getContext(), ir::global_space)
                        : argument.getType());
  auto* type = llvm::FunctionType::get(before->getReturnType(), types, false);
  if (type == before->getFunctionType())
    return {};
  auto* after =
      llvm::Function::Create(type, before->getLinkage(), before->getAddressSpace(), "", &module.module());
  after->copyAttributesFrom(before);
  after->copyMetadata(before, 0);
  after->splice(after->begin(), before);
  for (llvm::Argument& argument : before->args()) {
    llvm::Argument& moved = *after->getArg(argument.getArgNo());
    moved.takeName(&argument);
    if (moved.getType() == argument.getType())
      argument.replaceAllUsesWith(&moved);
    else
      FOREWARP_TRY(move_uses(argument, moved, kernel.name));
  }
  before->replaceAllUsesWith(after);
  after->takeName(before);
  before->eraseFromParent();
  return {};
}

} // namespace forewarp::bundle

#include "port/static/constructors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace forewarp::port {

void gather_constructors(llvm::Module& module) {
  std::vector<std::pair<std::uint64_t, llvm::Function*>> constructors;
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (list && list->hasInitializer())
    if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()))
      for (const llvm::Use& entry : entries->operands())
        if (const auto* row = llvm::dyn_cast<llvm::ConstantStruct>(entry.get()))
          if (auto* function = llvm::dyn_cast<llvm::Function>(row->getOperand(1)->stripPointerCasts()))
            constructors.emplace_back(llvm::cast<llvm::ConstantInt>(row->getOperand(0))->getZExtValue(),
                                      function);
  std::stable_sort(constructors.begin(), constructors.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  if (list)
    list->eraseFromParent();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto* all =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "forewarp_constructors", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", all));
  for (const auto& [priority, function] : constructors)
    builder.CreateCall(function);
  builder.CreateRetVoid();
}

void share_thread_locals(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isThreadLocal() && !variable.isDeclaration())
      variable.setThreadLocal(false);
  std::vector<llvm::CallBase*> addresses;
  for (llvm::Function& function : module)
    if (function.getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
      for (llvm::User* user : function.users())
        addresses.push_back(llvm::cast<llvm::CallBase>(user));
  for (llvm::CallBase* address : addresses) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(address->getArgOperand(0));
    if (!variable || variable->isThreadLocal())
      continue;
    address->replaceAllUsesWith(address->getArgOperand(0));
    address->eraseFromParent();
  }
}

} // namespace forewarp::port

#include "lift/declare_kernel.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

namespace forewarp::lift {
namespace {

/// Null: handed over by its bytes.
llvm::Type* parameter_type(const ir::Parameter& parameter, const ParameterRules& rules,
                           llvm::LLVMContext& context) {
  if (parameter.is_pointer)
    return llvm::PointerType::get(context, parameter.space == ir::AddressSpace::shared ? rules.shared_space
                                                                                       : rules.global_space);
  switch (parameter.size_bytes) {
  case 1:
  case 2:
  case 4:
  case 8:
    return llvm::Type::getIntNTy(context, 8 * parameter.size_bytes);
  default:
    return nullptr;
  }
}

} // namespace

llvm::Function* declare_kernel(llvm::Module& module, const std::string& name,
                               const ir::KernelSignature& signature, const std::vector<std::uint32_t>& bytes,
                               const ParameterRules& rules) {
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::Type*> types;
  for (const ir::Parameter& parameter : signature.parameters) {
    llvm::Type* type = parameter_type(parameter, rules, context);
    types.push_back(type != nullptr ? type : llvm::PointerType::get(context, 0));
  }
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  for (unsigned p = 0; p < signature.parameters.size(); ++p) {
    function->getArg(p)->setName(signature.parameters[p].name);
    if (parameter_type(signature.parameters[p], rules, context) == nullptr)
      function->addParamAttr(
          p, llvm::Attribute::get(context, rules.by_bytes,
                                  llvm::ArrayType::get(llvm::Type::getInt8Ty(context), bytes[p])));
  }
  return function;
}

} // namespace forewarp::lift

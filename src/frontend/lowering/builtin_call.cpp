#include "frontend/lowering/builtin_call.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace forewarp::frontend::lowering {

llvm::Value* BuiltinCall::arg(unsigned i) {
  if (i < call.arg_size())
    return call.getArgOperand(i);
  malformed = true;
  return llvm::PoisonValue::get(type()->isVoidTy() ? b.getInt32Ty() : type());
}

llvm::Value* BuiltinCall::arg_as(unsigned i, llvm::Type* wanted) {
  llvm::Value* value = arg(i);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(wanted);
  if (vector && !value->getType()->isVectorTy())
    return b.CreateVectorSplat(vector->getNumElements(), value);
  return value;
}

llvm::Value* BuiltinCall::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> overloads,
                                    llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* made = b.CreateIntrinsic(id, overloads, arguments);
  if (llvm::isa<llvm::FPMathOperator>(made)) {
    if (llvm::isa<llvm::FPMathOperator>(call))
      made->copyFastMathFlags(&call);
    if (llvm::MDNode* accuracy = call.getMetadata(llvm::LLVMContext::MD_fpmath))
      made->setMetadata(llvm::LLVMContext::MD_fpmath, accuracy);
  }
  return made;
}

llvm::CallInst* BuiltinCall::marker(const std::string& marker_name, llvm::Type* result,
                                    llvm::ArrayRef<llvm::Value*> arguments, MarkerEffect effect) {
  return call_marker(b, marker_name, result, arguments, effect);
}

llvm::CallInst* call_marker(llvm::IRBuilder<>& b, const std::string& marker_name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Value*> arguments, MarkerEffect effect) {
  llvm::SmallVector<llvm::Type*, 4> parameter_types;
  for (llvm::Value* argument : arguments)
    parameter_types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, parameter_types, false);
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  auto* function =
      llvm::cast<llvm::Function>(module.getOrInsertFunction("forewarp." + marker_name, type).getCallee());
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  function->addFnAttr(llvm::Attribute::NoCallback);
  switch (effect) {
  case MarkerEffect::pure:
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::Speculatable);
    break;
  case MarkerEffect::convergent:
    function->setConvergent();
    function->setOnlyAccessesInaccessibleMemory();
    break;
  case MarkerEffect::memory_read:
    function->setOnlyReadsMemory();
    break;
  case MarkerEffect::memory_write:
    break;
  }
  return b.CreateCall(function, arguments);
}

void BuiltinCall::assume(std::string text) {
  facts::Note note{facts::Note::Severity::assumption, std::move(text)};
  if (const llvm::DILocation* at = call.getDebugLoc().get())
    note.location = {0, at->getLine(), at->getColumn()};
  const auto same = [&](const facts::Note& other) {
    return other.text == note.text && other.location == note.location;
  };
  if (std::ranges::none_of(report.notes, same))
    report.notes.push_back(std::move(note));
}

llvm::Value* BuiltinCall::per_component(llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                                        llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> lane) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
  if (!vector)
    return lane(arguments);
  llvm::Value* built = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value*, 4> components;
    for (llvm::Value* argument : arguments)
      components.push_back(argument->getType()->isVectorTy() ? b.CreateExtractElement(argument, i)
                                                             : argument);
    built = b.CreateInsertElement(built, lane(components), i);
  }
  return built;
}

std::string type_suffix(llvm::Type* type) {
  llvm::Type* scalar = type->getScalarType();
  if (scalar->isIntegerTy())
    return "i" + std::to_string(scalar->getIntegerBitWidth());
  return "f" + std::to_string(static_cast<unsigned>(scalar->getPrimitiveSizeInBits().getFixedValue()));
}

llvm::Value* done(BuiltinCall& call) {
  return call.type()->isVoidTy() ? static_cast<llvm::Value*>(call.b.getInt32(0))
                                 : llvm::PoisonValue::get(call.type());
}

} // namespace forewarp::frontend::lowering

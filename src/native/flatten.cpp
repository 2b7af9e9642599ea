#include "native/flatten.h"

#include "ir/address_spaces.h"
#include "native/abi/abi.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cstddef>
#include <map>

namespace forewarp::native {
namespace {

/// The type with all pointers of space 0.
llvm::Type* flat(llvm::Type* type) {
  llvm::LLVMContext& context = type->getContext();
  if (type->isPointerTy())
    return llvm::PointerType::get(context, 0);
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
    return llvm::VectorType::get(flat(vector->getElementType()), vector->getElementCount());
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ArrayType::get(flat(array->getElementType()), array->getNumElements());
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure && structure->isLiteral()) {
    std::vector<llvm::Type*> parts;
    for (llvm::Type* part : structure->elements())
      parts.push_back(flat(part));
    return llvm::StructType::get(context, parts, structure->isPacked());
  }
  return type;
}

bool is_spaced(const llvm::Value& value) {
  const llvm::Type* type = value.getType()->getScalarType();
  return type->isPointerTy() && type->getPointerAddressSpace() != 0;
}

/// A constant pointer that names no variable.
llvm::Constant* flat_constant(llvm::Constant& constant) {
  llvm::Type* type = flat(constant.getType());
  if (llvm::isa<llvm::PoisonValue>(constant))
    return llvm::PoisonValue::get(type);
  if (llvm::isa<llvm::UndefValue>(constant))
    return llvm::UndefValue::get(type);
  if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    if (expression->getOpcode() == llvm::Instruction::IntToPtr)
      return llvm::ConstantExpr::getIntToPtr(expression->getOperand(0), type);
    if (expression->getOpcode() == llvm::Instruction::AddrSpaceCast)
      return flat_constant(*expression->getOperand(0));
  }
  return llvm::Constant::getNullValue(type);
}

bool needs_flat(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant || llvm::isa<llvm::GlobalValue>(constant))
    return false;
  if (is_spaced(value))
    return true;
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  return expression && expression->getOpcode() == llvm::Instruction::AddrSpaceCast;
}

void flatten_operands(llvm::Instruction& instruction) {
  for (llvm::Use& use : instruction.operands())
    if (needs_flat(*use.get()))
      use.set(flat_constant(*llvm::cast<llvm::Constant>(use.get())));
}

/// A call whose function has pointers of other spaces in its type gets the function of flat ones.
void flatten_call(llvm::CallBase& call) {
  auto* callee = call.getCalledFunction();
  llvm::FunctionType* type = call.getFunctionType();
  std::vector<llvm::Type*> parameters;
  for (llvm::Type* parameter : type->params())
    parameters.push_back(flat(parameter));
  auto* changed = llvm::FunctionType::get(flat(type->getReturnType()), parameters, type->isVarArg());
  if (!callee || changed == type)
    return;
  llvm::Module& module = *callee->getParent();
  // What an intrinsic is called follows from its type.
  const std::string name = callee->isIntrinsic()
                               ? llvm::Intrinsic::getBaseName(callee->getIntrinsicID()).str()
                               : callee->getName().str();
  auto* made = llvm::Function::Create(changed, callee->getLinkage(), name, module);
  if (callee->isIntrinsic())
    if (auto right = llvm::Intrinsic::remangleIntrinsicFunction(made))
      made = *right;
  call.setCalledFunction(changed, made);
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Uses of shared variables in the function become addresses behind the group's pointer. Zero-sized and
/// external ones share the place behind all others, where the launch's own bytes lie.
std::uint64_t place_shared(llvm::Function& function, llvm::Value* group) {
  llvm::Module& module = *function.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Value* base = nullptr;
  std::uint64_t end = 0;
  std::map<unsigned, std::vector<llvm::GlobalVariable*>> order; // static ones first
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == ir::shared_space) {
      const bool dynamic = variable.isDeclaration() || layout.getTypeAllocSize(variable.getValueType()) == 0;
      order[dynamic ? 1 : 0].push_back(&variable);
    }
  for (auto& [dynamic, variables] : order) {
    if (dynamic)
      end = aligned(end, 16);
    for (llvm::GlobalVariable* variable : variables) {
      std::vector<llvm::Use*> uses;
      for (llvm::Use& use : variable->uses())
        if (auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
            user && user->getFunction() == &function)
          uses.push_back(&use);
      if (uses.empty())
        continue;
      if (!base)
        base = GroupReader(builder, group).shared();
      if (!dynamic)
        end = aligned(end, std::max<std::uint64_t>(variable->getAlign().valueOrOne().value(), 8));
      llvm::Value* at =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, end, variable->getName());
      for (llvm::Use* use : uses)
        use->set(at);
      if (!dynamic)
        end += layout.getTypeAllocSize(variable->getValueType());
    }
  }
  return aligned(end, 16);
}

/// Casts between spaces, by now between equal types.
void drop_casts(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getOperand(0));
      cast->eraseFromParent();
    }
}

llvm::Function* make_body(llvm::Function& kernel) {
  llvm::Module& module = *kernel.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* word = llvm::Type::getInt32Ty(context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, word, word, word}, false);
  auto* body =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, kernel.getName() + ".item", module);
  body->splice(body->begin(), &kernel);
  body->setSubprogram(nullptr);
  return body;
}

} // namespace

llvm::Value* read_invariant(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* at) {
  llvm::LoadInst* load = builder.CreateLoad(type, at);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

llvm::Value* GroupReader::read(llvm::Type* type, std::uint64_t offset) {
  return read_invariant(builder_, type,
                        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), group_, offset));
}
llvm::Value* GroupReader::size(unsigned axis) {
  return read(builder_.getInt32Ty(), offsetof(Group, size) + 4 * axis);
}
llvm::Value* GroupReader::groups(unsigned axis) {
  return read(builder_.getInt32Ty(), offsetof(Group, groups) + 4 * axis);
}
llvm::Value* GroupReader::id(unsigned axis) {
  return read(builder_.getInt32Ty(), offsetof(Group, id) + 4 * axis);
}
llvm::Value* GroupReader::shared() {
  return read(builder_.getPtrTy(), offsetof(Group, shared));
}
llvm::Value* GroupReader::shared_bytes() {
  return read(builder_.getInt64Ty(), offsetof(Group, shared_bytes));
}
llvm::Value* GroupReader::exchange() {
  return read(builder_.getPtrTy(), offsetof(Group, exchange));
}
llvm::Value* GroupReader::argument_spans() {
  return read(builder_.getPtrTy(), offsetof(Group, argument));
}

void flatten_variables(llvm::Module& module) {
  std::vector<llvm::Constant*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables);
  for (llvm::Constant* constant : variables) {
    auto* old = llvm::cast<llvm::GlobalVariable>(constant);
    if (old->getAddressSpace() == ir::shared_space || old->getName().starts_with("llvm."))
      continue;
    if (old->getAddressSpace() == 0) {
      if (!old->isDeclaration())
        old->setLinkage(llvm::GlobalValue::InternalLinkage);
      continue;
    }
    llvm::Constant* initial = old->hasInitializer() ? old->getInitializer() : nullptr;
    auto* made = new llvm::GlobalVariable(
        module, old->getValueType(), false,
        initial ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage, initial, "", old);
    made->takeName(old);
    made->setAlignment(llvm::MaybeAlign(std::max<std::uint64_t>(old->getAlign().valueOrOne().value(), 16)));
    for (llvm::Use& use : llvm::make_early_inc_range(old->uses()))
      if (llvm::isa<llvm::Instruction>(use.getUser()))
        use.set(made);
    if (!old->use_empty()) // another variable's initial value, `llvm.used`
      old->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(made, old->getType()));
    old->eraseFromParent();
  }
}

FlatKernel flatten_kernel(llvm::Function& kernel) {
  std::vector<llvm::Value*> parameters;
  for (llvm::Argument& argument : kernel.args())
    parameters.push_back(&argument);
  llvm::Function* body = make_body(kernel);
  llvm::Value *group = body->getArg(0), *arguments = body->getArg(1);
  llvm::IRBuilder<> builder(&*body->getEntryBlock().getFirstInsertionPt());
  FlatKernel out{body, 0};
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  for (unsigned k = 0; k < parameters.size(); ++k) {
    auto* parameter = llvm::cast<llvm::Argument>(parameters[k]);
    llvm::Value* place = read_invariant(builder, builder.getPtrTy(),
                                        builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), arguments, k));
    llvm::Value* value =
        parameter->hasByValAttr() ? place : read_invariant(builder, flat(parameter->getType()), place);
    value->setName("argument." + llvm::Twine(k));
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : parameter->uses())
      uses.push_back(&use);
    for (llvm::Use* use : uses)
      use->set(value);
    out.parameters.push_back(value);
    out.parameter_bytes.push_back(
        parameter->hasByValAttr() ? layout.getTypeAllocSize(parameter->getParamByValType()).getFixedValue()
                                  : 0);
  }
  out.shared_bytes = place_shared(*body, group);
  for (llvm::Instruction& instruction : llvm::instructions(*body)) {
    flatten_operands(instruction);
    instruction.mutateType(flat(instruction.getType()));
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      slot->setAllocatedType(flat(slot->getAllocatedType()));
  }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*body)))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      flatten_call(*call);
  drop_casts(*body);
  return out;
}

} // namespace forewarp::native

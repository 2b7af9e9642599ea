#include "port/static/describe.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace forewarp::port {
namespace {

using facts::RegionOp;

bool is_double(const llvm::Type* type) {
  return type->getScalarType()->isDoubleTy();
}
RegionOp pick(const llvm::Type* type, RegionOp single, RegionOp twice) {
  return is_double(type) ? twice : single;
}

RegionOp math_op(const llvm::CallBase& call, llvm::StringRef name) {
  const llvm::Type* type = call.getType();
  if (!type->getScalarType()->isFloatingPointTy())
    return RegionOp::int_compare;
  if (name.contains("fma") || name.contains("fmuladd"))
    return pick(type, RegionOp::fp32_fma, RegionOp::fp64_fma);
  if (name.contains("sqrt"))
    return pick(type, RegionOp::fp32_sqrt, RegionOp::fp64_sqrt);
  for (const char* simple : {"fabs", "minnum", "maxnum", "minimum", "maximum", "fmin", "fmax", "copysign"})
    if (name.contains(simple))
      return pick(type, RegionOp::fp32_compare, RegionOp::fp64_compare);
  for (const char* rounding : {"floor", "ceil", "trunc", "round", "rint"})
    if (name.contains(rounding))
      return RegionOp::convert;
  return pick(type, RegionOp::fp32_special, RegionOp::fp64_special);
}

RegionOp call_op(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && is_math_call(call) ? math_op(call, callee->getName()) : RegionOp::call;
}

RegionOp binary_op(const llvm::Instruction& instruction) {
  const llvm::Type* type = instruction.getType();
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
    return pick(type, RegionOp::fp32_add, RegionOp::fp64_add);
  case llvm::Instruction::FMul:
    return pick(type, RegionOp::fp32_mul, RegionOp::fp64_mul);
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return pick(type, RegionOp::fp32_div, RegionOp::fp64_div);
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return RegionOp::int_add;
  case llvm::Instruction::Mul:
    return RegionOp::int_mul;
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return RegionOp::int_div;
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return RegionOp::int_shift;
  default:
    return RegionOp::int_logic;
  }
}

/// Does every use of `instruction` lead to an address, as far as `known` tells?
bool leads_to_addresses(const llvm::Instruction& instruction,
                        const std::set<const llvm::Instruction*>& known) {
  if (instruction.use_empty())
    return false;
  for (const llvm::Use& use : instruction.uses()) {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user)
      return false;
    const bool address =
        (llvm::isa<llvm::LoadInst>(user)) ||
        (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex());
    if (!address && !known.contains(user))
      return false;
  }
  return true;
}

std::string debug_name(const llvm::Value& value) {
  llvm::SmallVector<llvm::DbgVariableIntrinsic*> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*> records;
  llvm::findDbgUsers(intrinsics, const_cast<llvm::Value*>(&value), &records);
  std::vector<std::string> names;
  for (const llvm::DbgVariableRecord* record : records)
    names.push_back(record->getVariable()->getName().str());
  for (const llvm::DbgVariableIntrinsic* intrinsic : intrinsics)
    names.push_back(intrinsic->getVariable()->getName().str());
  // The user's own name before that of an inlined library function's parameter.
  const auto own = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    const bool reserved =
        name.starts_with("__") || (name.starts_with("_") && name.size() > 1 && llvm::isUpper(name[1]));
    return !name.empty() && !reserved && name != "this";
  });
  return own != names.end() ? *own : std::string();
}

} // namespace

bool is_operation(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
      instruction.isLifetimeStartOrEnd())
    return false;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() != llvm::Intrinsic::assume &&
           intrinsic->getIntrinsicID() != llvm::Intrinsic::experimental_noalias_scope_decl;
  return !llvm::isa<llvm::AllocaInst>(instruction);
}

facts::RegionOp op_of(const llvm::Instruction& instruction) {
  if (instruction.isBinaryOp())
    return binary_op(instruction);
  if (llvm::isa<llvm::FCmpInst>(instruction))
    return pick(instruction.getOperand(0)->getType(), RegionOp::fp32_compare, RegionOp::fp64_compare);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call_op(*call);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Load:
    return RegionOp::load;
  case llvm::Instruction::Store:
    return RegionOp::store;
  case llvm::Instruction::GetElementPtr:
    return RegionOp::address;
  case llvm::Instruction::ICmp:
    return RegionOp::int_compare;
  case llvm::Instruction::Select:
    return RegionOp::select;
  case llvm::Instruction::Br:
  case llvm::Instruction::Switch:
  case llvm::Instruction::IndirectBr:
    return RegionOp::branch;
  case llvm::Instruction::FNeg:
    return pick(instruction.getType(), RegionOp::fp32_add, RegionOp::fp64_add);
  default:
    return instruction.isCast() ? RegionOp::convert : RegionOp::other;
  }
}

std::uint8_t bits_of(const llvm::Instruction& instruction) {
  const llvm::Type* type = instruction.getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  else if (llvm::isa<llvm::CmpInst>(instruction))
    type = instruction.getOperand(0)->getType();
  if (type->isPointerTy())
    return 64;
  const std::uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
  return static_cast<std::uint8_t>(bits == 0 || bits > 255 ? 32 : bits);
}

bool is_math_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return false;
  if (callee->isIntrinsic())
    return !llvm::isa<llvm::MemIntrinsic>(call);
  static const std::set<std::string> names = {
      "sqrt",  "fabs",  "fmin", "fmax",  "fma",  "sin",      "cos",      "tan",   "asin", "acos",
      "atan",  "atan2", "sinh", "cosh",  "tanh", "exp",      "exp2",     "expm1", "log",  "log2",
      "log10", "log1p", "pow",  "floor", "ceil", "round",    "trunc",    "rint",  "fmod", "cbrt",
      "hypot", "erf",   "erfc", "abs",   "labs", "copysign", "nearbyint"};
  std::string name = callee->getName().str();
  if (names.contains(name))
    return true;
  return !name.empty() && name.back() == 'f' && names.contains(name.substr(0, name.size() - 1));
}

std::set<const llvm::Instruction*> loop_control(const std::vector<llvm::Loop*>& loops) {
  std::set<const llvm::Instruction*> found;
  for (const llvm::Loop* loop : loops) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    const llvm::BasicBlock* latch = loop->getLoopLatch();
    if (latch)
      found.insert(latch->getTerminator());
    for (const llvm::BasicBlock* block : exiting) {
      if (block != latch && block != loop->getHeader())
        continue;
      found.insert(block->getTerminator());
      if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
          branch && branch->isConditional())
        if (const auto* test = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition()))
          found.insert(test);
    }
    for (const llvm::PHINode& phi : loop->getHeader()->phis())
      if (latch && phi.getType()->isIntegerTy())
        if (const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
            step && step->getOpcode() == llvm::Instruction::Add &&
            (step->getOperand(0) == &phi || step->getOperand(1) == &phi))
          found.insert(step);
  }
  return found;
}

std::set<const llvm::Instruction*> address_only(const std::vector<llvm::BasicBlock*>& blocks) {
  std::set<const llvm::Instruction*> found;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : blocks)
      for (const llvm::Instruction& instruction : llvm::reverse(*block)) {
        const bool kind = llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) ||
                          (instruction.isBinaryOp() && instruction.getType()->isIntegerTy());
        if (kind && !found.contains(&instruction) && leads_to_addresses(instruction, found))
          changed = found.insert(&instruction).second || changed;
      }
  }
  return found;
}

std::string variable_behind(const llvm::Value& pointer) {
  const llvm::Value* at = &pointer;
  for (int step = 0; step < 16; ++step) {
    const llvm::Value* base = llvm::getUnderlyingObject(at, 0);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
      return llvm::demangle(global->getName());
    if (std::string name = debug_name(*base); !name.empty())
      return name;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(base)) {
      at = load->getPointerOperand();
      continue;
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(base); phi && phi->getNumIncomingValues() > 0) {
      at = phi->getIncomingValue(0);
      continue;
    }
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base))
      return argument->getName().str();
    if (llvm::isa<llvm::AllocaInst>(base))
      return base->getName().str();
    break;
  }
  return {};
}

} // namespace forewarp::port

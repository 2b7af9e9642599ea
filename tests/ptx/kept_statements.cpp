#include "ptx/kept_statements.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>
#include <optional>
#include <string>

namespace forewarp::round_trip {
namespace {

using llvm::Instruction;

/// The letter of a register in constraints of inline assembly; none: PTX has no such register.
std::optional<char> register_of(const llvm::Type& type) {
  if (type.isFloatTy())
    return 'f';
  if (type.isDoubleTy())
    return 'd';
  if (!type.isIntegerTy())
    return std::nullopt;
  switch (type.getIntegerBitWidth()) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 32:
    return 'r';
  case 64:
    return 'l';
  default:
    return std::nullopt;
  }
}

std::string typed(char kind, const llvm::Type& type) {
  return type.isIntegerTy(1) ? "pred" : fmt::format("{}{}", kind, type.getScalarSizeInBits());
}

/// Without a rounding the assembler may join it to a multiply-add.
std::string float_operation(const char* name, const Instruction& operation) {
  return fmt::format("{}{}.{}", name, operation.hasAllowContract() ? "" : ".rn",
                     typed('f', *operation.getType()));
}

std::string binary_operation(const Instruction& operation) {
  const llvm::Type& type = *operation.getType();
  const bool is_predicate = type.isIntegerTy(1);
  switch (operation.getOpcode()) {
  case Instruction::FAdd:
    return float_operation("add", operation);
  case Instruction::FSub:
    return float_operation("sub", operation);
  case Instruction::FMul:
    return float_operation("mul", operation);
  case Instruction::And:
    return "and." + typed('b', type);
  case Instruction::Or:
    return "or." + typed('b', type);
  case Instruction::Xor:
    return "xor." + typed('b', type);
  default:
    break;
  }
  if (is_predicate)
    return "";
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return "add." + typed('s', type);
  case Instruction::Sub:
    return "sub." + typed('s', type);
  case Instruction::Mul:
    return "mul.lo." + typed('s', type);
  case Instruction::UDiv:
    return "div." + typed('u', type);
  case Instruction::SDiv:
    return "div." + typed('s', type);
  case Instruction::URem:
    return "rem." + typed('u', type);
  case Instruction::SRem:
    return "rem." + typed('s', type);
  default:
    return "";
  }
}

const char* comparison_name(llvm::CmpInst::Predicate predicate) {
  using Cmp = llvm::CmpInst;
  switch (predicate) {
  case Cmp::ICMP_EQ:
  case Cmp::FCMP_OEQ:
    return "eq";
  case Cmp::ICMP_NE:
  case Cmp::FCMP_ONE:
    return "ne";
  case Cmp::ICMP_SLT:
  case Cmp::ICMP_ULT:
  case Cmp::FCMP_OLT:
    return "lt";
  case Cmp::ICMP_SLE:
  case Cmp::ICMP_ULE:
  case Cmp::FCMP_OLE:
    return "le";
  case Cmp::ICMP_SGT:
  case Cmp::ICMP_UGT:
  case Cmp::FCMP_OGT:
    return "gt";
  case Cmp::ICMP_SGE:
  case Cmp::ICMP_UGE:
  case Cmp::FCMP_OGE:
    return "ge";
  case Cmp::FCMP_UEQ:
    return "equ";
  case Cmp::FCMP_UNE:
    return "neu";
  case Cmp::FCMP_ULT:
    return "ltu";
  case Cmp::FCMP_ULE:
    return "leu";
  case Cmp::FCMP_UGT:
    return "gtu";
  case Cmp::FCMP_UGE:
    return "geu";
  case Cmp::FCMP_ORD:
    return "num";
  case Cmp::FCMP_UNO:
    return "nan";
  default:
    return nullptr;
  }
}

std::string comparison(const llvm::CmpInst& compare) {
  const char* name = comparison_name(compare.getPredicate());
  const llvm::Type& type = *compare.getOperand(0)->getType();
  if (!name || type.isIntegerTy(1))
    return "";
  const char kind = type.isFloatingPointTy() ? 'f'
                    : compare.isSigned()     ? 's'
                    : compare.isUnsigned()   ? 'u'
                                             : 'b';
  return fmt::format("setp.{}.{} $0, $1, $2;", name, typed(kind, type));
}

/// Shifts by a register take 32 bits of it.
std::string shift(const Instruction& operation) {
  const llvm::Type& type = *operation.getType();
  if (type.isIntegerTy(1))
    return "";
  return operation.getOpcode() == Instruction::Shl
             ? "shl." + typed('b', type)
             : "shr." + typed(operation.getOpcode() == Instruction::AShr ? 's' : 'u', type);
}

std::string extension(const llvm::CastInst& cast) {
  const llvm::Type &from = *cast.getSrcTy(), &to = *cast.getDestTy();
  if (from.isIntegerTy(1) || to.isIntegerTy(1))
    return "";
  const char kind = llvm::isa<llvm::SExtInst>(cast) ? 's' : 'u';
  return fmt::format("cvt.{}.{} $0, $1;", typed(kind, to), typed(kind, from));
}

std::string statement_of(const Instruction& one) {
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&one))
    return comparison(*compare);
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(one))
    return extension(llvm::cast<llvm::CastInst>(one));
  if (llvm::isa<llvm::SelectInst>(one) && !one.getType()->isIntegerTy(1))
    return fmt::format("selp.{} $0, $2, $3, $1;",
                       typed(one.getType()->isFloatingPointTy() ? 'f' : 'b', *one.getType()));
  if (!one.isBinaryOp())
    return "";
  const std::string name = one.isShift() ? shift(one) : binary_operation(one);
  return name.empty() ? "" : name + " $0, $1, $2;";
}

std::optional<std::string> constraints_of(const Instruction& one) {
  const auto result = register_of(*one.getType());
  if (!result)
    return std::nullopt;
  std::string made = fmt::format("={}", *result);
  for (const llvm::Value* operand : one.operand_values()) {
    const auto letter = register_of(*operand->getType());
    if (!letter)
      return std::nullopt;
    made += fmt::format(",{}", *letter);
  }
  return made;
}

/// PTX has no registers of 8 bits: a comparison takes what they hold as 16.
void widen(llvm::CmpInst& compare) {
  if (!compare.getOperand(0)->getType()->isIntegerTy(8))
    return;
  llvm::IRBuilder<> b(&compare);
  for (llvm::Use& use : compare.operands())
    use.set(b.CreateIntCast(use.get(), b.getInt16Ty(), compare.isSigned()));
}

/// Indices are added one by one in their order: behind each a move that selection does not see through.
void keep_order(llvm::GetElementPtrInst& address) {
  llvm::SmallVector<llvm::Value*, 4> indices(address.indices());
  if (llvm::count_if(indices, [](const llvm::Value* v) { return !llvm::isa<llvm::Constant>(v); }) < 2)
    return;
  llvm::IRBuilder<> b(&address);
  auto* move = llvm::InlineAsm::get(llvm::FunctionType::get(b.getInt64Ty(), {b.getInt64Ty()}, false),
                                    "mov.b64 $0, $1;", "=l,l", false);
  llvm::Value* base = address.getPointerOperand();
  llvm::Type* type = address.getSourceElementType();
  llvm::SmallVector<llvm::Value*, 4> taken = {indices.front()};
  for (std::size_t i = 1; i < indices.size(); ++i) {
    if (!llvm::isa<llvm::Constant>(taken.back())) {
      llvm::Value* number = b.CreatePtrToInt(b.CreateGEP(type, base, taken), b.getInt64Ty());
      base = b.CreateIntToPtr(b.CreateCall(move, {number}), address.getType());
      type = llvm::GetElementPtrInst::getIndexedType(type, taken);
      taken = {b.getInt64(0)};
    }
    taken.push_back(indices[i]);
  }
  address.replaceAllUsesWith(b.CreateGEP(type, base, taken));
  address.eraseFromParent();
}

void keep(Instruction& one) {
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&one)) {
    keep_order(*address);
    return;
  }
  if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&one))
    widen(*compare);
  const auto constraints = constraints_of(one);
  const std::string text = constraints ? statement_of(one) : "";
  if (text.empty())
    return;
  llvm::IRBuilder<> b(&one);
  llvm::SmallVector<llvm::Value*, 3> operands(one.operand_values());
  if (one.isShift())
    operands[1] = b.CreateZExtOrTrunc(operands[1], b.getInt32Ty());
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const llvm::Value* operand : operands)
    types.push_back(operand->getType());
  std::string letters = *constraints;
  if (one.isShift())
    letters.back() = 'r';
  auto* type = llvm::FunctionType::get(one.getType(), types, false);
  auto* made =
      b.CreateCall(type, llvm::InlineAsm::get(type, text, letters, /*hasSideEffects=*/true), operands);
  one.replaceAllUsesWith(made);
  one.eraseFromParent();
}

} // namespace

void keep_statements(llvm::Function& function) {
  for (Instruction& one : llvm::make_early_inc_range(llvm::instructions(function)))
    keep(one);
}

} // namespace forewarp::round_trip

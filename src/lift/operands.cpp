// Registers, operands and results of the instruction at hand.
#include "lift/lifter.h"

#include "lift/calls.h"
#include "lift/places.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <fmt/format.h>

#include <utility>

namespace forewarp::lift {
namespace {

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

bool is_data(const Operand& operand) {
  switch (operand.kind) {
  case OperandKind::general:
  case OperandKind::uniform:
  case OperandKind::immediate:
  case OperandKind::constant:
    return true;
  default:
    return false;
  }
}

bool has_suffix(const Operand& operand, Modifier modifier) {
  return std::find(operand.suffixes.begin(), operand.suffixes.end(), modifier) != operand.suffixes.end();
}

template <class Is> const Operand* nth(std::span<const Operand> operands, unsigned n, Is is) {
  for (const Operand& operand : operands)
    if (is(operand) && n-- == 0)
      return &operand;
  return nullptr;
}

} // namespace

const Operand* Lifter::source(unsigned n) const {
  return nth(at_->sources(), n, is_data);
}
const Operand* Lifter::source_predicate(unsigned n) const {
  return nth(at_->sources(), n, is_predicate);
}
unsigned Lifter::source_count() const {
  unsigned count = 0;
  for (const Operand& operand : at_->sources())
    count += is_data(operand) ? 1 : 0;
  return count;
}
const Operand* Lifter::result(unsigned n) const {
  const Operand* found = nth(at_->written(), n, is_data);
  return found == nullptr || found->is_zero() ? nullptr : found;
}
const Operand* Lifter::result_predicate(unsigned n) const {
  const Operand* found = nth(at_->written(), n, is_predicate);
  return found == nullptr || found->is_true() ? nullptr : found;
}

llvm::AllocaInst* Lifter::home(std::map<unsigned, llvm::AllocaInst*>& homes, unsigned number,
                               llvm::Type* type, const char* name) {
  llvm::AllocaInst*& made = homes[number];
  if (made == nullptr) {
    llvm::IRBuilder<> at_entry(entry_, entry_->begin());
    made = at_entry.CreateAlloca(type, nullptr, fmt::format("{}{}", name, number));
    // What is there before the first write decides nothing, yet it is read: a P2R saves all predicates, and
    // bits are put into a register one by one.
    at_entry.SetInsertPoint(made->getNextNode());
    at_entry.CreateStore(llvm::Constant::getNullValue(type), made);
  }
  return made;
}

Value* Lifter::read(OperandKind kind, unsigned number) {
  if (number == sass::zero_register)
    return word(0);
  const bool uniform = kind == OperandKind::uniform;
  llvm::AllocaInst* from = home(uniform ? uniform_ : general_, number, b.getInt32Ty(), uniform ? "UR" : "R");
  return b.CreateLoad(b.getInt32Ty(), from);
}

Value* Lifter::get_predicate(std::uint16_t number, bool uniform) {
  if (number == sass::true_predicate)
    return b.getTrue();
  llvm::AllocaInst* from =
      home(uniform ? uniform_predicates_ : predicates_, number, b.getInt1Ty(), uniform ? "UP" : "P");
  return b.CreateLoad(b.getInt1Ty(), from);
}

void Lifter::put_predicate(std::uint16_t number, Value* value) {
  llvm::AllocaInst* to = home(predicates_, number, b.getInt1Ty(), "P");
  if (guard_ != nullptr)
    value = b.CreateSelect(guard_, value, b.CreateLoad(b.getInt1Ty(), to));
  b.CreateStore(value, to);
}

Value* Lifter::raw(const Operand* operand, unsigned word_index) {
  if (operand == nullptr)
    return word(0);
  switch (operand->kind) {
  case OperandKind::general:
  case OperandKind::uniform:
    if (operand->number == sass::zero_register)
      return word(0);
    return read(operand->kind, operand->number + word_index);
  case OperandKind::immediate:
    if (operand->type == sass::ImmediateType::fp64_high)
      return word(word_index == 0 ? 0 : operand->value);
    return word(operand->value >> (32 * word_index));
  case OperandKind::constant:
    if (operand->address.base != sass::zero_register || operand->address.uniform != sass::zero_register) {
      refuse("a constant operand that is indexed by a register");
      return word(0);
    }
    return constant(operand->number, static_cast<std::uint32_t>(operand->address.offset) + 4 * word_index);
  default:
    refuse("an operand of this kind here");
    return word(0);
  }
}

Value* Lifter::u32(const Operand* operand) {
  Value* value = raw(operand);
  if (operand == nullptr)
    return value;
  if (operand->absolute)
    value = b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, value, b.getFalse());
  if (operand->negate)
    value = b.CreateNeg(value);
  if (operand->invert)
    value = b.CreateNot(value);
  return value;
}

Value* Lifter::pair(Value* low, Value* high) {
  return b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
}

Value* Lifter::u64(const Operand* operand) {
  if (operand == nullptr || operand->is_zero())
    return b.getInt64(0);
  Value* value = operand->kind == OperandKind::immediate && operand->type != sass::ImmediateType::fp64_high
                     ? static_cast<Value*>(b.getInt64(static_cast<std::uint64_t>(
                           static_cast<std::int64_t>(static_cast<std::int32_t>(operand->value)))))
                     : pair(raw(operand, 0), raw(operand, 1));
  if (operand->negate)
    value = b.CreateNeg(value);
  if (operand->invert)
    value = b.CreateNot(value);
  return value;
}

Value* Lifter::ftz(Value* value) {
  return has(Modifier::ftz) || has(Modifier::fmz) ? call("forewarp.machine.flush", b.getFloatTy(), {value})
                                                  : value;
}

Value* Lifter::f32(const Operand* operand) {
  Value* value = ftz(b.CreateBitCast(raw(operand), b.getFloatTy()));
  if (operand == nullptr)
    return value;
  if (operand->absolute)
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  if (operand->negate)
    value = b.CreateFNeg(value);
  return value;
}

Value* Lifter::f64(const Operand* operand) {
  Value* bits = pair(raw(operand, 0), raw(operand, 1));
  Value* value = b.CreateBitCast(bits, b.getDoubleTy());
  if (operand == nullptr)
    return value;
  if (operand->absolute)
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  if (operand->negate)
    value = b.CreateFNeg(value);
  return value;
}

Value* Lifter::half2(const Operand* operand) {
  llvm::Type* type = llvm::FixedVectorType::get(b.getHalfTy(), 2);
  Value* value = b.CreateBitCast(raw(operand), type);
  if (operand == nullptr)
    return value;
  if (has_suffix(*operand, Modifier::h0_h0))
    value = b.CreateShuffleVector(value, llvm::ArrayRef<int>{0, 0});
  if (has_suffix(*operand, Modifier::h1_h1))
    value = b.CreateShuffleVector(value, llvm::ArrayRef<int>{1, 1});
  if (operand->absolute)
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  if (operand->negate)
    value = b.CreateFNeg(value);
  return value;
}

Value* Lifter::predicate(const Operand* operand, bool otherwise) {
  if (operand == nullptr)
    return b.getInt1(otherwise);
  Value* value = get_predicate(operand->number, operand->kind == OperandKind::uniform_predicate);
  return operand->invert || operand->negate ? b.CreateNot(value) : value;
}

void Lifter::set(const Operand* to, Value* value, unsigned word_index) {
  if (to == nullptr || to->is_zero())
    return;
  const bool uniform = to->kind == OperandKind::uniform;
  llvm::AllocaInst* place =
      home(uniform ? uniform_ : general_, to->number + word_index, b.getInt32Ty(), uniform ? "UR" : "R");
  if (guard_ != nullptr)
    value = b.CreateSelect(guard_, value, b.CreateLoad(b.getInt32Ty(), place));
  b.CreateStore(value, place);
}

void Lifter::set_whole(const Operand* to, Value* value) {
  Value* guard = std::exchange(guard_, nullptr);
  set(to, value);
  guard_ = guard;
}

void Lifter::set64(const Operand* to, Value* value) {
  if (to == nullptr)
    return;
  set(to, low(value), 0);
  set(to, high(value), 1);
}

void Lifter::set_float(const Operand* to, Value* value) {
  if (has(Modifier::sat))
    value = call("llvm.nvvm.saturate.f", b.getFloatTy(), {value});
  set(to, b.CreateBitCast(ftz(value), b.getInt32Ty()));
}

void Lifter::set_predicate(const Operand* to, Value* value) {
  if (to == nullptr || to->is_true())
    return;
  const bool uniform = to->kind == OperandKind::uniform_predicate;
  llvm::AllocaInst* place =
      home(uniform ? uniform_predicates_ : predicates_, to->number, b.getInt1Ty(), uniform ? "UP" : "P");
  if (guard_ != nullptr)
    value = b.CreateSelect(guard_, value, b.CreateLoad(b.getInt1Ty(), place));
  b.CreateStore(value, place);
}

Value* Lifter::call(const std::string& name, llvm::Type* type, llvm::ArrayRef<Value*> arguments) {
  llvm::Function& function = callee_of(module(), name, type, arguments);
  if (name.starts_with("forewarp.machine.") && !type->isVoidTy()) {
    function.setDoesNotAccessMemory();
    function.setWillReturn();
    function.setDoesNotThrow();
  }
  return b.CreateCall(&function, arguments);
}

void Lifter::mark(llvm::Instruction* access) {
  set_access_place(*access, static_cast<std::uint32_t>(at_ - kernel.instructions.data()));
}

void Lifter::refuse(const std::string& what) {
  if (error_)
    return;
  std::string text = sass::text_of(*at_);
  error_ = Error{ErrorCode::unsupported,
                 fmt::format("'{}' of kernel '{}' is not modelled: {}", text, kernel.name, what),
                 fmt::format("offset 0x{:x}", at_->offset),
                 {}};
}

} // namespace forewarp::lift

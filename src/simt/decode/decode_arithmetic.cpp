// Integer and floating-point arithmetic, comparisons, selects, and moves of vector components (which cost
// nothing). Half and bfloat16 are computed in float and rounded: exact for + - * / and sqrt, as float has
// more than 2p+2 bits.
#include "simt/decode/decoder.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

namespace forewarp::simt {
namespace {

using Ir = llvm::Instruction;

bool narrow(unsigned width) {
  return width != 32 && width != 64;
}
std::uint64_t width_mask(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

} // namespace

std::int32_t Decoder::sign_extended(std::int32_t a, unsigned width) {
  if (!narrow(width))
    return a;
  const std::int32_t d = new_register();
  put(width < 32 ? LaneOp::sextin32 : LaneOp::sextin64, d, a, no_slot, no_slot, width);
  return d;
}

void Decoder::masked(std::int32_t d, std::int32_t a, unsigned width) {
  const bool word = width <= 32;
  put(word ? LaneOp::and32 : LaneOp::and64, d, a,
      constant(word ? LaneType::word : LaneType::quad, width_mask(width)));
}

std::int32_t Decoder::negated(std::int32_t mask) {
  const std::int32_t d = new_register();
  put(LaneOp::xorb, d, mask, constant(LaneType::bit, 1));
  return d;
}

void Decoder::integer_binary(unsigned opcode, unsigned width, std::int32_t d, std::int32_t a,
                             std::int32_t b) {
  if (width == 1) {
    switch (opcode) {
    case Ir::Add:
    case Ir::Sub:
    case Ir::Xor:
      return put(LaneOp::xorb, d, a, b);
    case Ir::Mul:
    case Ir::And:
      return put(LaneOp::andb, d, a, b);
    case Ir::Or:
      return put(LaneOp::orb, d, a, b);
    case Ir::Shl:
    case Ir::LShr:
      return put(LaneOp::andb, d, a, negated(b));
    default:
      return put(LaneOp::copyb, d, a); // x / 1, x >> 0: anything else is undefined
    }
  }
  const bool word = width <= 32;
  auto pick = [word](LaneOp w, LaneOp q) { return word ? w : q; };
  LaneOp op{};
  bool is_signed = false, wraps = false;
  switch (opcode) {
  case Ir::Add:
    op = pick(LaneOp::add32, LaneOp::add64), wraps = true;
    break;
  case Ir::Sub:
    op = pick(LaneOp::sub32, LaneOp::sub64), wraps = true;
    break;
  case Ir::Mul:
    op = pick(LaneOp::mul32, LaneOp::mul64), wraps = true;
    break;
  case Ir::Shl:
    op = pick(LaneOp::shl32, LaneOp::shl64), wraps = true;
    break;
  case Ir::UDiv:
    op = pick(LaneOp::udiv32, LaneOp::udiv64), wraps = true;
    break;
  case Ir::URem:
    op = pick(LaneOp::urem32, LaneOp::urem64);
    break;
  case Ir::SDiv:
    op = pick(LaneOp::sdiv32, LaneOp::sdiv64), is_signed = wraps = true;
    break;
  case Ir::SRem:
    op = pick(LaneOp::srem32, LaneOp::srem64), is_signed = wraps = true;
    break;
  case Ir::LShr:
    op = pick(LaneOp::lshr32, LaneOp::lshr64);
    break;
  case Ir::AShr:
    op = pick(LaneOp::ashr32, LaneOp::ashr64), wraps = true;
    break;
  case Ir::And:
    op = pick(LaneOp::and32, LaneOp::and64);
    break;
  case Ir::Or:
    op = pick(LaneOp::or32, LaneOp::or64);
    break;
  case Ir::Xor:
    op = pick(LaneOp::xor32, LaneOp::xor64);
    break;
  default:
    return reject(fmt::format("operation '{}' is not supported", Ir::getOpcodeName(opcode)));
  }
  if (is_signed || opcode == Ir::AShr)
    a = sign_extended(a, width);
  if (is_signed)
    b = sign_extended(b, width);
  if (!wraps || !narrow(width))
    return put(op, d, a, b);
  const std::int32_t full = new_register();
  put(op, full, a, b);
  masked(d, full, width);
}

std::int32_t Decoder::to_float(llvm::Type* type, std::int32_t a) {
  type = type->getScalarType();
  if (type->isHalfTy())
    return emit(LaneOp::htof, a);
  if (type->isBFloatTy())
    return emit(LaneOp::bftof, a);
  return a;
}

void Decoder::from_float(llvm::Type* type, std::int32_t d, std::int32_t a) {
  put(type->getScalarType()->isHalfTy() ? LaneOp::ftoh : LaneOp::ftobf, d, a);
}

void Decoder::float_op(LaneOp f, LaneOp d, llvm::Type* type, std::int32_t destination, std::int32_t a,
                       std::int32_t b, std::int32_t c) {
  type = type->getScalarType();
  if (type->isDoubleTy())
    return put(d, destination, a, b, c);
  if (type->isFloatTy())
    return put(f, destination, a, b, c);
  if (type->isHalfTy() && f == LaneOp::fmaf_)
    return put(LaneOp::fmah, destination, a, b, c);
  a = to_float(type, a);
  b = b == no_slot ? b : to_float(type, b);
  c = c == no_slot ? c : to_float(type, c);
  from_float(type, destination, emit(f, a, b, c));
}

void Decoder::float_binary(unsigned opcode, llvm::Type* type, std::int32_t d, std::int32_t a,
                           std::int32_t b) {
  switch (opcode) {
  case Ir::FAdd:
    return float_op(LaneOp::faddf, LaneOp::faddd, type, d, a, b);
  case Ir::FSub:
    return float_op(LaneOp::fsubf, LaneOp::fsubd, type, d, a, b);
  case Ir::FMul:
    return float_op(LaneOp::fmulf, LaneOp::fmuld, type, d, a, b);
  case Ir::FDiv:
    return float_op(LaneOp::fdivf, LaneOp::fdivd, type, d, a, b);
  case Ir::FRem:
    return float_op(LaneOp::fremf, LaneOp::fremd, type, d, a, b);
  default:
    return reject(fmt::format("operation '{}' is not supported", Ir::getOpcodeName(opcode)));
  }
}

/// Of floats, at full accuracy: the machine code of those has a slow path.
void Decoder::watch_division(const llvm::BinaryOperator& division, std::int32_t quotient) {
  constexpr float least_ulps_without = 2;
  if (division.getOpcode() != Ir::FDiv || !division.getType()->isFloatTy() || division.hasApproxFunc() ||
      division.hasAllowReciprocal() ||
      llvm::cast<llvm::FPMathOperator>(division).getFPAccuracy() >= least_ulps_without)
    return;
  const llvm::BasicBlock& block = *division.getParent();
  const auto place = std::distance(block.begin(), division.getIterator());
  program_.divisions.push_back({block_index_[&block], static_cast<std::uint32_t>(place)});
  Instruction& watch = emit_special(Special::watch_division, no_slot,
                                    static_cast<std::uint32_t>(program_.divisions.size() - 1));
  watch.slots.a = quotient;
  watch.slots.uniform = current_uniform_;
}

void Decoder::decode_binary(const llvm::BinaryOperator& op) {
  const Slots a = slots(op.getOperand(0)), b = slots(op.getOperand(1)), d = define(op);
  llvm::Type* type = op.getType()->getScalarType();
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64)
    return wide_binary(op.getOpcode(), d, a, b, op.getOperand(1));
  for (std::size_t k = 0; k < d.size() && !error_; ++k) {
    if (type->isIntegerTy())
      integer_binary(op.getOpcode(), type->getIntegerBitWidth(), d[k], a[k], b[k]);
    else
      float_binary(op.getOpcode(), type, d[k], a[k], b[k]);
  }
  if (!error_)
    watch_division(op, d.front());
}

/// 128-bit integers as two halves: what 64-bit multiply-high and wide multiply-add come to in IR.
void Decoder::wide_binary(unsigned opcode, const Slots& d, const Slots& a, const Slots& b,
                          const llvm::Value* second) {
  switch (opcode) {
  case Ir::Add: {
    put(LaneOp::add64, d[0], a[0], b[0]);
    const std::int32_t carry = emit(LaneOp::zextb64, emit(LaneOp::ult64, d[0], a[0]));
    return put(LaneOp::add64, d[1], emit(LaneOp::add64, a[1], b[1]), carry);
  }
  case Ir::Sub: {
    const std::int32_t borrow = emit(LaneOp::zextb64, emit(LaneOp::ult64, a[0], b[0]));
    put(LaneOp::sub64, d[0], a[0], b[0]);
    return put(LaneOp::sub64, d[1], emit(LaneOp::sub64, a[1], b[1]), borrow);
  }
  case Ir::Mul: {
    put(LaneOp::mul64, d[0], a[0], b[0]);
    const std::int32_t high = emit(LaneOp::umulh64, a[0], b[0]);
    return put(LaneOp::mad64, d[1], a[1], b[0], emit(LaneOp::mad64, a[0], b[1], high));
  }
  case Ir::And:
  case Ir::Or:
  case Ir::Xor:
    integer_binary(opcode, 64, d[0], a[0], b[0]);
    return integer_binary(opcode, 64, d[1], a[1], b[1]);
  default:
    break;
  }
  const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(second);
  if (!amount || !llvm::Instruction::isShift(opcode) || amount->getValue().uge(128))
    return reject(fmt::format("128-bit operation '{}' is not supported", Ir::getOpcodeName(opcode)));
  const std::uint64_t n = amount->getZExtValue();
  const std::int32_t part = constant(LaneType::quad, n % 64), zero = constant(LaneType::quad, 0);
  if (opcode == Ir::Shl) {
    put(n < 64 ? LaneOp::fshl64 : LaneOp::shl64, d[1], n < 64 ? a[1] : a[0], n < 64 ? a[0] : part, part);
    return n < 64 ? put(LaneOp::shl64, d[0], a[0], part) : put(LaneOp::copy64, d[0], zero);
  }
  const LaneOp shift = opcode == Ir::AShr ? LaneOp::ashr64 : LaneOp::lshr64;
  if (n < 64) {
    put(LaneOp::fshr64, d[0], a[1], a[0], part);
    return put(shift, d[1], a[1], part);
  }
  put(shift, d[0], a[1], part);
  if (opcode == Ir::AShr)
    return put(LaneOp::ashr64, d[1], a[1], constant(LaneType::quad, 63));
  put(LaneOp::copy64, d[1], zero);
}

void Decoder::decode_unary(const llvm::UnaryOperator& op) {
  const Slots a = slots(op.getOperand(0)), d = define(op);
  llvm::Type* type = op.getType()->getScalarType();
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (type->isFloatTy() || type->isDoubleTy())
      put(type->isFloatTy() ? LaneOp::fnegf : LaneOp::fnegd, d[k], a[k]);
    else
      put(LaneOp::xor32, d[k], a[k], constant(LaneType::word, 0x8000));
  }
}

void Decoder::integer_compare(llvm::CmpInst::Predicate predicate, unsigned width, std::int32_t d,
                              std::int32_t a, std::int32_t b) {
  using P = llvm::CmpInst;
  if (predicate == P::ICMP_UGT || predicate == P::ICMP_UGE || predicate == P::ICMP_SGT ||
      predicate == P::ICMP_SGE) {
    std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (width == 1) { // signed: true is -1, below false
    switch (predicate) {
    case P::ICMP_EQ:
      return put(LaneOp::xorb, d, a, negated(b));
    case P::ICMP_NE:
      return put(LaneOp::xorb, d, a, b);
    case P::ICMP_ULT:
      return put(LaneOp::andb, d, negated(a), b);
    case P::ICMP_ULE:
      return put(LaneOp::orb, d, negated(a), b);
    case P::ICMP_SLT:
      return put(LaneOp::andb, d, a, negated(b));
    default:
      return put(LaneOp::orb, d, a, negated(b));
    }
  }
  const bool word = width <= 32;
  if (llvm::CmpInst::isSigned(predicate)) {
    a = sign_extended(a, width);
    b = sign_extended(b, width);
  }
  switch (predicate) {
  case P::ICMP_EQ:
    return put(word ? LaneOp::eq32 : LaneOp::eq64, d, a, b);
  case P::ICMP_NE:
    return put(word ? LaneOp::ne32 : LaneOp::ne64, d, a, b);
  case P::ICMP_ULT:
    return put(word ? LaneOp::ult32 : LaneOp::ult64, d, a, b);
  case P::ICMP_ULE:
    return put(word ? LaneOp::ule32 : LaneOp::ule64, d, a, b);
  case P::ICMP_SLT:
    return put(word ? LaneOp::slt32 : LaneOp::slt64, d, a, b);
  default:
    return put(word ? LaneOp::sle32 : LaneOp::sle64, d, a, b);
  }
}

void Decoder::float_compare(llvm::CmpInst::Predicate predicate, llvm::Type* type, std::int32_t d,
                            std::int32_t a, std::int32_t b) {
  using P = llvm::CmpInst;
  const bool is_double = type->getScalarType()->isDoubleTy();
  a = to_float(type, a);
  b = to_float(type, b);
  switch (predicate) {
  case P::FCMP_OGT:
  case P::FCMP_OGE:
  case P::FCMP_UGT:
  case P::FCMP_UGE:
    std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    break;
  default:
    break;
  }
  auto pick = [&](LaneOp f, LaneOp g) { put(is_double ? g : f, d, a, b); };
  switch (predicate) {
  case P::FCMP_OEQ:
    return pick(LaneOp::foeqf, LaneOp::foeqd);
  case P::FCMP_OLT:
    return pick(LaneOp::foltf, LaneOp::foltd);
  case P::FCMP_OLE:
    return pick(LaneOp::folef, LaneOp::foled);
  case P::FCMP_ONE:
    return pick(LaneOp::fonef, LaneOp::foned);
  case P::FCMP_ORD:
    return pick(LaneOp::fordf, LaneOp::fordd);
  case P::FCMP_UEQ:
    return pick(LaneOp::fueqf, LaneOp::fueqd);
  case P::FCMP_ULT:
    return pick(LaneOp::fultf, LaneOp::fultd);
  case P::FCMP_ULE:
    return pick(LaneOp::fulef, LaneOp::fuled);
  case P::FCMP_UNE:
    return pick(LaneOp::funef, LaneOp::funed);
  case P::FCMP_UNO:
    return pick(LaneOp::funof, LaneOp::funod);
  default:
    return put(LaneOp::copyb, d, constant(LaneType::bit, predicate == P::FCMP_TRUE ? 1 : 0));
  }
}

void Decoder::decode_compare(const llvm::CmpInst& compare) {
  const Slots a = slots(compare.getOperand(0)), b = slots(compare.getOperand(1)), d = define(compare);
  llvm::Type* type = compare.getOperand(0)->getType()->getScalarType();
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) {
    if (!compare.isEquality())
      return reject("ordered comparison of 128-bit integers is not supported");
    const LaneOp op = compare.getPredicate() == llvm::CmpInst::ICMP_EQ ? LaneOp::eq64 : LaneOp::ne64;
    const LaneOp join = op == LaneOp::eq64 ? LaneOp::andb : LaneOp::orb;
    return put(join, d[0], emit(op, a[0], b[0]), emit(op, a[1], b[1]));
  }
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (llvm::isa<llvm::FCmpInst>(compare))
      float_compare(compare.getPredicate(), type, d[k], a[k], b[k]);
    else
      integer_compare(compare.getPredicate(), integer_width(type), d[k], a[k], b[k]);
  }
}

void Decoder::decode_select(const llvm::SelectInst& select) {
  const Slots s = slots(select.getCondition()), a = slots(select.getTrueValue()),
              b = slots(select.getFalseValue());
  const Slots d = define(select);
  const std::vector<Leaf> parts = leaves(select.getType());
  for (std::size_t k = 0; k < d.size(); ++k) {
    const LaneOp op = parts[k].lane == LaneType::bit    ? LaneOp::selectb
                      : parts[k].lane == LaneType::word ? LaneOp::select32
                                                        : LaneOp::select64;
    put(op, d[k], s.size() == d.size() ? s[k] : s[0], a[k], b[k]);
  }
}

void Decoder::decode_vector(const llvm::Instruction& instruction) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const Slots from = slots(extract->getVectorOperand());
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()))
      return alias(instruction, {from[std::min<std::uint64_t>(index->getZExtValue(), from.size() - 1)]});
    // A chain of selects, as the hardware has no indexed registers either.
    const LaneType lane = leaves(instruction.getType()).front().lane;
    const LaneOp op = lane == LaneType::bit    ? LaneOp::selectb
                      : lane == LaneType::word ? LaneOp::select32
                                               : LaneOp::select64;
    const unsigned width = integer_width(extract->getIndexOperand()->getType());
    const std::int32_t index = slot(extract->getIndexOperand()), d = define(instruction).front();
    std::int32_t value = from[0];
    for (std::size_t k = 1; k < from.size(); ++k) {
      const std::int32_t hit = emit(width <= 32 ? LaneOp::eq32 : LaneOp::eq64, index,
                                    constant(width <= 32 ? LaneType::word : LaneType::quad, k));
      const std::int32_t next = k + 1 == from.size() ? d : new_register();
      put(op, next, hit, from[k], value);
      value = next;
    }
    return;
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    Slots result = slots(insert->getOperand(0));
    const std::int32_t element = slot(insert->getOperand(1));
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2))) {
      if (index->getZExtValue() < result.size())
        result[index->getZExtValue()] = element;
      return alias(instruction, std::move(result));
    }
    const LaneType lane = leaves(insert->getOperand(1)->getType()).front().lane;
    const LaneOp op = lane == LaneType::bit    ? LaneOp::selectb
                      : lane == LaneType::word ? LaneOp::select32
                                               : LaneOp::select64;
    const unsigned width = integer_width(insert->getOperand(2)->getType());
    const std::int32_t index = slot(insert->getOperand(2));
    const Slots d = define(instruction);
    for (std::size_t k = 0; k < d.size(); ++k)
      put(op, d[k],
          emit(width <= 32 ? LaneOp::eq32 : LaneOp::eq64, index,
               constant(width <= 32 ? LaneType::word : LaneType::quad, k)),
          element, result[k]);
    return;
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    Slots both = slots(shuffle->getOperand(0));
    const Slots second = slots(shuffle->getOperand(1));
    both.insert(both.end(), second.begin(), second.end());
    const LaneType lane = leaves(instruction.getType()).front().lane;
    Slots result;
    for (int from : shuffle->getShuffleMask())
      result.push_back(from < 0 ? constant(lane, 0, false) : both[static_cast<std::size_t>(from)]);
    return alias(instruction, std::move(result));
  }
  auto leaf_range = [&](llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
    std::size_t first = 0;
    for (unsigned index : indices) {
      for (unsigned k = 0; k < index; ++k)
        first += leaves(llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{k})).size();
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{index});
    }
    return std::pair(static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(leaves(type).size()));
  };
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const Slots from = slots(extract->getAggregateOperand());
    const auto [first, count] = leaf_range(extract->getAggregateOperand()->getType(), extract->getIndices());
    return alias(instruction, Slots(from.begin() + first, from.begin() + first + count));
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Slots result = slots(insert->getAggregateOperand());
    const Slots part = slots(insert->getInsertedValueOperand());
    const auto [first, count] = leaf_range(insert->getAggregateOperand()->getType(), insert->getIndices());
    std::copy_n(part.begin(), count, result.begin() + first);
    return alias(instruction, std::move(result));
  }
  reject(fmt::format("instruction '{}' is not supported", instruction.getOpcodeName()));
}

} // namespace forewarp::simt

#include "symbolic/kernel/kernel_reader.h"

#include "ir/loops/induction.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

bool is_value_mask(const llvm::APInt& mask) {
  return mask.isMask();
}

std::optional<unsigned> axis_of(llvm::StringRef name) {
  if (name.size() < 2 || name[name.size() - 2] != '.')
    return std::nullopt;
  const std::size_t axis = std::string_view(axes).find(name.back());
  return axis == std::string_view::npos ? std::nullopt : std::optional<unsigned>(static_cast<unsigned>(axis));
}

/// Work-item functions (ir/builtins.h); nothing for other calls.
std::optional<Expression> id_of(llvm::StringRef name) {
  const auto symbol = [](const std::string& text) { return std::optional(Expression::symbol(text)); };
  llvm::StringRef rest = name;
  const bool special = rest.consume_front("llvm.nvvm.read.ptx.sreg.");
  const bool amd = !special && rest.consume_front("llvm.amdgcn.");
  const bool item = !special && !amd && rest.consume_front("forewarp.item.");
  if (!special && !amd && !item)
    return std::nullopt;
  const auto axis = axis_of(rest);
  if (!axis)
    return std::nullopt;
  const llvm::StringRef what = rest.drop_back(2);
  if (what == "tid" || what == "workitem.id")
    return symbol(item_name(*axis));
  if (what == "ctaid" || what == "workgroup.id")
    return symbol(group_name(*axis));
  if (what == "ntid" || what == "local_size" || what == "enqueued_size")
    return symbol(group_size_name(*axis));
  if (what == "nctaid" || what == "num_groups")
    return symbol(groups_name(*axis));
  if (what == "global_size")
    return Expression::symbol(group_size_name(*axis)) * Expression::symbol(groups_name(*axis));
  return std::nullopt;
}

} // namespace

Expression KernelReader::value(const llvm::Value* value, unsigned depth) {
  if (depth > deepest)
    return Expression::beyond("a value that is computed too deeply");
  if (const auto known = values_.find(value); known != values_.end())
    return known->second;
  if (!open_.insert(value).second)
    return Expression::beyond("a value that rests on itself");
  const AtPlace here(*this, place_of(value));
  Expression result = fresh_value(value, depth);
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
    result = behind_loops(result, instruction->getParent());
  open_.erase(value);
  values_.insert({value, result});
  return result;
}

Address KernelReader::address(std::uint32_t site) {
  const llvm::Instruction& instruction = *numbering_.sites.at(site).instruction;
  const AtPlace here(*this, place_of(&instruction));
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr && instruction.getNumOperands() > 0 &&
      instruction.getOperand(0)->getType()->isPointerTy())
    pointer = instruction.getOperand(0);
  if (pointer == nullptr || !evolution_.isSCEVable(pointer->getType()))
    return {"", Expression::beyond("an access without one address")};
  const llvm::SCEV* whole = evolution_.getSCEV(const_cast<llvm::Value*>(pointer));
  const llvm::SCEV* base = evolution_.getPointerBase(whole);
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(base);
  if (unknown == nullptr)
    return {"", Expression::beyond("an address without a base")};
  const llvm::Value* object = llvm::getUnderlyingObject(unknown->getValue());
  Expression offset = behind_loops(of(evolution_.removePointerBase(whole), 0), instruction.getParent());
  if (object != unknown->getValue())
    offset += offset_between(unknown->getValue(), object, 0);
  return {std::string(object->getName()), std::move(offset)};
}

void KernelReader::name_arguments(const ir::KernelSignature& kernel) {
  for (const llvm::Argument& argument : function_.args()) {
    const unsigned n = argument.getArgNo();
    std::string name = n < kernel.parameters.size() ? kernel.parameters[n].name : "";
    arguments_[&argument] = name.empty() ? fmt::format("argument.{}", n) : name;
  }
}

facts::SourceLocation KernelReader::place(const llvm::Value* value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction == nullptr ? facts::SourceLocation{} : ir::location_of(*instruction, module_.files);
}

Expression KernelReader::beyond(const llvm::Value* value, const std::string& what) const {
  const std::uint32_t line = place(value).line;
  return Expression::beyond(line == 0 ? what : fmt::format("{} at line {}", what, line));
}

std::size_t KernelReader::identity(const llvm::Value* value) {
  return identities_.try_emplace(value, identities_.size()).first->second;
}

Expression KernelReader::fresh_value(const llvm::Value* value, unsigned depth) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getBitWidth() > 64   ? beyond(value, "a wide number")
           : constant->getBitWidth() == 1 ? Expression(constant->isOne() ? 1 : 0)
                                          : Expression(constant->getSExtValue());
  if (!value->getType()->isIntegerTy())
    return beyond(value, "a value that is no whole number");
  if (value->getType()->isIntegerTy(1))
    return indicator(condition(value, false, depth + 1));
  if (evolution_.isSCEVable(value->getType())) {
    const llvm::SCEV* scev = evolution_.getSCEV(const_cast<llvm::Value*>(value));
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(scev);
        unknown == nullptr || unknown->getValue() != value)
      return of(scev, depth + 1);
  }
  return of_unknown(value, depth);
}

Expression KernelReader::indicator(const Condition& condition) {
  if (condition.has_unknown() || condition.any_of.size() > 4)
    return Expression::beyond("a choice that rests on data");
  Expression none = 1;
  for (const Conjunction& all : condition.any_of) {
    Expression one = 1;
    for (const Comparison& c : all)
      one *= c.kind == Comparison::Kind::not_negative ? not_negative(c.value)
             : c.kind == Comparison::Kind::zero       ? is_zero(c.value)
                                                      : Expression(1) - is_zero(c.value);
    none *= Expression(1) - one;
  }
  return Expression(1) - none;
}

Expression KernelReader::of(const llvm::SCEV* scev, unsigned depth) {
  if (depth > deepest)
    return Expression::beyond("a value that is computed too deeply");
  const auto operand = [&](const auto* expression, unsigned i) {
    return of(expression->getOperand(i), depth + 1);
  };
  switch (scev->getSCEVType()) {
  case llvm::scConstant: {
    const llvm::APInt& number = llvm::cast<llvm::SCEVConstant>(scev)->getAPInt();
    return number.getSignificantBits() > 64 ? Expression::beyond("a wide number")
                                            : Expression(number.getSExtValue());
  }
  case llvm::scTruncate:
    return truncated(of(llvm::cast<llvm::SCEVTruncateExpr>(scev)->getOperand(), depth + 1),
                     static_cast<unsigned>(evolution_.getTypeSizeInBits(scev->getType())));
  case llvm::scZeroExtend:
  case llvm::scSignExtend: {
    const llvm::SCEV* inner = llvm::cast<llvm::SCEVCastExpr>(scev)->getOperand();
    return extended(of(inner, depth + 1),
                    static_cast<unsigned>(evolution_.getTypeSizeInBits(inner->getType())),
                    scev->getSCEVType() == llvm::scSignExtend);
  }
  case llvm::scAddExpr: {
    Expression sum;
    for (const llvm::SCEV* part : scev->operands())
      sum += of(part, depth + 1);
    return sum;
  }
  case llvm::scMulExpr: {
    Expression product = 1;
    for (const llvm::SCEV* part : scev->operands())
      product *= of(part, depth + 1);
    return product;
  }
  case llvm::scUDivExpr: {
    const auto* division = llvm::cast<llvm::SCEVUDivExpr>(scev);
    const Expression above = of(division->getLHS(), depth + 1);
    const Expression below = of(division->getRHS(), depth + 1);
    must_fit(above, static_cast<unsigned>(evolution_.getTypeSizeInBits(scev->getType())), false);
    must_be_positive(below);
    return floor_div(above, below);
  }
  case llvm::scAddRecExpr:
    return recurrence(*llvm::cast<llvm::SCEVAddRecExpr>(scev), depth);
  case llvm::scUMaxExpr:
  case llvm::scSMaxExpr:
  case llvm::scUMinExpr:
  case llvm::scSMinExpr:
  case llvm::scSequentialUMinExpr: {
    const bool largest = scev->getSCEVType() == llvm::scUMaxExpr || scev->getSCEVType() == llvm::scSMaxExpr;
    const auto* all = llvm::cast<llvm::SCEVNAryExpr>(scev);
    const bool is_signed = scev->getSCEVType() == llvm::scSMaxExpr || scev->getSCEVType() == llvm::scSMinExpr;
    const auto bits = static_cast<unsigned>(evolution_.getTypeSizeInBits(scev->getType()));
    Expression result;
    for (unsigned i = 0; i < all->getNumOperands(); ++i) {
      const Expression one = operand(all, i);
      must_fit(one, bits, is_signed);
      result = i == 0 ? one : largest ? maximum(result, one) : minimum(result, one);
    }
    return result;
  }
  case llvm::scUnknown: {
    const llvm::Value* inner = llvm::cast<llvm::SCEVUnknown>(scev)->getValue();
    return inner->getType()->isPointerTy() ? beyond(inner, "a pointer as a number") : value(inner, depth + 1);
  }
  default:
    return Expression::beyond("a value that scalar evolution does not know");
  }
}

Expression KernelReader::truncated(const Expression& value, unsigned bits) {
  if (is_word(bits))
    return value;
  if (bits > 62)
    return Expression::beyond("a wide number");
  return modulo(value, Expression(std::int64_t{1} << bits));
}

Expression KernelReader::extended(const Expression& value, unsigned bits, bool is_signed) {
  if (is_word(bits)) {
    must_fit(value, bits, is_signed);
    return value;
  }
  if (!is_signed || bits > 62)
    return truncated(value, bits);
  const Expression half = std::int64_t{1} << (bits - 1);
  return truncated(value + half, bits) - half;
}

Expression KernelReader::recurrence(const llvm::SCEVAddRecExpr& add, unsigned depth) {
  const auto number = loop_numbers_.find(add.getLoop());
  if (number == loop_numbers_.end())
    return Expression::beyond("a recurrence of no loop");
  const Expression i = Expression::symbol(iteration_name(number->second));
  // sum of operand k times (i over k)
  Expression sum, choose = 1;
  for (unsigned k = 0; k < add.getNumOperands() && sum.known(); ++k) {
    if (k > 0)
      choose = (choose * (i - Expression(k - 1))).scaled(Rational::ratio(1, k));
    sum += choose * of(add.getOperand(k), depth + 1);
  }
  return sum;
}

Expression KernelReader::of_unknown(const llvm::Value* value, unsigned depth) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
    return Expression::symbol(arguments_.at(argument));
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr)
    return beyond(value, "a value that is no number");
  const auto in = [&](unsigned i) { return this->value(instruction->getOperand(i), depth + 1); };
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Add:
    return in(0) + in(1);
  case llvm::Instruction::Sub:
    return in(0) - in(1);
  case llvm::Instruction::Mul:
    return in(0) * in(1);
  case llvm::Instruction::Shl:
    return in(0) * power_of_two(in(1));
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return shifted_down(*instruction, depth);
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv: // towards zero: the floor where nothing is negative
    return divided(*instruction, false, depth);
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return divided(*instruction, true, depth);
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    return extended(in(0), instruction->getOperand(0)->getType()->getIntegerBitWidth(),
                    instruction->getOpcode() == llvm::Instruction::SExt &&
                        !instruction->getOperand(0)->getType()->isIntegerTy(1));
  case llvm::Instruction::Freeze:
    return in(0);
  case llvm::Instruction::Trunc:
    return truncated(in(0), instruction->getType()->getIntegerBitWidth());
  case llvm::Instruction::And:
    return masked(*instruction, depth);
  case llvm::Instruction::Or:
    if (llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint())
      return in(0) + in(1);
    return beyond(value, "a bitwise or");
  case llvm::Instruction::Xor:
    if (const auto* all = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
        all != nullptr && all->isMinusOne())
      return Expression(-1) - in(0);
    return beyond(value, "a bitwise exclusive or");
  case llvm::Instruction::Select:
    return chosen(condition(instruction->getOperand(0), false, depth + 1), in(1), in(2));
  case llvm::Instruction::PHI:
    return merged(*llvm::cast<llvm::PHINode>(instruction), depth);
  case llvm::Instruction::Call:
    return called(*llvm::cast<llvm::CallBase>(instruction), depth);
  case llvm::Instruction::Load:
    return beyond(value, "a loaded value");
  default:
    return beyond(value, fmt::format("'{}'", instruction->getOpcodeName()));
  }
}

Expression KernelReader::chosen(const Condition& when, const Expression& a, const Expression& b) {
  if (a == b)
    return a;
  const Expression first = indicator(when);
  return first * a + (Expression(1) - first) * b;
}

Expression KernelReader::masked(const llvm::Instruction& instruction, unsigned depth) {
  const Expression x = value(instruction.getOperand(0), depth + 1);
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      number != nullptr && number->getBitWidth() <= 64) {
    const llvm::APInt& mask = number->getValue();
    if (is_value_mask(mask) && mask.countr_one() < 62)
      return modulo(x, Expression(std::int64_t{1} << mask.countr_one()));
    if (mask.isNegatedPowerOf2() && mask.countr_zero() < 62) {
      const Expression unit = std::int64_t{1} << mask.countr_zero();
      return unit * floor_div(x, unit);
    }
    if (mask.isPowerOf2() && mask.countr_zero() < 62) {
      const Expression unit = std::int64_t{1} << mask.countr_zero();
      return unit * modulo(floor_div(x, unit), Expression(2));
    }
    return beyond(&instruction, "a bitwise and");
  }
  const Expression y = value(instruction.getOperand(1), depth + 1);
  for (const auto& [mask, other] : {std::pair{y, x}, std::pair{x, y}}) {
    if (!mask.known())
      continue;
    const Expression size = mask + Expression(1);
    if (size.terms().size() == 1)
      for (const auto& [atom, exponent] : size.terms().begin()->second.factors)
        if (atom->kind == AtomKind::power_of_two)
          return modulo(other, size);
  }
  return beyond(&instruction, "a bitwise and");
}

Expression KernelReader::called(const llvm::CallBase& call, unsigned depth) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr)
    return beyond(&call, "a call");
  if (const auto id = id_of(callee->getName()))
    return *id;
  const auto in = [&](unsigned i) { return value(call.getArgOperand(i), depth + 1); };
  const unsigned bits = call.getType()->isIntegerTy() ? call.getType()->getIntegerBitWidth() : 64;
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
    must_fit(in(0), bits, false);
    must_fit(in(1), bits, false);
    return callee->getIntrinsicID() == llvm::Intrinsic::umin ? minimum(in(0), in(1)) : maximum(in(0), in(1));
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
    must_fit(in(0), bits, true);
    must_fit(in(1), bits, true);
    return callee->getIntrinsicID() == llvm::Intrinsic::smin ? minimum(in(0), in(1)) : maximum(in(0), in(1));
  case llvm::Intrinsic::ctlz:
    must_fit(in(0), bits, false);
    return Expression(call.getType()->getIntegerBitWidth()) - bit_length(in(0));
  case llvm::Intrinsic::fshl: // a shift where both words are one
  default:
    return beyond(&call, fmt::format("'{}'", callee->getName().str()));
  }
}

Expression KernelReader::merged(const llvm::PHINode& phi, unsigned depth) {
  if (const llvm::Loop* loop = loop_info_.getLoopFor(phi.getParent());
      loop != nullptr && loop->getHeader() == phi.getParent())
    return geometric(phi, *loop, depth);
  if (phi.getNumIncomingValues() == 1)
    return value_behind(phi.getIncomingValue(0), loop_at(phi.getParent()), depth);
  const llvm::BasicBlock* root = root_of(phi);
  if (root == nullptr)
    return beyond(&phi, "a value of several paths");
  Expression sum;
  for (unsigned i = 0; i < phi.getNumIncomingValues() && sum.known(); ++i)
    sum += indicator(way_to(phi, i, root)) *
           value_behind(phi.getIncomingValue(i), loop_at(phi.getParent()), depth);
  return sum;
}

const llvm::BasicBlock* KernelReader::root_of(const llvm::PHINode& phi) const {
  const llvm::Loop* loop = loop_at(phi.getParent());
  const auto* node = dominators_.getNode(phi.getParent());
  do
    node = node == nullptr ? nullptr : node->getIDom();
  while (node != nullptr && loop_at(node->getBlock()) != loop);
  return node == nullptr ? nullptr : node->getBlock();
}

Condition KernelReader::way_to(const llvm::PHINode& phi, unsigned i, const llvm::BasicBlock* root) {
  const llvm::Loop* loop = loop_at(phi.getParent());
  const llvm::BasicBlock* from = phi.getIncomingBlock(i);
  const std::uint32_t start = numbers_.at(root), number = numbers_.at(from);
  return loop_at(from) != loop
             ? through_loop(start, from, loop)
             : both(reached_from(start, number), taken(number, numbers_.at(phi.getParent())));
}

Condition KernelReader::merged_condition(const llvm::PHINode& phi, bool negated, unsigned depth) {
  const llvm::Loop* loop = loop_at(phi.getParent());
  const llvm::BasicBlock* root = root_of(phi);
  if ((loop != nullptr && loop->getHeader() == phi.getParent()) || root == nullptr ||
      !open_.insert(&phi).second)
    return unknown(&phi, negated);
  Condition sum = Condition::never();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    sum = either(sum, both(way_to(phi, i, root), condition(phi.getIncomingValue(i), negated, depth + 1)));
  open_.erase(&phi);
  return behind_loops(sum, phi.getParent());
}

Expression KernelReader::value_behind(const llvm::Value* value, const llvm::Loop* scope, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || loop_at(instruction->getParent()) == scope ||
      !evolution_.isSCEVable(value->getType()))
    return this->value(value, depth + 1);
  return of(evolution_.getSCEVAtScope(const_cast<llvm::Value*>(value), scope), depth + 1);
}

Expression KernelReader::geometric(const llvm::PHINode& phi, const llvm::Loop& loop, unsigned depth) {
  const auto number = loop_numbers_.find(&loop);
  const auto induction = ir::induction_of(phi, loop);
  const auto* by =
      induction && !induction->step_first ? llvm::dyn_cast<llvm::ConstantInt>(induction->step) : nullptr;
  if (number == loop_numbers_.end() || by == nullptr || by->getBitWidth() > 64)
    return beyond(&phi, "a value that a loop carries");
  std::int64_t alpha = 0;
  bool grows = false;
  const llvm::APInt& amount = by->getValue();
  switch (induction->update->getOpcode()) {
  case llvm::Instruction::Shl:
    grows = true;
    [[fallthrough]];
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    alpha = amount.getSExtValue();
    break;
  case llvm::Instruction::Mul:
    grows = true;
    [[fallthrough]];
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
    alpha = amount.isPowerOf2() ? amount.logBase2() : 0;
    break;
  default:
    break;
  }
  if (alpha < 1 || alpha > 30)
    return beyond(&phi, "a value that a loop carries");
  const Expression start = value(induction->start, depth + 1);
  const Expression power =
      power_of_two(Expression(alpha) * Expression::symbol(iteration_name(number->second)));
  must_fit(start, phi.getType()->getIntegerBitWidth(), false);
  return grows ? start * power : floor_div(start, power);
}

} // namespace forewarp::symbolic

#include "symbolic/kernel_values.h"

#include "symbolic/sum.h"

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

constexpr unsigned deepest = 48;

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

class KernelValues::Reader {
public:
  Reader(const ir::KernelModule& module, const ir::KernelSignature& kernel, ValueOptions options)
      : module_(module), function_(*module.module().getFunction(kernel.symbol)), options_(std::move(options)),
        dominators_(function_), after_(function_), loop_info_(dominators_), assumptions_(function_),
        library_table_(llvm::Triple(function_.getParent()->getTargetTriple())), library_(library_table_),
        evolution_(function_, library_, assumptions_, dominators_, loop_info_),
        numbering_(ir::number(function_)) {
    name_arguments(kernel);
    for (const llvm::BasicBlock& block : function_) {
      numbers_[&block] = static_cast<std::uint32_t>(blocks_.size());
      blocks_.push_back(&block);
    }
    for (const llvm::BasicBlock* block : blocks_) {
      std::vector<std::uint32_t>& next = successors_.emplace_back();
      for (const llvm::BasicBlock* way : llvm::successors(block))
        if (!llvm::is_contained(next, numbers_.at(way)))
          next.push_back(numbers_.at(way));
    }
    loop_of_.assign(blocks_.size(), no_loop);
    for (const llvm::Loop* loop : loop_info_.getLoopsInPreorder())
      number_loop(*loop);
    for (const llvm::Loop* loop : loop_info_.getLoopsInPreorder())
      trips_of(*loop);
    reached_.resize(blocks_.size());
    has_reached_.assign(blocks_.size(), false);
  }

  // ---- values ----
  Expression value(const llvm::Value* value, unsigned depth = 0) {
    if (depth > deepest)
      return Expression::beyond("a value that is computed too deeply");
    if (const auto known = values_.find(value); known != values_.end())
      return known->second;
    if (!open_.insert(value).second)
      return Expression::beyond("a value that rests on itself");
    Expression result = fresh_value(value, depth);
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      result = behind_loops(result, instruction->getParent());
    open_.erase(value);
    values_.insert({value, result});
    return result;
  }

  Condition condition(const llvm::Value* value, bool negated, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return constant->isZero() != negated ? Condition::never() : Condition::always();
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value))
      return comparison(*compare, negated, depth);
    if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(value))
      return condition(frozen->getOperand(0), negated, depth + 1);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || depth > deepest)
      return unknown(value, negated);
    const llvm::Value *a = nullptr, *b = nullptr;
    bool is_and = false;
    if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction)) {
      a = binary->getOperand(0);
      b = binary->getOperand(1);
      if (binary->getOpcode() == llvm::Instruction::Xor) {
        if (const auto* one = llvm::dyn_cast<llvm::ConstantInt>(b))
          return condition(a, negated != one->isOne(), depth + 1);
        return either(both(condition(a, negated, depth + 1), condition(b, false, depth + 1)),
                      both(condition(a, !negated, depth + 1), condition(b, true, depth + 1)));
      }
      if (binary->getOpcode() != llvm::Instruction::And && binary->getOpcode() != llvm::Instruction::Or)
        return unknown(value, negated);
      is_and = binary->getOpcode() == llvm::Instruction::And;
    } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      const auto whether = [&](bool other) { return condition(select->getCondition(), other, depth + 1); };
      return either(both(whether(false), condition(select->getTrueValue(), negated, depth + 1)),
                    both(whether(true), condition(select->getFalseValue(), negated, depth + 1)));
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      return merged_condition(*phi, negated, depth);
    } else if (llvm::isa<llvm::TruncInst>(instruction)) {
      const Expression low = modulo(this->value(instruction->getOperand(0), depth + 1), Expression(2));
      if (!low.known())
        return unknown(value, negated);
      return Condition::of({.kind = negated ? Comparison::Kind::zero : Comparison::Kind::not_zero,
                            .value = low,
                            .location = place(instruction)});
    } else {
      return unknown(value, negated);
    }
    const Condition x = condition(a, negated, depth + 1), y = condition(b, negated, depth + 1);
    return is_and != negated ? both(x, y) : either(x, y);
  }

  // ---- control ----
  const Condition& reached(std::uint32_t number) {
    if (has_reached_[number])
      return reached_[number];
    has_reached_[number] = true; // a cycle with two entries ends here
    reached_[number] = Condition::of(
        {.kind = Comparison::Kind::unknown, .value = Expression::beyond("a cycle with two entries")});
    reached_[number] = fresh_reached(number);
    return reached_[number];
  }

  Condition taken(std::uint32_t from, std::uint32_t to) {
    const llvm::Instruction* end = blocks_[from]->getTerminator();
    const llvm::BasicBlock* target = blocks_[to];
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
        return Condition::always();
      return behind_loops(condition(branch->getCondition(), branch->getSuccessor(0) != target),
                          blocks_[from]);
    }
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
      return switched(*choice, target);
    return unknown(end, false);
  }

  Address address(std::uint32_t site) {
    const llvm::Instruction& instruction = *numbering_.sites.at(site).instruction;
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

  std::vector<Loop> loops_;
  std::vector<std::uint32_t> loop_of_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<Fit> fits_;

private:
  void name_arguments(const ir::KernelSignature& kernel) {
    for (const llvm::Argument& argument : function_.args()) {
      const unsigned n = argument.getArgNo();
      std::string name = n < kernel.parameters.size() ? kernel.parameters[n].name : "";
      arguments_[&argument] = name.empty() ? fmt::format("argument.{}", n) : name;
    }
  }

  facts::SourceLocation place(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction == nullptr ? facts::SourceLocation{} : ir::location_of(*instruction, module_.files);
  }
  Expression beyond(const llvm::Value* value, const std::string& what) const {
    const std::uint32_t line = place(value).line;
    return Expression::beyond(line == 0 ? what : fmt::format("{} at line {}", what, line));
  }
  Condition unknown(const llvm::Value* value, bool negated) {
    return Condition::of({.kind = Comparison::Kind::unknown,
                          .value = Expression::beyond(fmt::format("condition.{}", identity(value))),
                          .location = place(value),
                          .negated = negated});
  }
  /// The same number for the same value.
  std::size_t identity(const llvm::Value* value) {
    return identities_.try_emplace(value, identities_.size()).first->second;
  }

  void must_fit(const Expression& value, unsigned bits, bool is_signed) {
    if (!value.known() || value.constant() || bits < 16)
      return;
    for (const Fit& fit : fits_)
      if (fit.bits == bits && fit.is_signed == is_signed && fit.value == value)
        return;
    fits_.push_back({value, bits, is_signed});
  }

  // ---- values of instructions ----
  Expression fresh_value(const llvm::Value* value, unsigned depth) {
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

  /// 1 where the condition holds. Its alternatives have to exclude each other, as those of `reached` do, or
  /// be one.
  Expression indicator(const Condition& condition) {
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

  Expression of(const llvm::SCEV* scev, unsigned depth) {
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
      must_fit(above, static_cast<unsigned>(evolution_.getTypeSizeInBits(scev->getType())), false);
      return floor_div(above, of(division->getRHS(), depth + 1));
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
      Expression result = operand(all, 0);
      for (unsigned i = 1; i < all->getNumOperands(); ++i)
        result = largest ? maximum(result, operand(all, i)) : minimum(result, operand(all, i));
      return result;
    }
    case llvm::scUnknown: {
      const llvm::Value* inner = llvm::cast<llvm::SCEVUnknown>(scev)->getValue();
      return inner->getType()->isPointerTy() ? beyond(inner, "a pointer as a number")
                                             : value(inner, depth + 1);
    }
    default:
      return Expression::beyond("a value that scalar evolution does not know");
    }
  }

  static bool is_word(unsigned bits) { return bits == 32 || bits == 64; }
  /// Low `bits`: words are taken to hold what they are given, shorter numbers wrap.
  Expression truncated(const Expression& value, unsigned bits) {
    if (is_word(bits))
      return value;
    if (bits > 62)
      return Expression::beyond("a wide number");
    return modulo(value, Expression(std::int64_t{1} << bits));
  }
  Expression extended(const Expression& value, unsigned bits, bool is_signed) {
    if (is_word(bits)) {
      must_fit(value, bits, is_signed);
      return value;
    }
    if (!is_signed || bits > 62)
      return truncated(value, bits);
    const Expression half = std::int64_t{1} << (bits - 1);
    return truncated(value + half, bits) - half;
  }

  Expression recurrence(const llvm::SCEVAddRecExpr& add, unsigned depth) {
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

  Expression of_unknown(const llvm::Value* value, unsigned depth) {
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
      must_fit(in(0), instruction->getType()->getIntegerBitWidth(), false);
      [[fallthrough]];
    case llvm::Instruction::AShr:
      return floor_div(in(0), power_of_two(in(1)));
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv: // towards zero: the floor where nothing is negative
      must_fit(in(0), instruction->getType()->getIntegerBitWidth(), false);
      return floor_div(in(0), in(1));
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      must_fit(in(0), instruction->getType()->getIntegerBitWidth(), false);
      return modulo(in(0), in(1));
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

  Expression chosen(const Condition& when, const Expression& a, const Expression& b) {
    if (a == b)
      return a;
    const Expression first = indicator(when);
    return first * a + (Expression(1) - first) * b;
  }

  /// x & (2^k - 1), x & -2^k, x & (2^e - 1).
  Expression masked(const llvm::Instruction& instruction, unsigned depth) {
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

  Expression called(const llvm::CallBase& call, unsigned depth) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr)
      return beyond(&call, "a call");
    if (const auto id = id_of(callee->getName()))
      return *id;
    const auto in = [&](unsigned i) { return value(call.getArgOperand(i), depth + 1); };
    switch (callee->getIntrinsicID()) {
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::smin:
      return minimum(in(0), in(1));
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smax:
      return maximum(in(0), in(1));
    case llvm::Intrinsic::ctlz:
      return Expression(call.getType()->getIntegerBitWidth()) - bit_length(in(0));
    case llvm::Intrinsic::fshl: // a shift where both words are one
    default:
      return beyond(&call, fmt::format("'{}'", callee->getName().str()));
    }
  }

  // ---- phis ----
  Expression merged(const llvm::PHINode& phi, unsigned depth) {
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

  /// Block of the phi's own loop from which the ways to it part; null: none.
  const llvm::BasicBlock* root_of(const llvm::PHINode& phi) const {
    const llvm::Loop* loop = loop_at(phi.getParent());
    const auto* node = dominators_.getNode(phi.getParent());
    do
      node = node == nullptr ? nullptr : node->getIDom();
    while (node != nullptr && loop_at(node->getBlock()) != loop);
    return node == nullptr ? nullptr : node->getBlock();
  }
  /// When a work-item at `root` comes to the phi's block by its way number `i`.
  Condition way_to(const llvm::PHINode& phi, unsigned i, const llvm::BasicBlock* root) {
    const llvm::Loop* loop = loop_at(phi.getParent());
    const llvm::BasicBlock* from = phi.getIncomingBlock(i);
    const std::uint32_t start = numbers_.at(root), number = numbers_.at(from);
    return loop_at(from) != loop
               ? through_loop(start, from, loop)
               : both(reached_from(start, number), taken(number, numbers_.at(phi.getParent())));
  }
  Condition merged_condition(const llvm::PHINode& phi, bool negated, unsigned depth) {
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

  /// As it is in `scope`, behind the loops inside.
  Expression value_behind(const llvm::Value* value, const llvm::Loop* scope, unsigned depth) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || loop_at(instruction->getParent()) == scope ||
        !evolution_.isSCEVable(value->getType()))
      return this->value(value, depth + 1);
    return of(evolution_.getSCEVAtScope(const_cast<llvm::Value*>(value), scope), depth + 1);
  }

  /// start 2^(alpha i) or floor(start / 2^(alpha i)).
  Expression geometric(const llvm::PHINode& phi, const llvm::Loop& loop, unsigned depth) {
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    const auto number = loop_numbers_.find(&loop);
    if (latch == nullptr || number == loop_numbers_.end() || phi.getNumIncomingValues() != 2)
      return beyond(&phi, "a value that a loop carries");
    const unsigned inner = phi.getIncomingBlock(0) == latch ? 0 : 1;
    const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(inner));
    if (step == nullptr || step->getOperand(0) != &phi)
      return beyond(&phi, "a value that a loop carries");
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1));
    if (by == nullptr || by->getBitWidth() > 64)
      return beyond(&phi, "a value that a loop carries");
    std::int64_t alpha = 0;
    bool grows = false;
    const llvm::APInt& amount = by->getValue();
    switch (step->getOpcode()) {
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
    const Expression start = value(phi.getIncomingValue(1 - inner), depth + 1);
    const Expression power =
        power_of_two(Expression(alpha) * Expression::symbol(iteration_name(number->second)));
    must_fit(start, phi.getType()->getIntegerBitWidth(), false);
    return grows ? start * power : floor_div(start, power);
  }

  // ---- conditions ----
  Condition comparison(const llvm::ICmpInst& compare, bool negated, unsigned depth) {
    if (!compare.getOperand(0)->getType()->isIntegerTy())
      return unknown(&compare, negated);
    const llvm::CmpInst::Predicate predicate =
        negated ? compare.getInversePredicate() : compare.getPredicate();
    const Expression a = value(compare.getOperand(0), depth + 1), b = value(compare.getOperand(1), depth + 1);
    const Expression difference = a - b;
    if (!difference.known())
      return unknown(&compare, negated);
    const unsigned bits = compare.getOperand(0)->getType()->getIntegerBitWidth();
    if (llvm::CmpInst::isUnsigned(predicate)) {
      must_fit(a, bits, false);
      must_fit(b, bits, false);
    }
    Comparison result{.location = place(&compare)};
    switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      result.kind = Comparison::Kind::zero;
      result.value = difference;
      break;
    case llvm::CmpInst::ICMP_NE:
      result.kind = Comparison::Kind::not_zero;
      result.value = difference;
      break;
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_SGT:
      result.value = difference - Expression(1);
      break;
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
      result.value = difference;
      break;
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
      result.value = -difference - Expression(1);
      break;
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
      result.value = -difference;
      break;
    default:
      return unknown(&compare, negated);
    }
    return simplify(Condition::of(std::move(result)), {}, {});
  }

  Condition switched(const llvm::SwitchInst& choice, const llvm::BasicBlock* target) {
    const Expression on = value(choice.getCondition());
    if (!on.known())
      return unknown(&choice, false);
    Condition cases = Condition::never(), none = Condition::always();
    for (const auto& one : choice.cases()) {
      const Expression apart = on - Expression(one.getCaseValue()->getSExtValue());
      const facts::SourceLocation where = place(&choice);
      if (one.getCaseSuccessor() == target)
        cases = either(cases, Condition::of({Comparison::Kind::zero, apart, where}));
      none = both(none, Condition::of({Comparison::Kind::not_zero, apart, where}));
    }
    return choice.getDefaultDest() == target ? either(cases, none) : cases;
  }

  const llvm::Loop* loop_at(const llvm::BasicBlock* block) const { return loop_info_.getLoopFor(block); }

  Condition fresh_reached(std::uint32_t number) {
    const llvm::Loop* loop = loop_at(blocks_[number]);
    const std::uint32_t root = loop == nullptr ? 0 : numbers_.at(loop->getHeader());
    return number == root ? Condition::always() : from_root(number, loop);
  }

  /// The condition at `number` from the header (or entry) of its loop; blocks of inner loops stand for their
  /// loop's header.
  Condition from_root(std::uint32_t number, const llvm::Loop* loop) {
    const llvm::BasicBlock* block = blocks_[number];
    const auto* node = dominators_.getNode(block);
    if (node == nullptr)
      return Condition::never();
    if (node->getIDom() != nullptr) {
      const llvm::BasicBlock* above = node->getIDom()->getBlock();
      if (stays_in(block, above, loop))
        return at_level(above, loop);
    }
    Condition sum = Condition::never();
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
      if (!seen.insert(before).second)
        continue;
      const llvm::Loop* inner = loop_at(before);
      if (inner != loop) {
        // From an inner loop: with one way out it is left by that; else which way is not known here.
        const Condition entered = at_level(before, loop);
        const llvm::Loop* outermost = inner;
        while (outermost != nullptr && outermost->getParentLoop() != loop)
          outermost = outermost->getParentLoop();
        if (outermost == nullptr)
          continue; // not reachable from this loop's header in one iteration
        sum = either(sum, outermost->getUniqueExitBlock() != nullptr
                              ? entered
                              : both(entered, unknown(before->getTerminator(), false)));
        continue;
      }
      sum = either(sum, both(reached(numbers_.at(before)), taken(numbers_.at(before), number)));
    }
    return sum;
  }

  /// A work-item that passes `above` gets to `block` in the same iteration: without `block` there is no way
  /// from `above` back to the header or out of the loop.
  bool stays_in(const llvm::BasicBlock* block, const llvm::BasicBlock* above, const llvm::Loop* loop) const {
    if (loop == nullptr)
      return after_.dominates(block, above);
    llvm::SmallVector<const llvm::BasicBlock*, 16> open = {above};
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    while (!open.empty())
      for (const llvm::BasicBlock* next : llvm::successors(open.pop_back_val())) {
        if (next == block)
          continue;
        if (next == loop->getHeader() || !loop->contains(next))
          return false;
        if (seen.insert(next).second)
          open.push_back(next);
      }
    return true;
  }

  /// reached() of a block of `loop` itself, or of the header's place of the inner loop that holds it.
  Condition at_level(const llvm::BasicBlock* block, const llvm::Loop* loop) {
    const llvm::Loop* inner = loop_at(block);
    if (inner == loop)
      return reached(numbers_.at(block));
    while (inner != nullptr && inner->getParentLoop() != loop)
      inner = inner->getParentLoop();
    if (inner == nullptr)
      return Condition::always();
    const std::uint32_t header = numbers_.at(inner->getHeader());
    return entered(header, loop);
  }

public:
  /// When a work-item at the head of `loop` (null: the kernel's entry) enters the inner loop with this
  /// header.
  Condition entered(std::uint32_t header, const llvm::Loop* loop) {
    if (const auto known = entered_.find(header); known != entered_.end())
      return known->second;
    const llvm::Loop* inner = loop_at(blocks_[header]);
    Condition sum = Condition::never();
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    for (const llvm::BasicBlock* before : llvm::predecessors(blocks_[header])) {
      if (inner->contains(before) || !seen.insert(before).second)
        continue;
      const Condition way = loop_at(before) == loop
                                ? both(reached(numbers_.at(before)), taken(numbers_.at(before), header))
                                : at_level(before, loop);
      sum = either(sum, way);
    }
    entered_[header] = sum;
    return sum;
  }
  const llvm::Loop* parent_of(std::uint32_t header) const {
    return loop_at(blocks_[header])->getParentLoop();
  }

private:
  /// When a work-item at `from` gets to `to`, both in one loop and iteration.
  Condition reached_from(std::uint32_t from, std::uint32_t to) {
    if (from == to)
      return Condition::always();
    const llvm::BasicBlock *a = blocks_[from], *b = blocks_[to];
    if (!dominators_.dominates(a, b))
      return unknown(b, false);
    if (stays_in(b, a, loop_at(b)))
      return Condition::always();
    Condition sum = Condition::never();
    for (const llvm::BasicBlock* before : llvm::predecessors(b)) {
      if (dominators_.dominates(b, before)) // a way back
        continue;
      if (loop_at(before) != loop_at(b)) {
        sum = either(sum, through_loop(from, before, loop_at(b)));
        continue;
      }
      sum = either(sum, both(reached_from(from, numbers_.at(before)), taken(numbers_.at(before), to)));
    }
    return sum;
  }

  /// As reached_from, to behind an inner loop that is left from `inside`: as often as the loop is entered.
  Condition through_loop(std::uint32_t from, const llvm::BasicBlock* inside, const llvm::Loop* outer) {
    const llvm::Loop* inner = loop_at(inside);
    while (inner != nullptr && inner->getParentLoop() != outer)
      inner = inner->getParentLoop();
    if (inner == nullptr || inner->getUniqueExitBlock() == nullptr)
      return unknown(inside, false);
    Condition sum = Condition::never();
    for (const llvm::BasicBlock* before : llvm::predecessors(inner->getHeader())) {
      if (inner->contains(before))
        continue;
      const std::uint32_t number = numbers_.at(before);
      sum = either(sum, loop_at(before) == outer
                            ? both(reached_from(from, number), taken(number, numbers_.at(inner->getHeader())))
                            : through_loop(from, before, outer));
    }
    return sum;
  }

  // ---- loops ----
  void number_loop(const llvm::Loop& loop) {
    const auto index = static_cast<std::uint32_t>(loops_.size());
    loop_numbers_[&loop] = index;
    Loop out;
    out.header = numbers_.at(loop.getHeader());
    if (const llvm::Loop* parent = loop.getParentLoop())
      out.parent = loop_numbers_.at(parent);
    for (const llvm::BasicBlock* block : loop.blocks()) {
      out.blocks.push_back(numbers_.at(block));
      loop_of_[numbers_.at(block)] = index; // inner loops come later
    }
    std::sort(out.blocks.begin(), out.blocks.end());
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting)
      out.exiting.push_back(numbers_.at(block));
    std::sort(out.exiting.begin(), out.exiting.end());
    out.trips = Expression::beyond("a bound that rests on itself");
    bounded_.push_back(false);
    loops_.push_back(std::move(out));
  }

  /// Iterations of loops that do not hold `block` are over there: the last one counts.
  Expression behind_loops(const Expression& a, const llvm::BasicBlock* block) {
    if (!a.known())
      return a;
    std::map<std::string, Expression> last;
    for (const auto& [loop, number] : loop_numbers_)
      if (!loop->contains(block) && a.depends_on(iteration_name(number)))
        last.emplace(iteration_name(number), trips_of(*loop) - Expression(1));
    return last.empty() ? a : behind_loops(substitute(a, last), block);
  }
  Condition behind_loops(const Condition& a, const llvm::BasicBlock* block) {
    Condition result = a;
    for (Conjunction& all : result.any_of)
      for (Comparison& c : all)
        if (c.kind != Comparison::Kind::unknown) {
          c.value = behind_loops(c.value, block);
          if (!c.value.known())
            c.kind = Comparison::Kind::unknown;
        }
    return simplify(result, {}, {});
  }

  const Expression& trips_of(const llvm::Loop& loop) {
    const std::uint32_t number = loop_numbers_.at(&loop);
    if (!bounded_[number]) {
      bounded_[number] = true;
      bound_loop(loop);
    }
    return loops_[number].trips;
  }

  /// Constant, then scalar evolution, then the exit condition solved for the iteration.
  void bound_loop(const llvm::Loop& loop) {
    Loop& out = loops_[loop_numbers_.at(&loop)];
    out.trips = Expression::beyond("a loop that is never left");
    for (const std::uint32_t block : out.exiting) {
      const llvm::Instruction* end = blocks_[block]->getTerminator();
      const facts::SourceLocation where = place(end);
      if (out.location.line == 0)
        out.location = where;
      if (const auto given = options_.trip_counts.find(where.line); given != options_.trip_counts.end()) {
        out.trips =
            given->second +
            Expression(numbers_.at(loop.getHeader()) == block && !loop.isLoopLatch(blocks_[block]) ? 1 : 0);
        out.location = where;
        out.given = true;
        return;
      }
    }
    if (out.exiting.empty())
      return;
    Expression least;
    bool first = true;
    for (const std::uint32_t block : out.exiting) {
      const Expression turns = turns_before_exit(loop, block);
      if (!turns.known()) {
        out.trips = turns;
        out.location = place(blocks_[block]->getTerminator());
        return;
      }
      least = first ? turns : minimum(least, turns);
      first = false;
    }
    out.trips = least + Expression(1);
  }

  /// How often the loop turns back before it is left from this block.
  Expression turns_before_exit(const llvm::Loop& loop, std::uint32_t block) {
    const llvm::SCEV* count = evolution_.getExitCount(&loop, const_cast<llvm::BasicBlock*>(blocks_[block]));
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(count)) {
      const Expression turns = of(count, 0);
      if (turns.known())
        return turns;
    }
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(blocks_[block]->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !loop.getLoopLatch() ||
        !dominators_.dominates(blocks_[block], loop.getLoopLatch()))
      return beyond(blocks_[block]->getTerminator(), "a bound that rests on data");
    const bool stays_when_true = loop.contains(branch->getSuccessor(0));
    const Condition stays = condition(branch->getCondition(), !stays_when_true);
    if (stays.any_of.size() != 1 || stays.any_of[0].size() != 1 ||
        stays.any_of[0][0].kind == Comparison::Kind::unknown)
      return beyond(blocks_[block]->getTerminator(), reason_of(*branch));
    Comparison only = stays.any_of[0][0];
    if (only.kind == Comparison::Kind::zero)
      return beyond(blocks_[block]->getTerminator(), "a bound without a closed form");
    Ranges positive;
    for (const std::string& name : only.value.symbols())
      positive[name] = {
          Rational(name.starts_with("iteration") || name.starts_with("item") || name.starts_with("group.")
                       ? 0
                       : 1),
          std::nullopt};
    const std::string iteration = iteration_name(loop_numbers_.at(&loop));
    std::optional<Solution> range;
    if (only.kind == Comparison::Kind::not_negative)
      range = where_not_negative(only.value, iteration, positive);
    else // what comes down to zero, or up to it, and goes no further
      for (const int sign : {1, -1}) {
        range = where_not_negative(only.value.scaled(sign) - Expression(1), iteration, positive);
        if (range && range->high)
          break;
      }
    if (!range || !range->high)
      return beyond(blocks_[block]->getTerminator(), "a bound without a closed form");
    return maximum(*range->high + Expression(1), 0);
  }
  std::string reason_of(const llvm::BranchInst& branch) {
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition()))
      for (const llvm::Value* operand : compare->operands())
        if (const Expression side = value(operand); !side.known())
          return "a bound that rests on " + side.why() + ", in the branch";
    return "a bound that rests on data";
  }

  Expression offset_between(const llvm::Value* from, const llvm::Value* object, unsigned depth) {
    Expression sum;
    const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
    while (from != object) {
      if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(from)) {
        llvm::MapVector<llvm::Value*, llvm::APInt> variable;
        llvm::APInt constant(layout.getIndexTypeSizeInBits(element->getType()), 0);
        if (!element->collectOffset(layout, constant.getBitWidth(), variable, constant))
          return Expression::beyond("an address of several parts");
        sum += Expression(constant.getSExtValue());
        for (const auto& [index, scale] : variable)
          sum += value(index, depth + 1) * Expression(scale.getSExtValue());
        from = element->getPointerOperand();
      } else if (const auto* cast = llvm::dyn_cast<llvm::Operator>(from);
                 cast != nullptr && (cast->getOpcode() == llvm::Instruction::AddrSpaceCast ||
                                     cast->getOpcode() == llvm::Instruction::BitCast)) {
        from = cast->getOperand(0);
      } else {
        return Expression::beyond("an address of several parts");
      }
    }
    return sum;
  }

  const ir::KernelModule& module_;
  llvm::Function& function_;
  ValueOptions options_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree after_;
  llvm::LoopInfo loop_info_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_table_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
  ir::Numbering numbering_;
  std::map<const llvm::Argument*, std::string> arguments_; // looked up, never walked
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> numbers_;
  llvm::DenseMap<const llvm::Loop*, std::uint32_t> loop_numbers_;
  std::vector<const llvm::BasicBlock*> blocks_;
  std::map<const llvm::Value*, Expression> values_;      // looked up, never walked
  std::map<const llvm::Value*, std::size_t> identities_; // looked up, never walked
  std::set<const llvm::Value*> open_;
  std::vector<Condition> reached_;
  std::vector<bool> has_reached_, bounded_;
  std::map<std::uint32_t, Condition> entered_;
};

KernelValues::KernelValues(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                           ValueOptions options)
    : reader_(std::make_unique<Reader>(module, kernel, std::move(options))) {}
KernelValues::~KernelValues() = default;

Expression KernelValues::value(const llvm::Value* value) const {
  return reader_->value(value);
}
Address KernelValues::address(std::uint32_t site) const {
  return reader_->address(site);
}
const std::vector<Loop>& KernelValues::loops() const {
  return reader_->loops_;
}
std::size_t KernelValues::block_count() const {
  return reader_->successors_.size();
}
std::uint32_t KernelValues::loop_of(std::uint32_t block) const {
  return reader_->loop_of_[block];
}
const std::vector<std::uint32_t>& KernelValues::successors(std::uint32_t block) const {
  return reader_->successors_[block];
}
const Condition& KernelValues::reached(std::uint32_t block) const {
  return reader_->reached(block);
}
Condition KernelValues::entered(std::uint32_t loop) const {
  const std::uint32_t header = reader_->loops_[loop].header;
  return reader_->entered(header, reader_->parent_of(header));
}
Condition KernelValues::taken(std::uint32_t from, std::uint32_t to) const {
  return reader_->taken(from, to);
}
const std::vector<Fit>& KernelValues::exact_while() const {
  return reader_->fits_;
}

} // namespace forewarp::symbolic

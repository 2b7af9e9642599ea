#include "symbolic/kernel/kernel_reader.h"

#include "ir/loops/control_flow.h"
#include "symbolic/algebra/sum.h"

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
KernelReader::KernelReader(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                           ValueOptions options)
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
  flow_ = ir::control_flow(function_, loop_info_, after_);
  for (const llvm::Loop* loop : loop_info_.getLoopsInPreorder())
    add_loop(*loop);
  for (const llvm::Loop* loop : loop_info_.getLoopsInPreorder())
    trips_of(*loop);
  reached_.resize(blocks_.size());
  has_reached_.assign(blocks_.size(), false);
}

Condition KernelReader::condition(const llvm::Value* value, bool negated, unsigned depth) {
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

const Condition& KernelReader::reached(std::uint32_t number) {
  if (has_reached_[number])
    return reached_[number];
  has_reached_[number] = true; // a cycle with two entries ends here
  reached_[number] = Condition::of(
      {.kind = Comparison::Kind::unknown, .value = Expression::beyond("a cycle with two entries")});
  reached_[number] = fresh_reached(number);
  return reached_[number];
}

Condition KernelReader::taken(std::uint32_t from, std::uint32_t to) {
  const llvm::Instruction* end = blocks_[from]->getTerminator();
  const llvm::BasicBlock* target = blocks_[to];
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return Condition::always();
    return behind_loops(condition(branch->getCondition(), branch->getSuccessor(0) != target), blocks_[from]);
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    return switched(*choice, target);
  return unknown(end, false);
}

Condition KernelReader::unknown(const llvm::Value* value, bool negated) {
  return Condition::of({.kind = Comparison::Kind::unknown,
                        .value = Expression::beyond(fmt::format("condition.{}", identity(value))),
                        .location = place(value),
                        .negated = negated});
}

Condition KernelReader::switched(const llvm::SwitchInst& choice, const llvm::BasicBlock* target) {
  const Expression on = value(choice.getCondition());
  if (!on.known())
    return unknown(&choice, false);
  const AtPlace here(*this, place_of(&choice));
  must_fit(on, choice.getCondition()->getType()->getIntegerBitWidth(), true);
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

Condition KernelReader::fresh_reached(std::uint32_t number) {
  const llvm::Loop* loop = loop_at(blocks_[number]);
  const std::uint32_t root = loop == nullptr ? 0 : numbers_.at(loop->getHeader());
  return number == root ? Condition::always() : from_root(number, loop);
}

Condition KernelReader::from_root(std::uint32_t number, const llvm::Loop* loop) {
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

bool KernelReader::stays_in(const llvm::BasicBlock* block, const llvm::BasicBlock* above,
                            const llvm::Loop* loop) const {
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

Condition KernelReader::at_level(const llvm::BasicBlock* block, const llvm::Loop* loop) {
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

Condition KernelReader::entered(std::uint32_t header, const llvm::Loop* loop) {
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

const llvm::Loop* KernelReader::parent_of(std::uint32_t header) const {
  return loop_at(blocks_[header])->getParentLoop();
}

Condition KernelReader::reached_from(std::uint32_t from, std::uint32_t to) {
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

Condition KernelReader::through_loop(std::uint32_t from, const llvm::BasicBlock* inside,
                                     const llvm::Loop* outer) {
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

void KernelReader::add_loop(const llvm::Loop& loop) {
  const auto index = static_cast<std::uint32_t>(loops_.size()); // as in flow_
  loop_numbers_[&loop] = index;
  Loop out;
  out.header = flow_.loops[index].header;
  out.parent = flow_.loops[index].parent;
  for (std::uint32_t block = 0; block < blocks_.size(); ++block)
    if (flow_.contains(index, block))
      out.blocks.push_back(block);
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting)
    out.exiting.push_back(numbers_.at(block));
  std::sort(out.exiting.begin(), out.exiting.end());
  out.trips = Expression::beyond("a bound that rests on itself");
  bounded_.push_back(false);
  loops_.push_back(std::move(out));
}

Expression KernelReader::behind_loops(const Expression& a, const llvm::BasicBlock* block) {
  if (!a.known())
    return a;
  std::map<std::string, Expression> last;
  for (const auto& [loop, number] : loop_numbers_)
    if (!loop->contains(block) && a.depends_on(iteration_name(number)))
      last.emplace(iteration_name(number), trips_of(*loop) - Expression(1));
  return last.empty() ? a : behind_loops(substitute(a, last), block);
}

Condition KernelReader::behind_loops(const Condition& a, const llvm::BasicBlock* block) {
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

const Expression& KernelReader::trips_of(const llvm::Loop& loop) {
  const std::uint32_t number = loop_numbers_.at(&loop);
  if (!bounded_[number]) {
    bounded_[number] = true;
    bound_loop(loop);
  }
  return loops_[number].trips;
}

void KernelReader::bound_loop(const llvm::Loop& loop) {
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
  const auto sampled = options_.header_runs.find(out.header);
  if (sampled != options_.header_runs.end()) {
    out.trips = sampled->second;
    return;
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

Expression KernelReader::turns_before_exit(const llvm::Loop& loop, std::uint32_t block) {
  const AtPlace here(*this, {block, loop_numbers_.at(&loop)});
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
  of_a_bound_ = true;
  const Condition stays = condition(branch->getCondition(), !stays_when_true);
  of_a_bound_ = false;
  if (stays.any_of.size() != 1 || stays.any_of[0].size() != 1 ||
      stays.any_of[0][0].kind == Comparison::Kind::unknown)
    return beyond(blocks_[block]->getTerminator(), reason_of(*branch));
  Comparison only = stays.any_of[0][0];
  if (only.kind == Comparison::Kind::zero)
    return beyond(blocks_[block]->getTerminator(), "a bound without a closed form");
  Ranges positive;
  for (const std::string& name : only.value.symbols())
    positive[name] = {
        Rational(name.starts_with("iteration") || name.starts_with("item") || name.starts_with("group.") ? 0
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
  for (const auto& [key, term] : only.value.terms()) {
    const Expression factor = Expression::of_terms({{key, term}});
    if (factor.depends_on(iteration))
      for (const std::string& name : factor.symbols())
        if (positive.at(name).low->sign() > 0)
          must_be_positive(Expression::symbol(name));
  }
  return maximum(*range->high + Expression(1), 0);
}

std::string KernelReader::reason_of(const llvm::BranchInst& branch) {
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition()))
    for (const llvm::Value* operand : compare->operands())
      if (const Expression side = value(operand); !side.known())
        return "a bound that rests on " + side.why() + ", in the branch";
  return "a bound that rests on data";
}

} // namespace forewarp::symbolic

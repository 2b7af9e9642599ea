#include "statictrace/loop_bounds.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>
#include <bit>

namespace forewarp::statictrace {
namespace {

/// Beyond it a shift or a product has nothing left to change.
constexpr std::uint64_t most_powers = 130;

} // namespace

std::string_view to_string(BoundSource source) {
  switch (source) {
  case BoundSource::constant:
    return "constant";
  case BoundSource::scalar_evolution:
    return "scalar evolution";
  case BoundSource::induction_variable:
    return "induction variable";
  case BoundSource::conditions:
    return "conditions of each iteration";
  case BoundSource::given:
    return "given";
  default:
    return "assumed";
  }
}

LoopBounds::LoopBounds(const ir::KernelModule& module, KernelAnalyses& analyses, simt::UnknownPolicy policy)
    : module_(module), policy_(std::move(policy)) {
  for (const llvm::Loop* loop : analyses.loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting, latches;
    loop->getExitingBlocks(exiting);
    loop->getLoopLatches(latches);
    std::vector<Exit>& exits = exits_[loop];
    for (llvm::BasicBlock* block : exiting) {
      Exit exit;
      exit.exiting = block;
      const bool each_time = std::all_of(latches.begin(), latches.end(), [&](const llvm::BasicBlock* latch) {
        return analyses.dominators.dominates(block, latch);
      });
      if (each_time) {
        const llvm::SCEV* count = analyses.evolution.getExitCount(loop, block);
        exit.count = llvm::isa<llvm::SCEVCouldNotCompute>(count) ? nullptr : count;
        exit.test = ir::exit_test(*block, *loop);
      }
      exits.push_back(exit);
    }
  }
}

facts::SourceLocation LoopBounds::location(const llvm::Loop& loop) const {
  for (const Exit& exit : exits_.lookup(&loop))
    if (const auto at = ir::location_of(*exit.exiting->getTerminator(), module_.files); at.line != 0)
      return at;
  return {};
}

LoopBound LoopBounds::bound(const llvm::Loop& loop, Values& values, std::uint64_t active) const {
  LoopBound bound;
  const std::vector<Exit>& exits = exits_.find(&loop)->second;
  const auto take = [&](const Lanes& runs, BoundSource source) {
    if (!runs.known)
      return;
    bound.of_lane = !bound.of_lane.known
                        ? runs
                        : each_lane(bound.of_lane, runs, values.lanes(),
                                    [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
    bound.source = source;
  };
  for (const BoundSource wanted :
       {BoundSource::constant, BoundSource::scalar_evolution, BoundSource::induction_variable}) {
    for (const Exit& exit : exits) {
      const bool constant = exit.count != nullptr && llvm::isa<llvm::SCEVConstant>(exit.count);
      if (wanted == BoundSource::induction_variable) {
        if (exit.count == nullptr && exit.test)
          take(runs(*exit.test, values), wanted);
      } else if (exit.count != nullptr && constant == (wanted == BoundSource::constant)) {
        take(runs(exit, values), wanted);
      }
    }
  }
  if (bound.of_lane.known) {
    for (std::uint64_t rest = active; rest != 0; rest &= rest - 1)
      bound.most = std::max(bound.most, bound.of_lane[static_cast<unsigned>(std::countr_zero(rest))]);
    return bound;
  }
  const std::uint32_t line = location(loop).line;
  if (const auto given = policy_.trip_counts.find(line); given != policy_.trip_counts.end()) {
    bound.most = std::max<std::uint64_t>(1, given->second);
    bound.source = BoundSource::given;
    return bound;
  }
  for (const Exit& exit : exits)
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exit.exiting->getTerminator());
        branch != nullptr && branch->isConditional() && values.value(branch->getCondition()).known) {
      bound.most = UINT64_MAX;
      bound.source = BoundSource::conditions;
      return bound;
    }
  bound.most = std::max<std::uint64_t>(1, policy_.default_trip_count);
  return bound;
}

Lanes LoopBounds::runs(const Exit& exit, Values& values) const {
  const Lanes count = values.value(exit.count);
  return each_lane(count, count, values.lanes(), [](std::uint64_t n, std::uint64_t) { return n + 1; });
}

/// loopBound = (endValue - startValue) / stepSize, to the first test that leaves; of products and shifts by
/// trying one power after the other.
Lanes LoopBounds::runs(const ExitTest& test, Values& values) const {
  const Induction& variable = test.variable;
  const unsigned opcode = variable.update->getOpcode();
  const bool linear =
      opcode == llvm::Instruction::Add || (opcode == llvm::Instruction::Sub && !variable.step_first);
  const unsigned bits = variable.update->getType()->getIntegerBitWidth();
  const Lanes start = values.value(variable.start), step = values.value(variable.step),
              end = values.value(test.end);
  if (!start.known || !step.known || !end.known || test.cast != nullptr)
    return Lanes::unknown();
  const auto predicate =
      test.variable_first ? test.compare->getPredicate() : test.compare->getSwappedPredicate();
  const auto leaves = [&](std::uint64_t value, unsigned lane) {
    return Values::compare(predicate, value, end[lane], bits) != test.stays_where_true;
  };
  Lanes out;
  out.known = true;
  out.uniform = start.uniform && step.uniform && end.uniform;
  for (unsigned l = 0; l < (out.uniform ? 1 : values.lanes()); ++l) {
    if (!linear)
      continue;
    const std::int64_t by = as_signed(opcode == llvm::Instruction::Sub ? 0 - step[l] : step[l], bits);
    const std::int64_t way = as_signed(end[l] - start[l], bits);
    if (by == 0)
      return Lanes::unknown();
    std::int64_t k = std::max<std::int64_t>(0, way / by - 2);
    const auto value_at = [&](std::int64_t n) {
      return low_bits(start[l] + static_cast<std::uint64_t>(n + test.updates_before) *
                                     static_cast<std::uint64_t>(by),
                      bits);
    };
    if (leaves(value_at(0), l))
      k = 0;
    for (int tries = 0; tries < 6 && !leaves(value_at(k), l); ++tries)
      ++k;
    if (!leaves(value_at(k), l))
      return Lanes::unknown();
    out.at[l] = static_cast<std::uint64_t>(k) + 1;
  }
  if (linear)
    return out;
  std::uint64_t found = 0;
  const std::uint64_t all =
      values.lanes() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << values.lanes()) - 1;
  for (std::uint64_t k = 0; k < most_powers && found != (out.uniform ? 1 : all); ++k) {
    const Lanes now = values.after(variable, k + test.updates_before);
    if (!now.known)
      return Lanes::unknown();
    for (unsigned l = 0; l < (out.uniform ? 1 : values.lanes()); ++l)
      if ((found >> l & 1) == 0 && leaves(now[l], l)) {
        out.at[l] = k + 1;
        found |= std::uint64_t{1} << l;
      }
  }
  return found == (out.uniform ? 1 : all) ? out : Lanes::unknown();
}

} // namespace forewarp::statictrace

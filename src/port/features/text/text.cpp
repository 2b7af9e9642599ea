#include "port/features/text/text.h"

#include "port/features/text/dependent.h"
#include "port/static/describe.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdlib>
#include <set>

namespace forewarp::port {
namespace {

std::vector<const llvm::Value*> header_phis(const llvm::Loop& loop) {
  std::vector<const llvm::Value*> list;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    list.push_back(&phi);
  return list;
}

/// How many bytes an address moves from one iteration of `loop` to the next.
class StepOf {
public:
  StepOf(llvm::ScalarEvolution& evolution, const llvm::Loop* loop, const DependentValues& dependent)
      : evolution_(evolution), loop_(loop), dependent_(dependent) {}

  /// Null: not by one number.
  const llvm::SCEV* of(const llvm::SCEV* expression) {
    if (const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression))
      return of_recurrence(*moving);
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(expression))
      return of_sum(*sum);
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(expression))
      return of_product(*product);
    if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(expression)) {
      const llvm::SCEV* inner = of(cast->getOperand());
      const auto* number = llvm::dyn_cast_or_null<llvm::SCEVConstant>(inner);
      if (!inner || (!inner->isZero() && !number))
        return nullptr;
      return evolution_.getConstant(
          expression->getType(), number ? static_cast<std::uint64_t>(number->getAPInt().getSExtValue()) : 0,
          true);
    }
    return stays(expression) ? zero(expression) : nullptr;
  }

private:
  llvm::Type* number_type(const llvm::SCEV* expression) {
    return evolution_.getEffectiveSCEVType(expression->getType());
  }
  const llvm::SCEV* zero(const llvm::SCEV* expression) { return evolution_.getZero(number_type(expression)); }

  bool stays(const llvm::SCEV* expression) const {
    return !llvm::SCEVExprContains(expression, [&](const llvm::SCEV* part) {
      if (const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        return moving->getLoop() == loop_;
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return unknown && dependent_.contains(unknown->getValue());
    });
  }

  const llvm::SCEV* of_recurrence(const llvm::SCEVAddRecExpr& moving) {
    const llvm::SCEV* step = moving.getStepRecurrence(evolution_);
    if (!moving.isAffine() || !stays(step))
      return nullptr;
    return moving.getLoop() == loop_ ? step : of(moving.getStart());
  }

  const llvm::SCEV* of_sum(const llvm::SCEVAddExpr& sum) {
    const llvm::SCEV* total = zero(&sum);
    for (const llvm::SCEV* operand : sum.operands()) {
      const llvm::SCEV* part = of(operand);
      if (!part)
        return nullptr;
      total = evolution_.getAddExpr(total, part);
    }
    return total;
  }

  const llvm::SCEV* of_product(const llvm::SCEVMulExpr& product) {
    const llvm::SCEV* moving = nullptr;
    const llvm::SCEV* rest = evolution_.getOne(number_type(&product));
    for (const llvm::SCEV* operand : product.operands())
      if (stays(operand))
        rest = evolution_.getMulExpr(rest, operand);
      else if (moving)
        return nullptr;
      else
        moving = operand;
    if (!moving)
      return zero(&product);
    const llvm::SCEV* step = of(moving);
    return step ? evolution_.getMulExpr(step, rest) : nullptr;
  }

  llvm::ScalarEvolution& evolution_;
  const llvm::Loop* loop_;
  const DependentValues& dependent_;
};

/// Width of the access in bytes.
std::uint64_t width_of(const llvm::Instruction& access) {
  return access.getModule()
      ->getDataLayout()
      .getTypeStoreSize(llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access)))
      .getFixedValue();
}

class BodyDescriber {
public:
  BodyDescriber(const std::vector<llvm::BasicBlock*>& blocks, const Band& band, Knowledge& knowledge,
                const std::vector<const llvm::Value*>& arguments)
      : band_(band), knowledge_(knowledge),
        of_any_(blocks, roots(band, 0, arguments), knowledge.tree, knowledge.loops),
        of_innermost_(blocks, roots(band, band.loops.empty() ? 0 : band.loops.size() - 1, arguments),
                      knowledge.tree, knowledge.loops),
        control_(loop_control(band.loops)) {}

  StaticBlock describe(const llvm::BasicBlock& block) {
    StaticBlock described;
    for (const llvm::Instruction& instruction : block) {
      if (control_.contains(&instruction))
        continue;
      described.mix.add(mix_of(instruction), 1);
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
        add_access(instruction, *pointer, described);
      if (instruction.isTerminator() && instruction_weight(instruction) != 0)
        add_branch(instruction, described);
    }
    return described;
  }

private:
  /// Of the loops from `first` of the band on.
  static std::vector<const llvm::Value*> roots(const Band& band, std::size_t first,
                                               const std::vector<const llvm::Value*>& arguments) {
    std::vector<const llvm::Value*> list = arguments;
    for (std::size_t i = first; i < band.loops.size(); ++i)
      for (const llvm::Value* phi : header_phis(*band.loops[i]))
        list.push_back(phi);
    return list;
  }

  bool in_outer_loop(const llvm::Loop* loop) const {
    return std::find(band_.loops.begin(), band_.loops.end(), loop) != band_.loops.end() &&
           loop != band_.innermost();
  }

  bool moves_with_outer_loops(const llvm::SCEV* address) const {
    return llvm::SCEVExprContains(address, [&](const llvm::SCEV* part) {
      if (const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        return in_outer_loop(moving->getLoop());
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return unknown && of_any_.contains(unknown->getValue()) && !of_innermost_.contains(unknown->getValue());
    });
  }

  void add_access(const llvm::Instruction& access, const llvm::Value& pointer, StaticBlock& described) {
    const llvm::SCEV* address = knowledge_.evolution.getSCEV(const_cast<llvm::Value*>(&pointer));
    const llvm::Loop* loop = band_.loops.empty() ? nullptr : band_.innermost();
    const auto* step = llvm::dyn_cast_or_null<llvm::SCEVConstant>(
        StepOf(knowledge_.evolution, loop, of_innermost_).of(address));
    if (!step || static_cast<std::uint64_t>(std::llabs(step->getAPInt().getSExtValue())) > width_of(access))
      return;
    described.coalesced += 1;
    described.coalesced_as_published += moves_with_outer_loops(address) ? 0 : 1;
  }

  void add_branch(const llvm::Instruction& terminator, StaticBlock& described) {
    described.branches += 1;
    const llvm::Value* condition = nullptr;
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator))
      condition = branch->getCondition();
    else
      condition = terminator.getOperand(0);
    described.diverging += of_any_.contains(condition) ? 1 : 0;
  }

  const Band& band_;
  Knowledge& knowledge_;
  DependentValues of_any_, of_innermost_;
  std::set<const llvm::Instruction*> control_; ///< keeps the parallel loops going
};

double ratio(double part, double whole, double otherwise) {
  return whole > 0 ? part / whole : otherwise;
}

} // namespace

std::vector<StaticBlock> describe_body(const std::vector<llvm::BasicBlock*>& blocks, const Band& band,
                                       Knowledge& knowledge) {
  std::vector<llvm::BasicBlock*> own;
  for (llvm::BasicBlock* block : blocks)
    if (band.loops.front()->contains(block))
      own.push_back(block);
  BodyDescriber describer(own, band, knowledge, {});
  std::vector<StaticBlock> list;
  for (const llvm::BasicBlock* block : blocks)
    list.push_back(band.innermost()->contains(block) ? describer.describe(*block) : StaticBlock{});
  return list;
}

std::vector<StaticBlock> describe_callee(const std::vector<llvm::BasicBlock*>& blocks,
                                         llvm::Function& function, Knowledge& knowledge) {
  const Band none;
  std::vector<const llvm::Value*> arguments;
  for (const llvm::Argument& argument : function.args())
    arguments.push_back(&argument);
  BodyDescriber describer(blocks, none, knowledge, arguments);
  std::vector<StaticBlock> list;
  for (const llvm::BasicBlock* block : blocks)
    list.push_back(describer.describe(*block));
  return list;
}

std::array<double, 10> static_values(const std::vector<StaticBlock>& blocks, const std::vector<double>& runs,
                                     double threads, bool as_published) {
  StaticBlock sum;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    sum.mix.add(blocks[i].mix, runs[i]);
    sum.coalesced += runs[i] * (as_published ? blocks[i].coalesced_as_published : blocks[i].coalesced);
    sum.branches += runs[i] * blocks[i].branches;
    sum.diverging += runs[i] * blocks[i].diverging;
  }
  const InstructionMix& mix = sum.mix;
  const auto share = [&](double part) { return ratio(part, mix.instructions, 0); };
  return {ratio(sum.coalesced, mix.memory, 1),
          ratio(sum.diverging, sum.branches, 0),
          mix.instructions,
          threads,
          ratio(mix.arithmetic(), mix.memory, mix.arithmetic()),
          share(sum.branches),
          share(mix.mul_div),
          share(mix.sin_cos),
          share(mix.log_exp),
          share(mix.square_root)};
}

} // namespace forewarp::port

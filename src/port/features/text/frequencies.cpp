#include "port/features/text/frequencies.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace forewarp::port {
namespace {

/// Mean value of an expression over the iterations of the loops around it.
class MeanValue {
public:
  MeanValue(llvm::ScalarEvolution& evolution, const std::map<const llvm::Loop*, double>& given)
      : evolution_(evolution), given_(given) {}

  std::optional<double> trips(const llvm::Loop& loop) {
    if (const auto known = given_.find(&loop); known != given_.end())
      return known->second;
    const llvm::SCEV* back = evolution_.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(back))
      return {};
    const auto mean = of(back);
    return mean ? std::optional(std::max(*mean + 1, 0.0)) : std::nullopt;
  }

private:
  std::optional<double> of(const llvm::SCEV* expression) {
    if (const auto* number = llvm::dyn_cast<llvm::SCEVConstant>(expression))
      return static_cast<double>(number->getAPInt().getSExtValue());
    if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(expression))
      return of(cast->getOperand());
    if (const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression))
      return of_recurrence(*moving);
    if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(expression)) {
      const auto left = of(quotient->getLHS()), right = of(quotient->getRHS());
      return left && right && *right != 0 ? std::optional(*left / *right) : std::nullopt;
    }
    if (const auto* several = llvm::dyn_cast<llvm::SCEVNAryExpr>(expression))
      return of_several(*several);
    return {};
  }

  std::optional<double> of_recurrence(const llvm::SCEVAddRecExpr& moving) {
    if (!moving.isAffine())
      return {};
    const auto start = of(moving.getStart()), step = of(moving.getStepRecurrence(evolution_));
    const auto iterations = trips(*moving.getLoop());
    return start && step && iterations ? std::optional(*start + *step * (*iterations - 1) / 2) : std::nullopt;
  }

  std::optional<double> of_several(const llvm::SCEVNAryExpr& expression) {
    std::optional<double> sum;
    for (const llvm::SCEV* operand : expression.operands()) {
      const auto value = of(operand);
      if (!value)
        return {};
      if (!sum)
        sum = value;
      else if (llvm::isa<llvm::SCEVAddExpr>(expression))
        *sum += *value;
      else if (llvm::isa<llvm::SCEVMulExpr>(expression))
        *sum *= *value;
      else if (llvm::isa<llvm::SCEVSMaxExpr, llvm::SCEVUMaxExpr>(expression))
        *sum = std::max(*sum, *value);
      else if (llvm::isa<llvm::SCEVSMinExpr, llvm::SCEVUMinExpr>(expression))
        *sum = std::min(*sum, *value);
      else
        return {};
    }
    return sum;
  }

  llvm::ScalarEvolution& evolution_;
  const std::map<const llvm::Loop*, double>& given_;
};

std::vector<llvm::BasicBlock*> successors_of(const llvm::BasicBlock& block) {
  std::vector<llvm::BasicBlock*> list;
  for (llvm::BasicBlock* next : llvm::successors(const_cast<llvm::BasicBlock*>(&block)))
    if (std::find(list.begin(), list.end(), next) == list.end() && !is_emergency(*next))
      list.push_back(next);
  return list;
}

} // namespace

Frequencies::Frequencies(llvm::Function& function, const Band& band, Knowledge& knowledge,
                         std::map<const llvm::Loop*, double> given)
    : band_(band), knowledge_(knowledge), given_(std::move(given)) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* block : order)
    if (band.loops.empty() || band.innermost()->contains(block)) {
      index_[block] = blocks_.size();
      blocks_.push_back(block);
    }
  nodes_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const llvm::Loop* loop = knowledge_.loops.getLoopFor(blocks_[i]);
    if (loop && loop->getHeader() == blocks_[i] && !of_band(loop)) {
      nodes_[i].loop_header = true;
      if (const auto known = trips_of(*loop))
        nodes_[i].trips = *known;
      else {
        nodes_[i].unknown_trips = static_cast<int>(unknowns_.size());
        unknowns_.push_back({loop, nullptr});
      }
    }
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    add_edges(i);
}

bool Frequencies::of_band(const llvm::Loop* loop) const {
  return std::find(band_.loops.begin(), band_.loops.end(), loop) != band_.loops.end();
}

std::optional<double> Frequencies::trips_of(const llvm::Loop& loop) const {
  return MeanValue(knowledge_.evolution, given_).trips(loop);
}

std::optional<double> Frequencies::threads() const {
  double product = 1;
  for (const llvm::Loop* loop : band_.loops) {
    const auto trips = trips_of(*loop);
    if (!trips)
      return {};
    product *= *trips;
  }
  return product;
}

int Frequencies::unknown_branch(const llvm::BasicBlock* block) {
  unknowns_.push_back({nullptr, block});
  return static_cast<int>(unknowns_.size()) - 1;
}

/// What leaves a loop is what entered it: where there are ways out inside the body, one number says how much
/// of it they take together.
void Frequencies::add_exit(const llvm::Loop& loop, llvm::BasicBlock* from, llvm::BasicBlock* to, Node& node) {
  const auto target = index_.find(to);
  if (target == index_.end())
    return;
  llvm::SmallVector<llvm::Loop::Edge> ways;
  loop.getExitEdges(ways);
  llvm::erase_if(ways, [](const llvm::Loop::Edge& way) { return is_emergency(*way.second); });
  const auto at_end = [&](const llvm::Loop::Edge& way) { return way.first == loop.getLoopLatch(); };
  const auto early = static_cast<double>(ways.size() - llvm::count_if(ways, at_end));
  Edge edge{.to = target->second, .of_loop = true, .loop_header = index_.at(loop.getHeader())};
  if (early > 0 && early < static_cast<double>(ways.size())) {
    const auto [known, fresh] = leaves_early_.try_emplace(&loop, 0);
    if (fresh)
      known->second = unknown_branch(from);
    edge.unknown = known->second;
    edge.rest = from == loop.getLoopLatch();
    edge.share = edge.rest ? 1 : 1 / early;
  } else {
    edge.share = 1 / static_cast<double>(ways.size());
  }
  node.edges.push_back(edge);
}

void Frequencies::add_edges(std::size_t index) {
  llvm::BasicBlock* const block = blocks_[index];
  Node& node = nodes_[index];
  const llvm::Loop* const loop = knowledge_.loops.getLoopFor(block);
  const bool in_body = loop && !of_band(loop);
  std::vector<llvm::BasicBlock*> inside;
  for (llvm::BasicBlock* next : successors_of(*block)) {
    if (loop && next == loop->getHeader())
      continue; // the next iteration
    if (in_body && !loop->contains(next))
      add_exit(*loop, block, next, node);
    else if (index_.contains(next))
      inside.push_back(next);
  }
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  const bool two_ways = inside.size() == 2 && branch && branch->isConditional();
  int unknown = -1;
  std::size_t guarded = 2; ///< the way that leads to a loop, which is taken to be entered
  if (two_ways) {
    for (const llvm::Loop* inner : knowledge_.loops.getLoopsInPreorder())
      if (inner->getLoopGuardBranch() == branch)
        guarded = inside[0] == inner->getLoopPreheader() ? 0 : 1;
    if (guarded == 2)
      unknown = unknown_branch(block);
  }
  for (std::size_t i = 0; i < inside.size(); ++i) {
    Edge edge{.to = index_.at(inside[i])};
    if (guarded < 2)
      edge.share = i == guarded ? 1 : 0;
    else if (unknown >= 0) {
      edge.unknown = unknown;
      edge.rest = i == 1;
    } else
      edge.share = 1 / static_cast<double>(inside.size());
    node.edges.push_back(edge);
  }
}

std::vector<double> Frequencies::of_blocks(const Assumed& values) const {
  std::vector<double> entered(blocks_.size(), 0.0), runs(blocks_.size(), 0.0);
  if (!entered.empty())
    entered.front() = 1;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Node& node = nodes_[i];
    runs[i] = entered[i] *
              (node.unknown_trips >= 0 ? values[static_cast<std::size_t>(node.unknown_trips)] : node.trips);
    if (!node.loop_header)
      runs[i] = entered[i];
    for (const Edge& edge : node.edges) {
      double share = edge.share;
      if (edge.unknown >= 0) {
        const double value = values[static_cast<std::size_t>(edge.unknown)];
        share *= edge.rest ? 1 - value : value;
      }
      entered[edge.to] += share * (edge.of_loop ? entered[edge.loop_header] : runs[i]);
    }
  }
  return runs;
}

} // namespace forewarp::port

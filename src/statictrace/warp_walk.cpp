#include "statictrace/warp_walk.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>

namespace forewarp::statictrace {
namespace {

const llvm::Value* place_of(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerOperand();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* called = call != nullptr ? call->getCalledFunction() : nullptr;
  if (called != nullptr && called->getName().starts_with("llvm.nvvm.ld"))
    return call->getArgOperand(0);
  return nullptr; // copies and images: their places are not followed
}

} // namespace

KernelView::KernelView(const ir::KernelModule& kernel_module, const llvm::Function& kernel_function,
                       const simt::Program& kernel_program, const SearchGraph& search,
                       const LoopBounds& loop_bounds, const llvm::LoopInfo& loop_info)
    : module(kernel_module), function(kernel_function), program(kernel_program), graph(search),
      bounds(loop_bounds), loops(loop_info) {
  const ir::Numbering numbering = ir::number(function);
  std::uint32_t next = 0;
  for (const llvm::BasicBlock& block : function) {
    first_site.push_back(next);
    blocks.push_back(&block);
    std::vector<const llvm::Instruction*>& own = sites.emplace_back();
    for (; next < numbering.sites.size() && numbering.sites[next].block + 1 == blocks.size(); ++next)
      own.push_back(numbering.sites[next].instruction);
  }
}

WarpWalk::WarpWalk(const KernelView& kernel, Values& values, simt::MemoryMap& memory,
                   std::uint64_t most_instructions, std::uint64_t most_bytes, Assumptions& assumptions)
    : kernel_(kernel), values_(values), memory_(memory), most_instructions_(most_instructions),
      most_bytes_(most_bytes), assumptions_(assumptions), pending_(kernel.graph.size()),
      bound_(kernel.graph.loops.size()), schedule_(kernel.graph.loops.size()),
      visit_(kernel.graph.loops.size()) {
  for (std::uint32_t b = 0; b < kernel.blocks.size(); ++b)
    numbers_[kernel.blocks[b]] = b;
  find_ways_out();
}

void WarpWalk::find_ways_out() {
  for (std::uint32_t l = 0; l < kernel_.graph.loops.size(); ++l) {
    const llvm::Loop& loop = loop_of(l);
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> edges;
    loop.getExitEdges(edges);
    const auto used_outside = [&](const llvm::Instruction& instruction) {
      return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
        return !loop.contains(llvm::cast<llvm::Instruction>(user));
      });
    };
    const bool closed = llvm::none_of(
        loop.blocks(), [&](const llvm::BasicBlock* block) { return llvm::any_of(*block, used_outside); });
    way_out_.push_back(edges.size() == 1 && closed ? WayOut{edges.front().first, edges.front().second}
                                                   : WayOut{});
  }
}

/// Sends lanes out that have left since the iteration visited before; gives those that are there. Nothing
/// where every iteration is visited.
std::uint64_t WarpWalk::leave_between(std::uint32_t loop, std::uint64_t iteration, Arrivals& from) {
  std::uint64_t gone = 0;
  if (!schedule_[loop].is_whole() && way_out_[loop].from != nullptr)
    for (std::uint64_t rest = lanes_of(from); rest != 0; rest &= rest - 1)
      if (const auto l = static_cast<unsigned>(std::countr_zero(rest)); bound_[loop].of_lane[l] <= iteration)
        gone |= std::uint64_t{1} << l;
  for (Values::Arrival& arrival : from)
    arrival.lanes &= ~gone;
  if (gone != 0)
    send(number(way_out_[loop].to), way_out_[loop].from, gone);
  return lanes_of(from);
}

facts::WarpTrace WarpWalk::run() {
  trace_ = {};
  last_.clear(kernel_.program.sites.size());
  over_ = counted_ = false;
  instructions_ = recorded_ = charged_ = counted_bytes_ = 0;
  longest_.clear();
  for (Arrivals& arrivals : pending_)
    arrivals.clear();
  pending_[kernel_.graph.entry].push_back({nullptr, values_.lanes_of_warp()});
  search_trace(kernel_.graph, *this);
  trace_.ir_instructions = static_cast<std::uint64_t>(instructions_);
  if (counted_)
    trace_.recorded_share = recorded_ / instructions_;
  return std::move(trace_);
}

std::uint64_t WarpWalk::lanes_of(const Arrivals& arrivals) {
  std::uint64_t lanes = 0;
  for (const Values::Arrival& arrival : arrivals)
    lanes |= arrival.lanes;
  return lanes;
}

const llvm::Loop& WarpWalk::loop_of(std::uint32_t loop) const {
  return *kernel_.loops.getLoopFor(kernel_.blocks[kernel_.graph.loops[loop].header]);
}

std::uint64_t WarpWalk::loop_bound(std::uint32_t loop) {
  const std::uint64_t lanes = lanes_of(pending_[kernel_.graph.loops[loop].header]);
  const llvm::Loop& of = loop_of(loop);
  values_.enter(of, lanes);
  bound_[loop] = {};
  schedule_[loop] = LoopSchedule::whole(1);
  visit_[loop] = 0;
  if (lanes == 0)
    return 1;
  bound_[loop] = kernel_.bounds.bound(of, values_, lanes);
  values_.enter(of, lanes); // what was looked at ahead is looked at again
  if (bound_[loop].source == BoundSource::assumed) {
    const facts::SourceLocation at = kernel_.bounds.location(of);
    assumptions_.loops.insert({at.file, at.line, bound_[loop].most});
  }
  schedule_[loop] = schedule_of(loop, lanes);
  counted_ = counted_ || !schedule_[loop].is_whole();
  const unsigned depth = kernel_.graph.loops[loop].depth;
  longest_.resize(std::max<std::size_t>(longest_.size(), depth));
  longest_[depth - 1] = std::max(longest_[depth - 1], bound_[loop].most);
  return schedule_[loop].visits();
}

LoopSchedule WarpWalk::schedule_of(std::uint32_t loop, std::uint64_t lanes) const {
  const LoopBound& bound = bound_[loop];
  const unsigned depth = kernel_.graph.loops[loop].depth;
  const std::uint64_t keep = depth <= keep_.size() ? keep_[depth - 1] : UINT64_MAX;
  if (bound.most <= keep || !bound.of_lane.known)
    return LoopSchedule::whole(bound.most);
  std::uint64_t least = bound.most; // of a loop without a way out, lanes leave in visited iterations only
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1)
    least = std::min(least, bound.of_lane[static_cast<unsigned>(std::countr_zero(rest))]);
  return LoopSchedule::cut(bound.most, keep, way_out_[loop].from != nullptr ? 1 : bound.most - least + 1);
}

/// How often the running step runs, as the iterations around it stand for others.
double WarpWalk::weight_of(std::uint32_t block) const {
  double weight = 1;
  for (std::uint32_t l = kernel_.graph.loop[block]; l != no_loop; l = kernel_.graph.loops[l].parent)
    weight *= schedule_[l].weight(visit_[l]);
  return weight;
}

bool WarpWalk::loop_is_empty(std::uint32_t loop) const {
  return lanes_of(pending_[kernel_.graph.loops[loop].header]) == 0;
}

bool WarpWalk::visit(std::uint32_t node, bool again) {
  Arrivals from = std::move(pending_[node]);
  pending_[node].clear();
  std::uint64_t lanes = lanes_of(from);
  if (node >= kernel_.graph.blocks) { // stands between others
    for (const auto* edges : {&kernel_.graph.forward[node], &kernel_.graph.back[node]})
      for (const std::uint32_t to : *edges)
        for (const Values::Arrival& arrival : from)
          send(to, arrival.from, arrival.lanes);
    return lanes != 0;
  }
  if (again) {
    const std::uint32_t loop = kernel_.graph.loop[node];
    const std::uint64_t iteration = schedule_[loop].iteration(++visit_[loop]);
    lanes = leave_between(loop, iteration, from);
    values_.iterate(loop_of(loop), lanes, iteration);
  }
  if (lanes == 0)
    return false;
  values_.arrive(*kernel_.blocks[node], from);
  record_step(node, from, lanes);
  branch(node, lanes);
  return true;
}

void WarpWalk::send(std::uint32_t to, const llvm::BasicBlock* from, std::uint64_t lanes) {
  if (lanes == 0)
    return;
  for (Values::Arrival& arrival : pending_[to])
    if (arrival.from == from) {
      arrival.lanes |= lanes;
      return;
    }
  pending_[to].push_back({from, lanes});
}

std::uint64_t WarpWalk::used_bytes() const {
  return trace_.steps.size() * sizeof(facts::BlockStep) + trace_.events.size() * sizeof(facts::MemoryEvent) +
         trace_.offsets.size() * sizeof(std::int64_t);
}

void WarpWalk::record_step(std::uint32_t block, const Arrivals& from, std::uint64_t lanes) {
  const auto once = static_cast<double>(kernel_.program.blocks[block].ir_instructions);
  recorded_ += once;
  const double runs = counted_ ? weight_of(block) : 1;
  instructions_ += once * runs;
  charged_ += once + 1; // branches, too: a loop may hold nothing else
  over_ = charged_ > static_cast<double>(most_instructions_) || used_bytes() > most_bytes_;
  if (!records_) {
    counted_bytes_ += runs * static_cast<double>(sizeof(facts::BlockStep) +
                                                 kernel_.sites[block].size() * sizeof(facts::MemoryEvent));
    return;
  }
  facts::BlockStep step;
  step.block = block;
  step.previous_block = from.back().from == nullptr ? UINT32_MAX : number(from.back().from);
  step.active = lanes;
  step.first_event = static_cast<std::uint32_t>(trace_.events.size());
  trace_.steps.push_back(step);
  std::uint32_t site = kernel_.first_site[block];
  for (const llvm::Instruction* instruction : kernel_.sites[block])
    record_event(*instruction, site++, lanes);
}

void WarpWalk::record_event(const llvm::Instruction& instruction, std::uint32_t site, std::uint64_t lanes) {
  facts::MemorySpace space = kernel_.program.sites[site].space;
  const llvm::Value* place = place_of(instruction);
  if (place != nullptr)
    if (const Lanes& at = values_.value(place); at.known) {
      std::array<std::uint64_t, most_lanes> addresses;
      for (unsigned l = 0; l < values_.lanes(); ++l)
        addresses[l] = at[l];
      const auto first = static_cast<unsigned>(std::countr_zero(lanes));
      if (const simt::Region* region = memory_.find(addresses[first]))
        space = region->info.space;
      const simt::AddressPattern pattern = simt::classify(addresses.data(), lanes, values_.lanes());
      simt::record(trace_, site, space, lanes, pattern, addresses.data(), values_.lanes(), &last_);
      return;
    }
  facts::MemoryEvent event;
  event.site = site;
  event.space = space;
  event.pattern = facts::MemoryEvent::Pattern::unknown;
  event.active = lanes;
  trace_.events.push_back(event);
}

void WarpWalk::branch(std::uint32_t block, std::uint64_t lanes) {
  const llvm::BasicBlock* from = kernel_.blocks[block];
  const llvm::Instruction* end = from->getTerminator();
  if (const auto* way = llvm::dyn_cast<llvm::BranchInst>(end); way != nullptr && way->isConditional())
    return conditional(block, *way, lanes);
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    if (const Lanes value = values_.value(choice->getCondition()); value.known) {
      const unsigned bits = choice->getCondition()->getType()->getIntegerBitWidth();
      for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<unsigned>(std::countr_zero(rest));
        const llvm::BasicBlock* to = choice->getDefaultDest();
        for (const auto& one : choice->cases())
          if (low_bits(one.getCaseValue()->getZExtValue(), bits) == low_bits(value[l], bits))
            to = one.getCaseSuccessor();
        send(number(to), from, std::uint64_t{1} << l);
      }
      return;
    }
  if (llvm::isa<llvm::SwitchInst>(end))
    note_branch(*end);
  for (const llvm::BasicBlock* to : llvm::successors(from))
    send(number(to), from, lanes);
}

/// Of the lanes at a branch whose condition is not known: those whose bound has iterations left.
std::uint64_t WarpWalk::staying(const llvm::Loop& loop, std::uint32_t number, std::uint64_t lanes) const {
  const LoopBound& bound = bound_[number];
  const std::uint64_t runs = values_.iteration(loop) + 1;
  if (!bound.of_lane.known)
    return runs < bound.most ? lanes : 0;
  std::uint64_t stay = 0;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    stay |= runs < bound.of_lane[l] ? std::uint64_t{1} << l : 0;
  }
  return stay;
}

void WarpWalk::note_branch(const llvm::Instruction& end) {
  const facts::SourceLocation at = ir::location_of(end, kernel_.module.files);
  assumptions_.branches.insert({at.file, at.line});
}

void WarpWalk::conditional(std::uint32_t block, const llvm::BranchInst& branch, std::uint64_t lanes) {
  const llvm::BasicBlock* from = kernel_.blocks[block];
  const std::uint32_t yes = number(branch.getSuccessor(0)), no = number(branch.getSuccessor(1));
  const Lanes& condition = values_.value(branch.getCondition());
  if (condition.known) {
    std::uint64_t taken = 0;
    for (unsigned l = 0; l < values_.lanes(); ++l)
      taken |= (condition[l] & 1) << l;
    send(yes, from, lanes & taken);
    send(no, from, lanes & ~taken);
    return;
  }
  // The innermost loop that one of the two ways leaves.
  for (std::uint32_t l = kernel_.graph.loop[block]; l != no_loop; l = kernel_.graph.loops[l].parent) {
    const bool yes_stays = kernel_.graph.contains(l, yes), no_stays = kernel_.graph.contains(l, no);
    if (yes_stays && no_stays)
      break;
    const llvm::Loop& loop = loop_of(l);
    const std::uint64_t stay = staying(loop, l, lanes);
    const bool decides = bound_[l].of_lane.known || bound_[l].source != BoundSource::conditions;
    send(yes_stays ? yes : no, from, decides ? stay : lanes);
    send(yes_stays ? no : yes, from, decides ? lanes & ~stay : lanes);
    if (bound_[l].source != BoundSource::assumed && bound_[l].source != BoundSource::given) {
      assumptions_.data_leaves_loops = true;
      note_branch(branch);
    }
    return;
  }
  note_branch(branch);
  send(yes, from, lanes);
  send(no, from, lanes);
}

} // namespace forewarp::statictrace

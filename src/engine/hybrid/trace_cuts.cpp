#include "engine/hybrid/trace_cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace forewarp::engine::hybrid {
namespace {

/// Runs of the anchor between the ends of the two parts, at least: what an iteration takes differs from one
/// to the next.
constexpr double least_runs_between = 4;
/// Length of the shorter part over that of the longer: early iterations, when all warps do the same at one
/// time, are in both.
constexpr double shorter_share = 0.5;

/// What instructions ask of the memory system, summed.
struct MemoryLoad {
  double instructions = 0, transactions = 0, l2_sectors = 0, dram_sectors = 0;
};

/// Steps at which one block was entered from the same block by the same lanes.
struct Anchor {
  std::vector<std::size_t> steps;
};

/// The block with the fewest runs of at least `least`: the outermost loop that runs often enough.
const Anchor* choose(const std::vector<Anchor>& anchors, double least) {
  const Anchor* best = nullptr;
  for (const Anchor& anchor : anchors)
    if (static_cast<double>(anchor.steps.size()) >= least &&
        (best == nullptr || anchor.steps.size() < best->steps.size()))
      best = &anchor;
  return best;
}

std::vector<Anchor> anchors_of(const facts::WarpTrace& warp) {
  std::map<std::array<std::uint64_t, 3>, std::size_t> index;
  std::vector<Anchor> anchors; // in order of the first run
  for (std::size_t s = 0; s < warp.steps.size(); ++s) {
    const facts::BlockStep& step = warp.steps[s];
    const auto [at, is_new] =
        index.try_emplace({step.block, step.previous_block, step.active}, anchors.size());
    if (is_new)
      anchors.emplace_back();
    anchors[at->second].steps.push_back(s);
  }
  return anchors;
}

/// Adds what steps [from, to) ask for.
void add(MemoryLoad& load, const StreamTemplates& templates, const facts::WarpTrace& warp,
         const std::vector<facts::AccessOutcome>& outcomes, TraceCut steps, double weight) {
  if (steps.from >= steps.to)
    return;
  for (std::size_t s = steps.from; s < steps.to; ++s)
    load.instructions += weight * static_cast<double>(templates.block(warp.steps[s].block).size());
  const std::size_t end =
      steps.to < warp.steps.size() ? warp.steps[steps.to].first_event : warp.events.size();
  for (std::size_t e = warp.steps[steps.from].first_event; e < end; ++e) {
    load.transactions += weight * outcomes[e].transactions;
    load.l2_sectors += weight * outcomes[e].l2_sectors;
    load.dram_sectors += weight * (outcomes[e].dram_sectors + outcomes[e].dram_extra_sectors);
  }
}

/// Per instruction the same but for a twentieth.
bool alike(const MemoryLoad& a, const MemoryLoad& b) {
  constexpr double relative = 0.05, negligible_per_instruction = 1e-3;
  const auto close = [&](double x, double y) {
    x /= std::max(a.instructions, 1.0);
    y /= std::max(b.instructions, 1.0);
    return std::abs(x - y) <= std::max(negligible_per_instruction, relative * std::max(x, y));
  };
  return close(a.transactions, b.transactions) && close(a.l2_sectors, b.l2_sectors) &&
         close(a.dram_sectors, b.dram_sectors);
}

template <class Figures> void extend(Figures& out, const Figures& shorter, double more) {
  for (std::size_t i = 0; i < out.size() && i < shorter.size(); ++i)
    out[i] += static_cast<typename Figures::value_type>(more * (out[i] - shorter[i]));
}

} // namespace

std::optional<TwoParts> cut_traces(const facts::KernelTrace& trace,
                                   const std::vector<facts::BehaviourClass>& classes,
                                   const facts::MemoryProfile& memory, const StreamTemplates& templates,
                                   double share, bool anywhere) {
  TwoParts parts;
  MemoryLoad between, rest; // the longer's over the shorter's, and what both leave out
  parts.shorter.cuts.resize(trace.groups.size());
  parts.longer.cuts.resize(trace.groups.size());
  for (const facts::BehaviourClass& behaviour : classes)
    for (const std::uint32_t sample : behaviour.samples) {
      const double weight = behaviour.weight_groups / static_cast<double>(behaviour.samples.size());
      const std::vector<facts::WarpTrace>& warps = trace.groups[sample].warps;
      for (std::size_t w = 0; w < warps.size(); ++w) {
        const std::vector<Anchor> anchors = anchors_of(warps[w]);
        const Anchor* anchor = choose(anchors, least_runs_between / ((1 - shorter_share) * share));
        if (anchor == nullptr && !anywhere)
          return std::nullopt;
        const std::size_t runs = anchor != nullptr ? anchor->steps.size() : warps[w].steps.size();
        const auto at_share = [&](double of) {
          const auto run = static_cast<std::size_t>(static_cast<double>(runs) * of);
          return anchor != nullptr ? anchor->steps[run] : run;
        };
        const std::size_t first = at_share(share * shorter_share), second = at_share(share);
        const std::size_t last = anchor != nullptr ? anchor->steps.back() : runs;
        parts.shorter.cuts[sample].push_back({first, last});
        parts.longer.cuts[sample].push_back({second, last});
        const std::vector<facts::AccessOutcome>& outcomes = memory.outcomes[sample][w];
        add(between, templates, warps[w], outcomes, {first, second}, weight);
        add(rest, templates, warps[w], outcomes, {second, last}, weight);
      }
    }
  if (between.instructions <= 0)
    return std::nullopt;
  parts.more = rest.instructions / between.instructions;
  parts.alike = alike(between, rest);
  return parts;
}

pipeline::Outcome extended(const pipeline::Outcome& shorter, const pipeline::Outcome& longer, double more) {
  pipeline::Outcome out = longer;
  const auto line = [&](double& value, double at_shorter) { value += more * (value - at_shorter); };
  line(out.cycles, shorter.cycles);
  line(out.instructions, shorter.instructions);
  line(out.instructions_at_first_finish, shorter.instructions_at_first_finish);
  line(out.issue_slots_used, shorter.issue_slots_used);
  line(out.warp_resident_cycles, shorter.warp_resident_cycles);
  extend(out.group_finish_cycles, shorter.group_finish_cycles, more);
  extend(out.group_start_cycles, shorter.group_start_cycles, more);
  extend(out.subsystem_busy_cycles, shorter.subsystem_busy_cycles, more);
  extend(out.subsystem_instructions, shorter.subsystem_instructions, more);
  extend(out.subsystem_stall_cycles, shorter.subsystem_stall_cycles, more);
  extend(out.server_busy_cycles, shorter.server_busy_cycles, more);
  extend(out.server_wait_cycles, shorter.server_wait_cycles, more);
  extend(out.tag_stall_cycles, shorter.tag_stall_cycles, more);
  extend(out.tag_issue_cycles, shorter.tag_issue_cycles, more);
  extend(out.stall_cycles, shorter.stall_cycles, more);
  return out;
}

} // namespace forewarp::engine::hybrid

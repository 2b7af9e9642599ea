#include "predict/traced/waves/trace_cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace forewarp::predict::hybrid {
namespace {

/// Iterations that the shorter part begins with, at least: what one takes differs from one to the next.
constexpr double least_runs = 2;

/// What instructions ask of the pipes and of the memory system, summed.
struct Load {
  explicit Load(std::size_t sites, std::size_t blocks) : waits(sites), runs(blocks, 0) {}
  double instructions = 0, transactions = 0, l2_sectors = 0, dram_sectors = 0;
  std::vector<std::array<double, 2>> waits; ///< [site] accesses that wait for L2, for DRAM
  std::vector<double> runs;                 ///< [block]
};

/// Blocks that ran often enough to be a loop's.
std::vector<RunsOfBlock> runs_of(const facts::WarpTrace& warp) {
  std::map<std::array<std::uint64_t, 3>, std::size_t> index;
  std::vector<RunsOfBlock> runs; // in order of the first run
  for (std::size_t s = 0; s < warp.steps.size(); ++s) {
    const facts::BlockStep& step = warp.steps[s];
    const auto [at, is_new] = index.try_emplace({step.block, step.previous_block, step.active}, runs.size());
    if (is_new)
      runs.emplace_back();
    runs[at->second].push_back(s);
  }
  std::erase_if(runs, [](const RunsOfBlock& block) { return block.size() < least_runs; });
  return runs;
}

std::size_t width(Loop loop) {
  return loop.empty() ? 0 : loop.back() - loop.front();
}

Loop inside(const RunsOfBlock& runs, TraceCut range) {
  const auto first = std::lower_bound(runs.begin(), runs.end(), range.from);
  const auto last = std::lower_bound(first, runs.end(), range.to);
  return {first, last};
}

/// No iteration takes many times the steps of the mean one: a block that runs at the rim of an image only is
/// no loop over the image, all of whose inside would be one iteration.
bool is_even(Loop loop) {
  constexpr std::size_t most_of_mean = 8;
  std::size_t longest = 0;
  for (std::size_t i = 1; i < loop.size(); ++i)
    longest = std::max(longest, loop[i] - loop[i - 1]);
  return longest * (loop.size() - 1) <= most_of_mean * width(loop);
}

/// The outermost even loop of the range that runs often enough: of those nearly as wide as the widest the one
/// with the fewest runs.
Loop widest(const std::vector<RunsOfBlock>& runs, TraceCut range, double least) {
  constexpr double nearly = 0.9;
  const auto is_candidate = [&](Loop loop) {
    return static_cast<double>(loop.size()) >= least && is_even(loop);
  };
  std::size_t most = 0;
  for (const RunsOfBlock& block : runs)
    if (const Loop loop = inside(block, range); width(loop) > most && is_candidate(loop))
      most = width(loop);
  Loop best;
  for (const RunsOfBlock& block : runs)
    if (const Loop loop = inside(block, range);
        static_cast<double>(width(loop)) >= nearly * static_cast<double>(most) &&
        (best.empty() || loop.size() < best.size()) && is_candidate(loop))
      best = loop;
  return best;
}

/// Loops one after the other; stretches of fewer steps than `negligible` are not searched.
void find_loops(const std::vector<RunsOfBlock>& runs, TraceCut range, double least, std::size_t negligible,
                std::vector<Loop>& loops) {
  if (range.to - range.from <= negligible)
    return;
  const Loop loop = widest(runs, range, least);
  if (width(loop) == 0)
    return;
  find_loops(runs, {range.from, loop.front()}, least, negligible, loops);
  loops.push_back(loop);
  find_loops(runs, {loop.back(), range.to}, least, negligible, loops);
}

/// Those that run often enough; none where they make up less than half of the steps.
std::vector<Loop> loops_of(const std::vector<RunsOfBlock>& runs, std::size_t steps, double least) {
  constexpr double negligible = 0.02;
  std::vector<Loop> loops;
  find_loops(runs, {0, steps}, least, static_cast<std::size_t>(negligible * static_cast<double>(steps)),
             loops);
  std::size_t covered = 0;
  for (const Loop& loop : loops)
    covered += width(loop);
  if (2 * covered < steps)
    loops.clear();
  return loops;
}

/// Leaves out of a loop all but its first `share` and the last iteration.
void keep_first(WarpCuts& cuts, Loop loop, double share) {
  const std::size_t from = loop[static_cast<std::size_t>(static_cast<double>(loop.size()) * share)];
  if (from < loop.back())
    cuts.push_back({from, loop.back()});
}

/// Leaves out of a loop all but the first iteration, `share` of all in so many stretches, and the last. Every
/// stretch has `room` of its part of the loop and lies at another place of it, so that none meets a rhythm of
/// the loop's.
void keep_spread(WarpCuts& cuts, Loop loop, double share, double room, std::size_t stretches) {
  constexpr double golden_section = 0.6180339887498949; // its multiples, less their whole parts, are spread
  const double part = static_cast<double>(loop.size()) / static_cast<double>(stretches);
  const std::size_t last = loop.size() - 1;
  const auto length = static_cast<std::size_t>(part * share);
  std::size_t decided = 1; // iterations before are kept or left out
  const auto leave_out_to = [&](std::size_t iteration) {
    if (decided < iteration)
      cuts.push_back({loop[decided], loop[iteration]});
    decided = std::max(decided, iteration);
  };
  for (std::size_t s = 0; s < stretches; ++s) {
    const double place = std::fmod(0.5 + golden_section * static_cast<double>(s), 1.0) * (1 - room);
    const auto first = static_cast<std::size_t>(part * (static_cast<double>(s) + place));
    leave_out_to(std::min(first, last));
    decided = std::min(std::max(decided, first + length), last);
  }
  leave_out_to(last);
}

/// Adds what steps [from, to) ask for.
void add(Load& load, const facts::WarpTrace& warp, const std::vector<facts::AccessOutcome>& outcomes,
         TraceCut steps, double weight) {
  if (steps.from >= steps.to)
    return;
  for (std::size_t step = steps.from; step < steps.to; ++step)
    load.runs[warp.steps[step].block] += weight;
  const std::size_t end =
      steps.to < warp.steps.size() ? warp.steps[steps.to].first_event : warp.events.size();
  for (std::size_t e = warp.steps[steps.from].first_event; e < end; ++e) {
    const facts::AccessOutcome& outcome = outcomes[e];
    load.transactions += weight * outcome.transactions;
    load.l2_sectors += weight * outcome.l2_sectors;
    load.dram_sectors += weight * (outcome.dram_sectors + outcome.dram_extra_sectors);
    load.waits[warp.events[e].site][0] += weight * std::min(1.0F, outcome.l2_sectors);
    load.waits[warp.events[e].site][1] += weight * std::min(1.0F, outcome.dram_sectors);
  }
}

/// Steps that the longer part holds and the shorter does not.
std::vector<TraceCut> held_more(const WarpCuts& shorter, const WarpCuts& longer) {
  std::vector<TraceCut> more;
  auto next = longer.begin();
  for (const TraceCut& cut : shorter) {
    const bool in_both = next != longer.end() && next->to == cut.to;
    more.push_back({cut.from, in_both ? next->from : cut.to});
    next += in_both ? 1 : 0;
  }
  return more;
}

/// Cycles of each pipe that the runs of the blocks take.
std::vector<double> pipe_cycles(const Load& load, const StreamTemplates& templates) {
  std::vector<double> cycles;
  for (std::size_t block = 0; block < load.runs.size(); ++block) {
    if (load.runs[block] == 0)
      continue;
    for (const StreamTemplates::Entry& entry : templates.block(static_cast<std::uint32_t>(block))) {
      const pipeline::Instruction& in = entry.instruction;
      if (in.memory)
        continue; // as outcomes say
      if (in.subsystem >= cycles.size())
        cycles.resize(in.subsystem + std::size_t{1}, 0);
      cycles[in.subsystem] += load.runs[block] * in.lambda_cycles;
    }
  }
  return cycles;
}

/// How far what two ask for per instruction lies apart, at most 1 where they are alike: the same but for a
/// twentieth, of all sites what takes bandwidth, of each what takes time; and a tenth of a cycle of each
/// pipe, so that parts of several loops hold of each what the whole holds.
double difference(const Load& a, const Load& b, const StreamTemplates& templates) {
  constexpr double relative = 0.05, negligible_sum = 1e-3;
  constexpr double negligible_wait = 2e-4; // some hundred cycles each
  constexpr double negligible_cycles = 0.1;
  double largest = 0;
  const auto look = [&](double x, double y, double negligible) {
    x /= std::max(a.instructions, 1.0);
    y /= std::max(b.instructions, 1.0);
    largest = std::max(largest, std::abs(x - y) / std::max(negligible, relative * std::max(x, y)));
  };
  for (std::size_t site = 0; site < a.waits.size(); ++site)
    for (std::size_t level = 0; level < a.waits[site].size(); ++level)
      look(a.waits[site][level], b.waits[site][level], negligible_wait);
  std::vector<double> x = pipe_cycles(a, templates), y = pipe_cycles(b, templates);
  x.resize(std::max(x.size(), y.size()));
  y.resize(x.size());
  for (std::size_t pipe = 0; pipe < x.size(); ++pipe)
    look(x[pipe], y[pipe], negligible_cycles);
  look(a.transactions, b.transactions, negligible_sum);
  look(a.l2_sectors, b.l2_sectors, negligible_sum);
  look(a.dram_sectors, b.dram_sectors, negligible_sum);
  return largest;
}

template <class Figures> void extend(Figures& out, const Figures& shorter, double more) {
  for (std::size_t i = 0; i < out.size() && i < shorter.size(); ++i)
    out[i] += static_cast<typename Figures::value_type>(more * (out[i] - shorter[i]));
}

} // namespace

TraceCutter::TraceCutter(const facts::KernelTrace& trace, const std::vector<facts::BehaviourClass>& classes,
                         const facts::MemoryProfile& memory, const StreamTemplates& templates)
    : trace_(trace), classes_(classes), memory_(memory), templates_(templates) {
  for (const facts::BehaviourClass& behaviour : classes) {
    std::vector<WarpLoops>& of_class = warps_.emplace_back();
    for (const facts::WarpTrace& warp : trace.groups[behaviour.samples.front()].warps) {
      std::vector<double> before{0};
      before.reserve(warp.steps.size() + 1);
      for (std::size_t step = 0; step < warp.steps.size(); ++step)
        before.push_back(before.back() + static_cast<double>(templates.instructions_of(warp, step)));
      instructions_ += behaviour.weight_groups * before.back();
      of_class.push_back({.instructions_before = std::move(before), .runs = runs_of(warp)});
    }
  }
}

bool TraceCutter::choose_loops(double least_share, bool anywhere) {
  std::size_t longest = 0, longest_uncut = 0;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const std::vector<facts::WarpTrace>& traces = trace_.groups[classes_[c].samples.front()].warps;
    for (std::size_t w = 0; w < traces.size(); ++w) {
      const std::size_t steps = traces[w].steps.size();
      WarpLoops& warp = warps_[c][w];
      warp.loops = loops_of(warp.runs, steps, least_runs / least_share);
      if (warp.loops.empty() && anywhere && steps > 0) {
        warp.steps.resize(steps);
        std::iota(warp.steps.begin(), warp.steps.end(), std::size_t{0});
        warp.loops.emplace_back(warp.steps);
      }
      longest = std::max(longest, steps);
      if (warp.loops.empty())
        longest_uncut = std::max(longest_uncut, steps);
    }
  }
  return static_cast<double>(longest_uncut) <= least_share * static_cast<double>(longest);
}

std::optional<TwoParts> TraceCutter::first_iterations(double shorter_share, double longer_share) const {
  return cut(shorter_share, longer_share, keep_first);
}

std::optional<TwoParts> TraceCutter::spread_iterations(double shorter_share, double longer_share,
                                                       std::size_t stretches) const {
  return cut(shorter_share, longer_share, [&](WarpCuts& cuts, Loop loop, double share) {
    keep_spread(cuts, loop, share, longer_share, stretches);
  });
}

template <class Keep>
std::optional<TwoParts> TraceCutter::cut(double shorter_share, double longer_share, const Keep& keep) const {
  TwoParts parts;
  double between = 0, rest = 0; // instructions that the longer holds more, and that it leaves out
  parts.shorter.cuts.resize(trace_.groups.size());
  parts.longer.cuts.resize(trace_.groups.size());
  for (std::size_t c = 0; c < classes_.size(); ++c)
    for (const WarpLoops& warp : warps_[c]) {
      WarpCuts shorter, longer;
      for (const Loop& loop : warp.loops) {
        keep(shorter, loop, shorter_share);
        keep(longer, loop, longer_share);
      }
      const auto instructions = [&](const std::vector<TraceCut>& ranges) {
        double sum = 0;
        for (const TraceCut& range : ranges)
          sum += warp.instructions_before[range.to] - warp.instructions_before[range.from];
        return classes_[c].weight_groups * sum;
      };
      between += instructions(held_more(shorter, longer));
      rest += instructions(longer);
      for (const std::uint32_t sample : classes_[c].samples) {
        parts.shorter.cuts[sample].push_back(shorter);
        parts.longer.cuts[sample].push_back(longer);
      }
    }
  if (between <= 0)
    return std::nullopt;
  parts.held_share = 1 - rest / instructions_;
  parts.more = rest / between;
  return parts;
}

double TraceCutter::difference_of(const TwoParts& parts) const {
  Load between(memory_.sites.size(), templates_.block_count()),
      rest(memory_.sites.size(), templates_.block_count());
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const std::vector<std::uint32_t>& samples = classes_[c].samples;
    const double weight = classes_[c].weight_groups / static_cast<double>(samples.size());
    for (const std::uint32_t sample : samples)
      for (std::size_t w = 0; w < warps_[c].size(); ++w) {
        const facts::WarpTrace& warp = trace_.groups[sample].warps[w];
        const std::vector<facts::AccessOutcome>& outcomes = memory_.outcomes[sample][w];
        const std::vector<double>& before = warps_[c][w].instructions_before;
        const auto take = [&](Load& load, const TraceCut& range) {
          load.instructions += weight * (before[range.to] - before[range.from]);
          add(load, warp, outcomes, range, weight);
        };
        const WarpCuts &shorter = parts.shorter.cuts[sample][w], &longer = parts.longer.cuts[sample][w];
        for (const TraceCut& range : held_more(shorter, longer))
          take(between, range);
        for (const TraceCut& range : longer)
          take(rest, range);
      }
  }
  return difference(between, rest, templates_);
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

} // namespace forewarp::predict::hybrid

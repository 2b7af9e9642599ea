#include "port/helper/recorder.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::uint64_t entry_flag = 1ULL << 63, run_flag = 1ULL << 62; // static/instrument.h
constexpr std::uint64_t largest_origin = 1ULL << 20;
constexpr std::uint64_t accesses_before_settling = 1U << 17;
constexpr std::size_t most_launches = 1U << 20;

} // namespace

RegionRecorder::RegionRecorder(const RegionPlan& plan, RunKind kind, const Objects& objects,
                               const Budget& budget)
    : plan_(plan), kind_(kind), objects_(objects), budget_(budget), loops_(plan.loop_steps.size()),
      runs_(plan.blocks.size()), detailed_runs_(plan.blocks.size()) {
  for (std::size_t i = 0; i < loops_.size(); ++i)
    loops_[i].innermost = plan.innermost[i];
  if (kind == RunKind::detail) {
    out_.steps.reserve(std::min(plan.expected_steps, budget.detail_words));
    out_.addresses.reserve(std::min(plan.expected_addresses, budget.detail_words));
  }
  if (kind == RunKind::survey)
    shadow_ = std::make_unique<Shadow>(plan, objects, budget.shadow_bytes);
}

void RegionRecorder::begin() {
  inside_ = true;
  launch_ = {};
  coordinates_ = {0, 0, 0};
  selected_ = false;
  if (shadow_)
    shadow_->next_launch();
}

void RegionRecorder::close(LoopState& loop) {
  if (!loop.open)
    return;
  loop.min_trips = std::min(loop.min_trips, loop.trips);
  loop.max_trips = std::max(loop.max_trips, loop.trips);
  loop.iterations += loop.trips;
  if (loop.innermost)
    launch_.innermost_iterations += loop.trips;
  loop.open = false;
}

void RegionRecorder::end() {
  for (LoopState& loop : loops_)
    close(loop);
  std::uint64_t all_runs = 0;
  for (const std::uint64_t runs : runs_)
    all_runs += runs;
  launch_.block_runs = all_runs - earlier_runs_;
  earlier_runs_ = all_runs;
  if (out_.launches.empty()) {
    detailed_runs_ = runs_;
    for (LoopState& loop : loops_) {
      loop.detailed_executions = loop.executions;
      loop.detailed_iterations = loop.iterations;
    }
  }
  if (out_.launches.size() < most_launches)
    out_.launches.push_back(launch_);
  inside_ = false;
}

void RegionRecorder::enter(std::uint32_t index, std::int64_t first_value) {
  LoopState& loop = loops_[index];
  close(loop);
  loop.open = true;
  loop.trips = 0;
  ++loop.executions;
  const std::int64_t step = plan_.loop_steps[index];
  const bool counts_up = step > 0 && first_value >= 0 && first_value % step == 0 &&
                         static_cast<std::uint64_t>(first_value / step) <= largest_origin;
  loop.base = counts_up ? static_cast<std::uint64_t>(first_value / step) : 0;
  if (index > 0 && index < plan_.candidates)
    prefixes_[index - 1].closed = true;
}

void RegionRecorder::header(std::uint32_t index) {
  LoopState& loop = loops_[index];
  coordinates_[index] = loop.base + loop.trips - 1;
  launch_.extents[index] = std::max(launch_.extents[index], coordinates_[index] + 1);
  for (unsigned deeper = index + 1; deeper < plan_.candidates; ++deeper)
    coordinates_[deeper] = 0;
  if (shadow_)
    shadow_->next_iteration(index, coordinates_);
  if (kind_ != RunKind::detail)
    return;
  for (unsigned level = index; level < plan_.dimensions; ++level)
    prefixes_[level] = {};
  if (index + 1 == plan_.dimensions)
    new_thread();
}

void RegionRecorder::new_thread() {
  ++launch_.threads;
  selected_ = false;
  if (!out_.launches.empty())
    return;
  // Block number with x the innermost parallel loop, and the largest of the block's coordinates.
  std::uint64_t number = 0, farthest = 0;
  for (unsigned level = 0; level < plan_.dimensions; ++level) {
    const std::uint64_t side = plan_.block[plan_.dimensions - 1 - level];
    number = number * ((plan_.extents[level] + side - 1) / side) + coordinates_[level] / side;
    farthest = std::max(farthest, coordinates_[level] / side);
  }
  // Beside the first blocks the nearest along each axis and diagonal: how addresses move with every axis, and
  // what a block away from the border does.
  const bool neighbour = plan_.detail_blocks > 0 && farthest <= 1;
  if (number >= plan_.detail_blocks && !neighbour)
    return;
  if (out_.steps.size() / 2 + out_.addresses.size() > budget_.detail_words) {
    out_.trace_complete = false;
    return;
  }
  selected_ = true;
  facts::RegionThread thread;
  for (unsigned level = 0; level < plan_.dimensions; ++level)
    thread.coordinate[level] = static_cast<std::uint32_t>(coordinates_[level]);
  thread.first_step = out_.steps.size();
  thread.first_address = out_.addresses.size();
  out_.threads.push_back(thread);
  for (unsigned level = 0; level + 1 < plan_.dimensions; ++level) {
    out_.steps.insert(out_.steps.end(), prefixes_[level].steps.begin(), prefixes_[level].steps.end());
    out_.addresses.insert(out_.addresses.end(), prefixes_[level].addresses.begin(),
                          prefixes_[level].addresses.end());
  }
  out_.threads.back().step_count = out_.steps.size() - thread.first_step;
}

/// Where the sites' objects lie in this run: the heap of the survey may have been another one.
void RegionRecorder::note_objects(const BlockPlan& plan, const std::uint64_t* addresses) {
  out_.sites.resize(plan_.sites.size());
  for (std::uint32_t i = 0; i < plan.site_count; ++i) {
    facts::RegionSite& site = out_.sites[plan.first_site + i];
    if (site.object != facts::no_region_index)
      continue;
    const KnownObject found = objects_.find(addresses[i]);
    site.object = static_cast<std::uint32_t>(out_.objects.size());
    out_.objects.push_back({.base = found.base, .size_bytes = found.size_bytes});
  }
}

void RegionRecorder::keep(std::uint32_t block, const BlockPlan& plan, const std::uint64_t* addresses) {
  if (plan.level >= 0 && static_cast<unsigned>(plan.level) + 1 < plan_.dimensions) {
    Prefix& prefix = prefixes_[static_cast<std::size_t>(plan.level)];
    if (!prefix.closed && out_.launches.empty()) {
      note_objects(plan, addresses);
      prefix.steps.push_back(block);
      prefix.addresses.insert(prefix.addresses.end(), addresses, addresses + plan.site_count);
    }
    return;
  }
  if (!selected_)
    return;
  note_objects(plan, addresses);
  out_.steps.push_back(block);
  for (std::uint32_t i = 0; i < plan.site_count; ++i)
    out_.addresses.push_back(addresses[i]);
  ++out_.threads.back().step_count;
}

void RegionRecorder::words(const std::uint64_t* at, const std::uint64_t* last) {
  if (!shadow_) {
    decode<false>(at, last);
    return;
  }
  if (generation_ != objects_.generation()) {
    generation_ = objects_.generation();
    shadow_->objects_changed();
  }
  decode<true>(at, last);
}

void RegionRecorder::settle_when_due() {
  if (!plan_.quick_reads || accesses_ < accesses_before_settling)
    return;
  accesses_ = 0;
  if (!settled_)
    shadow_->settle();
  settled_ = true;
}

template <bool survey> void RegionRecorder::step(std::uint32_t index, const std::uint64_t* addresses) {
  const BlockPlan& block = plan_.blocks[index];
  ++runs_[index];
  if (block.header) {
    ++loops_[block.loop].trips;
    if (block.loop < plan_.candidates)
      header(block.loop);
  }
  const std::uint32_t count = block.site_count;
  if constexpr (survey) {
    for (std::uint32_t i = 0; i < count; ++i)
      shadow_->access(block.first_site + i, addresses[i]);
    accesses_ += count;
  } else {
    keep(index, block, addresses);
  }
}

/// The inner loop of every recorded run.
template <bool survey> void RegionRecorder::decode(const std::uint64_t* at, const std::uint64_t* last) {
  const BlockPlan* const blocks = plan_.blocks.data();
  while (at < last) {
    const std::uint64_t word = *at++;
    if ((word & (entry_flag | run_flag)) != 0) [[unlikely]] {
      const auto index = static_cast<std::uint32_t>(word & ~(entry_flag | run_flag));
      if ((word & entry_flag) != 0) {
        enter(index, static_cast<std::int64_t>(*at++));
        continue;
      }
      run<survey>(index, at);
      at += 1 + 2 * std::size_t{blocks[index].site_count};
      if constexpr (survey)
        settle_when_due();
      continue;
    }
    step<survey>(static_cast<std::uint32_t>(word), at);
    at += blocks[word].site_count;
  }
  if constexpr (survey)
    settle_when_due();
}

void RegionRecorder::count_run(std::uint32_t index, std::uint64_t iterations) {
  const BlockPlan& block = plan_.blocks[index];
  LoopState& loop = loops_[block.loop];
  runs_[index] += iterations;
  loop.trips += iterations;
  if (block.loop >= plan_.candidates)
    return;
  coordinates_[block.loop] = loop.base + loop.trips - 1;
  launch_.extents[block.loop] = std::max(launch_.extents[block.loop], coordinates_[block.loop] + 1);
  if (kind_ == RunKind::detail && block.loop + 1 == plan_.dimensions)
    launch_.threads += iterations;
}

template <bool survey> void RegionRecorder::run(std::uint32_t index, const std::uint64_t* words) {
  const BlockPlan& block = plan_.blocks[index];
  const std::uint64_t iterations = words[0];
  if (iterations == 0)
    return;
  if constexpr (survey) {
    const LoopState& loop = loops_[block.loop];
    std::array<std::uint64_t, 3> first = coordinates_;
    const bool candidate = block.loop < plan_.candidates;
    if (candidate) {
      first[block.loop] = loop.base + loop.trips;
      for (unsigned deeper = block.loop + 1; deeper < plan_.candidates; ++deeper)
        first[deeper] = 0;
    }
    const int level = candidate ? static_cast<int>(block.loop) : -1;
    if (shadow_->access_run(level, first, block.first_site, block.site_count, iterations, words + 1)) {
      count_run(index, iterations);
      accesses_ += iterations * block.site_count;
      return;
    }
  } else {
    const bool prefix = block.level >= 0 && static_cast<unsigned>(block.level) + 1 < plan_.dimensions;
    if (!out_.launches.empty() || (block.loop >= plan_.dimensions && !selected_ && !prefix)) {
      count_run(index, iterations);
      return;
    }
  }
  addresses_.resize(block.site_count);
  for (std::uint64_t k = 0; k < iterations; ++k) {
    for (std::uint32_t i = 0; i < block.site_count; ++i)
      addresses_[i] = words[1 + 2 * i] + k * words[2 + 2 * i];
    step<survey>(index, addresses_.data());
  }
}

std::uint32_t RegionRecorder::last_block(const std::uint64_t* at, const std::uint64_t* last) const {
  std::uint32_t block = facts::no_region_index;
  while (at < last) {
    const std::uint64_t word = *at++;
    if ((word & entry_flag) != 0) {
      ++at;
      continue;
    }
    if ((word & ~run_flag) >= plan_.blocks.size())
      return block;
    if ((word & run_flag) != 0) {
      block = static_cast<std::uint32_t>(word & ~run_flag);
      at += 1 + 2 * std::size_t{plan_.blocks[block].site_count};
      continue;
    }
    block = static_cast<std::uint32_t>(word);
    at += plan_.blocks[block].site_count;
  }
  return block;
}

void RegionRecorder::finish(facts::RegionTrace& trace) {
  trace = std::move(out_);
  if (shadow_) {
    shadow_->finish(trace);
    if (shadow_->over_budget())
      trace.trace_complete = false;
  }
  trace.loops.resize(loops_.size());
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    trace.loops[i].executions = loops_[i].executions;
    trace.loops[i].iterations = loops_[i].iterations;
    trace.loops[i].detailed_launch_executions = loops_[i].detailed_executions;
    trace.loops[i].detailed_launch_iterations = loops_[i].detailed_iterations;
    trace.loops[i].min_trips = loops_[i].executions > 0 ? loops_[i].min_trips : 0;
    trace.loops[i].max_trips = loops_[i].max_trips;
  }
  trace.blocks.resize(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    trace.blocks[i].runs = runs_[i];
    trace.blocks[i].detailed_launch_runs = detailed_runs_[i];
  }
}

} // namespace forewarp::port

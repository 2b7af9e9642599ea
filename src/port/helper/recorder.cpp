#include "port/helper/recorder.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::uint64_t largest_origin = 1ULL << 20;
constexpr std::uint64_t accesses_before_settling = 1U << 17;
constexpr std::size_t most_launches = 1U << 20;
constexpr std::uint64_t least_batch = 4; ///< iterations from which on the shadow goes over them site by site

} // namespace

RegionRecorder::RegionRecorder(const RegionPlan& plan, RunKind kind, const Objects& objects,
                               const Budget& budget)
    : plan_(plan), kind_(kind), objects_(objects), budget_(budget), loops_(plan.loop_steps.size()),
      runs_(plan.blocks.size()), detailed_runs_(plan.blocks.size()), paths_(plan.runs.size()),
      last_paths_(plan.runs.size()) {
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
    if (open_.run != facts::no_region_index && open_.left > 0) {
      at = scatter<survey>(at, last);
      continue;
    }
    const std::uint64_t word = *at++;
    if (open_.run != facts::no_region_index) {
      way<survey>(word);
      continue;
    }
    if ((word & (loop_entry_flag | run_flag)) != 0) [[unlikely]] {
      const auto index = static_cast<std::uint32_t>(word & ~(loop_entry_flag | run_flag));
      if ((word & loop_entry_flag) != 0) {
        enter(index, static_cast<std::int64_t>(*at++));
        continue;
      }
      at = begin_run<survey>(index, at);
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

template <bool survey>
const std::uint64_t* RegionRecorder::begin_run(std::uint32_t run_index, const std::uint64_t* words) {
  const RunPlan& plan = plan_.runs[run_index];
  const std::size_t places = 2 * std::size_t{plan.site_count};
  const std::uint64_t iterations = plan.paths ? 0 : *words++;
  if constexpr (survey)
    if (!plan.paths && plan.scattered.empty() && iterations < least_batch) {
      survey_brief(path_of(run_index, 0), 0, iterations, words);
      return words + places;
    }
  open_.run = run_index;
  open_.done = 0;
  open_.places.assign(words, words + places);
  open_.left = plan.scattered.empty() ? 0 : iterations;
  if (!plan.paths && plan.scattered.empty()) {
    run<survey>(path_of(run_index, 0), iterations);
    open_.run = facts::no_region_index;
  }
  return words + places;
}

/// Few iterations: loops over a window are mostly what they cost to begin. `places`: first address and stride
/// of each site of the run.
void RegionRecorder::survey_brief(const Path& path, std::uint64_t from, std::uint64_t iterations,
                                  const std::uint64_t* places) {
  const std::uint32_t loop = plan_.blocks[path.blocks.front()].loop;
  const bool candidate = loop < plan_.candidates;
  std::array<std::uint64_t, 3> at = coordinates_;
  if (candidate) {
    at[loop] = loops_[loop].base + loops_[loop].trips;
    for (unsigned deeper = loop + 1; deeper < plan_.candidates; ++deeper)
      at[deeper] = 0;
  }
  for (std::uint64_t k = from; k < from + iterations; ++k) {
    if (candidate) {
      shadow_->next_iteration(loop, at);
      ++at[loop];
    }
    for (std::size_t i = 0; i < path.sites.size(); ++i) {
      const std::uint64_t* const place = places + 2 * std::size_t{path.places[i]};
      shadow_->access(path.sites[i], place[0] + k * place[1]);
    }
  }
  accesses_ += iterations * path.sites.size();
  count(path, iterations);
}

template <bool survey>
const std::uint64_t* RegionRecorder::scatter(const std::uint64_t* words, const std::uint64_t* last) {
  const std::vector<std::uint32_t>& sites = plan_.runs[open_.run].scattered;
  const auto there = static_cast<std::uint64_t>(last - words) / sites.size();
  const std::uint64_t iterations = std::min(there, open_.left);
  if (iterations == 0) // cut short: the program ended inside
    return last;
  open_.left -= iterations;
  run<survey>(path_of(open_.run, 0), iterations, {&sites, words});
  if (open_.left == 0)
    open_.run = facts::no_region_index;
  return words + iterations * sites.size();
}

template <bool survey> void RegionRecorder::way(std::uint64_t word) {
  if (word == end_of_run)
    open_.run = facts::no_region_index;
  else if (const std::uint64_t iterations = word / one_iteration; iterations > 0)
    run<survey>(path_of(open_.run, word & path_mask), iterations);
}

const RegionRecorder::Path& RegionRecorder::path_of(std::uint32_t run_index, std::uint64_t bits) {
  LastPath& last = last_paths_[run_index];
  if (last.path == nullptr || last.bits != bits)
    last = {bits, &make_path(run_index, bits)};
  return *last.path;
}

const RegionRecorder::Path& RegionRecorder::make_path(std::uint32_t run_index, std::uint64_t bits) {
  const auto [entry, fresh] = paths_[run_index].try_emplace(bits);
  Path& path = entry->second;
  if (!fresh)
    return path;
  std::uint32_t place = 0;
  for (const RunPlan::Block& part : plan_.runs[run_index].blocks) {
    const BlockPlan& block = plan_.blocks[part.block];
    if (part.bit < 0 || (bits >> part.bit & 1) != 0) {
      path.blocks.push_back(part.block);
      for (std::uint32_t s = 0; s < block.site_count; ++s) {
        path.sites.push_back(block.first_site + s);
        path.places.push_back(place + s);
      }
    }
    place += block.site_count;
  }
  return path;
}

void RegionRecorder::count(const Path& path, std::uint64_t iterations) {
  for (const std::uint32_t block : path.blocks)
    runs_[block] += iterations;
  const std::uint32_t index = plan_.blocks[path.blocks.front()].loop;
  LoopState& loop = loops_[index];
  loop.trips += iterations;
  if (index >= plan_.candidates)
    return;
  coordinates_[index] = loop.base + loop.trips - 1;
  launch_.extents[index] = std::max(launch_.extents[index], coordinates_[index] + 1);
  if (kind_ == RunKind::detail && index + 1 == plan_.dimensions)
    launch_.threads += iterations;
}

bool RegionRecorder::wants(const BlockPlan& block) const {
  const bool prefix = block.level >= 0 && static_cast<unsigned>(block.level) + 1 < plan_.dimensions;
  return out_.launches.empty() && (block.loop < plan_.dimensions || selected_ || prefix);
}

template <bool survey>
void RegionRecorder::run(const Path& path, std::uint64_t iterations, const Shadow::Scattered& scattered) {
  const BlockPlan& header = plan_.blocks[path.blocks.front()];
  const std::uint64_t from = open_.done;
  open_.done += iterations;
  if constexpr (survey) {
    if (iterations < least_batch && scattered.count() == 0) {
      survey_brief(path, from, iterations, open_.places.data());
      return;
    }
    walks_.clear();
    for (std::size_t i = 0; i < path.sites.size(); ++i) {
      const std::uint64_t stride = open_.places[2 * path.places[i] + 1];
      walks_.push_back({path.sites[i], open_.places[2 * path.places[i]] + from * stride,
                        static_cast<std::int64_t>(stride)});
    }
    accesses_ += iterations * walks_.size();
    survey_walks(header, iterations, scattered);
    count(path, iterations);
    return;
  }
  if (!wants(header)) {
    count(path, iterations);
    return;
  }
  const std::uint64_t kept = header.loop + 1 == plan_.dimensions
                                 ? std::min(iterations, iterations_in_detail(header.loop))
                                 : iterations;
  for (std::uint64_t k = from; k < from + kept; ++k) {
    std::size_t site = 0;
    for (const std::uint32_t block : path.blocks) {
      addresses_.clear();
      for (std::uint32_t s = 0; s < plan_.blocks[block].site_count; ++s, ++site)
        addresses_.push_back(open_.places[2 * path.places[site]] +
                             k * open_.places[2 * path.places[site] + 1]);
      for (std::size_t i = 0; i < scattered.count(); ++i) // of the one block
        addresses_[(*scattered.places)[i]] = scattered.address(k - from, i);
      step<survey>(block, addresses_.data());
    }
  }
  if (kept == iterations)
    return;
  count(path, iterations - kept);
  selected_ = false;
}

/// Of the innermost parallel loop, from its next iteration on: behind them no thread is selected any more.
std::uint64_t RegionRecorder::iterations_in_detail(std::uint32_t loop) const {
  std::uint64_t number = 0, farthest = 0;
  for (unsigned level = 0; level + 1 < plan_.dimensions; ++level) {
    const std::uint64_t side = plan_.block[plan_.dimensions - 1 - level];
    number = number * ((plan_.extents[level] + side - 1) / side) + coordinates_[level] / side;
    farthest = std::max(farthest, coordinates_[level] / side);
  }
  const std::uint64_t before = number * ((plan_.extents[loop] + plan_.block[0] - 1) / plan_.block[0]);
  const std::uint64_t first_blocks = plan_.detail_blocks > before ? plan_.detail_blocks - before : 0;
  const std::uint64_t neighbours = plan_.detail_blocks > 0 && farthest <= 1 ? 2 : 0;
  const std::uint64_t end = std::max(first_blocks, neighbours) * plan_.block[0];
  const std::uint64_t next = loops_[loop].base + loops_[loop].trips;
  return end > next ? end - next : 0;
}

/// The accesses of walks_ in the shadow.
void RegionRecorder::survey_walks(const BlockPlan& header, std::uint64_t iterations,
                                  const Shadow::Scattered& scattered) {
  const bool candidate = header.loop < plan_.candidates;
  std::array<std::uint64_t, 3> at = coordinates_;
  if (candidate) {
    at[header.loop] = loops_[header.loop].base + loops_[header.loop].trips;
    for (unsigned deeper = header.loop + 1; deeper < plan_.candidates; ++deeper)
      at[deeper] = 0;
  }
  const int level = candidate ? static_cast<int>(header.loop) : -1;
  if (shadow_->access_run(level, at, walks_, iterations, scattered))
    return;
  for (std::uint64_t k = 0; k < iterations; ++k) {
    if (candidate) {
      shadow_->next_iteration(header.loop, at);
      ++at[header.loop];
    }
    for (std::size_t i = 0; i < scattered.count(); ++i)
      walks_[(*scattered.places)[i]].address = scattered.address(k, i);
    for (Shadow::Walk& walk : walks_) {
      shadow_->access(walk.site, walk.address);
      walk.address += static_cast<std::uint64_t>(walk.stride);
    }
  }
}

} // namespace forewarp::port

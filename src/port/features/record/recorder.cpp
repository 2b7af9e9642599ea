#include "port/features/record/recorder.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::uint64_t stretch = ilp_windows.back();
constexpr std::uint64_t first_looks = 4; ///< stretches at the begin that are looked at whole
constexpr std::uint64_t stretches_for_each_look = 24;

/// First instruction of a later look: somewhere in its 24 stretches, so that no period of the program meets
/// it.
std::uint64_t place_of_look(std::uint64_t look) {
  const std::uint64_t mixed = look * 0x9E3779B97F4A7C15ULL >> 32;
  return (look * stretches_for_each_look + (mixed * stretches_for_each_look >> 32)) * stretch;
}

std::vector<std::uint32_t> widths_of(const RegionPlan& plan) {
  std::vector<std::uint32_t> widths;
  for (const SitePlan& site : plan.sites)
    widths.push_back(site.width_bytes);
  return widths;
}

} // namespace

FeatureRecorder::FeatureRecorder(const RegionPlan& plan, const FeaturePlan& features, const Objects& objects)
    : plan_(plan), features_(features), space_(objects, plan.sites.size()), windows_(widths_of(plan)),
      branches_(features.branch_count), ilp_(features.value_count),
      last_block_(plan.sites.size(), UINT64_MAX), runs_(plan.blocks.size()),
      at_(features.function_count, facts::no_region_index), paths_(plan.runs.size()) {}

void FeatureRecorder::begin() {
  ++launches_;
  footprint_.begin_launch();
  std::fill(last_block_.begin(), last_block_.end(), UINT64_MAX);
  std::fill(at_.begin(), at_.end(), facts::no_region_index);
  recent_ = {};
}

Footprint::Access FeatureRecorder::access_of(std::uint32_t site) const {
  const SitePlan& plan = plan_.sites[site];
  if (plan.local)
    return Footprint::Access::none;
  return plan.store ? Footprint::Access::write : Footprint::Access::read;
}

void FeatureRecorder::end() {
  arrive(0, facts::no_region_index);
}

void FeatureRecorder::arrive(std::uint32_t function, std::uint32_t block) {
  const std::uint32_t before = at_[function];
  at_[function] = block;
  if (before == facts::no_region_index)
    return;
  const FeatureBlock& left = features_.blocks[before];
  if (left.branch == facts::no_region_index)
    return;
  for (std::uint32_t way = 0; way < left.successors.size(); ++way)
    if (left.successors[way] == block) {
      branches_.decide(left.branch, way, 1);
      return;
    }
}

void FeatureRecorder::touch_reused(std::uint64_t block) {
  ++reuse_.accesses;
  std::size_t found = 0;
  while (found < recent_.size() && recent_[found] != block)
    ++found;
  if (found < recent_.size())
    ++reuse_.at[found];
  else
    found = recent_.size() - 1;
  for (; found > 0; --found)
    recent_[found] = recent_[found - 1];
  recent_[0] = block;
}

void FeatureRecorder::look_at(std::uint32_t index, std::uint32_t previous, const std::uint64_t* addresses) {
  if (!looking_) {
    looking_ = true;
    recent_ = {};
    ilp_.start();
  }
  const FeatureBlock& block = features_.blocks[index];
  std::uint32_t site = plan_.blocks[index].first_site;
  if (!block.phis.empty())
    ilp_.enter(block.phis, previous);
  const FeatureInstruction* instruction = features_.instructions.data() + block.first_instruction;
  for (std::uint32_t i = 0; i < block.instruction_count; ++i, ++instruction) {
    std::uint64_t address = 0;
    if (instruction->load || instruction->store) {
      address = *addresses++;
      touch_reused(space_.number(site++, address) / memory_block_bytes);
    }
    ilp_.instruction(*instruction, address);
  }
}

void FeatureRecorder::stop_looking() {
  ilp_.stop();
  looking_ = false;
  if (features_.detail == FeatureDetail::full) {
    next_look_ = 0;
    return;
  }
  ++looks_;
  next_look_ = looks_ < first_looks ? 0 : place_of_look(looks_ - first_looks + 1);
}

void FeatureRecorder::step(std::uint32_t index, const std::uint64_t* addresses) {
  const FeatureBlock& block = features_.blocks[index];
  const std::uint32_t previous = at_[block.function];
  arrive(block.function, index);
  ++runs_[index];
  const BlockPlan& plan = plan_.blocks[index];
  accesses_ += plan.site_count;
  for (std::uint32_t i = 0; i < plan.site_count; ++i) {
    const std::uint32_t site = plan.first_site + i;
    const std::uint64_t number = space_.number(site, addresses[i]);
    windows_.push(site, number);
    if (const std::uint64_t touched = number / memory_block_bytes; touched != last_block_[site]) {
      last_block_[site] = touched;
      footprint_.touch(number, access_of(site));
    }
  }
  if (wanted()) {
    look_at(index, previous, addresses);
    if (ilp_.full())
      stop_looking();
  }
  position_ += block.weight;
}

void FeatureRecorder::words(const std::uint64_t* at, const std::uint64_t* last) {
  space_.refresh();
  while (at < last) {
    if (open_.run != facts::no_region_index && open_.left > 0) {
      at = scatter(at, last);
      continue;
    }
    const std::uint64_t word = *at++;
    if (open_.run != facts::no_region_index) {
      way(word);
      continue;
    }
    if ((word & loop_entry_flag) != 0) {
      ++at; // the first value of the loop's variable
      continue;
    }
    if ((word & run_flag) != 0) {
      at = begin_run(static_cast<std::uint32_t>(word & ~run_flag), at);
      continue;
    }
    step(static_cast<std::uint32_t>(word), at);
    at += plan_.blocks[word].site_count;
  }
}

const std::uint64_t* FeatureRecorder::begin_run(std::uint32_t index, const std::uint64_t* words) {
  const RunPlan& plan = plan_.runs[index];
  const std::size_t places = 2 * std::size_t{plan.site_count};
  const std::uint64_t iterations = plan.paths ? 0 : *words++;
  open_.run = index;
  open_.done = 0;
  open_.places.assign(words, words + places);
  open_.left = plan.scattered.empty() ? 0 : iterations;
  if (!plan.paths && plan.scattered.empty()) {
    run(path_of(index, 0), iterations, {});
    open_.run = facts::no_region_index;
  }
  return words + places;
}

const std::uint64_t* FeatureRecorder::scatter(const std::uint64_t* words, const std::uint64_t* last) {
  const std::vector<std::uint32_t>& sites = plan_.runs[open_.run].scattered;
  const auto there = static_cast<std::uint64_t>(last - words) / sites.size();
  const std::uint64_t iterations = std::min(there, open_.left);
  if (iterations == 0) // cut short: the program ended inside
    return last;
  open_.left -= iterations;
  run(path_of(open_.run, 0), iterations, {&sites, words});
  if (open_.left == 0)
    open_.run = facts::no_region_index;
  return words + iterations * sites.size();
}

void FeatureRecorder::way(std::uint64_t word) {
  if (word == end_of_run)
    open_.run = facts::no_region_index;
  else if (const std::uint64_t iterations = word / one_iteration; iterations > 0)
    run(path_of(open_.run, word & path_mask), iterations, {});
}

const FeatureRecorder::Path& FeatureRecorder::path_of(std::uint32_t index, std::uint64_t bits) {
  const auto [entry, fresh] = paths_[index].try_emplace(bits);
  if (fresh)
    make_path(index, bits, entry->second);
  return entry->second;
}

void FeatureRecorder::make_path(std::uint32_t index, std::uint64_t bits, Path& path) const {
  std::uint32_t place = 0;
  for (const RunPlan::Block& part : plan_.runs[index].blocks) {
    const BlockPlan& block = plan_.blocks[part.block];
    if (part.bit < 0 || (bits >> part.bit & 1) != 0) {
      path.blocks.push_back(part.block);
      path.weight += features_.blocks[part.block].weight;
      for (std::uint32_t s = 0; s < block.site_count; ++s) {
        path.sites.push_back(block.first_site + s);
        path.places.push_back(place + s);
      }
    }
    place += block.site_count;
  }
  for (std::size_t i = 0; i + 1 < path.blocks.size(); ++i) {
    const FeatureBlock& block = features_.blocks[path.blocks[i]];
    for (std::uint32_t way = 0; block.branch != facts::no_region_index && way < block.successors.size();
         ++way)
      if (block.successors[way] == path.blocks[i + 1]) {
        path.inside.push_back({block.branch, way});
        break;
      }
  }
}

void FeatureRecorder::run(const Path& path, std::uint64_t iterations, const Scattered& scattered) {
  const std::uint64_t from = open_.done;
  open_.done += iterations;
  if (iterations == 0)
    return;
  const std::uint32_t header = path.blocks.front(), latch = path.blocks.back();
  const std::uint32_t function = features_.blocks[header].function;
  const std::uint32_t previous = at_[function];
  arrive(function, header);
  at_[function] = latch;
  for (const std::uint32_t block : path.blocks)
    runs_[block] += iterations;
  for (const Path::Decision& decision : path.inside)
    branches_.decide(decision.branch, decision.way, iterations);
  const FeatureBlock& end = features_.blocks[latch];
  if (iterations > 1 && end.branch != facts::no_region_index)
    for (std::uint32_t way = 0; way < end.successors.size(); ++way)
      if (end.successors[way] == header) {
        branches_.decide(end.branch, way, iterations - 1);
        break;
      }
  run_accesses(path, from, iterations, scattered);
  at_[function] = previous; // for the first iteration's phis
  look_at_run(path, from, iterations, scattered);
  at_[function] = latch;
}

void FeatureRecorder::run_accesses(const Path& path, std::uint64_t from, std::uint64_t iterations,
                                   const Scattered& scattered) {
  accesses_ += iterations * path.sites.size();
  for (std::size_t i = 0; i < path.sites.size(); ++i) {
    if (scattered.count() != 0 && std::find(scattered.places->begin(), scattered.places->end(),
                                            path.places[i]) != scattered.places->end())
      continue;
    const std::uint32_t site = path.sites[i];
    const std::uint64_t* const place = open_.places.data() + 2 * std::size_t{path.places[i]};
    const std::uint64_t first = place[0] + from * place[1], last = first + (iterations - 1) * place[1];
    if (space_.one_object(site, first, last)) {
      const std::uint64_t number = space_.number(site, first);
      windows_.push_run(site, number, static_cast<std::int64_t>(place[1]), iterations);
      footprint_.touch_run(number, static_cast<std::int64_t>(place[1]), iterations, access_of(site));
      continue;
    }
    for (std::uint64_t k = 0; k < iterations; ++k) {
      const std::uint64_t number = space_.number(site, first + k * place[1]);
      windows_.push(site, number);
      footprint_.touch(number, access_of(site));
    }
  }
  for (std::uint64_t k = 0; k < iterations; ++k)
    for (std::size_t s = 0; s < scattered.count(); ++s) {
      const std::uint32_t site = path.sites[(*scattered.places)[s]]; // of the one block
      const std::uint64_t number = space_.number(site, scattered.words[k * scattered.count() + s]);
      windows_.push(site, number);
      if (const std::uint64_t touched = number / memory_block_bytes; touched != last_block_[site]) {
        last_block_[site] = touched;
        footprint_.touch(number, access_of(site));
      }
    }
}

void FeatureRecorder::look_at_run(const Path& path, std::uint64_t from, std::uint64_t iterations,
                                  const Scattered& scattered) {
  const std::uint32_t function = features_.blocks[path.blocks.front()].function;
  std::uint32_t previous = at_[function];
  for (std::uint64_t k = 0; k < iterations;) {
    if (!wanted()) {
      const std::uint64_t skipped =
          std::min(iterations - k, (next_look_ - position_ + path.weight - 1) / std::max(1U, path.weight));
      position_ += skipped * path.weight;
      k += skipped;
      previous = path.blocks.back();
      continue;
    }
    std::size_t site = 0;
    for (const std::uint32_t block : path.blocks) {
      addresses_.clear();
      for (std::uint32_t s = 0; s < plan_.blocks[block].site_count; ++s, ++site) {
        const std::uint64_t* const place = open_.places.data() + 2 * std::size_t{path.places[site]};
        addresses_.push_back(place[0] + (from + k) * place[1]);
      }
      for (std::size_t s = 0; s < scattered.count(); ++s)
        addresses_[(*scattered.places)[s]] = scattered.words[k * scattered.count() + s];
      look_at(block, previous, addresses_.data());
      previous = block;
      position_ += features_.blocks[block].weight;
    }
    ++k;
    if (ilp_.full())
      stop_looking();
  }
}

FeatureCounts FeatureRecorder::finish() {
  if (looking_)
    ilp_.stop();
  FeatureCounts counts;
  counts.block_runs = runs_;
  FeatureTotals& totals = counts.totals;
  totals.launches = launches_;
  totals.accesses = accesses_;
  totals.blocks = footprint_.blocks();
  totals.pages = footprint_.pages();
  totals.read_blocks = footprint_.read_blocks();
  totals.written_blocks = footprint_.written_blocks();
  totals.windows = windows_.counts();
  totals.branches = branches_.counts();
  totals.ilp = ilp_.counts();
  totals.reuse = reuse_;
  return counts;
}

} // namespace forewarp::port

#include "engine/run_store.h"

#include "lift/lift.h"
#include "simt/group_places.h"
#include "simt/sampling/sampling.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace forewarp::engine {
namespace {

// Structured bindings: a member that is added has to be looked at here.

bool same_contents(const facts::BufferContents& one, const facts::BufferContents& other) {
  const auto& [kind, seed, start, step, low, high, spread, bytes] = one;
  return std::tie(kind, seed, start, step, low, high, spread, bytes) ==
         std::tie(other.kind, other.seed, other.start, other.step, other.low, other.high, other.spread,
                  other.bytes);
}

bool same_image(const std::optional<facts::ImageValue>& one, const std::optional<facts::ImageValue>& other) {
  if (!one || !other)
    return one.has_value() == other.has_value();
  const auto& [width, height, depth, texel_bytes, format, linear, sampler] = *one;
  return std::tie(width, height, depth, texel_bytes, format, linear, sampler) ==
         std::tie(other->width, other->height, other->depth, other->texel_bytes, other->format, other->linear,
                  other->sampler);
}

bool same_argument(const facts::ArgumentValue& one, const facts::ArgumentValue& other) {
  if (one.index() != other.index())
    return false;
  if (const auto* scalar = std::get_if<facts::ScalarValue>(&one)) {
    const auto& [text, bytes] = *scalar;
    const auto& second = std::get<facts::ScalarValue>(other);
    return text == second.text && bytes == second.bytes;
  }
  const auto& [type, count, contents, map, image] = std::get<facts::BufferValue>(one);
  const auto& second = std::get<facts::BufferValue>(other);
  return type == second.type && count == second.count && map == second.map &&
         same_image(image, second.image) && same_contents(contents, second.contents);
}

bool same_launch(const facts::Launch& one, const facts::Launch& other) {
  const auto& [groups, global_items, group_size, dynamic_shared_bytes, cluster, arguments, symbols] = one;
  const auto same_entry = [](const auto& a, const auto& b) {
    return a.first == b.first && same_argument(a.second, b.second);
  };
  return groups == other.groups && global_items == other.global_items && group_size == other.group_size &&
         dynamic_shared_bytes == other.dynamic_shared_bytes && cluster == other.cluster &&
         symbols == other.symbols && std::ranges::equal(arguments, other.arguments, same_entry);
}

/// The groups that `run` took are the first of both plans, and what it takes beside hangs on these alone.
bool same_sample(const facts::KernelTrace& run, const simt::RunOptions& its, const simt::RunOptions& wanted) {
  simt::RunOptions same_wave = its;
  same_wave.first_wave_groups = wanted.first_wave_groups;
  if (same_wave != wanted)
    return false;
  const std::vector<std::uint64_t> first = simt::plan_sample(run.shape.groups, its).groups,
                                   second = simt::plan_sample(run.shape.groups, wanted).groups;
  const std::size_t taken = run.groups.size() + 1; // and one that a full trace could not hold
  const auto of_plan = [&](const std::vector<std::uint64_t>& plan) {
    return std::span(plan).first(std::min(taken, plan.size()));
  };
  return std::ranges::equal(of_plan(first), of_plan(second));
}

/// A run would record the first part of the longest group, whose iterations need not be alike: where groups
/// differ, so do they.
bool is_cut(const statictrace::Lengths& lengths, const simt::RunOptions& options) {
  return lengths.exact && lengths.longest_group &&
         lengths.longest_trace_bytes > static_cast<double>(options.max_trace_bytes) / simt::fitting_groups;
}

/// Addresses that are read from memory, say: counting does not know them, a run does.
bool has_unknown_addresses(const facts::KernelTrace& trace) {
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (event.pattern == facts::MemoryEvent::Pattern::unknown)
          return true;
  return false;
}

bool is_lifted(const Target& target) {
  return !lift::machine_code_of(target.compiled->module.module()).empty();
}

} // namespace

statictrace::Analysis* RunStore::analysis_of(const Target& target) {
  if (analysed_ == target.compiled && analysed_prepared_ == target.prepared)
    return analysis_.get();
  analysed_ = target.compiled;
  analysed_prepared_ = target.prepared;
  auto made =
      statictrace::Analysis::make(target.compiled->module, *target.compiled->kernel, *target.prepared);
  analysis_ = made ? *std::move(made) : nullptr;
  return analysis_.get();
}

Result<std::shared_ptr<const SampledRun>>
RunStore::analysed(const Target& target, const facts::Launch& launch, const simt::RunOptions& options) {
  if (is_lifted(target))
    return fail(ErrorCode::unsupported, "machine code has no source-level analysis", "--trace",
                "leave --trace static away");
  auto analysis =
      statictrace::Analysis::make(target.compiled->module, *target.compiled->kernel, *target.prepared);
  FOREWARP_TRY(analysis);
  auto trace = (*analysis)->trace(launch, options);
  FOREWARP_TRY(trace);
  return std::make_shared<const SampledRun>(std::move(*trace), facts::SlowDivisions{});
}

Result<simt::RunResult> RunStore::run_or_count(const Target& target, const facts::Launch& launch,
                                               const simt::RunOptions& options) {
  // The source-level analysis reads loops as compilers of source write them, not as an assembler does.
  const bool runs_always = options.whole_grid || is_lifted(target);
  statictrace::Analysis* analysis = runs_always ? nullptr : analysis_of(target);
  if (analysis == nullptr)
    return target.prepared->run(launch, options);
  const auto lengths = analysis->lengths(launch, options);
  if (!lengths)
    return target.prepared->run(launch, options);
  simt::RunOptions with_longest = options;
  with_longest.longest_group = lengths->longest_group;
  with_longest.lengths_rest_on_data = !lengths->exact;
  const bool too_many = lengths->instructions_of_a_group > static_cast<double>(options.max_instructions);
  if (!too_many && !is_cut(*lengths, options))
    return target.prepared->run(launch, with_longest);
  auto trace = analysis->counted_trace(launch, with_longest, !too_many);
  // Within the instruction budget a part of each warp can be recorded: where one group, counted, is longer
  // than the trace's budget, or where counting leaves addresses open that the run knows.
  if (!too_many && (!trace || has_unknown_addresses(*trace)))
    return target.prepared->run(launch, with_longest);
  FOREWARP_TRY(trace);
  return simt::RunResult{.trace = std::move(*trace), .slow_divisions = {}, .buffers = {}};
}

Result<std::shared_ptr<const SampledRun>> RunStore::get(const Target& target, const facts::Launch& launch,
                                                        const simt::RunOptions& options) {
  const auto known = std::ranges::find_if(kept_, [&](const Kept& kept) {
    return kept.compiled == target.compiled && same_launch(kept.launch, launch) &&
           same_sample(kept.run->trace, kept.options, options);
  });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
    return kept_.front().run;
  }
  if (kept_.size() >= capacity_ && !kept_.empty())
    kept_.pop_back(); // before the next one needs its memory
  ++runs_;
  auto run = run_or_count(target, launch, options);
  FOREWARP_TRY(run);
  memory::GroupPlaces places;
  // A whole grid's run, too, keeps the traces of some groups only.
  if (run->trace.groups.size() < run->trace.shape.groups.count())
    places = simt::group_places(target.compiled->module, *target.compiled->kernel, launch, run->trace.shape);
  auto made = std::make_shared<const SampledRun>(std::move(run->trace), std::move(run->slow_divisions),
                                                 std::move(places));
  if (capacity_ > 0)
    kept_.push_front({target.compiled, launch, options, made});
  return made;
}

} // namespace forewarp::engine

#include "predict/traced/waves/partial_run.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace forewarp::predict::hybrid {
namespace {

/// The dealt groups as the simulator takes them.
class SampledGroups final : public pipeline::GroupSource {
public:
  SampledGroups(const Facts& facts, const StreamTemplates& templates, const std::vector<std::uint32_t>& dealt,
                const TraceCuts* cuts)
      : facts_(facts), templates_(templates), dealt_(dealt), cuts_(cuts) {}

  std::unique_ptr<pipeline::GroupStreams> next() override {
    if (at_ == dealt_.size())
      return nullptr;
    const std::uint32_t sample = dealt_[at_++];
    auto group = std::make_unique<pipeline::GroupStreams>();
    for (std::size_t w = 0; w < facts_.trace.groups[sample].warps.size(); ++w) {
      std::span<const TraceCut> cuts;
      if (cuts_ != nullptr)
        cuts = cuts_->cuts[sample][w];
      group->warps.push_back(std::make_unique<TraceStream>(templates_, facts_.trace.groups[sample].warps[w],
                                                           facts_.memory.outcomes[sample][w], 0, cuts));
      if (templates_.has_meetings())
        count_arrivals(templates_, facts_.trace.groups[sample].warps[w], cuts, group->arrivals);
    }
    return group;
  }

private:
  const Facts& facts_;
  const StreamTemplates& templates_;
  const std::vector<std::uint32_t>& dealt_;
  std::size_t at_ = 0;
  const TraceCuts* cuts_;
};

/// The classes and samples that the simulated groups come from, weighed by their number.
std::vector<facts::BehaviourClass> of_dealt(const std::vector<facts::BehaviourClass>& classes,
                                            const std::vector<std::uint32_t>& dealt) {
  std::vector<facts::BehaviourClass> out;
  for (facts::BehaviourClass behaviour : classes) {
    const auto count = [&](std::uint32_t sample) { return std::count(dealt.begin(), dealt.end(), sample); };
    std::erase_if(behaviour.samples, [&](std::uint32_t sample) { return count(sample) == 0; });
    behaviour.weight_groups = 0;
    for (const std::uint32_t sample : behaviour.samples)
      behaviour.weight_groups += static_cast<double>(count(sample));
    if (!behaviour.samples.empty())
      out.push_back(std::move(behaviour));
  }
  return out;
}

/// One part and what it took.
struct Part {
  TraceCuts cuts;
  pipeline::Outcome outcome;
};

double cycles_per_instruction(const pipeline::Outcome& shorter, const pipeline::Outcome& longer) {
  return (longer.cycles - shorter.cycles) / std::max(longer.instructions - shorter.instructions, 1.0);
}

/// What the last instructions took is near what those before took, or near the mean from the start.
bool steady(const pipeline::Outcome* before, const pipeline::Outcome& shorter,
            const pipeline::Outcome& longer) {
  constexpr double of_mean = 0.05, of_before = 0.02;
  const double last = cycles_per_instruction(shorter, longer);
  const double mean = shorter.cycles / std::max(shorter.instructions, 1.0);
  return std::abs(last / mean - 1) <= of_mean ||
         (before != nullptr && std::abs(last / cycles_per_instruction(*before, shorter) - 1) <= of_before);
}

/// What a part leaves out over what it holds more than a shorter one, at most: beyond it the two differ by a
/// few instructions only (blocks of thousands of them).
constexpr double most_more = 50;

/// Of stretches over a whole loop: the longer part, and what it holds over the shorter.
constexpr double most_spread = 0.25, longer_spread = 2.5;

/// Stretches cut warps in the middle, which costs up to 3 % (GEMM of 4096 against its uncut simulation).
/// Parts of first iterations that differ from the rest by no more than twice what is alike are as near.
constexpr double far_apart = 2;

/// Where nothing that is cut stands for the whole, the whole is simulated if it is not so many times longer
/// than the dearest parts.
constexpr double most_whole = 4;

/// The dearest parts do not stay within `most_more`.
bool is_long(double instructions, const SimulationBudget& budget) {
  constexpr double least_share = 3 / (most_more + 2); // of all that is spent on two parts
  return budget.dearest < least_share * instructions;
}

/// Where the dearest parts do not stay within `most_more` and all would be simulated: longer parts, but only
/// if they are alike and steady.
SimulationBudget budget_for(double instructions, SimulationBudget budget) {
  constexpr double longest_share = 0.13; // of all that is spent on two parts
  if (!is_long(instructions, budget))
    return budget;
  return {.waves = INFINITY, .simulated = budget.simulated, .dearest = longest_share * instructions};
}

} // namespace

PartialRun::PartialRun(const Facts& facts, const std::vector<facts::BehaviourClass>& classes,
                       const pipeline::Configuration& configuration, const StreamTemplates& templates,
                       std::vector<std::uint32_t> dealt, const KeptSimulations& kept)
    : facts_(facts), templates_(templates), kept_(kept), configuration_(configuration),
      dealt_(std::move(dealt)), classes_(of_dealt(classes, dealt_)) {}

Result<pipeline::Outcome> PartialRun::run(const TraceCuts* cuts) {
  if (kept_.store == nullptr)
    return simulate(cuts);
  const SimulationKey key =
      key_of(kept_.program, {configuration_, templates_.shares(), templates_.sharing(), facts_.trace,
                             facts_.memory, dealt_, cuts != nullptr ? &cuts->cuts : nullptr});
  if (const auto kept = kept_.store->find(key))
    return *kept;
  auto outcome = simulate(cuts);
  FOREWARP_TRY(outcome);
  kept_.store->keep(key, std::make_shared<const pipeline::Outcome>(*outcome));
  return outcome;
}

Result<pipeline::Outcome> PartialRun::run(double instructions, const SimulationBudget& budget) {
  auto parts = run_parts(instructions, budget_for(instructions, budget));
  FOREWARP_TRY(parts);
  if (*parts)
    return std::move(**parts);
  if (is_long(instructions, budget))
    if (const auto stretches = stretches_of(most_spread); stretches && stretches->difference <= 1)
      return run_both(stretches->parts);
  return run(nullptr);
}

std::optional<PartialRun::Stretches> PartialRun::stretches_of(double longer_share) const {
  TraceCutter cutter(facts_.trace, classes_, facts_.memory, templates_);
  std::optional<Stretches> nearest;
  for (const std::size_t stretches : {3, 8}) { // warps drift apart in long stretches, many miss less
    if (!cutter.choose_loops(longer_share / static_cast<double>(stretches), false))
      continue;
    auto parts = cutter.spread_iterations(longer_share / longer_spread, longer_share, stretches);
    if (!parts || parts->held_share > 2 * longer_share)
      continue;
    const double difference = cutter.difference_of(*parts);
    if (!nearest || difference < nearest->difference)
      nearest = {std::move(*parts), difference};
    if (nearest->difference <= 1)
      break;
  }
  return nearest;
}

Result<pipeline::Outcome> PartialRun::run_both(const TwoParts& parts) {
  auto shorter = run(&parts.shorter);
  FOREWARP_TRY(shorter);
  auto longer = run(&parts.longer);
  FOREWARP_TRY(longer);
  return extended(*shorter, *longer, parts.more);
}

Result<std::optional<pipeline::Outcome>> PartialRun::run_parts(double instructions,
                                                               const SimulationBudget& budget) {
  constexpr double worthwhile = 0.75; // of the whole
  if (budget.simulated > worthwhile * instructions)
    return std::optional<pipeline::Outcome>();
  TraceCutter cutter(facts_.trace, classes_, facts_.memory, templates_);
  bool chosen = false;
  std::optional<Part> before, last; // the last two, shorter first
  for (double spent = budget.simulated; spent <= budget.dearest && spent <= worthwhile * instructions;
       spent = spent < budget.dearest ? std::min(2 * spent, budget.dearest) : 2 * spent) {
    const bool any = 2 * spent > budget.dearest && instructions > budget.waves; // the whole is too long
    const double share = spent / (1.5 * instructions);                          // of the longer part
    if (!chosen)
      chosen = cutter.choose_loops(share / 2, any);
    if (!chosen)
      continue;
    auto parts = cutter.first_iterations(share / 2, share);
    if (!parts || parts->more > most_more)
      continue;
    const double difference = cutter.difference_of(*parts);
    if (!any && difference > 1)
      continue;
    if (!any && 1.5 * parts->held_share > worthwhile)
      break;
    if (difference > far_apart) {
      const double in_stretches = spent / ((1 + 1 / longer_spread) * instructions);
      const auto stretches = stretches_of(std::min(most_spread, in_stretches));
      const bool is_nearer = stretches && stretches->difference < difference;
      if ((!is_nearer || stretches->difference > far_apart) && instructions <= most_whole * budget.dearest)
        return std::optional<pipeline::Outcome>();
      if (is_nearer) {
        auto outcome = run_both(stretches->parts);
        FOREWARP_TRY(outcome);
        return std::optional(std::move(*outcome));
      }
    }
    if (!last || last->cuts != parts->shorter) {
      before.reset();
      auto shorter = run(&parts->shorter);
      FOREWARP_TRY(shorter);
      last = {std::move(parts->shorter), std::move(*shorter)};
    }
    auto longer = run(&parts->longer);
    FOREWARP_TRY(longer);
    if (any || steady(before ? &before->outcome : nullptr, last->outcome, *longer))
      return std::optional(extended(last->outcome, *longer, parts->more));
    before = std::move(last);
    last = {std::move(parts->longer), std::move(*longer)};
  }
  return std::optional<pipeline::Outcome>();
}

Result<pipeline::Outcome> PartialRun::simulate(const TraceCuts* cuts) {
  SampledGroups source(facts_, templates_, dealt_, cuts);
  return pipeline::simulate(configuration_, source);
}

} // namespace forewarp::predict::hybrid

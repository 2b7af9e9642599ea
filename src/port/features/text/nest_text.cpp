#include "port/features/text/nest_text.h"

#include "port/choose.h"
#include "port/static/region.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::array<double, 4> trip_ladder = {1, 10, 100, 1000};       // Ardalani 2016, section 6.2
constexpr std::array<double, 5> taken_ladder = {0, 0.25, 0.5, 0.75, 1}; // the same
constexpr double threads_unknown = 1'048'576;                           // the pragma of her figure 4.2
constexpr std::size_t most_variants = 512;
constexpr std::size_t most_calls = 64; ///< calls inside calls that are followed

/// A function's share of the body.
struct Part {
  Band band;
  std::unique_ptr<Frequencies> frequencies;
  std::vector<StaticBlock> text; ///< by block of the frequencies
  std::size_t first_unknown = 0;
};

/// The body and what it calls, each call a node behind the one that holds it.
struct Node {
  std::size_t part = 0, holder = 0, block = 0;
};

class Body {
public:
  Body(llvm::Function& function, Band band, ModuleKnowledge& module,
       const std::vector<SourceLoop>& source_loops)
      : module_(module), source_loops_(source_loops) {
    add_part(function, std::move(band));
    nodes_.push_back({});
    for (std::size_t at = 0; at < nodes_.size(); ++at)
      follow_calls(at);
  }

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  std::optional<double> threads() const { return parts_.front()->frequencies->threads(); }

  std::array<double, 10> values(const Assumed& assumed, double threads, bool as_published) const {
    std::vector<std::vector<double>> of_part;
    for (const auto& part : parts_) {
      const auto first = assumed.begin() + static_cast<std::ptrdiff_t>(part->first_unknown);
      of_part.push_back(part->frequencies->of_blocks(
          {first, first + static_cast<std::ptrdiff_t>(part->frequencies->unknowns().size())}));
    }
    std::vector<StaticBlock> blocks;
    std::vector<double> runs, entered(nodes_.size(), 1.0);
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      const Node& node = nodes_[at];
      if (at > 0)
        entered[at] = entered[node.holder] * of_part[nodes_[node.holder].part][node.block];
      const Part& part = *parts_[node.part];
      blocks.insert(blocks.end(), part.text.begin(), part.text.end());
      for (const double each : of_part[node.part])
        runs.push_back(entered[at] * each);
    }
    return static_values(blocks, runs, threads, as_published);
  }

private:
  std::map<const llvm::Loop*, double> given(const llvm::LoopInfo& loops) const {
    std::map<const llvm::Loop*, double> trips;
    for (const SourceLoop& source : source_loops_)
      if (source.trips > 0) {
        if (const llvm::Loop* loop = find_marked_loop(const_cast<llvm::LoopInfo&>(loops), mark_of(source)))
          trips[loop] = source.trips;
      }
    return trips;
  }

  std::size_t add_part(llvm::Function& function, Band band) {
    Knowledge& knowledge = module_.of(function);
    auto part = std::make_unique<Part>();
    part->band = std::move(band);
    part->frequencies =
        std::make_unique<Frequencies>(function, part->band, knowledge, given(knowledge.loops));
    const auto& blocks = part->frequencies->blocks();
    part->text = part->band.loops.empty() ? describe_callee(blocks, function, knowledge)
                                          : describe_body(blocks, part->band, knowledge);
    part->first_unknown = unknowns_.size();
    unknowns_.insert(unknowns_.end(), part->frequencies->unknowns().begin(),
                     part->frequencies->unknowns().end());
    parts_.push_back(std::move(part));
    functions_.push_back(&function);
    return parts_.size() - 1;
  }

  bool calls_itself(std::size_t node, std::size_t part) const {
    for (; node > 0; node = nodes_[node].holder)
      if (nodes_[node].part == part)
        return true;
    return false;
  }

  void follow_calls(std::size_t at) {
    const auto blocks = parts_[nodes_[at].part]->frequencies->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (llvm::Instruction& instruction : *blocks[b]) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || callee->isDeclaration() || nodes_.size() > most_calls)
          continue;
        const auto known = std::find(functions_.begin() + 1, functions_.end(), callee);
        const std::size_t part = known != functions_.end()
                                     ? static_cast<std::size_t>(known - functions_.begin())
                                     : add_part(*callee, {});
        if (!calls_itself(at, part))
          nodes_.push_back({part, at, b});
      }
  }

  ModuleKnowledge& module_;
  const std::vector<SourceLoop>& source_loops_;
  std::vector<std::unique_ptr<Part>> parts_; ///< the first is the nest itself
  std::vector<llvm::Function*> functions_;   ///< of each part
  std::vector<Node> nodes_;
  std::vector<Unknown> unknowns_;
};

/// Values that one unknown may have.
std::vector<double> choices(const Unknown& unknown, const RegionMark& mark, const StaticAssumptions& assume) {
  if (unknown.loop)
    return assume.trip_count ? std::vector{*assume.trip_count}
                             : std::vector<double>(trip_ladder.begin(), trip_ladder.end());
  if (mark.taken >= 0)
    return {mark.taken};
  return assume.branch_taken ? std::vector{*assume.branch_taken}
                             : std::vector<double>(taken_ladder.begin(), taken_ladder.end());
}

/// All ways to choose; where they are too many, all loops alike and all branches alike.
std::vector<Assumed> ways_to_assume(const std::vector<std::vector<double>>& choices,
                                    const std::vector<Unknown>& unknowns) {
  std::size_t count = 1;
  for (const auto& list : choices)
    count = std::min(count * list.size(), most_variants + 1);
  std::vector<Assumed> ways;
  if (count <= most_variants) {
    for (std::size_t way = 0; way < count; ++way) {
      Assumed values;
      std::size_t left = way;
      for (const auto& list : choices) {
        values.push_back(list[left % list.size()]);
        left /= list.size();
      }
      ways.push_back(std::move(values));
    }
    return ways;
  }
  std::size_t trips = 1, taken = 1;
  for (std::size_t i = 0; i < choices.size(); ++i)
    (unknowns[i].loop ? trips : taken) = choices[i].size();
  for (std::size_t way = 0; way < trips * taken; ++way) {
    Assumed values;
    for (std::size_t i = 0; i < choices.size(); ++i)
      values.push_back(choices[i][unknowns[i].loop ? way % trips : way / trips]);
    ways.push_back(std::move(values));
  }
  return ways;
}

std::vector<std::string> words_for(const std::vector<Unknown>& unknowns,
                                   const std::vector<std::vector<double>>& choices, bool threads_known) {
  std::size_t loops = 0, branches = 0;
  std::vector<double> trips, taken;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    (unknowns[i].loop ? loops : branches) += 1;
    (unknowns[i].loop ? trips : taken) = choices[i];
  }
  std::vector<std::string> words;
  if (!threads_known)
    words.push_back(fmt::format("{} iterations of the parallel loops", threads_unknown));
  if (loops > 0)
    words.push_back(fmt::format("{} loop{} inside: {} iterations", loops, loops == 1 ? "" : "s",
                                fmt::join(trips, " or ")));
  if (branches > 0)
    words.push_back(fmt::format("{} branch{}: taken {} of the time", branches, branches == 1 ? "" : "es",
                                fmt::join(taken, " or ")));
  return words;
}

facts::FeatureRow middle_of(const std::vector<std::array<double, 10>>& variants) {
  facts::FeatureRow row;
  row.extractor = static_extractor;
  for (std::size_t feature = 0; feature < static_feature_names.size(); ++feature) {
    std::vector<double> values;
    for (const auto& variant : variants)
      values.push_back(variant[feature]);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    row.features.push_back({static_feature_names[feature], *middle});
  }
  return row;
}

} // namespace

Knowledge& ModuleKnowledge::of(llvm::Function& function) {
  auto& known = known_[&function];
  if (!known)
    known = std::make_unique<Knowledge>(function);
  return *known;
}

StaticLoop describe_loop(llvm::Function& function, llvm::Loop& loop, const RegionMark& mark,
                         const std::vector<SourceLoop>& source_loops, const StaticAssumptions& assume,
                         ModuleKnowledge& module) {
  StaticLoop described;
  described.mark = mark;
  Band band = band_of(loop, module.of(function), mark.block_dimensions);
  described.parallel_loops = static_cast<unsigned>(band.loops.size());
  described.concerns = band.concerns;
  const Body body(function, std::move(band), module, source_loops);
  const std::optional<double> threads = body.threads();
  std::vector<std::vector<double>> each;
  for (const Unknown& unknown : body.unknowns())
    each.push_back(choices(unknown, mark, assume));
  for (const Assumed& values : ways_to_assume(each, body.unknowns()))
    described.variants.push_back(body.values(values, threads.value_or(threads_unknown), assume.as_published));
  described.row = middle_of(described.variants);
  described.row.region =
      fmt::format("{}:{} {}", mark.file, mark.line,
                  mark.name.empty() ? fmt::format("{}:{}", mark.function, mark.line) : mark.name);
  described.row.assumed = words_for(body.unknowns(), each, threads.has_value());
  return described;
}

} // namespace forewarp::port

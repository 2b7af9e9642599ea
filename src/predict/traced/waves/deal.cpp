#include "predict/traced/waves/deal.h"

#include <algorithm>

namespace forewarp::predict::hybrid {
namespace {

/// By error diffusion.
class GroupDeal {
public:
  explicit GroupDeal(const std::vector<facts::BehaviourClass>& classes)
      : classes_(classes), due_(classes.size(), 0.0), turn_(classes.size(), 0) {
    for (const facts::BehaviourClass& behaviour : classes)
      total_weight_ += behaviour.weight_groups;
  }

  double total_weight() const { return total_weight_; }

  std::uint32_t next() {
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < due_.size(); ++c) {
      due_[c] += classes_[c].weight_groups / total_weight_;
      if (due_[c] > due_[chosen])
        chosen = c;
    }
    due_[chosen] -= 1;
    const std::vector<std::uint32_t>& samples = classes_[chosen].samples;
    return samples[turn_[chosen]++ % samples.size()];
  }

private:
  const std::vector<facts::BehaviourClass>& classes_;
  double total_weight_ = 0;
  std::vector<double> due_;
  std::vector<std::size_t> turn_;
};

/// The classes in the middles of equal parts of the grid.
std::vector<std::uint32_t> spread(const std::vector<facts::BehaviourClass>& classes, double total_weight,
                                  std::size_t groups) {
  std::vector<std::uint32_t> samples;
  auto at = classes.begin();
  double passed = at->weight_groups;
  for (std::size_t g = 0; g < groups; ++g) {
    const double place = (static_cast<double>(g) + 0.5) * total_weight / static_cast<double>(groups);
    while (passed < place && at + 1 != classes.end())
      passed += (++at)->weight_groups;
    samples.push_back(at->samples.front());
  }
  return samples;
}

} // namespace

std::vector<std::uint32_t> deal(const std::vector<facts::BehaviourClass>& classes, std::size_t groups,
                                bool is_uneven) {
  GroupDeal in_turn(classes);
  const auto is_due = [&](const facts::BehaviourClass& behaviour) {
    return behaviour.weight_groups * static_cast<double>(groups) >= in_turn.total_weight();
  };
  if (is_uneven && std::ranges::none_of(classes, is_due))
    return spread(classes, in_turn.total_weight(), groups);
  std::vector<std::uint32_t> samples;
  for (std::size_t g = 0; g < groups; ++g)
    samples.push_back(in_turn.next());
  return samples;
}

double length_of(const facts::GroupTrace& group) {
  std::uint64_t longest = 0;
  for (const facts::WarpTrace& warp : group.warps)
    longest = std::max(longest, warp.ir_instructions);
  return static_cast<double>(longest);
}

bool is_uneven(const std::vector<facts::BehaviourClass>& classes, const facts::KernelTrace& trace) {
  const auto length = [&](const facts::BehaviourClass& behaviour) {
    return length_of(trace.groups[behaviour.samples.front()]);
  };
  const auto [shortest, longest] = std::ranges::minmax_element(classes, {}, length);
  return length(*longest) > alike_lengths * length(*shortest);
}

} // namespace forewarp::predict::hybrid

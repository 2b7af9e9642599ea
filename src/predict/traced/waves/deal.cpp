#include "predict/traced/waves/deal.h"

namespace forewarp::predict::hybrid {

GroupDeal::GroupDeal(const std::vector<facts::BehaviourClass>& classes)
    : classes_(classes), due_(classes.size(), 0.0), turn_(classes.size(), 0) {
  for (const facts::BehaviourClass& behaviour : classes)
    total_weight_ += behaviour.weight_groups;
}

std::uint32_t GroupDeal::next() {
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

} // namespace forewarp::predict::hybrid

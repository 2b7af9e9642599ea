// Which sampled group the SM starts next.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <vector>

namespace forewarp::predict::hybrid {

/// Deals samples in proportion to the weight of their behaviour class (error diffusion, so that a class of
/// weight 1/8 comes every eighth group), the samples of a class in turn.
class GroupDeal {
public:
  explicit GroupDeal(const std::vector<facts::BehaviourClass>& classes);
  /// Index into KernelTrace::groups.
  std::uint32_t next();

private:
  const std::vector<facts::BehaviourClass>& classes_;
  double total_weight_ = 0;
  std::vector<double> due_;
  std::vector<std::size_t> turn_;
};

} // namespace forewarp::predict::hybrid

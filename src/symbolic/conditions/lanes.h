// When some work-item of a warp meets a condition, as a condition on the group, the iterations and the sizes.
//
// W section 3.1 solves for each work-item in turn because groups are bounded by the hardware; here a whole
// range of work-items goes at once where the comparisons are linear in it, and one by one elsewhere.
#pragma once

#include "symbolic/conditions/condition.h"

#include <array>

namespace forewarp::symbolic {

/// Work-items of a warp in their group: low <= item <= high in each axis.
struct LaneBox {
  std::array<std::int64_t, 3> low, high;
};

/// The work-items of warp `warp` of a group of this size, as few boxes as they need.
std::vector<LaneBox> lanes_of(const std::array<std::int64_t, 3>& group_size, unsigned warp_width,
                              unsigned warp);

/// Some comparison rests on the work-item's place in its group.
bool moves_with_items(const Condition& condition);

/// Free of items: holds where a work-item of the boxes meets `condition`. What is not known stays a
/// comparison of kind unknown.
Condition any_lane(const Condition& condition, const std::vector<LaneBox>& boxes, const Ranges& ranges);

/// 1 where the condition holds, else 0; comparisons that are not known count as true and are named in
/// `assumed`. Beyond the algebra for more alternatives than can be multiplied out.
Expression indicator(const Condition& condition, std::vector<Comparison>& assumed);

} // namespace forewarp::symbolic

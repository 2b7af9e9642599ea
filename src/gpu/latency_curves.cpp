#include "gpu/latency_curves.h"

#include "gpu/schema/schema.h"

#include <algorithm>
#include <cmath>

namespace forewarp::gpu {

LatencyCurves::LatencyCurves(const GpuFile& file, const std::string& value_set) {
  const auto set = file.value_sets.find(value_set);
  for (int op = 0; op < facts::op_class_count; ++op) {
    const std::string key = op_key("latency_by_warps.", static_cast<facts::OpClass>(op));
    const Value* value = nullptr;
    if (const auto own = file.values.find(key); own != file.values.end())
      value = &own->second;
    if (set != file.value_sets.end())
      if (const auto over = set->second.find(key); over != set->second.end())
        value = &over->second;
    if (value != nullptr)
      curves_[static_cast<std::size_t>(op)] = std::get<std::vector<double>>(value->value);
  }
}

std::optional<double> LatencyCurves::latency_cycles(facts::OpClass op, double active_warps) const {
  const std::vector<double>& curve = curves_[static_cast<std::size_t>(op)];
  if (curve.empty())
    return std::nullopt;
  const double last_warps = std::exp2(static_cast<double>(curve.size() - 1));
  if (active_warps >= last_warps)
    return curve.back() * active_warps / last_warps;
  const double warps = std::max(1.0, active_warps);
  const auto at = static_cast<std::size_t>(std::log2(warps));
  const double low = std::exp2(static_cast<double>(at));
  return curve[at] + (warps - low) / low * (curve[at + 1] - curve[at]);
}

} // namespace forewarp::gpu

// Launches, groups, clocks, copies, and what the driver says of the device.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

void fit_launches(const Measured& measured, Calibration& calibration) {
  const MeasuredTime *one = nullptr, *few = nullptr, *many = nullptr;
  for (const MeasuredTime& time : measured.times) {
    if (time.benchmark != "control" || time.mode != "empty" || time.l2 == "cold" ||
        time.values.at("size") != 32)
      continue;
    const double groups = time.values.at("groups");
    (groups == 1 ? one : !few || groups < few->values.at("groups") ? few : many) = &time;
  }
  if (one) {
    calibration.values.push_back({"kernel_min_time_us", one->minimum_us, one->spread, "empty kernel"});
    if (one->batched_us > 0)
      calibration.values.push_back(
          {"launch_queued_us", one->batched_us, one->spread, "empty kernels back to back"});
  }
  if (few && many) {
    const double groups = many->values.at("groups") - few->values.at("groups");
    const double ns = (many->median_us - few->median_us) / groups * 1e3;
    if (ns > 0)
      calibration.values.push_back({"block_dispatch_ns", ns, many->spread, "empty groups of 32 work-items"});
  }
}

void fit_copies(const Measured& measured, Calibration& calibration) {
  std::map<std::string, double> best, spreads;
  for (const nlohmann::json& copy : measured.copies)
    if (copy.value("pinned", false)) {
      const std::string direction = copy.value("direction", "");
      if (copy.value("gbps", 0.0) > best[direction]) {
        best[direction] = copy.value("gbps", 0.0);
        spreads[direction] = copy.value("spread", 0.0);
      }
    }
  for (const auto& [direction, key] : {std::pair{"host_to_device", "pcie_h2d_pinned_gbps"},
                                       std::pair{"device_to_host", "pcie_d2h_pinned_gbps"}})
    if (best[direction] > 0)
      calibration.values.push_back({key, best[direction], spreads[direction], "largest of the sizes"});
}

/// Counts and sizes that the driver tells.
void take_attributes(const Measured& measured, Calibration& calibration) {
  constexpr std::pair<const char*, const char*> keys[] = {
      {"sm_count", "sm_count"},
      {"l2_bytes", "l2_size_bytes"},
      {"max_threads_per_sm", "max_threads_per_sm"},
      {"max_blocks_per_sm", "max_blocks_per_sm"},
      {"registers_per_sm", "regs_per_sm"},
      {"shared_per_sm_bytes", "smem_per_sm_bytes"},
      {"shared_per_block_optin_bytes", "smem_per_block_max_bytes"}};
  if (measured.backend != "cuda") // OpenCL's compute units and caches are other things
    return;
  for (const auto& [attribute, key] : keys)
    if (const auto found = measured.attributes.find(attribute);
        found != measured.attributes.end() && found->second > 0)
      calibration.values.push_back({key, found->second, 0, "attribute of the driver"});
}

} // namespace

void fit_fixed_costs(const Measured& measured, Calibration& calibration) {
  if (measured.sm_mhz > 0)
    calibration.values.push_back({"sm_clock_mhz", measured.sm_mhz, 0, "median over the measurements"});
  take_attributes(measured, calibration);
  fit_launches(measured, calibration);
  fit_copies(measured, calibration);
}

} // namespace forewarp::measure

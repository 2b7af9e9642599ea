#include "validate/stages.h"

#include <algorithm>

namespace forewarp::validate {
namespace {

using facts::AccessKind;
using facts::MemorySpace;

std::optional<double> transactions_per_request(const facts::Prediction& prediction, MemorySpace space,
                                               AccessKind kind) {
  double transactions = 0, requests = 0;
  for (const facts::SiteProfile& site : prediction.memory) {
    const facts::MemorySite& what = prediction.sites[site.site];
    if (what.space != space || what.kind != kind)
      continue;
    transactions += site.requests * site.transactions_per_request;
    requests += site.requests;
  }
  if (requests <= 0)
    return std::nullopt;
  return transactions / requests;
}

double warps(const facts::Prediction& prediction) {
  return static_cast<double>(prediction.shape.groups.count()) * prediction.occupancy.warps_per_group;
}

} // namespace

std::optional<double> predicted_stage(const facts::Prediction& prediction, const std::string& stage) {
  if (stage == "registers_per_thread")
    return prediction.resources.registers_per_thread;
  if (stage == "instructions_per_warp")
    return prediction.instructions_per_warp;
  if (stage == "occupancy")
    return prediction.achieved_occupancy;
  if (stage == "shared_load_transactions_per_request")
    return transactions_per_request(prediction, MemorySpace::shared, AccessKind::load);
  if (stage == "shared_store_transactions_per_request")
    return transactions_per_request(prediction, MemorySpace::shared, AccessKind::store);
  if (stage == "global_load_transactions_per_request")
    return transactions_per_request(prediction, MemorySpace::global, AccessKind::load);
  if (stage == "global_store_transactions_per_request")
    return transactions_per_request(prediction, MemorySpace::global, AccessKind::store);
  constexpr double sector_bytes = 32;
  if (stage == "l2_sectors_read")
    return prediction.l2_read_bytes / sector_bytes;
  if (stage == "l2_sectors_written")
    return prediction.l2_written_bytes / sector_bytes;
  if (stage == "dram_sectors_read")
    return prediction.dram_read_bytes / sector_bytes;
  if (stage == "dram_sectors_written")
    return prediction.dram_written_bytes / sector_bytes;
  if (stage == "dram_bytes")
    return prediction.dram_read_bytes + prediction.dram_written_bytes;
  if (stage == "floating_point_operations")
    return prediction.gflops * prediction.time_ms * 1e6;
  if (stage == "ipc" && prediction.sm_count > 0) {
    const double active_sms = // profilers divide by the cycles in which an SM has warps
        std::min<double>(prediction.sm_count, static_cast<double>(prediction.shape.groups.count()));
    return prediction.instructions_per_warp * warps(prediction) / (prediction.cycles * active_sms);
  }
  return std::nullopt;
}

double roofline_ms(const facts::Prediction& prediction) {
  const double compute = prediction.gflops * prediction.time_ms / std::max(prediction.peak_gflops, 1e-9);
  const double memory = prediction.dram_bytes / std::max(prediction.dram_peak_gbps, 1e-9) * 1e-6;
  return std::max(compute, memory);
}

double achieved_bandwidth_ms(const facts::Prediction& prediction) {
  return prediction.dram_bytes / std::max(prediction.dram_achievable_gbps, 1e-9) * 1e-6;
}

} // namespace forewarp::validate

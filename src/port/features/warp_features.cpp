#include "port/features/warp_features.h"

#include "port/access/classes.h"
#include "port/warps/form.h"

#include <bit>
#include <set>

namespace forewarp::port {
namespace {

using facts::RegionOp;

std::int64_t offset_of(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                       unsigned lane) {
  switch (event.pattern) {
  case facts::MemoryEvent::Pattern::affine:
    return lane * event.stride;
  case facts::MemoryEvent::Pattern::affine2:
    return (lane % event.row_lanes) * event.stride + (lane / event.row_lanes) * event.row_stride;
  case facts::MemoryEvent::Pattern::explicit_offsets:
    return offsets[event.first_offset + lane];
  default:
    return 0;
  }
}

/// 32-byte sectors of the lanes' first bytes and of their last.
double sectors_of(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets, unsigned width) {
  std::set<std::uint64_t> sectors;
  for (unsigned lane = 0; lane < 64; ++lane)
    if ((event.active >> lane & 1) != 0) {
      const std::uint64_t address = event.base + static_cast<std::uint64_t>(offset_of(event, offsets, lane));
      sectors.insert(address / 32);
      sectors.insert((address + width - 1) / 32);
    }
  return static_cast<double>(sectors.size());
}

struct WarpMeans {
  double events = 0, sectors = 0, steps = 0, active = 0;
  std::array<double, 3> classes = {};
};

WarpMeans means_of(const PseudoWarps& warps) {
  WarpMeans means;
  for (const facts::GroupTrace& group : warps.trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      for (const facts::BlockStep& step : warp.steps) {
        means.steps += 1;
        means.active += std::popcount(step.active) / static_cast<double>(warps.trace.warp_width);
      }
      for (const facts::MemoryEvent& event : warp.events) {
        means.events += 1;
        means.sectors += sectors_of(event, warp.offsets, warps.sites[event.site].width_bytes);
      }
    }
  for (const SiteClasses& site : classify_sites(warps.trace, warps.sites))
    for (std::size_t i = 0; i < means.classes.size(); ++i)
      means.classes[i] += site.events[i];
  return means;
}

struct Operations {
  double memory = 0, fp32 = 0, fp64 = 0, special = 0, integer = 0, branches = 0;
};

void count(const facts::RegionInstruction& instruction, double runs, Operations& sum) {
  const RegionOp op = instruction.op;
  if (op == RegionOp::load || op == RegionOp::store)
    sum.memory += runs;
  else if (op == RegionOp::fp32_div || op == RegionOp::fp32_sqrt || op == RegionOp::fp32_special ||
           op == RegionOp::fp64_div || op == RegionOp::fp64_sqrt || op == RegionOp::fp64_special)
    sum.special += runs;
  else if (op <= RegionOp::fp32_compare)
    sum.fp32 += runs;
  else if (op <= RegionOp::fp64_compare)
    sum.fp64 += runs;
  else if (op <= RegionOp::select && instruction.role == facts::RegionRole::compute)
    sum.integer += runs;
  else if (op == RegionOp::branch)
    sum.branches += runs;
}

Operations operations_of(const facts::RegionTrace& trace) {
  Operations sum;
  for (const facts::RegionInstruction& instruction : trace.instructions)
    count(instruction, static_cast<double>(trace.blocks[instruction.block].runs), sum);
  return sum;
}

double threads_of(const facts::RegionTrace& trace) {
  return static_cast<double>(trace.loops[trace.dimensions - 1].iterations);
}

} // namespace

void append_warp_features(const TracedRegion& region, facts::FeatureRow& row) {
  const facts::RegionTrace& trace = region.trace;
  if (!region.valid() || trace.threads.empty())
    return;
  const auto warps = form_warps(trace);
  if (!warps)
    return;
  const WarpMeans means = means_of(*warps);
  const Operations operations = operations_of(trace);
  const double threads = threads_of(trace);
  const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const double classified = means.classes[0] + means.classes[1] + means.classes[2];
  const auto of_class = [&](AccessPattern pattern) {
    return ratio(means.classes[static_cast<std::size_t>(pattern)], classified);
  };
  double read = 0, written = 0, copied = 0;
  for (const facts::RegionObject& object : trace.objects) {
    read += static_cast<double>(object.read_bytes);
    written += static_cast<double>(object.written_bytes);
    copied += static_cast<double>(object.copy_in_bytes + object.written_bytes);
  }
  const std::array<double, warp_feature_names.size()> values = {
      threads,
      static_cast<double>(trace.launches.size()),
      static_cast<double>(trace.dimensions),
      static_cast<double>(trace.block[0] * trace.block[1] * trace.block[2]),
      of_class(AccessPattern::coalesced),
      of_class(AccessPattern::uncoalesced),
      of_class(AccessPattern::constant),
      ratio(means.sectors, means.events),
      ratio(means.active, means.steps),
      ratio(operations.memory, threads),
      ratio(operations.fp32, threads),
      ratio(operations.fp64, threads),
      ratio(operations.special, threads),
      ratio(operations.integer, threads),
      ratio(operations.branches, threads),
      read,
      written,
      copied};
  for (std::size_t i = 0; i < values.size(); ++i)
    row.features.push_back({warp_feature_names[i], values[i]});
}

} // namespace forewarp::port

#include "port/estimate/estimate.h"

#include "port/advice/swap_loops.h"
#include "port/advice/tile.h"
#include "port/estimate/lowered.h"
#include "port/scale/addresses.h"

#include <fmt/format.h>

namespace forewarp::port {
namespace {

using Severity = facts::Note::Severity;

double link_ms(double bytes, double gbps) {
  return gbps > 0 ? bytes / (gbps * 1e6) : 0;
}

double work_of(const facts::RegionTrace& trace) {
  double work = 0;
  for (const facts::RegionLaunch& launch : trace.launches)
    work += static_cast<double>(launch.block_runs);
  return work;
}

/// Basic blocks of all launches at the wanted size / as traced.
double work_growth(const facts::RegionTrace& trace, const RegionSize& size) {
  double per_thread = 0;
  for (const double runs : size.block_runs)
    per_thread += runs;
  const double traced = work_of(trace);
  return traced > 0 ? per_thread * size.threads * size.work_launches / traced : 1;
}

void add_copies(RegionEstimate& out, const PortTarget& target) {
  const gpu::FixedCosts& fixed = target.machine.fixed;
  out.copy_in_ms = link_ms(out.size.copy_in_bytes, fixed.pcie_h2d_gbps);
  out.copy_out_ms = link_ms(out.size.copy_out_bytes, fixed.pcie_d2h_gbps);
  if (fixed.pcie_h2d_gbps <= 0)
    out.notes.push_back(
        {Severity::assumption,
         fmt::format("{}: no host link in its file (integrated GPUs share the memory): copies "
                     "count as nothing",
                     target.machine.name)});
}

void add_size_notes(RegionEstimate& out, const RegionSize& size) {
  if (size.method == "as traced")
    return;
  out.notes.push_back(
      {Severity::info,
       fmt::format("sizes: {}; what no further run confirms missed the largest run by {:.1f} %", size.method,
                   100 * size.error)});
}

} // namespace

Result<RegionEstimate> estimate_region(const EstimateRequest& request, const PortTarget& target) {
  auto size = scale(request.runs, request.wanted);
  FOREWARP_TRY(size);
  // C takes the rates of the small trace; the default predictor sees the large arrays.
  const bool moves = port_model_is_traced(request.model) && size->method != "as traced";
  MovedTrace moved;
  if (moves)
    moved = move_addresses(request.runs, request.wanted, *size);
  const facts::RegionTrace& as_written = moves ? moved.trace : *request.runs.front().trace;
  VersionOptions options;
  options.table2 = request.table2;
  options.written_loads = request.written_loads;
  options.warm_cache = request.warm_cache;
  RegionEstimate out;
  if (request.code != nullptr && !request.table2) {
    auto lowered = lowered_program(*request.code, as_written, target.machine);
    if (lowered) {
      out.notes = lowered->notes;
      options.lowered = std::make_shared<const facts::MachineProgram>(*std::move(lowered));
    } else {
      out.notes.push_back({Severity::assumption, "operations are counted by kind, not by the machine step: " +
                                                     lowered.error().message});
    }
  }
  std::optional<SwappedLoops> swapped;
  if (request.interchanged) {
    swapped = swap_loops(as_written, *size);
    if (!swapped)
      return fail(ErrorCode::unsupported,
                  "the inner loop's number of iterations differs from one run to the next",
                  fmt::format("region '{}'", as_written.name), "predict the inner loop by itself");
    *size = swapped->size;
  }
  const facts::RegionTrace& trace = swapped ? swapped->trace : as_written;
  auto version = make_version(trace, *size, target.machine, options);
  FOREWARP_TRY(version);

  out.gpu = target.machine.name;
  out.model = request.model;
  out.value_set = target.value_set;
  out.size = *size;
  if (const std::string warning = batch_warning(version->warps, target.machine); !warning.empty())
    out.notes.push_back({Severity::assumption, warning});
  if (!trace.shared.empty()) {
    auto tiled = tile_version(trace, *version, {trace.shared, trace.tile ? trace.tile : 32}, target.machine);
    FOREWARP_TRY(tiled);
    version = *std::move(tiled);
    out.tiled = true;
  }
  auto time = kernel_time(*version, *size, target, request.model);
  FOREWARP_TRY(time);
  out.kernel = *std::move(time);
  out.work_growth = work_growth(trace, *size);
  out.launch_overhead_ms = size->launches * target.machine.fixed.launch_overhead_us * 1e-3;
  add_copies(out, target);
  add_size_notes(out, *size);
  if (moves && moved.affine_sites < moved.sites)
    out.notes.push_back({Severity::assumption,
                         fmt::format("{} of {} accesses are no affine function of the loops: they keep the "
                                     "traced size's addresses",
                                     moved.sites - moved.affine_sites, moved.sites)});
  if (request.advice && !out.tiled && !swapped)
    out.advice = advise({&trace, &*size, &target, request.model, options, out.kernel.time_ms}, *version);
  return out;
}

} // namespace forewarp::port

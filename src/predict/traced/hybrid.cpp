#include "predict/traced/hybrid.h"

#include "predict/builtin.h"
#include "predict/traced/answer/bounds.h"
#include "predict/traced/answer/counts.h"
#include "predict/traced/answer/explain.h"
#include "predict/traced/answer/interval.h"
#include "predict/traced/answer_of.h"
#include "predict/traced/waves/sm_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::predict::hybrid {
namespace {

void fill_instructions(facts::Prediction& prediction, const Facts& facts, const std::vector<Bound>& bounds) {
  const InstructionCounts counts = count(facts);
  const double ms_per_cycle = 1e-3 / facts.machine.sm_clock_mhz;
  prediction.instructions_per_warp = counts.per_warp;
  prediction.ir_instructions_per_warp = counts.ir_per_warp;
  prediction.op_counts_per_warp = counts.ops_per_warp;
  for (std::size_t u = 0; u < facts.machine.units.size(); ++u)
    prediction.units.push_back({facts.machine.units[u].name, counts.unit_mean[u], counts.unit_shortest[u],
                                counts.unit_longest[u], bounds[u].cycles * ms_per_cycle});
  prediction.gflops = counts.flops / (prediction.time_ms * 1e6);
  if (counts.tensor_peak_operations > 0) {
    prediction.tensor_gflops = counts.tensor_flops / (prediction.time_ms * 1e6);
    prediction.peak_tensor_gflops =
        counts.tensor_flops / counts.tensor_peak_operations * facts.machine.tensor_peak_per_ns;
  }
}

void fill_memory(facts::Prediction& prediction, const Facts& facts) {
  const gpu::MemoryTiming& memory = facts.machine.memory;
  prediction.sites = facts.program.sites;
  prediction.memory = facts.memory.sites;
  prediction.dram_bytes = facts.memory.dram_bytes_read + facts.memory.dram_bytes_written;
  prediction.l2_bytes = facts.memory.l2_bytes_read + facts.memory.l2_bytes_written;
  prediction.dram_read_bytes = facts.memory.dram_bytes_read;
  prediction.dram_written_bytes = facts.memory.dram_bytes_written;
  prediction.l2_read_bytes = facts.memory.l2_bytes_read;
  prediction.l2_written_bytes = facts.memory.l2_bytes_written;
  prediction.compulsory_bytes = facts.memory.compulsory_bytes;
  prediction.dram_gbps = prediction.dram_bytes / (prediction.time_ms * 1e6);
  prediction.dram_peak_gbps = memory.dram_peak_gbps;
  prediction.dram_achievable_gbps = memory.dram_read_gbps;
}

facts::Note note_of_longest(const Facts& facts, const SmRun& run) {
  const facts::GroupTrace& group = facts.trace.groups[run.longest->sample];
  return {facts::Note::Severity::info,
          fmt::format(
              "the launch ends with its longest group ({}, {}, {}): an SM with the mean of all groups "
              "is done after {:.3g} of its time",
              group.group.x, group.group.y, group.group.z, run.longest->others_cycles / run.longest->cycles)};
}

} // namespace

Result<facts::Prediction> predict(const Facts& facts, const KeptSimulations& kept) {
  const gpu::Machine& machine = facts.machine;
  const SmLoad load = spread(facts);
  auto run = run_sm(facts, load, kept);
  FOREWARP_TRY(run);
  const std::vector<Bound> all_bounds = bounds(facts, load, *run);
  double cycles = run->cycles;
  for (const Bound& bound : all_bounds)
    cycles = std::max(cycles, bound.cycles);
  const double fixed_cycles = machine.fixed.kernel_min_time_us * machine.sm_clock_mhz;

  facts::Prediction prediction;
  prediction.cycles = cycles + fixed_cycles;
  prediction.sm_count = machine.sm_count;
  prediction.sm_clock_mhz = machine.sm_clock_mhz;
  prediction.time_ms = prediction.cycles / (machine.sm_clock_mhz * 1e3);
  prediction.launch_overhead_ms = machine.fixed.launch_overhead_us * 1e-3;
  Explanation explanation = explain(facts, load, *run, all_bounds, cycles, fixed_cycles);
  prediction.limiter = explanation.limiter;
  prediction.interval_ms = interval_ms(prediction.time_ms, model_sigma(explanation.limiter), facts);
  prediction.causes = std::move(explanation.causes);
  prediction.lines = std::move(explanation.lines);
  prediction.occupancy = facts.occupancy;
  prediction.achieved_occupancy = run->resident_warps / std::max(1U, machine.limits.max_warps_per_sm);
  prediction.waves = load.groups_total / (static_cast<double>(machine.sm_count) * load.concurrent_groups);
  prediction.peak_gflops = machine.fp32_peak_gflops;
  fill_instructions(prediction, facts, all_bounds);
  fill_memory(prediction, facts);
  if (run->longest && cycles == run->cycles)
    prediction.notes.push_back(note_of_longest(facts, *run));
  return prediction;
}

} // namespace forewarp::predict::hybrid

namespace forewarp::predict {

Predictor hybrid_predictor() {
  return {.name = "hybrid",
          .source = "this program's default",
          .rung = Rung::traced,
          .needs = {.trace = true},
          .gives = {.prediction = true},
          .simulates = true,
          .predict = [](const FactSet& facts, const Options& options) -> Result<Answer> {
            auto prediction = hybrid::predict(
                *facts.traced, options.kept != nullptr ? *options.kept : hybrid::KeptSimulations{});
            FOREWARP_TRY(prediction);
            return answer_of("hybrid", *std::move(prediction), facts);
          }};
}

} // namespace forewarp::predict

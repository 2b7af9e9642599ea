// One row a GPU, in the order of the text table; RFC 4180 quoting.
#include "report/report.h"

#include "support/csv_field.h"

#include <fmt/format.h>

namespace forewarp::report {
std::string write_csv(const Predictions& predictions) {
  std::string text =
      "kernel,gpu,time_ms,interval_low_ms,interval_high_ms,cycles,limiter,valid,active_groups_per_sm,"
      "occupancy_fraction,occupancy_limiter,registers_per_thread,instructions_per_warp,dram_bytes,l2_bytes,"
      "dram_gbps,dram_peak_gbps,gflops,peak_gflops,launch_overhead_ms\n";
  for (const std::size_t i : fastest_first(predictions)) {
    const facts::Prediction& p = predictions[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(p.kernel),
                        csv_field(p.gpu), p.time_ms, p.interval_ms[0], p.interval_ms[1], p.cycles,
                        facts::to_string(p.limiter), p.valid, p.occupancy.active_groups_per_sm,
                        p.occupancy.fraction, p.occupancy.limiter, p.resources.registers_per_thread,
                        p.instructions_per_warp, p.dram_bytes, p.l2_bytes, p.dram_gbps, p.dram_peak_gbps,
                        p.gflops, p.peak_gflops, p.launch_overhead_ms);
  }
  return text;
}

} // namespace forewarp::report

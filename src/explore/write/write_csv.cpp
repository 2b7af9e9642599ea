#include "explore/write/write.h"

#include <fmt/format.h>

namespace forewarp::explore {

Result<void> write_csv(const Findings& findings, const Sink& sink) {
  std::string head = "id";
  for (const std::string& name : findings.store.parameters())
    head += "," + csv_field(name);
  FOREWARP_TRY(sink(head +
                    ",gpu,valid,time_ms,low_ms,high_ms,registers,shared_bytes,occupancy,dram_bytes,gflops,"
                    "limiter,reason\n"));
  return findings.store.for_each([&](const Row& row) -> Result<void> {
    std::string lead = fmt::format("{}", row.id);
    for (const std::string& value : row.values)
      lead += "," + csv_field(value);
    for (std::size_t g = 0; g < row.outcomes.size(); ++g) {
      const Outcome& o = row.outcomes[g];
      std::string line =
          fmt::format("{},{},{},", lead, csv_field(findings.store.gpus()[g]), o.valid ? "yes" : "no");
      line += o.valid
                  ? fmt::format("{},{},{},{},{},{},{},{},{},", o.time_ms, o.low_ms, o.high_ms, o.registers,
                                o.shared_bytes, o.occupancy, o.dram_bytes, o.gflops, o.limiter)
                  : std::string(",,,,,,,,,");
      FOREWARP_TRY(sink(line + csv_field(o.reason) + "\n"));
    }
    return {};
  });
}

} // namespace forewarp::explore

#include "explore/summary.h"
#include "support/suggest.h"

#include <fmt/format.h>

namespace forewarp::explore {

const std::vector<Objective>& objectives() {
  static const std::vector<Objective> table = {{"time", "time_ms", false, "ms"},
                                               {"dram_bytes", "dram_bytes", false, "bytes"},
                                               {"gflops", "gflops", true, "GFLOP/s"},
                                               {"occupancy", "occupancy", true, "share"},
                                               {"registers", "registers", false, "registers"},
                                               {"shared_bytes", "shared_bytes", false, "bytes"}};
  return table;
}

Result<const Objective*> find_objective(const std::string& name) {
  std::vector<std::string> names;
  for (const Objective& objective : objectives()) {
    if (name == objective.name)
      return &objective;
    names.emplace_back(objective.name);
  }
  return fail(ErrorCode::usage, fmt::format("unknown objective '{}'", name), "--objective",
              fmt::format("one of {}", fmt::join(names, ", ")));
}

} // namespace forewarp::explore

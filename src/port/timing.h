// CPU times of the marked loops in the program as -O2 makes it.
#pragma once

#include "port/run_program.h"

namespace forewarp::port {

struct Times {
  std::vector<TimedRegion> regions; ///< by mark
  double program_ms = 0;
};

/// Median of `request.repetitions` runs. Errors: what ended the program early.
Result<Times> measure_times(const ProgramRequest& request, const SourceProgram& program,
                            const std::vector<RegionMark>& marks);

} // namespace forewarp::port

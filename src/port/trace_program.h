// The door of port's front half: a C or C++ program in, traces of its marked regions out.
#pragma once

#include "facts/region_trace.h"
#include "port/dependence.h"
#include "port/helper/plan.h"
#include "port/source/mark.h"
#include "port/static/region_code.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct ProgramRequest {
  std::vector<std::string> files;
  std::vector<std::string> defines, include_directories, libraries;
  std::vector<std::string> arguments; ///< of the program's main
  std::string input;                  ///< file that it reads as its standard input; "": nothing
  std::string standard;
  std::vector<std::string> regions;    ///< "FILE:LINE" or "LINE" (one file), beside the pragmas
  bool all_loops = false;              ///< every outermost for loop; loops inside one that is not parallel
  std::vector<std::uint64_t> block;    ///< x first; overrides the pragmas'; empty: theirs
  std::uint64_t detail_threads = 4096; ///< two batches of the multiprocessor's threads
  unsigned repetitions = 3;            ///< timed runs
  Budget budget;
};

/// One region, whatever became of it. `problem` empty: the trace is complete enough to predict from. Where it
/// cannot be parallel but its two outermost loops may change places (Parallelism::interchange), the trace has
/// threads all the same: iterations of the outermost loop.
struct TracedRegion {
  facts::RegionTrace trace;
  Parallelism parallelism;
  RegionCode code;
  std::string inside;     ///< RegionMark::inside
  double recorded_ms = 0; ///< CPU time of the survey's recorded region, all launches
  Error problem = {ErrorCode::internal, "", "", ""}; ///< message empty: none
  bool valid() const { return problem.message.empty(); }
};

struct TracedProgram {
  std::vector<TracedRegion> regions;
  double program_ms = 0; ///< whole program, median of the timed runs; 0: not timed
  std::vector<std::string> warnings;
};

/// Compiles, runs and traces. Errors: those of the program as a whole (compile, no region, unknown line);
/// what is wrong with one region stands in its `problem`.
Result<TracedProgram> trace_program(const ProgramRequest& request);

struct TimedRegion {
  std::string file;
  std::uint32_t line = 0;
  facts::RegionTiming timing;
  std::uint64_t launches = 0;
};

/// CPU times only, at the defines of `request`, of the regions that pragmas and `regions` name.
Result<std::vector<TimedRegion>> time_program(const ProgramRequest& request);

} // namespace forewarp::port

// From source to what runs in the helper: object code with and without recording, and the plans of the
// regions.
#pragma once

#include "port/features/plan.h"
#include "port/helper/jit.h"
#include "port/source/program.h"
#include "port/static/region.h"
#include "port/static/region_code.h"

#include <set>

namespace forewarp::port {

struct RecordedProgram {
  std::vector<facts::RegionTrace> facts;     ///< static part
  std::vector<RegionMark> marks;             ///< of each
  std::vector<std::string> functions;        ///< that holds each
  std::vector<std::set<std::string>> called; ///< by each: functions that it takes along
  std::vector<RegionPlan> plans;
  std::vector<FeaturePlan> features; ///< of each, where they are wanted
  std::vector<RegionCode> codes;
  std::vector<GlobalPlan> globals, stack; ///< stack: by the number that the program announces them with
  std::uint64_t slack_words = 0;
  ProgramCode code;
};

enum class Wanted : std::uint8_t {
  trace,
  features, ///< RecordedProgram::features too
};

/// Marks whose loop the optimiser removed have no region in the result.
Result<RecordedProgram> prepare_recording(const SourceProgram& program, const std::vector<RegionMark>& marks,
                                          Wanted wanted = Wanted::trace);

struct TimedCode {
  ProgramCode code;
  std::vector<bool> present; ///< of each mark
};
Result<TimedCode> prepare_timing(const SourceProgram& program, const std::vector<RegionMark>& marks);

} // namespace forewarp::port

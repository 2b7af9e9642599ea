// The launches of a run that `forewarp run --keep FOLDER` has kept, one after the other: which launch file
// stands for which of them.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>

namespace forewarp::launch {

/// Beside the launch files. A line a launch, in the order of the program's calls:
/// {"kernel": NAME, "file": "3.toml"}, or {"kernel": NAME, "why": TEXT} where none could be kept.
inline constexpr const char* run_index_name = "launches.jsonl";

/// The line of a launch. `file` "": it was not kept, `why` says the reason.
std::string run_index_line(const std::string& kernel, const std::string& file, const std::string& why);

/// Path of the launch file of a kernel's launch number `number`, counted from 1 in the order of the calls.
/// `run`: the folder, or the index in it. `kernel`: as the run's report names it, or without its parameters,
/// or without its template arguments, too; "": launches of all kernels are counted. Errors: not_found (no
/// index, no such kernel, fewer launches), usage (several kernels have the name), unsupported (not kept).
Result<std::string> launch_of_run(const std::string& run, const std::string& kernel, std::uint64_t number);

} // namespace forewarp::launch

// Where a program's time goes, from a profile that somebody took: perf script, gprof, callgrind.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct FunctionShare {
  std::string function; ///< without its parameters
  double share = 0;     ///< of all samples or costs, its callees' not counted, 0 to 1
};

/// The text of `perf script`, of `gprof` (its flat profile) or a callgrind.out file; which one is told by the
/// text. Largest share first. Errors: not_found, bad_input (none of the three, or no sample in it).
Result<std::vector<FunctionShare>> read_profile(const std::string& path);

/// As read_profile; `where` is what errors call the text.
Result<std::vector<FunctionShare>> parse_profile(const std::string& text, const std::string& where);

/// Share of the function by its last name ("solve" of "grid::solve(int)"); -1: not in the profile.
double share_of(const std::vector<FunctionShare>& profile, const std::string& function);

} // namespace forewarp::port

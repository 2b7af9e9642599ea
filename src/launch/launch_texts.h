// The texts of a launch file with their {expressions} unfilled: what a launch is as a function of its values.
#pragma once

#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp::launch {

struct LaunchTexts {
  std::vector<std::string> global, grid, local; ///< an element an axis; empty where the file has none
  std::map<std::string, std::string> arguments; ///< by parameter; arguments given as tables are left out
  std::vector<std::string> source_texts;        ///< defines and options: what the compiler sees
  std::map<std::string, double> values;         ///< [values] with those of the variant in their place
  std::string file;
};

/// `path`: FILE or FILE:VARIANT, one that read_launch_file accepts. Errors: its own.
Result<LaunchTexts> read_launch_texts(const std::string& path);

} // namespace forewarp::launch

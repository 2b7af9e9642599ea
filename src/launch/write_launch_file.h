// A launch as the text of a launch file, to be read again and edited.
#pragma once

#include "facts/launch.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp::launch {

struct LaunchFileParts {
  std::string source, kernel;
  std::vector<std::string> defines, include_directories, options;
  std::string standard;
  facts::Launch launch;
  bool outside_reads_zero = false;
  std::vector<std::string> order; ///< names of the arguments as the kernel declares them; others follow
  std::map<std::string, std::string> comments; ///< behind an argument, or a key of the file; one line each
  std::vector<std::string> head;               ///< comment lines at the top
};

/// read_launch_file gives the same launch again, but for contents of buffers that came from files (unknown,
/// with a comment) or are longer than 4096 bytes.
std::string launch_file_text(const LaunchFileParts& parts);

/// An argument's value in the grammar of --arg.
std::string argument_text(const facts::ArgumentValue& value);

} // namespace forewarp::launch

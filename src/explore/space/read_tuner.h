// Spaces out of auto-tuners' files: every configuration that the file lists, measured or not.
#pragma once

#include "explore/space/space.h"

namespace forewarp::explore {

struct TunerFile {
  Table table;
  std::string kernel;                      ///< "" where the file does not say
  std::vector<std::uint64_t> problem_size; ///< Kernel Tuner's; may be empty
};

/// Kernel Tuner's cache (also one that was cut off), T4 results, or KTT's CSV; told apart by their contents.
/// Errors: not_found, bad_input with what is missing.
Result<TunerFile> read_tuner_file(const std::string& path);

/// What Kernel Tuner does with its own names unless told otherwise: block_size_x, _y, _z are the group's
/// size, and the grid covers the problem size with groups of that size. Only for what `given` does not set.
std::vector<std::string> tuner_conventions(const TunerFile& file, const std::vector<std::string>& given);

} // namespace forewarp::explore

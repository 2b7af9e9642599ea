// Launches of a run as launch files, for `predict`, `explore`, `explain` and `bundle`.
#pragma once

#include "engine/predict.h"

#include <cstdint>
#include <string>

namespace forewarp::program {

/// A launch with all that a launch file says. Contents of buffers are those that the prediction saw.
struct KeptLaunch {
  std::uint64_t number = 0;
  const engine::SourceRequest& source;
  const engine::KernelDescription& kernel;
  const facts::Launch& launch; ///< arguments by position
};

/// Writes FOLDER/NUMBER.toml, the source as FOLDER/HASH.cl, and what is no number as
/// FOLDER/NUMBER_ARGUMENT.bin. The folder is made. Gives the launch file's name in it. Errors: not_found
/// (something cannot be written).
Result<std::string> keep_launch(const std::string& folder, const KeptLaunch& kept);

} // namespace forewarp::program

// The launch file's texts as a formula reads them.
#pragma once

#include "cli/commands/predict_options.h"
#include "launch/launch_texts.h"

#include <optional>

namespace forewarp::cli {

/// Without what the command line gives in the file's place: that is a number, whatever the file says. Empty
/// where no launch file is named. Errors: of reading it.
Result<std::optional<launch::LaunchTexts>> open_texts(const PredictWords& words);

} // namespace forewarp::cli

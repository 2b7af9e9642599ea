// Predictions of a launch that rests on guesses: what does not hold is replaced and said.
#pragma once

#include "engine/host_launch/host_launch.h"
#include "facts/prediction.h"

#include <utility>
#include <vector>

namespace forewarp::engine {

/// Predicts. Where the kernel leaves a buffer, these are tried in turn: more dynamic shared memory (up to 64
/// KB); buffers as large as the launch touches; accesses outside of all buffers that read zero and write
/// nothing. Where it runs for too long, one work-group is run instead. The notes are the request's and what
/// was replaced. The error is the first one, or budget where the last of these ways runs too long with open
/// numbers of the host code, which may be smaller.
std::pair<Result<std::vector<facts::Prediction>>, std::vector<facts::Note>>
predict_guessed(const FoundRequest& found);

} // namespace forewarp::engine

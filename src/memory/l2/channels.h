// How evenly scattered requests spread over L2's channels.
//
// A channel of L2 is chosen by plain address bits on GCN and CDNA. Where lanes lie a power of two apart, a
// request falls into few channels, and groups in step fall into the same. Seen on MI50 and MI100 (MIOpen's
// gradients of weights with filters of 1 x 1, whose lanes lie a channel of the image apart): with all lanes
// in one of n channels about sqrt(n) channels' worth is moved, with half of the channels 1 / sqrt(2) of all:
// waves wait for the crowded channel, and those that have passed it are ahead. Hence the mean of what
// lockstep and what chance would give, sqrt(k / n) of the rate for k channels in use. Requests of few lines
// are left out: neighbours' lie side by side.
#pragma once

#include "memory/translate/stage_input.h"

#include <vector>

namespace forewarp::memory {

/// [site] By how much its sectors take L2 longer than evenly spread ones; all 1 where the GPU's file does not
/// say how L2's channels are chosen.
std::vector<double> channel_crowding(const StageInput& in);

} // namespace forewarp::memory

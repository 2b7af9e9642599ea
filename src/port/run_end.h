// How a run of the program ended, and what that means for its regions, in words.
#pragma once

#include "port/helper/plan.h"
#include "support/result.h"

#include <string>

namespace forewarp::port {

/// How the program ended, when it did not end by itself; "" otherwise.
std::string end_words(const RunResult& run, const Budget& budget);
std::string end_remedy(const RunResult& run);

/// "file:line" of the region.
std::string place_of(const facts::RegionTrace& trace);

/// What a run that ended early means for region `index`; message empty: nothing.
Error problem_of_end(const RunResult& run, std::size_t index, const facts::RegionTrace& trace,
                     const Budget& budget);

/// The region of a run that came to its end without it.
Error never_executed(const RunResult& run, const facts::RegionTrace& trace);

} // namespace forewarp::port

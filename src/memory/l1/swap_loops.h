// Loops of compare-and-swap in L2: who comes between a warp's look at a word and its try.
//
// A try succeeds when nobody succeeded since the warp's last look, that is, since its last try. All that are
// at a word take turns, and one of a round succeeds: a lane tries as often, on average, as there are
// contenders. An SM has one of its warps at a word at a time: adding two bfloat16 at once on RTX 3080
// (HeCBench's f16atomic, 68 SMs, 512 groups on 256 words) makes 60 tries a sum by its counters, of floating
// operations and of integer ones, where all resident groups together would make 250.
//
// Each try of a lane has the same chance, so that a sector is asked for until the last of its lanes is
// through: for n words the (1 + 1/2 + ... + 1/n)-fold of a lane's tries.
#pragma once

#include "memory/translate/wave.h"

#include <cstddef>

namespace forewarp::memory {

/// Mean number of contenders for a word, at least 1, where `successes` operations of `groups` groups go to
/// it.
double contenders(double successes, double groups, const Dealing& dealing);

/// 1 + 1/2 + ... + 1/words.
double rounds_of_sector(std::size_t words);

} // namespace forewarp::memory

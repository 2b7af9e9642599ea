// Values that a loop hands from one iteration to the next in registers: reductions and true recurrences.
#pragma once

#include "facts/region_trace.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <vector>

namespace forewarp::port {

/// The induction variable of `loop`: an integer phi that grows by a constant; the one called `name` if there
/// is one.
llvm::PHINode* induction_of(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const std::string& name);

/// "+", "*", "min", "max" when `phi` only gathers one value over the iterations; "" otherwise.
std::string reduction_of(const llvm::PHINode& phi, const llvm::Loop& loop);

/// Accumulation in memory: the store's value is its own address's old value combined with another one.
std::string reduction_of(const llvm::StoreInst& store);

/// The same where the compiler keeps the old value in a register of `loop` and only stores it: a guarded sum
/// into a variable of the program (`if (...) found++;`).
std::string reduction_of(const llvm::StoreInst& store, const llvm::Loop& loop);

/// Dependences that the header phis of `loop` carry; `loop_index` goes into the result.
std::vector<facts::RegionDependence> scalar_dependences(llvm::Loop& loop, std::uint32_t loop_index,
                                                        llvm::ScalarEvolution& evolution);

} // namespace forewarp::port

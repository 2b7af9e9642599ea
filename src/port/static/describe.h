// IR instructions in the terms of facts/region_trace.h.
#pragma once

#include "facts/region_trace.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <set>
#include <string>

namespace forewarp::port {

/// False: debug records, markers and phis, which are no operations.
bool is_operation(const llvm::Instruction& instruction);

facts::RegionOp op_of(const llvm::Instruction& instruction);
std::uint8_t bits_of(const llvm::Instruction& instruction);

/// A call whose effect is that of an operation: arithmetic intrinsics and functions of <math.h>.
bool is_math_call(const llvm::CallBase& call);

/// Instructions that keep one of `loops` going: increment of the induction variable, exit comparison and
/// branch.
std::set<const llvm::Instruction*> loop_control(const std::vector<llvm::Loop*>& loops);

/// Integer instructions of `blocks` that only lead to addresses.
std::set<const llvm::Instruction*> address_only(const std::vector<llvm::BasicBlock*>& blocks);

/// Name of the variable that a pointer comes from: a global, a parameter, a local pointer; "" when debug
/// information does not tell.
std::string variable_behind(const llvm::Value& pointer);

} // namespace forewarp::port

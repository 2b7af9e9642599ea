// Barriers: in memory (mbarrier), and those of a part of the group, by name.
#pragma once

#include "frontend/ptx/expansion.h"

#include <string>

namespace forewarp::frontend::ptx {

/// The address in an operand, in shared memory, whatever space the statement names. Null: none, or it belongs
/// to another group.
llvm::Value* barrier_address(Expansion& e, const Statement& s, const std::string& operand);

/// Call of "forewarp.meeting.NAME".
llvm::CallInst* call_meeting(Expansion& e, const std::string& name, llvm::Type* result, llvm::Value* place,
                             llvm::Value* number);

/// st.async and red.async: what `expand` makes of the statement without its last operand, a barrier of the
/// group that gets it, which hears of the bytes.
bool expand_with_bytes(Expansion& e, const Statement& s, bool (*expand)(Expansion&, const Statement&));

/// bar.sync and bar.arrive of any barrier, of `operands` (name, and how many work-items where it is not all).
bool gather_at(Expansion& e, const Statement& s, bool waits);

} // namespace forewarp::frontend::ptx

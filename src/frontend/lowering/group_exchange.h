// Values that all work-items of a group exchange: through the lanes of each warp, then through shared memory,
// with the barriers that it takes. Called with scalars, by all work-items of the group.
#pragma once

#include "frontend/lowering/builtin_call.h"

namespace forewarp::frontend::lowering {

enum class Vote : unsigned { any, all, count };

/// Of `predicate` (i32, 0 or 1): whether any or all have it, or how many (i32).
llvm::Value* group_vote(BuiltinCall& call, Vote vote, llvm::Value* predicate);
/// `operation`: add, min, max, umin or umax.
llvm::Value* group_reduction(BuiltinCall& call, const std::string& operation, llvm::Value* value);
llvm::Value* group_scan(BuiltinCall& call, const std::string& operation, bool inclusive, llvm::Value* value);
/// The value of the work-item with the local `index` (one number a dimension).
llvm::Value* group_broadcast(BuiltinCall& call, llvm::Value* value, llvm::ArrayRef<llvm::Value*> index);

} // namespace forewarp::frontend::lowering

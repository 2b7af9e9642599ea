// Indices and sizes of work-items as 32-bit values, for the tables that need them.
#pragma once

#include "frontend/lowering/builtin_call.h"

namespace forewarp::frontend::lowering {

enum class ItemIndex : unsigned {
  local_id,
  local_size,
  group_id,
  group_count,
  global_id,
  global_size,
  enqueued_size
};

llvm::Value* item_index(BuiltinCall& call, ItemIndex what, unsigned dimension);
llvm::Value* linear_local_id(BuiltinCall& call);
llvm::Value* linear_local_size(BuiltinCall& call);

} // namespace forewarp::frontend::lowering

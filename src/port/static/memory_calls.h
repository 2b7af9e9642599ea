// memcpy, memmove and memset as the loads and stores that they are.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>

namespace forewarp::port {

/// Each call becomes a loop of its own, in steps of the widest of 1, 2, 4 and 8 bytes that its length and the
/// alignment of its pointers allow; memmove goes from the end where it moves upwards.
void expand_memory_calls(llvm::Module& module);

/// Was it made by expand_memory_calls?
bool is_memory_call_loop(const llvm::Loop& loop);

} // namespace forewarp::port

// What a nest of loops looks like to somebody who would hand its iterations to threads, as far as the code
// tells.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace forewarp::port {

/// What LLVM knows about one function.
struct Knowledge {
  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library_impl;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
  explicit Knowledge(llvm::Function& function);
};

/// A way out that throws, or ends the program.
bool is_emergency(const llvm::BasicBlock& exit);

/// Nothing but `inner` happens in the body of `outer`, as far as others can see.
bool holds_only(const llvm::Loop& outer, const llvm::Loop& inner);

/// Is the number of iterations known before the loop begins? Either LLVM works it out, or the only way out
/// compares a value that grows by a constant with one that does not change (a call that may not return hides
/// that from LLVM).
bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// The loop directly inside `loop` that could be handed to threads along with it: alone there, counted. Null:
/// none.
llvm::Loop* candidate_inside(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

} // namespace forewarp::port

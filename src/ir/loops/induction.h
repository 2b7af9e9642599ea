// Closed forms of what a loop's header carries from one iteration to the next, and the search for the
// induction variable of an exit (Wang et al., DATE 2019, section III-A2: binary operation, load, phi).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace forewarp::ir {

/// value(k) = start, then `update` applied k times with a `step` that is fixed in the loop.
struct Induction {
  enum class Found { binary, load, phi } found = Found::phi; ///< the paper's case
  const llvm::Value* start = nullptr;
  const llvm::BinaryOperator* update = nullptr; ///< one operand is the variable, the other `step`
  const llvm::Value* step = nullptr;
  bool step_first = false; ///< step - variable, step / variable
};

/// Of a header phi; nothing where it is not updated by one operation with a fixed operand.
std::optional<Induction> induction_of(const llvm::PHINode& phi, const llvm::Loop& loop);

/// The affine recurrence that the phi is in `loop`, as LLVM's scalar evolution sees it; null: none.
const llvm::SCEVAddRecExpr* recurrence_of(llvm::PHINode& phi, const llvm::Loop& loop,
                                          llvm::ScalarEvolution& evolution);
/// Constant step of `phi` in `loop`; 0: none.
std::int64_t step_of(llvm::PHINode& phi, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// The comparison of a block's branch that leaves or goes on.
struct StayTest {
  const llvm::ICmpInst* compare = nullptr;
  bool stays_where_true = true;
};
/// Nothing where the block ends in something else.
std::optional<StayTest> stay_test(const llvm::BasicBlock& exiting, const llvm::Loop& loop);

/// Built of constants and arguments alone, by operations without effect: the same for all warps of a launch.
bool is_of_arguments(const llvm::Value* value);

/// The variable that an exit's comparison looks at.
struct ExitTest {
  Induction variable;
  unsigned updates_before = 0; ///< at the first test: 0 or 1
  const llvm::ICmpInst* compare = nullptr;
  bool variable_first = true;       ///< operand 0 of the comparison
  const llvm::Value* end = nullptr; ///< the end value, fixed in the loop
  bool stays_where_true = true;
  const llvm::CastInst* cast = nullptr; ///< between variable and comparison
};

/// Errors are "not found": the branch is no comparison of such a variable with a fixed value.
std::optional<ExitTest> exit_test(const llvm::BasicBlock& exiting, const llvm::Loop& loop);

} // namespace forewarp::ir

// Closed forms of what a loop's header carries from one iteration to the next, and the search for the
// induction variable of an exit (Wang et al., DATE 2019, section III-A2: binary operation, load, phi).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace forewarp::statictrace {

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

} // namespace forewarp::statictrace

// Which values may differ between the lanes of a warp.
#pragma once

#include <llvm/ADT/DenseSet.h>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace forewarp::codegen {

/// Data dependence on lane identity, atomics and lane exchange, plus phis that join a divergent branch. Not
/// modelled: values that differ because lanes leave a loop in different iterations.
class Divergence {
public:
  explicit Divergence(const llvm::Function& function);
  bool is_divergent(const llvm::Value* value) const { return divergent_.contains(value); }

private:
  llvm::DenseSet<const llvm::Value*> divergent_;
};

} // namespace forewarp::codegen

// The values, loops, branch conditions and addresses of a kernel as expressions: what LLVM's scalar evolution
// knows, and beside it geometric induction variables, shifts, masks and selections.
//
// Integers are taken to be exact: where the kernel computes in 32 bits, the value has to fit (`exact_while`).
#pragma once

#include "facts/launch.h"
#include "facts/machine_code/control_flow.h"
#include "ir/kernel_module.h"
#include "symbolic/conditions/condition.h"
#include "symbolic/kernel/names.h"

#include <memory>

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace forewarp::symbolic {

using facts::no_loop;

class KernelReader;

struct Loop {
  std::uint32_t header = 0, parent = no_loop;
  std::vector<std::uint32_t> blocks;  ///< ascending, with those of inner loops
  std::vector<std::uint32_t> exiting; ///< blocks that may leave it
  /// Runs of the header for one entry, in items, groups, arguments and iterations of outer loops. Beyond the
  /// algebra, with the reason: rests on data, or on what has no closed form.
  Expression trips;
  facts::SourceLocation location; ///< of the branch that decides
  bool given = false;             ///< trips come from ValueOptions
};

/// Byte `offset` behind a parameter or variable.
struct Address {
  std::string base; ///< name of the parameter or variable
  Expression offset;
};

/// Has to lie between -2^(bits - 1) and 2^(bits - 1) - 1, or, without sign, between 0 and 2^bits - 1, where a
/// block of the kernel computes it.
struct Fit {
  Expression value;
  unsigned bits = 32;
  bool is_signed = true;
  std::uint32_t block = 0;      ///< that computes it
  std::uint32_t loop = no_loop; ///< or: computed where this loop is entered
};

struct ValueOptions {
  /// By line of the loop's branch: `--trip-count LINE=EXPRESSION`, iterations for one entry.
  std::map<std::uint32_t, Expression> trip_counts;
  /// By header block: runs of the header for one entry, of loops whose bound nothing else gives.
  std::map<std::uint32_t, Expression> header_runs = {};
};

class KernelValues {
public:
  /// The module outlives it. Nothing of the kernel is run.
  KernelValues(const ir::KernelModule& module, const ir::KernelSignature& kernel, ValueOptions options = {});
  ~KernelValues();
  KernelValues(const KernelValues&) = delete;
  KernelValues& operator=(const KernelValues&) = delete;

  /// Integer or truth value where it is computed. Iterations of the loops around it are symbols.
  Expression value(const llvm::Value* value) const;
  /// Of memory site `index` of ir::number. The base is empty where it is not known.
  Address address(std::uint32_t site) const;

  /// Blocks are numbered as in trace and machine program (ir::number). Outer loops come before inner ones.
  const std::vector<Loop>& loops() const;
  std::size_t block_count() const;
  std::uint32_t loop_of(std::uint32_t block) const;                        ///< innermost; no_loop: none
  const std::vector<std::uint32_t>& successors(std::uint32_t block) const; ///< each once

  /// When a work-item that runs the innermost loop's header (or the kernel, outside of loops) gets to `block`
  /// in the same iteration.
  const Condition& reached(std::uint32_t block) const;
  /// When a work-item at the outer loop's header (or the kernel's entry) enters `loop` in the same iteration.
  Condition entered(std::uint32_t loop) const;
  /// When a work-item at the end of `from` goes on to `to`.
  Condition taken(std::uint32_t from, std::uint32_t to) const;

  /// What the expressions rest on.
  const std::vector<Fit>& exact_while() const;
  /// When a work-item computes the value of `fit`.
  Condition computed(const Fit& fit) const;

private:
  std::unique_ptr<KernelReader> reader_;
};

} // namespace forewarp::symbolic

// Values of a warp's lanes from the IR alone: arguments, work-item ids and the numbers of the running
// iterations give integers and addresses; nothing is stored or loaded (but from the kernel's parameters).
// What rests on loaded data, floats or exchange between lanes is unknown (H, section III-B1, case 3).
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"
#include "ir/loops/induction.h"
#include "simt/arguments.h"
#include "simt/decode/program.h"
#include "simt/memory_map.h"
#include "simt/run.h"
#include "statictrace/lanes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace forewarp::statictrace {

using ir::ExitTest;
using ir::Induction;

/// What LLVM knows of the kernel.
struct KernelAnalyses {
  explicit KernelAnalyses(llvm::Function& function);
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library_table;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
};

/// Arguments and variables of one launch as numbers.
struct LaunchValues {
  facts::LaunchShape shape;
  simt::MemoryMap memory;
  simt::Binding binding;
  llvm::DenseMap<const llvm::Value*, std::uint64_t> known; ///< arguments and module variables
};

/// As simt binds them. Errors: launch.
Result<std::unique_ptr<LaunchValues>> bind_launch(const simt::Program& program,
                                                  const ir::KernelModule& module,
                                                  const ir::KernelSignature& kernel,
                                                  const facts::Launch& launch);

class Values {
public:
  Values(const llvm::Function& function, KernelAnalyses& analyses, LaunchValues& launch, unsigned warp_width);

  void start_warp(const facts::Dim3& group, unsigned warp);
  unsigned lanes() const { return width_; }
  std::uint64_t lanes_of_warp() const { return warp_lanes_; }

  /// A run of a loop's header: entered anew (iteration 0), or in a later iteration. `active`: the lanes that
  /// run it.
  void enter(const llvm::Loop& loop, std::uint64_t active);
  void iterate(const llvm::Loop& loop, std::uint64_t active, std::uint64_t iteration);
  std::uint64_t iteration(const llvm::Loop& loop) const { return state(loop).iteration; }
  /// A run of a block that is reached from `from`, each with its lanes: what phis take.
  struct Arrival {
    const llvm::BasicBlock* from = nullptr;
    std::uint64_t lanes = 0;
  };
  void arrive(const llvm::BasicBlock& block, const std::vector<Arrival>& from);

  const Lanes& value(const llvm::Value* value);
  Lanes value(const llvm::SCEV* scev);
  /// The variable of a closed form after `updates` updates from the loop's entry.
  Lanes after(const Induction& induction, std::uint64_t updates);
  static bool compare(llvm::CmpInst::Predicate predicate, std::uint64_t a, std::uint64_t b, unsigned bits);

private:
  struct LoopState {
    std::uint64_t iteration = 0, version = 0, active = 0;
    bool some_left = false;
    std::array<std::uint64_t, most_lanes> left_at{}; ///< iteration, of lanes that left earlier
  };
  struct Memo {
    std::uint64_t version = UINT64_MAX;
    bool open = false;
    Lanes lanes;
  };
  const LoopState& state(const llvm::Loop& loop) const { return loop_states_[loop_numbers_.lookup(&loop)]; }
  std::uint64_t version_of(const llvm::Instruction& instruction) const;
  Lanes iteration_lanes(const llvm::Loop& loop) const;
  Lanes fresh(const llvm::Instruction& instruction);
  Lanes header_phi(const llvm::PHINode& phi, const llvm::Loop& loop);
  Lanes merged(const llvm::PHINode& phi);
  Lanes apply(const Induction& induction, const Lanes& start, const Lanes& step, const Lanes& times);
  Lanes binary(unsigned opcode, const Lanes& a, const Lanes& b, unsigned bits) const;
  Lanes cast(const llvm::CastInst& cast);
  Lanes call(const llvm::CallBase& call);
  /// Arithmetic that says whether it overflowed, as compilers write tests of loops that count up to zero.
  Lanes of_checked(const llvm::WithOverflowInst& checked, bool overflow);
  Lanes work_item(llvm::StringRef name) const;
  Lanes address(const llvm::GEPOperator& gep);
  Lanes parameter_load(const llvm::LoadInst& load);
  Lanes constant(const llvm::Constant& constant);
  unsigned bits_of(const llvm::Type* type) const;

  const llvm::Function& function_;
  KernelAnalyses& analyses_;
  LaunchValues& launch_;
  unsigned width_;
  facts::Dim3 group_, group_size_;
  unsigned warp_ = 0;
  std::uint64_t warp_lanes_ = 0, clock_ = 0;
  std::array<std::array<std::uint64_t, most_lanes>, 3> item_{};
  llvm::DenseMap<const llvm::Loop*, unsigned> loop_numbers_;
  std::vector<LoopState> loop_states_;
  llvm::DenseMap<const llvm::BasicBlock*, std::vector<Arrival>> arrivals_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_;
  std::vector<Memo> memos_;
  std::vector<unsigned> loop_of_; ///< by instruction: 1 + number of its innermost loop; 0: none
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<Lanes>> constants_;
};

} // namespace forewarp::statictrace

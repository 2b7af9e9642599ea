// The reading of a kernel behind kernel_values.h: LLVM's analyses, and what was made of them so far. Values
// are in kernel_reader_values.cpp, comparisons and what has to fit in kernel_reader_fits.cpp, conditions,
// reachability and loops in kernel_reader.cpp.
#pragma once

#include "symbolic/kernel/kernel_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <set>
#include <utility>

namespace forewarp::symbolic {

class KernelReader {
public:
  KernelReader(const ir::KernelModule& module, const ir::KernelSignature& kernel, ValueOptions options);

  // ---- values ----
  Expression value(const llvm::Value* value, unsigned depth = 0);

  Condition condition(const llvm::Value* value, bool negated, unsigned depth = 0);

  // ---- control ----
  const Condition& reached(std::uint32_t number);

  Condition taken(std::uint32_t from, std::uint32_t to);

  Address address(std::uint32_t site);

  std::vector<Loop> loops_;
  facts::ControlFlow flow_;
  std::vector<Fit> fits_;

private:
  static constexpr unsigned deepest = 48; ///< uses of uses that are followed

  void name_arguments(const ir::KernelSignature& kernel);

  facts::SourceLocation place(const llvm::Value* value) const;
  Expression beyond(const llvm::Value* value, const std::string& what) const;
  Condition unknown(const llvm::Value* value, bool negated);
  /// The same number for the same value.
  std::size_t identity(const llvm::Value* value);

  // ---- fits (kernel_reader_fits.cpp) ----
  /// Where the kernel computes what is read just now: of the innermost value, comparison or loop's bound.
  struct Place {
    std::uint32_t block = 0, loop = no_loop;
  };
  /// For its own lifetime.
  class AtPlace {
  public:
    AtPlace(KernelReader& reader, const Place& place)
        : reader_(reader), before_(std::exchange(reader.computed_at_, place)) {}
    ~AtPlace() { reader_.computed_at_ = before_; }
    AtPlace(const AtPlace&) = delete;
    AtPlace& operator=(const AtPlace&) = delete;

  private:
    KernelReader& reader_;
    Place before_;
  };
  Place place_of(const llvm::Value* value) const;
  void must_fit(const Expression& value, unsigned bits, bool is_signed);
  /// A divisor, or what decides the direction in which a loop counts: at least 1.
  void must_be_positive(const Expression& value);
  /// Equality of words is equality of numbers where the numbers are less than 2^bits apart.
  void must_be_near(const Expression& difference, unsigned bits);
  /// The signed number in the low `bits`, whatever `value` is.
  static Expression wrapped(const Expression& value, unsigned bits);
  Expression shifted_down(const llvm::Instruction& shift, unsigned depth);
  Expression divided(const llvm::Instruction& division, bool remainder, unsigned depth);

  // ---- values of instructions ----
  Expression fresh_value(const llvm::Value* value, unsigned depth);

  /// 1 where the condition holds. Its alternatives have to exclude each other, as those of `reached` do, or
  /// be one.
  Expression indicator(const Condition& condition);

  Expression of(const llvm::SCEV* scev, unsigned depth);

  static bool is_word(unsigned bits) { return bits == 32 || bits == 64; }
  /// Low `bits`: words are taken to hold what they are given, shorter numbers wrap.
  Expression truncated(const Expression& value, unsigned bits);
  Expression extended(const Expression& value, unsigned bits, bool is_signed);

  Expression recurrence(const llvm::SCEVAddRecExpr& add, unsigned depth);

  Expression of_unknown(const llvm::Value* value, unsigned depth);

  Expression chosen(const Condition& when, const Expression& a, const Expression& b);

  /// x & (2^k - 1), x & -2^k, x & (2^e - 1).
  Expression masked(const llvm::Instruction& instruction, unsigned depth);

  Expression called(const llvm::CallBase& call, unsigned depth);

  // ---- phis ----
  Expression merged(const llvm::PHINode& phi, unsigned depth);

  /// Block of the phi's own loop from which the ways to it part; null: none.
  const llvm::BasicBlock* root_of(const llvm::PHINode& phi) const;
  /// When a work-item at `root` comes to the phi's block by its way number `i`.
  Condition way_to(const llvm::PHINode& phi, unsigned i, const llvm::BasicBlock* root);
  Condition merged_condition(const llvm::PHINode& phi, bool negated, unsigned depth);

  /// As it is in `scope`, behind the loops inside.
  Expression value_behind(const llvm::Value* value, const llvm::Loop* scope, unsigned depth);

  /// start 2^(alpha i) or floor(start / 2^(alpha i)).
  Expression geometric(const llvm::PHINode& phi, const llvm::Loop& loop, unsigned depth);

  // ---- conditions ----
  Condition comparison(const llvm::ICmpInst& compare, bool negated, unsigned depth);
  /// a < b, or a <= b, without signs, where a or b may be below zero as a number.
  Condition unsigned_order(const Expression& a, const Expression& b, bool strictly, unsigned bits,
                           const facts::SourceLocation& where);

  Condition switched(const llvm::SwitchInst& choice, const llvm::BasicBlock* target);

  const llvm::Loop* loop_at(const llvm::BasicBlock* block) const { return loop_info_.getLoopFor(block); }

  Condition fresh_reached(std::uint32_t number);

  /// The condition at `number` from the header (or entry) of its loop; blocks of inner loops stand for their
  /// loop's header.
  Condition from_root(std::uint32_t number, const llvm::Loop* loop);

  /// A work-item that passes `above` gets to `block` in the same iteration: without `block` there is no way
  /// from `above` back to the header or out of the loop.
  bool stays_in(const llvm::BasicBlock* block, const llvm::BasicBlock* above, const llvm::Loop* loop) const;

  /// reached() of a block of `loop` itself, or of the header's place of the inner loop that holds it.
  Condition at_level(const llvm::BasicBlock* block, const llvm::Loop* loop);

public:
  /// When a work-item at the head of `loop` (null: the kernel's entry) enters the inner loop with this
  /// header.
  Condition entered(std::uint32_t header, const llvm::Loop* loop);
  const llvm::Loop* parent_of(std::uint32_t header) const;

private:
  /// When a work-item at `from` gets to `to`, both in one loop and iteration.
  Condition reached_from(std::uint32_t from, std::uint32_t to);

  /// As reached_from, to behind an inner loop that is left from `inside`: as often as the loop is entered.
  Condition through_loop(std::uint32_t from, const llvm::BasicBlock* inside, const llvm::Loop* outer);

  // ---- loops ----
  void add_loop(const llvm::Loop& loop);

  /// Iterations of loops that do not hold `block` are over there: the last one counts.
  Expression behind_loops(const Expression& a, const llvm::BasicBlock* block);
  Condition behind_loops(const Condition& a, const llvm::BasicBlock* block);

  const Expression& trips_of(const llvm::Loop& loop);

  /// Constant, then scalar evolution, then the exit condition solved for the iteration.
  void bound_loop(const llvm::Loop& loop);

  /// How often the loop turns back before it is left from this block.
  Expression turns_before_exit(const llvm::Loop& loop, std::uint32_t block);
  std::string reason_of(const llvm::BranchInst& branch);

  Expression offset_between(const llvm::Value* from, const llvm::Value* object, unsigned depth);

  const ir::KernelModule& module_;
  llvm::Function& function_;
  ValueOptions options_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree after_;
  llvm::LoopInfo loop_info_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_table_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
  ir::Numbering numbering_;
  std::map<const llvm::Argument*, std::string> arguments_; // looked up, never walked
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> numbers_;
  llvm::DenseMap<const llvm::Loop*, std::uint32_t> loop_numbers_;
  std::vector<const llvm::BasicBlock*> blocks_;
  std::map<const llvm::Value*, Expression> values_;      // looked up, never walked
  std::map<const llvm::Value*, std::size_t> identities_; // looked up, never walked
  std::set<const llvm::Value*> open_;
  std::vector<Condition> reached_;
  std::vector<bool> has_reached_, bounded_;
  std::map<std::uint32_t, Condition> entered_;
  Place computed_at_;
  bool of_a_bound_ = false; ///< a loop's bound is read: it does not count beyond what its integers hold
};

} // namespace forewarp::symbolic

// Blocks of a lifted kernel: branches, calls, exits, bodies under a guard.
#pragma once

#include "lift/lifter.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace forewarp::lift {

class Flow {
public:
  explicit Flow(Lifter& lifter) : l_(lifter) {}
  void run();

private:
  /// Calls that are open, by the index that each returns to.
  using Calls = std::vector<std::uint32_t>;
  /// Regions between BSSY and BSYNC that are open: barrier register and meeting point.
  using Regions = std::vector<std::pair<std::uint16_t, std::uint32_t>>;
  struct Place {
    Calls calls;
    std::uint32_t index = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Todo {
    Place place;
    Regions regions;
  };

  void find_leaders();
  void lift_block(const Todo& todo);
  llvm::BasicBlock* block_at(const Place& place, const Regions& regions);
  llvm::BasicBlock* block_behind(const Place& place, const Regions& regions);
  std::optional<std::uint32_t> index_of_label(const Instruction& instruction);
  bool ends_block(const Instruction& instruction) const;
  void end_block(const Instruction& instruction, const Place& place, const Regions& regions);
  void branch(const Instruction& instruction, const Place& place, const Regions& regions);
  bool returns(std::uint32_t target, std::size_t depth = 0);
  bool calls_own_subroutine(const Instruction& instruction);
  bool comes_to_own_subroutine(std::uint32_t index);
  std::optional<bool> is_for_large_angles(const Instruction& branch, const Place& place);
  std::optional<bool> usual_way(const Instruction& instruction, const Place& place);
  void call(const Instruction& instruction, const Place& place, const Regions& regions);
  void give_back(const Instruction& instruction, const Place& place, const Regions& regions);
  void leave(const Instruction& instruction, const Place& place, const Regions& regions);
  void branch_by_table(const Instruction& instruction, const Place& place, const Regions& regions);
  std::uint32_t lift_guarded(std::uint32_t index, std::uint32_t end);
  /// The instruction is at hand, and its own guard applies to nothing.
  const Instruction& without_guard(std::uint32_t index);
  std::uint32_t lift_alone(std::uint32_t index, Value* condition, bool in_pieces);
  std::uint32_t lift_copy(std::uint32_t index);
  std::uint32_t lift_partial_copy(std::uint32_t index);
  std::uint32_t lift_filled_copy(std::uint32_t index);
  void note_region(const Instruction& instruction, Regions& regions);
  void finish(llvm::Instruction* terminator, std::uint32_t end);
  void open_endless_loops();
  Value* condition(const Instruction& instruction);
  llvm::MDNode* weights(bool usual);
  /// `usual`: whether the branch is mostly taken, where the code says it.
  void jump_if(Value* condition, llvm::BasicBlock* taken, llvm::BasicBlock* other,
               std::optional<bool> usual = std::nullopt);

  Lifter& l_;
  std::set<std::uint32_t> leaders_;
  std::map<Place, llvm::BasicBlock*> blocks_;
  std::map<std::uint32_t, bool> returns_; ///< by the index that a call goes to
  std::vector<Todo> todo_;
  std::vector<llvm::BasicBlock*> exits_; ///< that go on for the graph
  std::uint32_t first_ = 0;              ///< of the IR block that is being filled
};

} // namespace forewarp::lift

#include "lift/flow.h"

#include "ir/builtins.h"
#include "ir/machine_markers.h"
#include "lift/calls.h"
#include "lift/places.h"
#include "lift/rows/rows.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::lift {
namespace {

/// Calls inside calls: what a compiled subroutine does, with room to spare.
constexpr std::size_t deepest_calls = 8;
/// Subroutines are copied: a bound on what that may come to.
constexpr std::size_t most_blocks = 50'000;
bool same_guard(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.number == b.number && (a.invert || a.negate) == (b.invert || b.negate);
}

bool writes(const Instruction& instruction, const Operand& predicate) {
  if (instruction.opcode == Opcode::r2p)
    return true;
  return std::ranges::any_of(instruction.written(), [&](const Operand& operand) {
    return operand.kind == predicate.kind && operand.number == predicate.number;
  });
}

/// A predicate among the operands that may be false: `BRA P0, label`.
bool has_condition(const Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    return (operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate) &&
           (!operand.is_true() || operand.invert || operand.negate);
  });
}

bool never_runs(const Instruction& instruction) {
  return instruction.guard.is_true() && (instruction.guard.invert || instruction.guard.negate);
}

} // namespace

bool Flow::ends_block(const Instruction& instruction) const {
  switch (instruction.opcode) {
  case Opcode::bra:
    // Taken by part of a warp only: an exchange of lanes then goes another way to the same result.
    return !instruction.has(Modifier::div);
  case Opcode::brx:
  case Opcode::call:
  case Opcode::ret:
  case Opcode::exit:
  case Opcode::kill:
    return true;
  default:
    return false;
  }
}

std::optional<std::uint32_t> Flow::index_of_label(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::label)
      if (const auto index = sass::index_of(l_.kernel, static_cast<std::uint32_t>(operand.value)))
        return static_cast<std::uint32_t>(*index);
  return std::nullopt;
}

void Flow::find_leaders() {
  const auto& code = l_.kernel.instructions;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].opcode == Opcode::bssy || ends_block(code[i]))
      if (const auto target = index_of_label(code[i]))
        leaders_.insert(*target);
    if (ends_block(code[i]))
      leaders_.insert(i + 1);
  }
  for (const auto& [offset, targets] : l_.kernel.indirect_targets)
    for (const std::uint32_t target : targets)
      if (const auto index = sass::index_of(l_.kernel, target))
        leaders_.insert(static_cast<std::uint32_t>(*index));
}

llvm::BasicBlock* Flow::block_at(const Place& place, const Regions& regions) {
  llvm::BasicBlock*& block = blocks_[place];
  if (block != nullptr)
    return block;
  block = llvm::BasicBlock::Create(
      l_.b.getContext(), fmt::format("at_{:x}", place.index * sass::instruction_bytes), &l_.function_);
  todo_.push_back({place, regions});
  return block;
}

llvm::BasicBlock* Flow::block_behind(const Place& place, const Regions& regions) {
  return block_at({place.calls, place.index + 1}, regions);
}

void Flow::finish(llvm::Instruction* terminator, std::uint32_t end) {
  set_block_place(*terminator, first_, end);
}

void Flow::run() {
  find_leaders();
  if (l_.kernel.instructions.empty())
    return;
  first_ = 0;
  finish(l_.b.CreateBr(block_at({{}, 0}, {})), 0);
  while (!todo_.empty() && !l_.error_) {
    const Todo next = std::move(todo_.back());
    todo_.pop_back();
    lift_block(next);
    if (blocks_.size() > most_blocks)
      l_.refuse("its subroutines, copied for each call, come to too many blocks");
  }
  if (!l_.error_)
    open_endless_loops();
}

void Flow::note_region(const Instruction& instruction, Regions& regions) {
  if (instruction.opcode != Opcode::bssy && instruction.opcode != Opcode::bsync)
    return;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != OperandKind::convergence)
      continue;
    std::erase_if(regions, [&](const auto& region) { return region.first == operand.number; });
    if (instruction.opcode == Opcode::bssy)
      if (const auto target = index_of_label(instruction))
        regions.emplace_back(operand.number, *target);
  }
}

void Flow::lift_block(const Todo& todo) {
  Place place = todo.place;
  Regions regions = todo.regions;
  const auto& code = l_.kernel.instructions;
  l_.b.SetInsertPoint(blocks_.at(place));
  first_ = place.index;
  for (std::uint32_t i = place.index; !l_.error_;) {
    place.index = i;
    if (i >= code.size()) {
      finish(l_.b.CreateRetVoid(), i);
      return;
    }
    if (i != todo.place.index && leaders_.contains(i)) {
      finish(l_.b.CreateBr(block_at(place, regions)), i);
      return;
    }
    const Instruction& instruction = code[i];
    note_region(instruction, regions);
    if (never_runs(instruction)) {
      ++i;
    } else if (ends_block(instruction)) {
      l_.at_ = &instruction;
      l_.guard_ = nullptr;
      end_block(instruction, place, regions);
      return;
    } else if (is_engine_copy(instruction)) {
      i = lift_copy(i);
    } else if (is_partial_copy(instruction)) {
      i = lift_partial_copy(i);
    } else if (instruction.guard.is_true() && is_filled_copy(instruction)) {
      i = lift_filled_copy(i);
    } else if (!instruction.guard.is_true() && needs_branch(instruction)) {
      const auto leader = leaders_.upper_bound(i);
      i = lift_guarded(i, leader == leaders_.end() ? static_cast<std::uint32_t>(code.size()) : *leader);
    } else {
      l_.lift_instruction(instruction);
      ++i;
    }
  }
}

/// Instructions one behind the other under one guard become a body that is branched around.
std::uint32_t Flow::lift_guarded(std::uint32_t index, std::uint32_t end) {
  const auto& code = l_.kernel.instructions;
  const Operand& guard = code[index].guard;
  l_.at_ = &code[index];
  llvm::LLVMContext& context = l_.b.getContext();
  auto* body = llvm::BasicBlock::Create(context, "", &l_.function_);
  auto* behind = llvm::BasicBlock::Create(context, "", &l_.function_);
  finish(l_.b.CreateCondBr(l_.predicate(&guard, true), body, behind), index);
  l_.b.SetInsertPoint(body);
  first_ = index;
  bool changed = false;
  std::uint32_t i = index;
  for (; i < end && !changed && same_guard(code[i].guard, guard) && !ends_block(code[i]); ++i) {
    l_.lift_bare(code[i]);
    changed = writes(code[i], guard);
  }
  finish(l_.b.CreateBr(behind), i);
  l_.b.SetInsertPoint(behind);
  first_ = i;
  return i;
}

/// One instruction for the lanes that `condition` holds for; `in_pieces`: again while the copy engine has
/// more.
std::uint32_t Flow::lift_alone(std::uint32_t index, Value* condition, bool in_pieces) {
  llvm::LLVMContext& context = l_.b.getContext();
  auto* body = llvm::BasicBlock::Create(context, "", &l_.function_);
  auto* behind = llvm::BasicBlock::Create(context, "", &l_.function_);
  finish(l_.b.CreateCondBr(condition, body, behind), index);
  l_.b.SetInsertPoint(body);
  first_ = index;
  l_.lift_bare(l_.kernel.instructions[index]);
  if (in_pieces) {
    Value* more = l_.call(fmt::format("{}more", ir::builtins::engine_prefix), l_.b.getInt1Ty(), {});
    finish(l_.b.CreateCondBr(more, body, behind), index + 1);
  } else {
    finish(l_.b.CreateBr(behind), index + 1);
  }
  l_.b.SetInsertPoint(behind);
  first_ = index + 1;
  return first_;
}

const Instruction& Flow::without_guard(std::uint32_t index) {
  l_.at_ = &l_.kernel.instructions[index];
  l_.guard_ = nullptr;
  return *l_.at_;
}

/// A warp asks for one copy, whatever lanes are active: its pieces are runs of a block by one of them.
std::uint32_t Flow::lift_copy(std::uint32_t index) {
  const Instruction& instruction = without_guard(index);
  return lift_alone(index, elected(l_, l_.predicate(&instruction.guard, true)).is_this, true);
}

/// A copy that stores zeros for lanes without a predicate: where no lane has it, nothing is read.
std::uint32_t Flow::lift_filled_copy(std::uint32_t index) {
  const Instruction& instruction = without_guard(index);
  llvm::LLVMContext& context = l_.b.getContext();
  auto* some = llvm::BasicBlock::Create(context, "", &l_.function_);
  auto* none = llvm::BasicBlock::Create(context, "", &l_.function_);
  auto* behind = llvm::BasicBlock::Create(context, "", &l_.function_);
  finish(l_.b.CreateCondBr(elected(l_, l_.predicate(l_.source_predicate(0), true)).any, some, none), index);
  first_ = index;
  l_.b.SetInsertPoint(some);
  l_.lift_bare(instruction);
  finish(l_.b.CreateBr(behind), index + 1);
  l_.b.SetInsertPoint(none);
  fill_with_zeros(l_);
  finish(l_.b.CreateBr(behind), index + 1);
  l_.b.SetInsertPoint(behind);
  first_ = index + 1;
  return first_;
}

/// A copy to shared memory by the lanes that have a predicate beside the guard; what the others have stays.
std::uint32_t Flow::lift_partial_copy(std::uint32_t index) {
  const Instruction& instruction = without_guard(index);
  Value* condition =
      l_.b.CreateAnd(l_.predicate(&instruction.guard, true), l_.predicate(l_.source_predicate(0), true));
  return lift_alone(index, condition, false);
}

Value* Flow::condition(const Instruction& instruction) {
  Value* all = l_.predicate(&instruction.guard, true);
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate)
      all = l_.b.CreateAnd(all, l_.predicate(&operand, true));
  return all;
}

void Flow::jump_if(Value* condition, llvm::BasicBlock* taken, llvm::BasicBlock* other,
                   std::optional<bool> usual) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition);
  const std::uint32_t end = static_cast<std::uint32_t>(l_.at_ - l_.kernel.instructions.data()) + 1;
  if (known != nullptr)
    finish(l_.b.CreateBr(known->isOne() ? taken : other), end);
  else
    finish(l_.b.CreateCondBr(condition, taken, other, usual ? weights(*usual) : nullptr), end);
}

void Flow::end_block(const Instruction& instruction, const Place& place, const Regions& regions) {
  switch (instruction.opcode) {
  case Opcode::bra:
    return branch(instruction, place, regions);
  case Opcode::brx:
    return branch_by_table(instruction, place, regions);
  case Opcode::call:
    return call(instruction, place, regions);
  case Opcode::ret:
    return give_back(instruction, place, regions);
  default:
    return leave(instruction, place, regions);
  }
}

void Flow::branch(const Instruction& instruction, const Place& place, const Regions& regions) {
  const auto target = index_of_label(instruction);
  if (!target)
    return l_.refuse("its target");
  Value* taken = condition(instruction);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(taken);
  llvm::BasicBlock* to = block_at({place.calls, *target}, regions);
  jump_if(taken, to, known != nullptr && known->isOne() ? to : block_behind(place, regions),
          usual_way(instruction, place));
}

/// Whether a return may be reached from there, calls inside left out that return themselves.
bool Flow::returns(std::uint32_t target, std::size_t depth) {
  if (const auto known = returns_.find(target); known != returns_.end())
    return known->second;
  if (depth > deepest_calls)
    return true;
  returns_[target] = false; // meanwhile: a call that comes back here is a loop
  const auto& code = l_.kernel.instructions;
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> todo = {target};
  const auto go_on = [&](std::uint32_t index) {
    if (index < code.size() && seen.insert(index).second)
      todo.push_back(index);
  };
  while (!todo.empty()) {
    const std::uint32_t index = todo.back();
    todo.pop_back();
    const Instruction& instruction = code[index];
    if (instruction.opcode == Opcode::ret)
      return returns_[target] = true;
    const auto to = ends_block(instruction) ? index_of_label(instruction) : std::nullopt;
    const bool comes_back = to && instruction.opcode == Opcode::call && returns(*to, depth + 1);
    if (to && !comes_back)
      go_on(*to);
    if (const auto table = l_.kernel.indirect_targets.find(instruction.offset);
        table != l_.kernel.indirect_targets.end())
      for (const std::uint32_t offset : table->second)
        if (const auto at = sass::index_of(l_.kernel, offset))
          go_on(static_cast<std::uint32_t>(*at));
    if (!ends_block(instruction) || comes_back || never_runs(instruction) || !instruction.guard.is_true() ||
        has_condition(instruction))
      go_on(index + 1);
  }
  return false;
}

/// The assembler puts the return's place into a register before; it is the next instruction. It also takes
/// calls for jumps: at the end of a large loop, with no return behind.
void Flow::call(const Instruction& instruction, const Place& place, const Regions& regions) {
  const auto target = index_of_label(instruction);
  if (!target && calls_what_is_left_out(l_, place.index))
    return finish(l_.b.CreateBr(block_behind(place, regions)), place.index + 1);
  if (!target)
    return l_.refuse("a call of a place outside the kernel");
  if (!returns(*target))
    return branch(instruction, place, regions);
  if (place.calls.size() >= deepest_calls)
    return l_.refuse("calls inside calls, or recursion");
  llvm::BasicBlock* behind = block_behind(place, regions);
  Calls calls = place.calls;
  calls.push_back(place.index + 1);
  Value* taken = condition(instruction);
  jump_if(taken, block_at({std::move(calls), *target}, {}), behind,
          calls_own_subroutine(instruction) ? std::optional(false) : std::nullopt);
}

void Flow::give_back(const Instruction& instruction, const Place& place, const Regions& regions) {
  if (place.calls.empty())
    return l_.refuse("a return that no call leads to");
  Calls calls = place.calls;
  const std::uint32_t back = calls.back();
  calls.pop_back();
  Value* taken = condition(instruction);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(taken);
  llvm::BasicBlock* to = block_at({std::move(calls), back}, {}); // made at the call, with its regions
  jump_if(taken, to, known != nullptr && known->isOne() ? to : block_behind(place, regions));
}

/// The lanes are gone; for the graph they go on, so that the others still meet where the region ends.
void Flow::leave(const Instruction& instruction, const Place& place, const Regions& regions) {
  Value* leaving = condition(instruction);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(leaving);
  const bool all = known != nullptr && known->isOne();
  if (all && regions.empty()) {
    finish(l_.b.CreateRetVoid(), place.index + 1);
    return;
  }
  llvm::BasicBlock* go_on = nullptr;
  if (all) {
    Regions outer = regions;
    const std::uint32_t meeting = outer.back().second;
    outer.pop_back();
    go_on = block_at({place.calls, meeting}, outer);
  } else {
    go_on = block_behind(place, regions);
    auto* gone = llvm::BasicBlock::Create(l_.b.getContext(), "", &l_.function_);
    jump_if(leaving, gone, go_on);
    l_.b.SetInsertPoint(gone);
    first_ = place.index + 1;
  }
  l_.call(ir::machine_markers::lane_exit, l_.b.getVoidTy(), {});
  finish(l_.b.CreateBr(go_on), place.index + 1);
  exits_.push_back(l_.b.GetInsertBlock());
}

/// A loop that only exits leave has to have a way out, or nothing post-dominates anything in it.
void Flow::open_endless_loops() {
  std::set<const llvm::BasicBlock*> leads_out; // never iterated
  std::vector<const llvm::BasicBlock*> todo;
  const auto add = [&](const llvm::BasicBlock* block) {
    if (leads_out.insert(block).second)
      todo.push_back(block);
  };
  for (const llvm::BasicBlock& block : l_.function_)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()))
      add(&block);
  while (!todo.empty()) {
    const llvm::BasicBlock* block = todo.back();
    todo.pop_back();
    for (const llvm::BasicBlock* before : llvm::predecessors(block))
      add(before);
  }
  for (llvm::BasicBlock* block : exits_) {
    if (leads_out.contains(block))
      continue;
    llvm::Instruction* branch = block->getTerminator();
    llvm::MDNode* stands_for = branch->getMetadata(place_metadata);
    branch->getPrevNode()->eraseFromParent(); // the marker
    branch->eraseFromParent();
    llvm::ReturnInst::Create(block->getContext(), block)->setMetadata(place_metadata, stands_for);
  }
}

/// The register holds what is added to a place that the instruction names.
void Flow::branch_by_table(const Instruction& instruction, const Place& place, const Regions& regions) {
  const auto targets = l_.kernel.indirect_targets.find(instruction.offset);
  if (targets == l_.kernel.indirect_targets.end() || targets->second.empty())
    return l_.refuse("the file does not list its targets");
  if (!instruction.guard.is_true())
    return l_.refuse("a guard before a jump by table");
  const Operand* by = nullptr;
  std::uint64_t base = std::uint64_t{instruction.offset} + sass::instruction_bytes;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::general && by == nullptr)
      by = &operand;
    else if (operand.kind == OperandKind::immediate)
      base += operand.value;
    else if (operand.kind == OperandKind::label)
      base = operand.value;
  }
  if (by == nullptr)
    return l_.refuse("its operand");
  Value* value = l_.raw(by);
  std::set<std::uint64_t> seen;
  llvm::BasicBlock* last = nullptr;
  std::vector<std::pair<std::uint32_t, llvm::BasicBlock*>> cases;
  for (const std::uint32_t target : targets->second) {
    const auto index = sass::index_of(l_.kernel, target);
    if (!index || !seen.insert(target).second)
      continue;
    last = block_at({place.calls, static_cast<std::uint32_t>(*index)}, regions);
    cases.emplace_back(static_cast<std::uint32_t>(target - base), last);
  }
  if (last == nullptr)
    return l_.refuse("its targets");
  llvm::SwitchInst* jump = l_.b.CreateSwitch(value, last, static_cast<unsigned>(cases.size()));
  for (const auto& [at, block] : cases)
    if (block != last)
      jump->addCase(l_.b.getInt32(at), block);
  finish(jump, place.index + 1);
}

} // namespace forewarp::lift

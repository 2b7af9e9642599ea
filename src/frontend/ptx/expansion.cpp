#include "frontend/ptx/expansion.h"

#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstring>

namespace forewarp::frontend::ptx {

Expansion::Expansion(llvm::Instruction& at, bool checks)
    : b(&at), registers(b, *at.getFunction(), checks), at_(&at) {}

void Expansion::move_to(llvm::Instruction& at) {
  const llvm::DebugLoc place = b.getCurrentDebugLocation();
  at_ = &at;
  b.SetInsertPoint(&at);
  b.SetCurrentDebugLocation(place);
}

bool Expansion::where(llvm::Value* condition, const std::function<bool()>& body) {
  llvm::Instruction* join = at_;
  llvm::Instruction* end_of_branch = llvm::SplitBlockAndInsertIfThen(condition, join, false);
  move_to(*end_of_branch);
  const bool known = body();
  move_to(*join);
  return known;
}

bool Expansion::repeat(const std::function<llvm::Value*()>& body) {
  llvm::Instruction* rest = at_;
  llvm::BasicBlock* before = rest->getParent();
  llvm::BasicBlock* after = llvm::SplitBlock(before, rest);
  auto* loop = llvm::BasicBlock::Create(context(), "engine", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  llvm::Instruction* end = llvm::BranchInst::Create(after, loop);
  move_to(*end);
  llvm::Value* more = body();
  if (more) {
    auto* back = llvm::BranchInst::Create(loop, after, more, end->getIterator());
    back->setDebugLoc(b.getCurrentDebugLocation());
    end->eraseFromParent();
  }
  move_to(*rest);
  return more != nullptr;
}

llvm::Value* Expansion::carry() {
  return carry_ ? b.CreateLoad(b.getInt1Ty(), carry_) : nullptr;
}

void Expansion::set_carry(llvm::Value* carry) {
  if (!carry_)
    carry_ = new llvm::AllocaInst(b.getInt1Ty(), 0, "cc", at_->getFunction()->getEntryBlock().begin());
  b.CreateStore(carry, carry_);
}

std::vector<Operation> all_operations() {
  std::vector<Operation> all;
  for (const auto& table :
       {arithmetic_rows(), comparison_rows(), conversion_rows(), move_rows(), memory_rows(), atomic_rows(),
        copy_rows(), bulk_rows(), meeting_rows(), warp_rows(), synchronisation_rows(), matrix_rows(),
        tensor_memory_rows(), texture_rows(), video_rows(), multimem_rows(), predicate_rows(),
        launch_control_rows()})
    all.insert(all.end(), table.begin(), table.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Operation& a, const Operation& b) { return std::strcmp(a.name, b.name) < 0; });
  return all;
}

namespace {

/// Rows by name, in the table's order.
const llvm::StringMap<std::vector<Operation>>& operations_by_name() {
  static const llvm::StringMap<std::vector<Operation>> made = [] {
    llvm::StringMap<std::vector<Operation>> by_name;
    for (const Operation& row : all_operations())
      by_name[row.name].push_back(row);
    return by_name;
  }();
  return made;
}

bool expand_always(Expansion& expansion, const Statement& statement) {
  const auto& known = operations_by_name();
  const auto rows = known.find(statement.operation);
  if (rows == known.end())
    return false;
  return std::any_of(rows->second.begin(), rows->second.end(),
                     [&](const Operation& row) { return row.expand(expansion, statement); });
}

} // namespace

bool expand(Expansion& expansion, const Statement& statement) {
  expansion.registers.complain("");
  if (statement.predicate.empty())
    return expand_always(expansion, statement);
  llvm::Value* condition = expansion.registers.read(statement.predicate, expansion.b.getInt1Ty());
  if (!condition)
    return false;
  if (statement.unless)
    condition = expansion.b.CreateNot(condition);
  return expansion.where(condition, [&] { return expand_always(expansion, statement); });
}

} // namespace forewarp::frontend::ptx

#include "frontend/ptx/body.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <set>

namespace forewarp::frontend::ptx {

Body::Body(Expansion& expansion, const std::vector<Item>& items, Surroundings* surroundings)
    : e_(expansion), items_(items), surroundings_(surroundings) {}

/// Labels of all scopes, each with its block: branches go forward, too.
void Body::find_labels() {
  std::vector<unsigned> scopes = {0};
  unsigned next = 1;
  for (const Item& item : items_) {
    if (item.kind == Item::Kind::open)
      scopes.push_back(next++);
    else if (item.kind == Item::Kind::close && scopes.size() > 1)
      scopes.pop_back();
    else if (item.kind == Item::Kind::label)
      blocks_.try_emplace({scopes.back(), item.name}, nullptr);
    else if (item.kind == Item::Kind::targets)
      targets_[item.name] = item.targets;
    else if (item.kind == Item::Kind::statement && item.statement.operation == "wgmma" &&
             item.statement.has("mma_async") && !item.statement.operands.empty())
      for (std::string& name : pieces_of(item.statement.operands.front()))
        if (std::find(e_.sums.begin(), e_.sums.end(), name) == e_.sums.end())
          e_.sums.push_back(std::move(name));
  }
  find_descriptors();
}

/// The shape of a tensor product has to be known before registers become values.
void Body::find_descriptors() {
  std::set<std::string> wanted;
  for (const Item& item : items_)
    if (item.kind == Item::Kind::statement && item.statement.operation == "tcgen05" &&
        item.statement.has("mma") && item.statement.operands.size() > 4)
      for (const std::size_t at : {3U, 4U}) // of sparse factors behind their metadata
        wanted.insert(item.statement.operands[at]);
  if (wanted.empty())
    return;
  const BitsOfText bits(items_);
  for (const std::string& name : wanted)
    e_.descriptors[name] = bits.of(name);
}

llvm::BasicBlock* Body::new_block(const char* name) {
  return llvm::BasicBlock::Create(e_.context(), name, e_.at().getFunction());
}

llvm::BasicBlock* Body::block_of(const std::string& label) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = blocks_.find({*scope, label}); found != blocks_.end()) {
      if (!found->second)
        found->second = llvm::BasicBlock::Create(e_.context(), "");
      return found->second;
    }
  e_.refuse("there is no label '" + label + "' here");
  return nullptr;
}

/// What comes goes into `block`, which takes over the end of the one before.
void Body::continue_in(llvm::BasicBlock& block) {
  llvm::Instruction& end = e_.at();
  if (!block.getParent())
    block.insertInto(end.getFunction());
  end.removeFromParent();
  end.insertInto(&block, block.end());
  e_.move_to(end);
}

std::optional<Refusal> Body::run() {
  find_labels();
  for (const Item& item : items_)
    if (auto refusal = visit(item)) {
      for (auto& [label, block] : blocks_) // that nobody came to
        if (block && !block->getParent())
          block->insertInto(e_.at().getFunction());
      return refusal;
    }
  return std::nullopt;
}

std::optional<Refusal> Body::visit(const Item& item) {
  const auto refused = [&] { return Refusal{item.line, item.statement.text, e_.registers.complaint()}; };
  switch (item.kind) {
  case Item::Kind::open:
    scopes_.push_back(next_scope_++);
    e_.registers.open_scope();
    break;
  case Item::Kind::close:
    if (!e_.registers.close_scope() || scopes_.size() <= 1)
      return Refusal{item.line, "}", "no scope is open"};
    scopes_.pop_back();
    break;
  case Item::Kind::label: {
    llvm::BasicBlock* block = block_of(item.name);
    if (block->getParent())
      return Refusal{item.line, item.name + ":", "the label is there twice"};
    e_.b.CreateBr(block);
    continue_in(*block);
    break;
  }
  case Item::Kind::place:
    place_ = item.place;
    break;
  case Item::Kind::no_unroll:
    kept_loops_.push_back(e_.at().getParent());
    break;
  case Item::Kind::declarations:
    if (!declare(item))
      return Refusal{item.line, "." + item.declarations.front().space + " " + item.declarations.front().name,
                     e_.registers.complaint()};
    break;
  case Item::Kind::statement:
    if (surroundings_)
      e_.b.SetCurrentDebugLocation(surroundings_->location(item.line, place_));
    e_.registers.complain("");
    if (!expand_statement(item.statement))
      return refused();
    break;
  case Item::Kind::targets:
  case Item::Kind::other:
    break;
  }
  return std::nullopt;
}

bool Body::declare(const Item& item) {
  for (const Declaration& each : item.declarations) {
    if (each.space == "reg") {
      if (!register_type(e_.context(), each.type))
        return e_.refuse("registers of this type are not modelled");
      if (each.count > 0)
        e_.registers.declare_range(each.name, each.count, each.type);
      else
        e_.registers.declare(each.name, each.type);
    } else if (!surroundings_ || !surroundings_->declare(e_, each)) {
      return false;
    }
  }
  return true;
}

bool Body::expand_statement(const Statement& s) {
  if (std::any_of(s.operands.begin(), s.operands.end(), [](const std::string& each) { return each.empty(); }))
    return e_.refuse("an operand is missing");
  if (s.operation == "bra")
    return branch(s);
  if (s.operation == "brx")
    return indirect_branch(s);
  if (surroundings_ && (s.operation == "ret" || s.operation == "exit" || s.operation == "trap"))
    return leave(s);
  if (s.operation == "call") {
    if (!surroundings_)
      return false;
    if (s.predicate.empty())
      return surroundings_->call(e_, s);
    llvm::Value* condition = condition_of(s);
    return condition && e_.where(condition, [&] { return surroundings_->call(e_, s); });
  }
  return expand(e_, s);
}

llvm::Value* Body::condition_of(const Statement& s) {
  llvm::Value* condition = e_.registers.read(s.predicate, e_.b.getInt1Ty());
  return condition && s.unless ? e_.b.CreateNot(condition) : condition;
}

/// Ends the block with a jump to `target`, where the statement's predicate holds.
bool Body::end_by(const Statement& s, llvm::BasicBlock* target) {
  llvm::BasicBlock* next = nullptr;
  if (s.predicate.empty()) {
    e_.b.CreateBr(target);
    next = new_block("");
  } else {
    llvm::Value* condition = condition_of(s);
    if (!condition)
      return false;
    next = new_block("");
    e_.b.CreateCondBr(condition, target, next);
  }
  continue_in(*next);
  return true;
}

bool Body::branch(const Statement& s) {
  llvm::BasicBlock* target = s.operands.size() == 1 ? block_of(s.operands.front()) : nullptr;
  return target && end_by(s, target);
}

/// brx.idx index, list: the first target stands for indices beyond the list, which are not allowed.
bool Body::indirect_branch(const Statement& s) {
  const auto list = s.operands.size() == 2 ? targets_.find(s.operands[1]) : targets_.end();
  if (list == targets_.end() || list->second.empty() || !s.predicate.empty())
    return false;
  llvm::Value* index = e_.registers.read(s.operands[0], e_.b.getInt32Ty());
  std::vector<llvm::BasicBlock*> blocks;
  for (const std::string& name : list->second)
    if (blocks.push_back(block_of(name)); !blocks.back())
      return false;
  if (!index)
    return false;
  llvm::SwitchInst* chosen = e_.b.CreateSwitch(index, blocks.front());
  for (unsigned i = 1; i < blocks.size(); ++i)
    chosen->addCase(e_.b.getInt32(i), blocks[i]);
  continue_in(*new_block(""));
  return true;
}

/// ret, exit and trap end the thread's work here.
bool Body::leave(const Statement& s) {
  llvm::BasicBlock* end = new_block("");
  llvm::IRBuilder<> at_end(end);
  at_end.SetCurrentDebugLocation(e_.b.getCurrentDebugLocation());
  if (s.operation == "trap")
    at_end.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
  if (e_.at().getFunction()->getReturnType()->isVoidTy())
    at_end.CreateRetVoid();
  return end_by(s, end);
}

} // namespace forewarp::frontend::ptx

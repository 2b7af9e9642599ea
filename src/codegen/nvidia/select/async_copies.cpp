#include "codegen/nvidia/select/async_copies.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

namespace forewarp::codegen {
namespace {

/// What a register held some iterations of a loop ago: a chain of registers that move on at the loop's head.
class Delays {
public:
  Delays(facts::MachineProgram& program, const AsyncCopies::Index& index,
         const std::function<std::uint32_t()>& new_register)
      : program_(program), index_(index), new_register_(new_register) {}

  std::uint32_t of(std::uint32_t value, const llvm::Loop& loop, unsigned iterations) {
    if (iterations == 0)
      return value;
    const auto [place, is_new] = made_.try_emplace({value, &loop, iterations}, facts::no_value);
    if (is_new) {
      const std::uint32_t delayed = place->second = new_register_();
      move_on(of(value, loop, iterations - 1), delayed, loop);
      return delayed;
    }
    return place->second;
  }

private:
  void move_on(std::uint32_t from, std::uint32_t to, const llvm::Loop& loop) {
    const llvm::BasicBlock* head = loop.getHeader();
    for (const llvm::BasicBlock* before : llvm::predecessors(head))
      program_.blocks[index_(*head)].phis.push_back(
          {index_(*before), to, loop.contains(before) ? from : facts::no_value});
  }

  facts::MachineProgram& program_;
  const AsyncCopies::Index& index_;
  const std::function<std::uint32_t()>& new_register_;
  std::map<std::tuple<std::uint32_t, const llvm::Loop*, unsigned>, std::uint32_t> made_; // never walked
};

/// Where each block comes on the way from the function's entry, whatever order a file lists them in.
llvm::DenseMap<const llvm::BasicBlock*, std::size_t> places_of(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, std::size_t> places;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&function))
    places.try_emplace(block, places.size());
  return places;
}

} // namespace

/// The innermost loop around the wait that has copies in it; null: none.
const llvm::Loop* AsyncCopies::common_loop(const Wait& wait, const llvm::LoopInfo& loops) const {
  for (const llvm::Loop* loop = loops.getLoopFor(wait.block); loop; loop = loop->getParentLoop())
    if (std::any_of(loads_.begin(), loads_.end(),
                    [&](const Load& load) { return loop->contains(load.block); }))
      return loop;
  return nullptr;
}

/// Whose groups the wait does not spare: in an iteration of the loop before it, one more where this one has
/// yet to end its own.
unsigned AsyncCopies::iterations_ago(const Wait& wait, const llvm::Loop& loop, const Places& places) const {
  unsigned each = 0;
  bool first = true;
  for (const Commit& commit : commits_)
    if (loop.contains(commit.block)) {
      ++each;
      first = first && (wait.block == commit.block ? wait.operation < commit.operation
                                                   : places.lookup(wait.block) < places.lookup(commit.block));
    }
  return wait.groups / std::max(1U, each) + (each > 0 && wait.groups > 0 && first ? 1 : 0);
}

void AsyncCopies::connect(facts::MachineProgram& program, const llvm::LoopInfo& loops, const Index& index,
                          const std::function<std::uint32_t()>& new_register) {
  if (waits_.empty())
    return;
  Delays delays(program, index, new_register);
  const Places places = places_of(*waits_.front().block->getParent());
  for (const Wait& wait : waits_) {
    const llvm::Loop* loop = common_loop(wait, loops);
    if (!loop && wait.groups > 0)
      continue;
    const unsigned iterations = loop ? iterations_ago(wait, *loop, places) : 0;
    facts::MachineOp& op = program.blocks[index(*wait.block)].ops[wait.operation];
    for (auto load = loads_.rbegin(); load != loads_.rend() && op.source_count < op.sources.size(); ++load)
      if (!loop || loop->contains(load->block))
        op.sources[op.source_count++] = loop ? delays.of(load->arrived, *loop, iterations) : load->arrived;
  }
}

} // namespace forewarp::codegen

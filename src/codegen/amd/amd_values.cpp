#include "codegen/amd/amd_values.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

namespace forewarp::codegen {

namespace {

using facts::no_value;

/// Nothing has reached the place yet.
constexpr std::uint32_t undecided = no_value - 1;

class Values {
public:
  Values(const llvm::Function& function, const std::vector<std::vector<RegisterUse>>& blocks)
      : blocks_(blocks), predecessors_(blocks.size()), successors_(blocks.size()), made_(blocks.size()),
        in_(blocks.size()), phi_(blocks.size()), last_(blocks.size()) {
    connect(function);
    for (std::size_t b = 0; b < blocks.size(); ++b)
      define(b);
    find_live();
    reach();
  }

  void fill(facts::MachineProgram& program) const;

private:
  void connect(const llvm::Function& function);
  void define(std::size_t block);
  void find_live();
  void reach();
  bool join(std::size_t block, unsigned unit);
  std::uint32_t out_of(std::size_t block, unsigned unit) const {
    return last_[block][unit] != undecided ? last_[block][unit] : in_[block][unit];
  }
  void fill_block(std::size_t block, facts::MachineBlock& out) const;

  const std::vector<std::vector<RegisterUse>>& blocks_;
  std::vector<std::vector<std::uint32_t>> predecessors_, successors_;
  std::vector<std::uint32_t> order_;
  unsigned units_ = 0;
  std::uint32_t next_ = 0;
  std::vector<bool> loaded_;                     ///< by value: made by a load
  std::vector<std::vector<std::uint32_t>> made_; ///< value of each operation
  std::vector<llvm::BitVector> live_in_;         ///< units that the block or one after it reads first
  std::vector<std::vector<std::uint32_t>> in_, phi_, last_; ///< by block and unit
};

void Values::connect(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> index;
  for (const llvm::BasicBlock& block : function)
    index.insert({&block, static_cast<std::uint32_t>(index.size())});
  for (const llvm::BasicBlock& block : function)
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      successors_[index[&block]].push_back(index[next]);
      predecessors_[index[next]].push_back(index[&block]);
    }
  llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  for (const llvm::BasicBlock* block : order)
    order_.push_back(index[block]);
  for (const auto& block : blocks_)
    for (const RegisterUse& use : block) {
      for (const std::uint32_t unit : use.reads)
        units_ = std::max(units_, unit + 1);
      for (const std::uint32_t unit : use.writes)
        units_ = std::max(units_, unit + 1);
    }
}

void Values::define(std::size_t block) {
  last_[block].assign(units_, undecided);
  in_[block].assign(units_, undecided);
  phi_[block].assign(units_, no_value);
  for (const RegisterUse& use : blocks_[block]) {
    made_[block].push_back(use.writes.empty() ? no_value : next_++);
    if (!use.writes.empty())
      loaded_.push_back(facts::is_memory(use.op.op) || use.op.op == facts::OpClass::scalar_load);
    for (const std::uint32_t unit : use.writes)
      last_[block][unit] = made_[block].back();
  }
}

void Values::find_live() {
  live_in_.assign(blocks_.size(), llvm::BitVector(units_));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t block = order_[i];
      llvm::BitVector live(units_);
      for (const std::uint32_t next : successors_[block])
        live |= live_in_[next];
      for (std::size_t o = blocks_[block].size(); o-- > 0;) {
        for (const std::uint32_t unit : blocks_[block][o].writes)
          live.reset(unit);
        for (const std::uint32_t unit : blocks_[block][o].reads)
          live.set(unit);
      }
      changed = changed || live != live_in_[block];
      live_in_[block] = std::move(live);
    }
  }
}

/// The value of `unit` at the block's entry: the predecessors' where they agree, else one of its own.
bool Values::join(std::size_t block, unsigned unit) {
  if (phi_[block][unit] != no_value)
    return false;
  std::uint32_t value = block == order_.front() ? no_value : undecided;
  for (const std::uint32_t from : predecessors_[block]) {
    const std::uint32_t arriving = out_of(from, unit);
    if (arriving == undecided)
      continue;
    if (value == undecided) {
      value = arriving;
    } else if (value != arriving) {
      phi_[block][unit] = value = next_++;
      break;
    }
  }
  const bool changed = in_[block][unit] != value;
  in_[block][unit] = value;
  return changed;
}

void Values::reach() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : order_)
      for (const unsigned unit : live_in_[block].set_bits())
        changed = join(block, unit) || changed;
  }
  loaded_.resize(next_, false);
}

void Values::fill_block(std::size_t block, facts::MachineBlock& out) const {
  llvm::DenseMap<std::uint32_t, std::uint32_t> holder;
  for (std::size_t o = 0; o < blocks_[block].size(); ++o) {
    const RegisterUse& use = blocks_[block][o];
    facts::MachineOp op = use.op;
    llvm::SmallVector<std::uint32_t, 8> sources;
    for (const std::uint32_t unit : use.reads) {
      const auto here = holder.find(unit);
      const std::uint32_t value = here != holder.end() ? here->second : in_[block][unit];
      if (value < undecided && std::find(sources.begin(), sources.end(), value) == sources.end())
        sources.push_back(value);
    }
    std::stable_partition(sources.begin(), sources.end(),
                          [&](std::uint32_t value) { return loaded_[value]; });
    op.source_count = static_cast<std::uint8_t>(std::min(sources.size(), op.sources.size()));
    std::copy_n(sources.begin(), op.source_count, op.sources.begin());
    op.destination = made_[block][o];
    for (const std::uint32_t unit : use.writes)
      holder[unit] = op.destination;
    out.ops.push_back(op);
  }
  for (const std::uint32_t from : predecessors_[block])
    for (const unsigned unit : live_in_[block].set_bits())
      if (phi_[block][unit] != no_value) {
        const std::uint32_t source = out_of(from, unit);
        out.phis.push_back({from, phi_[block][unit], source < undecided ? source : no_value});
      }
}

void Values::fill(facts::MachineProgram& program) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    program.blocks[b].ops.clear();
    program.blocks[b].phis.clear();
    fill_block(b, program.blocks[b]);
  }
  program.value_count = next_;
}

} // namespace

void number_values(const llvm::Function& function, const std::vector<std::vector<RegisterUse>>& blocks,
                   facts::MachineProgram& program) {
  Values(function, blocks).fill(program);
}

} // namespace forewarp::codegen

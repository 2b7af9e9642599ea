#include "codegen/nvidia/registers/copy_addresses.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace forewarp::codegen {
namespace {

using facts::MachineBlock;
using facts::MachineOp;
using facts::no_value;
using facts::OpClass;

/// Blocks of a loop, in the order of the function's text.
struct LoopBlocks {
  std::uint32_t first = 0, last = 0;
  bool contains(std::uint32_t block) const { return first <= block && block <= last; }
};

/// A predicated load and the block behind it, where an address is made of its value.
struct AddressLoad {
  std::uint32_t body = 0, block = 0;
  std::uint32_t value = no_value;
};

class CopyAddresses {
public:
  CopyAddresses(facts::MachineProgram& program, const Flow& flow, const Liveness& live,
                const std::vector<std::uint8_t>& sizes)
      : program_(program), flow_(flow), live_(live), sizes_(sizes) {
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b)
      for (const std::uint32_t next : flow.successors[b])
        if (next <= b)
          loops_.push_back({next, b});
  }

  void run(const llvm::BitVector& predicated, unsigned registers) {
    std::vector<AddressLoad> row;
    for (std::uint32_t b = 0; b < program_.blocks.size(); ++b) {
      const MachineBlock& block = program_.blocks[b];
      if (const auto load = address_load(b, predicated))
        row.push_back(*load);
      if (std::any_of(block.ops.begin(), block.ops.end(),
                      [](const MachineOp& op) { return op.op == OpClass::barrier; }))
        go_ahead(std::exchange(row, {}), registers);
    }
    go_ahead(std::move(row), registers);
  }

private:
  /// What a copy brings takes no register.
  bool copies(std::uint32_t block) const {
    const std::vector<MachineOp>& ops = program_.blocks[block].ops;
    return std::any_of(ops.begin(), ops.end(), [&](const MachineOp& op) {
      return op.op == OpClass::load_global && op.destination != no_value && sizes_[op.destination] == 0;
    });
  }

  /// The load before `block` whose value it makes a copy's address of.
  std::optional<AddressLoad> address_load(std::uint32_t block, const llvm::BitVector& predicated) const {
    const std::vector<std::uint32_t>& next = flow_.successors[block];
    if (!copies(block) && std::none_of(next.begin(), next.end(), [&](std::uint32_t b) { return copies(b); }))
      return {};
    for (const facts::PhiAlias& phi : program_.blocks[block].phis) {
      if (phi.source == no_value || !predicated[phi.previous_block] || !loop_around(block))
        continue;
      const std::vector<MachineOp>& ops = program_.blocks[phi.previous_block].ops;
      if (ops.size() == 1 && ops.front().op == OpClass::load_global &&
          ops.front().destination == phi.source && !live_.out[block].test(phi.destination))
        return AddressLoad{phi.previous_block, block, phi.destination};
    }
    return {};
  }

  /// The innermost.
  std::optional<LoopBlocks> loop_around(std::uint32_t block) const {
    std::optional<LoopBlocks> best;
    for (const LoopBlocks& loop : loops_)
      if (loop.contains(block) && (!best || loop.last - loop.first < best->last - best->first))
        best = loop;
    return best;
  }

  unsigned registers_of(const llvm::BitVector& values) const {
    unsigned registers = 0;
    for (const unsigned value : values.set_bits())
      registers += sizes_[value];
    return registers;
  }

  /// Sums that nothing in the loop reads but further products and, through a phi, the next round.
  llvm::BitVector late_sums(const LoopBlocks& loop) const {
    llvm::BitVector sums(program_.value_count), read(program_.value_count);
    for (std::uint32_t b = loop.last + 1; b-- > loop.first;)
      for (auto op = program_.blocks[b].ops.rbegin(); op != program_.blocks[b].ops.rend(); ++op) {
        const bool late =
            op->op == OpClass::tensor_mma && op->destination != no_value && !read[op->destination];
        if (late)
          sums.set(op->destination);
        else
          for (unsigned s = 0; s < op->source_count; ++s)
            read.set(op->sources[s]);
      }
    return sums;
  }

  /// Registers of what is loaded from shared memory for late products alone. (Of a product's sources an
  /// operation names four, the sums first: a factor may have no reader.)
  unsigned held_for_late_products(const LoopBlocks& loop) const {
    const llvm::BitVector sums = late_sums(loop);
    llvm::BitVector loaded(program_.value_count), read(program_.value_count);
    for (std::uint32_t b = loop.first; b <= loop.last; ++b)
      for (const MachineOp& op : program_.blocks[b].ops) {
        if (op.op == OpClass::load_shared && op.destination != no_value)
          loaded.set(op.destination);
        if (op.destination == no_value || !sums[op.destination])
          for (unsigned s = 0; s < op.source_count; ++s)
            read.set(op.sources[s]);
      }
    return sums.any() ? registers_of(loaded.reset(read)) : 0;
  }

  /// The n-th address waits for the load `ahead` - 1 before its own; what is left is waited for at the end.
  void go_ahead(const std::vector<AddressLoad>& row, unsigned registers) {
    if (row.size() < 2)
      return;
    const AddressLoad& first = row.front();
    const unsigned size = std::max<unsigned>(1, sizes_[first.value]);
    const unsigned used =
        registers_of(live_.in[first.body]) + held_for_late_products(*loop_around(first.block));
    const std::size_t ahead = registers > used ? (registers - used) / size : 0;
    if (ahead < 2)
      return;
    const std::size_t later = std::min(ahead, row.size()) - 1;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      for (MachineOp& op : program_.blocks[row[i].block].ops)
        wait_for(op, row[i].value, i < later ? no_value : row[i - later].value);
  }

  static void wait_for(MachineOp& op, std::uint32_t value, std::uint32_t other) {
    unsigned kept = 0;
    for (unsigned s = 0; s < op.source_count; ++s)
      if (const std::uint32_t source = op.sources[s] == value ? other : op.sources[s]; source != no_value)
        op.sources[kept++] = source;
    std::fill(op.sources.begin() + kept, op.sources.end(), no_value);
    op.source_count = static_cast<std::uint8_t>(kept);
  }

  facts::MachineProgram& program_;
  const Flow& flow_;
  const Liveness& live_;
  const std::vector<std::uint8_t>& sizes_;
  std::vector<LoopBlocks> loops_;
};

} // namespace

void let_copy_addresses_go_ahead(facts::MachineProgram& program, const Flow& flow,
                                 const llvm::BitVector& predicated, const Liveness& live,
                                 const std::vector<std::uint8_t>& sizes, unsigned registers) {
  CopyAddresses(program, flow, live, sizes).run(predicated, registers);
}

} // namespace forewarp::codegen

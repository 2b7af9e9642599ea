#include "codegen/nvidia/registers/spills.h"

#include "codegen/nvidia/registers/frame_slots.h"

#include <algorithm>
#include <map>

namespace forewarp::codegen {

using facts::MachineOp;
using facts::no_value;
using facts::OpClass;

namespace {

/// One slot of the frame for all values that phis join, by number: offsets come at the end.
class Frame {
public:
  Frame(const facts::MachineProgram& program, const std::vector<std::uint8_t>& sizes)
      : sizes_(sizes), joined_(program.value_count) {
    for (std::uint32_t v = 0; v < program.value_count; ++v)
      joined_[v] = v;
    for (const facts::MachineBlock& block : program.blocks)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != no_value)
          joined_[root(phi.source)] = root(phi.destination);
  }
  MachineOp access(OpClass op, std::uint32_t value) {
    const auto bytes = static_cast<std::uint16_t>(4U * sizes_[value]);
    const auto [slot, is_new] = slots_.try_emplace(root(value), static_cast<std::int32_t>(bytes_.size()));
    if (is_new)
      bytes_.push_back(bytes);
    MachineOp made;
    made.op = op;
    made.width_bytes = bytes;
    made.offset_bytes = slot->second;
    if (op == OpClass::load_local) {
      made.destination = value;
    } else {
      made.sources[0] = value;
      made.source_count = 1;
    }
    return made;
  }
  const std::vector<std::uint16_t>& slot_bytes() const { return bytes_; }

private:
  std::uint32_t root(std::uint32_t value) {
    while (joined_[value] != value)
      value = joined_[value] = joined_[joined_[value]];
    return value;
  }
  const std::vector<std::uint8_t>& sizes_;
  std::vector<std::uint32_t> joined_;
  std::map<std::uint32_t, std::int32_t> slots_;
  std::vector<std::uint16_t> bytes_; ///< of each slot
};

/// Places of one block's operations where values are read. Beyond the block's end: where its next run reads
/// them (a loop of one block), else somewhere later.
class Uses {
public:
  Uses(const facts::MachineBlock& block, std::uint32_t index, bool loop, const llvm::BitVector& live_out)
      : count_(block.ops.size()), live_out_(live_out), loop_(loop), places_(live_out.size()) {
    for (std::size_t i = 0; i < count_; ++i)
      for (unsigned s = 0; s < block.ops[i].source_count; ++s)
        if (std::vector<std::size_t>& all = places_[block.ops[i].sources[s]]; all.empty() || all.back() != i)
          all.push_back(i);
    if (loop)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.previous_block == index && phi.source != no_value)
          becomes_[phi.source] = phi.destination;
  }
  static constexpr std::size_t never = SIZE_MAX;
  std::size_t first(std::uint32_t value) const { return after(value, 0); }
  /// At or after `place`.
  std::size_t after(std::uint32_t value, std::size_t place) const {
    const std::vector<std::size_t>& all = places_[value];
    const auto next = std::lower_bound(all.begin(), all.end(), place);
    if (next != all.end())
      return *next;
    return live_out_.test(value) ? beyond(value) : never;
  }

private:
  std::size_t beyond(std::uint32_t value) const {
    if (!loop_)
      return 2 * count_;
    const auto phi = becomes_.find(value);
    const std::vector<std::size_t>& next = places_[phi == becomes_.end() ? value : phi->second];
    return next.empty() ? 2 * count_ : count_ + next.front();
  }
  std::size_t count_;
  const llvm::BitVector& live_out_;
  bool loop_;
  std::vector<std::vector<std::size_t>> places_; ///< by value
  std::map<std::uint32_t, std::uint32_t> becomes_;
};

class BlockSpills {
public:
  BlockSpills(facts::MachineBlock& block, std::uint32_t index, bool loop, const Liveness& live,
              const std::vector<std::uint8_t>& sizes, unsigned registers, Frame& frame)
      : block_(block), index_(index), loop_(loop), sizes_(sizes), registers_(registers), frame_(frame),
        uses_(block, index, loop, live.out[index]), resident_(live.in[index].size()),
        stored_(live.in[index].size()), there_(live.in[index]) {
    enter(live.in[index]);
  }

  void run() {
    for (std::size_t i = 0; i < block_.ops.size(); ++i) {
      if (i + 1 == block_.ops.size() && block_.ops[i].op == OpClass::branch)
        leave(i);
      step(i);
    }
    if (block_.ops.empty() || block_.ops.back().op != OpClass::branch)
      leave(block_.ops.size());
    block_.ops = std::move(made_);
  }

private:
  /// What is read first starts in registers; the rest was put into the frame before.
  void enter(const llvm::BitVector& live_in) {
    for (const unsigned value : live_in.set_bits())
      if (sizes_[value] > 0)
        entry_.push_back(value);
    std::stable_sort(entry_.begin(), entry_.end(), [&](std::uint32_t one, std::uint32_t other) {
      return uses_.first(one) < uses_.first(other);
    });
    stored_.set();
    for (const facts::PhiAlias& phi : block_.phis) // what a loop does not change was stored before it
      stored_.reset(phi.destination);
    for (const std::uint32_t value : entry_)
      if (used_ + sizes_[value] <= registers_)
        take(value);
      else
        stored_.set(value);
    entered_ = resident_;
  }

  void step(std::size_t i) {
    const MachineOp& op = block_.ops[i];
    const std::size_t before = loads_;
    for (unsigned s = 0; s < op.source_count; ++s)
      load(op.sources[s], i);
    if (loads_ > before)
      load_ahead(i);
    for (unsigned s = 0; s < op.source_count; ++s)
      if (uses_.after(op.sources[s], i + 1) == Uses::never)
        drop(op.sources[s]);
    if (const std::uint32_t made = op.destination; made != no_value && sizes_[made] > 0 &&
                                                   uses_.after(made, i + 1) != Uses::never &&
                                                   !resident_.test(made)) {
      make_room(sizes_[made], i, i);
      take(made);
      stored_.reset(made);
      there_.set(made);
    }
    made_.push_back(op);
  }

  /// The assembler loads several values in a row, so that they are waited for together: some ten in the main
  /// loop of a 128 x 128 tile of 64 threads (ptxas 13.0, sm_86). What goes for them is read later than they.
  void load_ahead(std::size_t i) {
    constexpr std::size_t in_a_row = 8;
    const std::size_t end = loads_ + in_a_row - 1;
    for (std::size_t j = i + 1; j < block_.ops.size(); ++j)
      for (unsigned s = 0; s < block_.ops[j].source_count; ++s) {
        const std::uint32_t value = block_.ops[j].sources[s];
        if (sizes_[value] == 0 || resident_.test(value) || !there_.test(value) || !stored_.test(value))
          continue;
        if (loads_ >= end)
          return;
        make_room(sizes_[value], i, j);
        if (used_ + sizes_[value] > registers_)
          return;
        load(value, i);
      }
  }

  /// The next run finds each value where this one found it.
  void leave(std::size_t i) {
    if (!loop_)
      return;
    std::map<std::uint32_t, std::uint32_t> from;
    for (const facts::PhiAlias& phi : block_.phis)
      if (phi.previous_block == index_)
        from[phi.destination] = phi.source;
    for (const std::uint32_t value : entry_) {
      const auto phi = from.find(value);
      const std::uint32_t now = phi == from.end() ? value : phi->second;
      if (now == no_value || sizes_[now] == 0)
        continue;
      if (!entered_.test(value))
        store(now);
      else if (!resident_.test(now))
        load(now, i);
    }
  }

  void take(std::uint32_t value) {
    resident_.set(value);
    used_ += sizes_[value];
  }
  void drop(std::uint32_t value) {
    if (!resident_.test(value))
      return;
    resident_.reset(value);
    used_ -= sizes_[value];
  }
  void store(std::uint32_t value) {
    if (stored_.test(value) || !resident_.test(value))
      return;
    stored_.set(value);
    made_.push_back(frame_.access(OpClass::store_local, value));
  }
  void load(std::uint32_t value, std::size_t i) {
    if (sizes_[value] == 0 || resident_.test(value))
      return;
    make_room(sizes_[value], i, i); // what operation i reads stays
    if (stored_.test(value)) {      // else it was made in a block that is left alone
      made_.push_back(frame_.access(OpClass::load_local, value));
      ++loads_;
    }
    take(value);
  }
  /// For an operation at or behind i; what is read up to operation `kept` stays.
  void make_room(unsigned wanted, std::size_t i, std::size_t kept) {
    while (used_ > 0 && used_ + wanted > registers_) {
      std::uint32_t furthest = no_value;
      std::size_t place = kept;
      for (const unsigned value : resident_.set_bits())
        if (const std::size_t next = uses_.after(value, i); next > place) {
          furthest = value;
          place = next;
        }
      if (furthest == no_value)
        return;
      if (place != Uses::never)
        store(furthest);
      drop(furthest);
    }
  }

  facts::MachineBlock& block_;
  std::uint32_t index_;
  bool loop_;
  const std::vector<std::uint8_t>& sizes_;
  unsigned registers_;
  Frame& frame_;
  Uses uses_;
  llvm::BitVector resident_, stored_, there_, entered_; ///< `there_`: made, or live in
  std::vector<std::uint32_t> entry_;                    ///< live-in values, by first use
  unsigned used_ = 0;
  std::size_t loads_ = 0; ///< made so far
  std::vector<MachineOp> made_;
};

} // namespace

double place_spills(facts::MachineProgram& program, const Flow& flow, const Liveness& live,
                    const std::vector<std::uint8_t>& sizes, unsigned registers) {
  Frame frame(program, sizes);
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
    if (peak_pressure(program, live, b, sizes) <= registers)
      continue;
    const std::vector<std::uint32_t>& next = flow.successors[b];
    const bool loop = std::find(next.begin(), next.end(), b) != next.end();
    BlockSpills(program.blocks[b], b, loop, live, sizes, registers, frame).run();
  }
  return share_slots(program, flow, frame.slot_bytes());
}

} // namespace forewarp::codegen

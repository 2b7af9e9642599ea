#include "simt/analysis/asked_values.h"

#include <algorithm>
#include <vector>

namespace forewarp::simt {
namespace {

bool is_cross_lane(Special special) {
  switch (special) {
  case Special::shuffle:
  case Special::bpermute:
  case Special::vote:
  case Special::ballot:
  case Special::match_any:
  case Special::match_all:
  case Special::reduce:
  case Special::read_lane:
    return true;
  default:
    return false;
  }
}

/// Of others something is left beside it.
bool has_only_a_result(Special special) {
  return is_cross_lane(special) || special == Special::none || special == Special::load ||
         special == Special::clock || special == Special::unknown_value || special == Special::matrix ||
         special == Special::convert;
}

/// Slots that the instruction reads.
template <class Use> void for_operands(const Program& program, const Instruction& instruction, Use use) {
  if (instruction.special != Special::matrix && instruction.special != Special::convert)
    use(instruction.slots.a);
  switch (instruction.special) {
  case Special::engine_copy:
  case Special::engine_more:
    for (const std::int32_t slot : program.engine_ops[instruction.detail].operands)
      use(slot);
    return;
  case Special::convert:
    for (const std::int32_t slot : program.conversion_ops[instruction.detail].operands)
      use(slot);
    return;
  case Special::matrix:
    for (const std::int32_t slot : program.matrix_ops[instruction.detail].operands)
      use(slot);
    return;
  case Special::load:
  case Special::look:
  case Special::barrier:
  case Special::grid_barrier:
  case Special::watch_division:
    return;
  case Special::store:
    for (const MemoryComponent& component : program.memory_ops[instruction.detail].components)
      use(component.slot);
    return;
  case Special::copy_memory:
  case Special::fill_memory:
    use(program.memory_ops[instruction.detail].length_slot);
    use(instruction.slots.b);
    return;
  case Special::texture:
    for (const std::int32_t slot : program.memory_ops[instruction.detail].coordinates)
      use(slot);
    return;
  default:
    use(instruction.slots.b);
    use(instruction.slots.c);
  }
}

class Asked {
public:
  explicit Asked(const Program& program) : Asked(program, nullptr) {
    for (const Instruction& instruction : program_.code)
      ask_for_effect(instruction);
    ask_for_control();
  }

  /// Of steps that are not recorded: what control and later steps rest on. `recorded`: of all others.
  Asked(const Program& program, const Asked& recorded) : Asked(program, &recorded) {
    for (const Instruction& instruction : program_.code)
      if (instruction.special == Special::store)
        ask_for_stored(instruction);
      else if (instruction.special != Special::load)
        ask_for_effect(instruction);
    if (recorded.tensor_memory_is_read_)
      ask_for_tensor_memory();
    for (const Block& block : program_.blocks)
      ask_for_what_enters(block);
    for (const PhiMove& move : program_.moves)
      if (recorded.is_asked(move.destination)) {
        ask(move.destination);
        ask(move.source);
      }
    ask_for_control();
  }

  bool is_asked(std::int32_t slot) const {
    return slot >= 0 && index(slot) < asked_.size() && asked_[index(slot)];
  }
  bool has_asked_result(const Instruction& instruction) const {
    bool any = false;
    for_results(instruction, [&](std::int32_t slot) { any = any || is_asked(slot); });
    return any;
  }
  /// Some load that is asked for may read what the store writes.
  bool is_read(const Instruction& store) const {
    const MemoryOp& written = program_.memory_ops[store.detail];
    return std::ranges::any_of(read_, [&](const MemoryOp* read) { return may_be_the_same(*read, written); });
  }
  /// Of an asked value that a load made, the load's next place: a chase, a checksum by table.
  bool follows_loads() const {
    return std::ranges::any_of(program_.code, [&](const Instruction& instruction) {
      return instruction.special == Special::load && has_asked_result(instruction) &&
             rests_on_results(instruction.slots.a, instruction);
    });
  }
  /// Of a loop, some access whose place was made of what was loaded: the places of its iterations differ.
  bool places_were_loaded() const {
    for (std::uint32_t b = 0; b < program_.blocks.size(); ++b) {
      const Block& block = program_.blocks[b];
      for (std::uint32_t at = block.first; at < block.end; ++at) {
        const Instruction& instruction = program_.code[at];
        const bool accesses = instruction.special == Special::load || instruction.special == Special::store;
        if (accesses && rests_on_loads(instruction.slots.a) && repeats(b))
          return true;
      }
    }
    return false;
  }
  void add_recorded(const Instruction& instruction, std::vector<Instruction>& code) const {
    if (is_needed(instruction)) {
      code.push_back(instruction);
    } else if (instruction.special == Special::load || instruction.special == Special::store) {
      code.push_back(instruction);
      code.back().special = Special::look;
      code.back().preserve = false;
    }
  }
  void add_unrecorded(const Instruction& instruction, std::vector<Instruction>& code) const {
    if (instruction.special == Special::store ? recorded_->is_read(instruction) : is_needed(instruction))
      code.push_back(instruction);
  }

private:
  Asked(const Program& program, const Asked* recorded)
      : program_(program), recorded_(recorded), asked_(program.register_slots),
        made_by_(program.register_slots), moved_by_(program.register_slots) {
    for (std::uint32_t at = 0; at < program_.code.size(); ++at)
      for_results(program_.code[at], [&](std::int32_t slot) { made_by_[index(slot)].push_back(at); });
    for (std::uint32_t move = 0; move < program_.moves.size(); ++move)
      moved_by_[index(program_.moves[move].destination)].push_back(move);
    copies_ = std::ranges::any_of(program_.code, [](const Instruction& instruction) {
      return instruction.special == Special::copy_memory || instruction.special == Special::engine_copy;
    });
  }

  /// Through registers, phis and addresses of loads.
  bool rests_on_results(std::int32_t start, const Instruction& load) const {
    std::vector<bool> seen(program_.register_slots);
    std::vector<std::int32_t> open;
    const auto visit = [&](std::int32_t slot) {
      if (is_asked(slot) && !seen[index(slot)]) {
        seen[index(slot)] = true;
        open.push_back(slot);
      }
    };
    visit(start);
    while (!open.empty()) {
      const std::size_t slot = index(open.back());
      open.pop_back();
      for (const std::uint32_t move : moved_by_[slot])
        visit(program_.moves[move].source);
      for (const std::uint32_t at : made_by_[slot]) {
        if (&program_.code[at] == &load)
          return true;
        for_operands(program_, program_.code[at], visit);
      }
    }
    return false;
  }
  /// Some way leads back to the block.
  bool repeats(std::uint32_t block) const {
    std::vector<bool> seen(program_.blocks.size());
    std::vector<std::uint32_t> open = {block};
    while (!open.empty()) {
      const Terminator& end = program_.blocks[open.back()].terminator;
      open.pop_back();
      for (std::size_t e = 0; e < edge_count(end); ++e) {
        const std::uint32_t next = program_.edges[end.first_edge + e].target;
        if (next == block)
          return true;
        if (!seen[next])
          open.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  }
  static std::size_t edge_count(const Terminator& end) {
    switch (end.kind) {
    case Terminator::Kind::jump:
      return 1;
    case Terminator::Kind::branch:
      return 2;
    case Terminator::Kind::switch_:
      return 1 + end.case_values.size();
    default:
      return 0;
    }
  }
  /// Through registers and phis.
  bool rests_on_loads(std::int32_t start) const {
    std::vector<bool> seen(program_.register_slots);
    std::vector<std::int32_t> open;
    const auto visit = [&](std::int32_t slot) {
      if (is_asked(slot) && !seen[index(slot)]) {
        seen[index(slot)] = true;
        open.push_back(slot);
      }
    };
    visit(start);
    while (!open.empty()) {
      const std::size_t slot = index(open.back());
      open.pop_back();
      for (const std::uint32_t move : moved_by_[slot])
        visit(program_.moves[move].source);
      for (const std::uint32_t at : made_by_[slot]) {
        if (program_.code[at].special == Special::load || reads_shared(program_.code[at]))
          return true;
        for_operands(program_, program_.code[at], visit);
      }
    }
    return false;
  }
  bool is_needed(const Instruction& instruction) const {
    return instruction.special == Special::store
               ? is_read(instruction)
               : has_asked_result(instruction) || !has_only_a_result(instruction.special) ||
                     (tensor_memory_is_read_ && changes_tensor_memory(instruction));
  }
  void ask_for_control() {
    for (const Block& block : program_.blocks)
      if (block.terminator.kind == Terminator::Kind::branch ||
          block.terminator.kind == Terminator::Kind::switch_)
        ask(block.terminator.condition);
    for (const LoopReplay& replay : program_.replays)
      ask_for_replay(replay);
    while (!open_.empty())
      ask_for_makers();
  }
  /// A store that recorded loads may read.
  void ask_for_stored(const Instruction& store) {
    if (!recorded_->is_read(store))
      return;
    ask(store.slots.a);
    for (const MemoryComponent& component : program_.memory_ops[store.detail].components)
      ask(component.slot);
  }
  /// Values of other blocks that the block reads when it is recorded.
  void ask_for_what_enters(const Block& block) {
    std::vector<bool> made(program_.register_slots);
    for (std::uint32_t at = block.first; at < block.end; ++at) {
      const Instruction& instruction = program_.code[at];
      const bool looks = instruction.special == Special::load || instruction.special == Special::store;
      if (looks || recorded_->is_needed(instruction))
        for_operands(program_, instruction, [&](std::int32_t slot) {
          if (recorded_->is_asked(slot) && !made[index(slot)])
            ask(slot);
        });
      for_results(instruction, [&](std::int32_t slot) { made[index(slot)] = true; });
    }
  }

  static std::size_t index(std::int32_t slot) { return static_cast<std::size_t>(slot); }

  /// Registers that the instruction writes.
  template <class Use> void for_results(const Instruction& instruction, const Use& use) const {
    const auto use_register = [&](std::int32_t slot) {
      if (slot >= 0 && slot != no_slot)
        use(slot);
    };
    switch (instruction.special) {
    case Special::load:
    case Special::atomic:
    case Special::compare_exchange:
    case Special::texture:
      for (const MemoryComponent& component : program_.memory_ops[instruction.detail].components)
        use_register(component.slot);
      break;
    case Special::matrix:
      for (const std::int32_t slot : program_.matrix_ops[instruction.detail].results)
        use_register(slot);
      break;
    case Special::store:
    case Special::look:
    case Special::copy_memory:
    case Special::fill_memory:
    case Special::watch_division:
      break;
    default:
      use_register(instruction.slots.destination);
      if (is_cross_lane(instruction.special))
        use_register(program_.cross_lane_ops[instruction.detail].predicate_slot);
    }
  }

  void ask(std::int32_t slot) {
    if (slot < 0 || slot == no_slot || asked_[index(slot)])
      return;
    asked_[index(slot)] = true;
    open_.push_back(slot);
  }
  void ask_for_operands(const Instruction& instruction) {
    ask(instruction.slots.a);
    ask(instruction.slots.b);
    ask(instruction.slots.c);
  }

  /// Where accesses go and what atomics leave in memory are asked for whoever reads it; so is what others
  /// wait for.
  void ask_for_effect(const Instruction& instruction) {
    switch (instruction.special) {
    case Special::load:
    case Special::store:
      return ask(instruction.slots.a);
    case Special::copy_memory:
      ask_for_memory(program_.memory_ops[instruction.detail]);
      [[fallthrough]];
    case Special::fill_memory:
      ask(program_.memory_ops[instruction.detail].length_slot);
      ask(instruction.slots.a);
      return ask(instruction.slots.b);
    case Special::atomic:
    case Special::compare_exchange:
      ask_for_operands(instruction);
      return ask_for_memory(program_.memory_ops[instruction.detail]);
    case Special::barrier:
      return ask(instruction.detail != 0 ? instruction.slots.a : no_slot); // with a reduction
    case Special::watch_division:
      return ask(instruction.slots.a);
    case Special::texture:
      ask(instruction.slots.a);
      for (const std::int32_t slot : program_.memory_ops[instruction.detail].coordinates)
        ask(slot);
      return;
    case Special::engine_copy:
    case Special::engine_more:
      for (const std::int32_t slot : program_.engine_ops[instruction.detail].operands)
        ask(slot);
      return ask_for_memory(anywhere_); // also tensor maps that the kernel makes
    default:
      if (!has_only_a_result(instruction.special))
        ask_for_operands(instruction);
    }
  }
  void ask_for_replay(const LoopReplay& replay) {
    if (replay.stay == LoopReplay::Stay::never_known)
      return;
    ask(replay.moving);
    ask(replay.bound);
    for (const LoopReplay::Induction& induction : replay.inductions)
      ask(induction.slot);
  }

  void ask_for_makers() {
    const std::int32_t slot = open_.back();
    open_.pop_back();
    for (const std::uint32_t move : moved_by_[index(slot)])
      ask(program_.moves[move].source);
    for (const std::uint32_t at : made_by_[index(slot)]) {
      const Instruction& maker = program_.code[at];
      if (maker.special == Special::load) {
        ask_for_memory(program_.memory_ops[maker.detail]);
        ask(maker.slots.a);
      } else if (maker.special == Special::matrix) {
        for (const std::int32_t operand : program_.matrix_ops[maker.detail].operands)
          ask(operand);
        if (reads_shared(maker))
          ask_for_memory(in_shared_);
        if (program_.matrix_ops[maker.detail].kind == MatrixOp::Kind::tensor_load)
          ask_for_tensor_memory();
      } else if (maker.special == Special::convert) {
        for (const std::int32_t operand : program_.conversion_ops[maker.detail].operands)
          ask(operand);
      } else {
        ask_for_operands(maker);
      }
    }
  }

  /// What products, stores and allocations leave in tensor memory.
  void ask_for_tensor_memory() {
    if (tensor_memory_is_read_)
      return;
    tensor_memory_is_read_ = true;
    for (const Instruction& instruction : program_.code)
      if (changes_tensor_memory(instruction)) {
        for (const std::int32_t operand : program_.matrix_ops[instruction.detail].operands)
          ask(operand);
        if (reads_shared(instruction))
          ask_for_memory(in_shared_);
      }
  }
  bool changes_tensor_memory(const Instruction& instruction) const {
    return instruction.special == Special::matrix &&
           program_.matrix_ops[instruction.detail].changes_tensor_memory();
  }
  /// What stores may have left where `read` reads.
  void ask_for_memory(const MemoryOp& read) {
    if (std::ranges::find(read_, &read) != read_.end())
      return;
    read_.push_back(&read);
    for (const Instruction& instruction : program_.code) {
      if (instruction.special != Special::store)
        continue;
      const MemoryOp& written = program_.memory_ops[instruction.detail];
      if (may_be_the_same(read, written))
        for (const MemoryComponent& component : written.components)
          ask(component.slot);
    }
  }
  /// Arguments and variables lie apart, and so do spaces; what is known of neither may be anywhere.
  bool may_be_the_same(const MemoryOp& read, const MemoryOp& written) const {
    if (copies_)
      return true;
    if (!read.objects.empty() && !written.objects.empty())
      return std::ranges::find_first_of(read.objects, written.objects) != read.objects.end();
    const facts::MemorySpace from = space_of(read), to = space_of(written);
    return from == to || from == facts::MemorySpace::global || to == facts::MemorySpace::global;
  }
  /// Products whose factors lie there.
  bool reads_shared(const Instruction& instruction) const {
    return instruction.special == Special::matrix && program_.matrix_ops[instruction.detail].reads_memory();
  }
  facts::MemorySpace space_of(const MemoryOp& op) const {
    if (&op == &in_shared_)
      return facts::MemorySpace::shared;
    return op.site == no_site ? facts::MemorySpace::parameter : program_.sites[op.site].space;
  }

  const Program& program_;
  const MemoryOp anywhere_, in_shared_;
  const Asked* recorded_; ///< null: this is it
  std::vector<bool> asked_;
  std::vector<std::vector<std::uint32_t>> made_by_, moved_by_; ///< [register] instructions, phi moves
  std::vector<std::int32_t> open_;
  std::vector<const MemoryOp*> read_;  ///< loads and atomics whose values are asked for
  bool tensor_memory_is_read_ = false; ///< a value is asked for that was loaded from there
  bool copies_ = false;                ///< some instruction copies what it finds in memory
};

} // namespace

void add_asked_code(Program& program) {
  const Asked asked(program), unrecorded(program, asked);
  program.follows_loads = asked.follows_loads();
  program.places_were_loaded = asked.places_were_loaded();
  std::vector<Instruction> code = program.code;
  for (Block& block : program.blocks) {
    block.first_asked = static_cast<std::uint32_t>(code.size());
    for (std::uint32_t at = block.first; at < block.end; ++at)
      asked.add_recorded(program.code[at], code);
    block.end_asked = block.first_unrecorded = static_cast<std::uint32_t>(code.size());
    for (std::uint32_t at = block.first; at < block.end; ++at)
      unrecorded.add_unrecorded(program.code[at], code);
    block.end_unrecorded = static_cast<std::uint32_t>(code.size());
  }
  std::vector<PhiMove> moves = program.moves;
  for (Edge& edge : program.edges) {
    edge.first_asked_move = static_cast<std::uint32_t>(moves.size());
    for (std::uint32_t k = 0; k < edge.move_count; ++k)
      if (asked.is_asked(program.moves[edge.first_move + k].destination))
        moves.push_back(program.moves[edge.first_move + k]);
    edge.asked_move_count = static_cast<std::uint32_t>(moves.size()) - edge.first_asked_move;
  }
  program.code = std::move(code);
  program.moves = std::move(moves);
}

} // namespace forewarp::simt

#include "lift/machine/values.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>

namespace forewarp::lift {
namespace {

using sass::Operand;
using sass::OperandKind;

constexpr unsigned first_uniform = 256, first_predicate = 512, first_uniform_predicate = 520, places = 528;
using Places = std::bitset<places>;
constexpr std::uint32_t none = facts::no_value;

/// Calls `each` with every register that the operand names.
template <class Each> void for_registers(const Operand& operand, Each each) {
  const auto some = [&](unsigned first, std::uint16_t number, unsigned width) {
    if (number == sass::zero_register)
      return;
    for (unsigned k = 0; k < std::max(width, 1U) && number + k < sass::zero_register; ++k)
      each(first + number + k);
  };
  switch (operand.kind) {
  case OperandKind::general:
    return some(0, operand.number, operand.width);
  case OperandKind::uniform:
    return some(first_uniform, operand.number, operand.width);
  case OperandKind::predicate:
    if (operand.number != sass::true_predicate)
      each(first_predicate + operand.number);
    return;
  case OperandKind::uniform_predicate:
    if (operand.number != sass::true_predicate)
      each(first_uniform_predicate + operand.number);
    return;
  case OperandKind::address:
  case OperandKind::constant:
    some(0, operand.address.base, operand.address.base_width);
    return some(first_uniform, operand.address.uniform, operand.address.uniform_width);
  default:
    return;
  }
}

bool is_predicate(unsigned place) {
  return place >= first_predicate;
}

struct BlockFacts {
  Places used_first, written, live_in;
};

/// Where an operand is read before the block writes it, and what it writes.
BlockFacts facts_of(const sass::Kernel& kernel, const CodeBlock& block) {
  BlockFacts facts;
  const auto read = [&](unsigned place) {
    if (!facts.written[place])
      facts.used_first.set(place);
  };
  for (std::uint32_t i = block.first; i < block.end; ++i) {
    const sass::Instruction& instruction = kernel.instructions[i];
    for_registers(instruction.guard, read);
    for (const Operand& operand : instruction.sources())
      for_registers(operand, read);
    // Under a guard the old value lives on.
    for (const Operand& operand : instruction.written())
      for_registers(operand, [&](unsigned place) {
        if (!instruction.guard.is_true())
          read(place);
        facts.written.set(place);
      });
  }
  return facts;
}

std::vector<BlockFacts> with_liveness(const sass::Kernel& kernel, const std::vector<CodeBlock>& blocks) {
  std::vector<BlockFacts> facts;
  for (const CodeBlock& block : blocks) {
    facts.push_back(facts_of(kernel, block));
    facts.back().live_in = facts.back().used_first;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      Places out;
      for (const std::uint32_t next : blocks[b].successors)
        out |= facts[next].live_in;
      const Places in = facts[b].used_first | (out & ~facts[b].written);
      if (in != facts[b].live_in) {
        facts[b].live_in = in;
        changed = true;
      }
    }
  }
  return facts;
}

class Namer {
public:
  Namer(const sass::Kernel& kernel, const std::vector<CodeBlock>& blocks)
      : kernel_(kernel), blocks_(blocks), facts_(with_liveness(kernel, blocks)), predecessors_(blocks.size()),
        at_end_(blocks.size()), seen_(blocks.size()) {
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
      for (const std::uint32_t next : blocks[b].successors)
        if (std::find(predecessors_[next].begin(), predecessors_[next].end(), b) == predecessors_[next].end())
          predecessors_[next].push_back(b);
    out_.instructions.resize(blocks.size());
    out_.phis.resize(blocks.size());
  }

  NamedProgram run() {
    std::deque<std::uint32_t> todo = {0};
    seen_[0] = true;
    while (!todo.empty()) {
      const std::uint32_t block = todo.front();
      todo.pop_front();
      name_block(block);
      for (const std::uint32_t next : blocks_[block].successors)
        if (!seen_[next]) {
          seen_[next] = true;
          todo.push_back(next);
        }
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b)
      close_phis(b);
    drop_trivial();
    out_.value_count = next_;
    return std::move(out_);
  }

private:
  using Values = std::array<std::uint32_t, places>;

  /// One predecessor, and that one named before: its values go on.
  Values at_start(std::uint32_t block) {
    Values values;
    values.fill(none);
    const std::vector<std::uint32_t>& before = predecessors_[block];
    if (block != 0 && before.size() == 1 && at_end_[before[0]])
      return *at_end_[before[0]];
    if (block == 0 && before.empty())
      return values;
    for (unsigned place = 0; place < places; ++place)
      if (facts_[block].live_in[place]) {
        values[place] = next_++;
        open_.push_back({block, place, values[place]});
      }
    return values;
  }

  void name_block(std::uint32_t block) {
    Values values = at_start(block);
    for (std::uint32_t i = blocks_[block].first; i < blocks_[block].end; ++i) {
      const sass::Instruction& instruction = kernel_.instructions[i];
      NamedInstruction named;
      const auto read = [&](unsigned place) {
        const std::uint32_t value = values[place];
        if (value != none &&
            std::find(named.sources.begin(), named.sources.end(), value) == named.sources.end())
          named.sources.push_back(value);
      };
      for (const Operand& operand : instruction.sources())
        for_registers(operand, read);
      for_registers(instruction.guard, [&](unsigned place) {
        named.guard = values[place];
        read(place);
      });
      bool only_predicates = true;
      for (const Operand& operand : instruction.written())
        for_registers(operand, [&](unsigned place) {
          if (named.destination == none)
            named.destination = next_++;
          values[place] = named.destination;
          only_predicates = only_predicates && is_predicate(place);
        });
      named.writes_predicate = named.destination != none && only_predicates;
      out_.instructions[block].push_back(std::move(named));
    }
    at_end_[block] = values;
  }

  struct OpenPhi {
    std::uint32_t block, place, value;
  };

  void close_phis(std::uint32_t block) {
    for (const OpenPhi& phi : open_)
      if (phi.block == block)
        for (const std::uint32_t before : predecessors_[block])
          if (at_end_[before])
            out_.phis[block].push_back({before, phi.value, (*at_end_[before])[phi.place]});
  }

  std::uint32_t root(std::uint32_t value) {
    while (value != none && same_[value] != value)
      value = same_[value] = same_[same_[value]];
    return value;
  }

  /// A phi whose sources are one value, or itself, is that value.
  void drop_trivial() {
    same_.resize(next_);
    for (std::uint32_t v = 0; v < next_; ++v)
      same_[v] = v;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::vector<facts::PhiAlias>& phis : out_.phis)
        for (std::size_t k = 0; k < phis.size();) {
          std::size_t end = k;
          const std::uint32_t value = phis[k].destination;
          std::uint32_t only = none;
          bool several = root(value) != value;
          for (; end < phis.size() && phis[end].destination == value; ++end) {
            const std::uint32_t source = root(phis[end].source);
            if (source == value)
              continue;
            several = several || (only != none && source != only) || source == none;
            only = source;
          }
          if (!several && only != none) {
            same_[value] = only;
            changed = true;
          }
          k = end;
        }
    }
    for (auto& block : out_.instructions)
      for (NamedInstruction& named : block) {
        for (std::uint32_t& source : named.sources)
          source = root(source);
        named.guard = root(named.guard);
      }
    for (std::vector<facts::PhiAlias>& phis : out_.phis) {
      std::erase_if(phis,
                    [&](const facts::PhiAlias& phi) { return root(phi.destination) != phi.destination; });
      for (facts::PhiAlias& phi : phis)
        phi.source = root(phi.source);
    }
  }

  const sass::Kernel& kernel_;
  const std::vector<CodeBlock>& blocks_;
  std::vector<BlockFacts> facts_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::optional<Values>> at_end_;
  std::vector<bool> seen_;
  std::vector<OpenPhi> open_;
  std::vector<std::uint32_t> same_;
  NamedProgram out_;
  std::uint32_t next_ = 0;
};

} // namespace

NamedProgram name_values(const sass::Kernel& kernel, const std::vector<CodeBlock>& blocks) {
  if (blocks.empty())
    return {};
  return Namer(kernel, blocks).run();
}

} // namespace forewarp::lift

#include "codegen/nvidia/select/predicated_regions.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace forewarp::codegen {

using facts::MachineBlock;
using facts::MachineOp;
using facts::no_value;

namespace {

using Predecessors = std::vector<std::vector<std::uint32_t>>;

Predecessors predecessors_of(const Flow& flow) {
  Predecessors predecessors(flow.successors.size());
  for (std::uint32_t b = 0; b < flow.successors.size(); ++b)
    for (std::uint32_t next : flow.successors[b])
      predecessors[next].push_back(b);
  return predecessors;
}

bool branches(const MachineBlock& block) {
  return std::any_of(block.ops.begin(), block.ops.end(), [](const MachineOp& op) {
    return op.op == facts::OpClass::branch || op.op == facts::OpClass::barrier ||
           op.op == facts::OpClass::fence;
  });
}

/// Head, bodies and joins in the order of execution; the last is the join behind all bodies.
using Line = std::vector<std::uint32_t>;

class Lines {
public:
  Lines(const facts::MachineProgram& program, const Flow& flow, const llvm::BitVector& predicated,
        const Liveness& live, const std::vector<std::uint8_t>& sizes, unsigned registers)
      : program_(program), flow_(flow), predecessors_(predecessors_of(flow)), predicated_(predicated),
        live_(live), sizes_(sizes), registers_(registers) {}

  /// The longest lines that follow one another from `head` on, each with the loads that there is room for.
  std::vector<Line> from(std::uint32_t head) const {
    std::vector<Line> lines;
    unsigned held = 0;
    for (std::optional<Line> part; (part = bodies_behind(lines.empty() ? head : lines.back().back()));) {
      unsigned loaded = 0;
      for (std::uint32_t block : *part)
        loaded += loaded_registers(block);
      const std::uint32_t from = lines.empty() ? head : lines.back().back();
      if (lines.empty() || held + loaded > registers_) {
        lines.push_back({from});
        held = registers_of(live_.out[from]);
      }
      held += loaded;
      lines.back().insert(lines.back().end(), part->begin(), part->end());
    }
    return lines;
  }

  /// Blocks that bodies of another head join in.
  llvm::BitVector joins() const {
    llvm::BitVector joins(predicated_.size());
    for (std::uint32_t head = 0; head < predicated_.size(); ++head)
      if (const auto part = predicated_[head] ? std::nullopt : bodies_behind(head))
        joins.set(part->back());
    return joins;
  }

private:
  unsigned registers_of(const llvm::BitVector& values) const {
    unsigned registers = 0;
    for (unsigned value : values.set_bits())
      registers += sizes_[value];
    return registers;
  }

  /// if (a) body, if (a && b) body: the conditions' blocks, the body, their join. Nothing else enters or
  /// leaves.
  std::optional<Line> bodies_behind(std::uint32_t head) const {
    if (branches(program_.blocks[head]))
      return {};
    Line part;
    std::uint32_t at = head, join = no_value;
    while (flow_.successors[at].size() == 2) {
      const std::uint32_t a = flow_.successors[at][0], b = flow_.successors[at][1];
      const std::uint32_t body = predicated_[a] ? a : b, other = predicated_[a] ? b : a;
      if (!predicated_[body] || predicated_[other] || (join != no_value && other != join) ||
          branches(program_.blocks[body]))
        return {};
      join = other;
      part.push_back(body);
      at = body;
    }
    if (part.empty() || flow_.successors[at].size() != 1 || flow_.successors[at][0] != join)
      return {};
    for (std::uint32_t from : predecessors_[join])
      if (from != head && std::find(part.begin(), part.end(), from) == part.end())
        return {};
    part.push_back(join);
    return part;
  }

  unsigned loaded_registers(std::uint32_t block) const {
    unsigned registers = 0;
    for (const MachineOp& op : program_.blocks[block].ops)
      if (facts::is_load(op.op) && op.destination != no_value)
        registers += sizes_[op.destination];
    return registers;
  }

  const facts::MachineProgram& program_;
  const Flow& flow_;
  Predecessors predecessors_;
  const llvm::BitVector& predicated_;
  const Liveness& live_;
  const std::vector<std::uint8_t>& sizes_;
  unsigned registers_;
};

bool stays(const MachineOp& op) {
  return op.destination == no_value || facts::is_memory(op.op) || op.site != no_value;
}

/// Moves the operations of one line.
class Straightening {
public:
  Straightening(facts::MachineProgram& program, const Line& line)
      : program_(program), line_(line), waits_(program.value_count), needed_(program.value_count) {}

  void run() {
    find_waiting();
    find_needed();
    merge_phis();
    move();
    count_passed();
    let_stores_follow_loads();
  }

private:
  std::size_t last() const { return line_.size() - 1; }
  MachineBlock& block(std::size_t i) { return program_.blocks[line_[i]]; }
  bool inner(std::uint32_t index) const {
    return std::find(line_.begin(), line_.end() - 1, index) != line_.end() - 1;
  }

  bool reads_waiting(const MachineOp& op) const {
    return std::any_of(op.sources.begin(), op.sources.begin() + op.source_count,
                       [&](std::uint32_t value) { return waits_[value]; });
  }

  /// Values of the line's loads, what is made of them, and phis inside of it.
  void find_waiting() {
    for (std::size_t i = 0; i <= last(); ++i) {
      if (i > 0)
        for (const facts::PhiAlias& phi : block(i).phis)
          waits_.set(phi.destination);
      if (i == last())
        return; // its own operations stay
      for (const MachineOp& op : block(i).ops)
        if (op.destination != no_value && (stays(op) || reads_waiting(op)))
          waits_.set(op.destination);
    }
  }

  void need_sources(const MachineOp& op) {
    for (unsigned s = 0; s < op.source_count; ++s)
      needed_.set(op.sources[s]);
  }

  /// The body's value where the other ways in bring what was there before.
  bool is_changed_in_body(const MachineBlock& join, std::uint32_t destination, std::uint32_t& changed) const {
    changed = no_value;
    for (const facts::PhiAlias& phi : join.phis)
      if (phi.destination == destination && phi.source != no_value)
        if (const auto made = maker_.find(phi.source);
            made != maker_.end() && made->second == phi.previous_block) {
          if (changed != no_value)
            return false;
          changed = phi.source;
        }
    return changed != no_value;
  }

  /// What loads, stores, conditions and remaining phis of the line wait for cannot go behind it.
  void find_needed() {
    for (std::size_t i = 0; i < last(); ++i)
      for (const MachineOp& op : block(i).ops)
        if (!stays(op) && reads_waiting(op) && i > 0)
          maker_[op.destination] = line_[i];
    for (std::size_t i = 0; i <= last(); ++i)
      for (const facts::PassedBody& passed : block(i).passed)
        if (passed.condition != no_value)
          needed_.set(passed.condition);
    for (bool again = true; again;) {
      const llvm::BitVector before = needed_;
      for (std::size_t i = last() + 1; i-- > 0;) {
        for (const facts::PhiAlias& phi : i > 0 ? block(i).phis : std::vector<facts::PhiAlias>()) {
          std::uint32_t changed = no_value;
          const bool goes = is_changed_in_body(block(i), phi.destination, changed) && !needed_[changed] &&
                            !needed_[phi.destination];
          if (!goes && phi.source != no_value)
            needed_.set(phi.source);
          if (!goes && changed != no_value)
            needed_.set(changed);
        }
        if (i == last())
          continue;
        for (const MachineOp& op : block(i).ops)
          if (stays(op) || needed_[op.destination])
            need_sources(op);
      }
      again = before != needed_;
    }
  }

  bool goes_behind(const MachineOp& op, std::size_t i) const {
    return i > 0 && i < last() && !stays(op) && waits_[op.destination] && !needed_[op.destination];
  }

  /// A value that a body changes under its predicate is one register.
  void merge_phis() {
    std::unordered_map<std::uint32_t, std::uint32_t> renamed;
    for (std::size_t i = 1; i <= last(); ++i)
      for (const facts::PhiAlias& phi : block(i).phis) {
        std::uint32_t changed = no_value;
        if (is_changed_in_body(block(i), phi.destination, changed) && !needed_[changed] &&
            !needed_[phi.destination])
          renamed[phi.destination] = changed;
      }
    if (renamed.empty())
      return;
    wait_for_values_before(renamed);
    for (std::size_t i = 1; i <= last(); ++i)
      std::erase_if(block(i).phis,
                    [&](const facts::PhiAlias& phi) { return renamed.contains(phi.destination); });
    const auto rename = [&](std::uint32_t& value) {
      if (const auto found = renamed.find(value); found != renamed.end())
        value = found->second;
    };
    for (MachineBlock& other : program_.blocks) {
      for (MachineOp& op : other.ops)
        std::for_each(op.sources.begin(), op.sources.begin() + op.source_count, rename);
      for (facts::PhiAlias& phi : other.phis)
        rename(phi.source);
    }
  }

  /// The register holds the value from before until its operation under the predicate.
  void wait_for_values_before(const std::unordered_map<std::uint32_t, std::uint32_t>& renamed) {
    std::unordered_map<std::uint32_t, MachineOp*> made;
    for (std::size_t i = 1; i < last(); ++i)
      for (MachineOp& op : block(i).ops)
        if (op.destination != no_value)
          made[op.destination] = &op;
    for (std::size_t i = 1; i <= last(); ++i)
      for (const facts::PhiAlias& phi : block(i).phis) {
        const auto found = renamed.find(phi.destination);
        if (found == renamed.end() || phi.source == no_value || phi.source == found->second)
          continue;
        MachineOp& op = *made.at(found->second);
        const auto end = op.sources.begin() + op.source_count;
        if (std::find(op.sources.begin(), end, phi.source) == end && op.source_count < op.sources.size())
          op.sources[op.source_count++] = phi.source;
      }
  }

  void move() {
    std::vector<MachineOp> ahead, behind;
    for (std::size_t i = 1; i < last(); ++i) {
      std::vector<MachineOp> left;
      for (const MachineOp& op : block(i).ops)
        if (!stays(op) && !waits_[op.destination])
          ahead.push_back(op);
        else
          (goes_behind(op, i) ? behind : left).push_back(op);
      block(i).ops = std::move(left);
    }
    append_by_predicates(std::move(ahead), block(0).ops);
    std::vector<MachineOp>& end = block(last()).ops;
    end.insert(end.begin(), behind.begin(), behind.end());
  }

  /// First what waits for no predicate of these operations, then what waits for one, and so on.
  static void append_by_predicates(std::vector<MachineOp> operations, std::vector<MachineOp>& out) {
    std::unordered_map<std::uint32_t, unsigned> ready; // predicates waited for when a value is there
    const auto start = [&](const MachineOp& op) {
      unsigned predicates = 0;
      for (unsigned s = 0; s < op.source_count; ++s)
        if (const auto found = ready.find(op.sources[s]); found != ready.end())
          predicates = std::max(predicates, found->second);
      return predicates;
    };
    for (const MachineOp& op : operations)
      ready[op.destination] = start(op) + (op.to_predicate ? 1 : 0);
    std::stable_sort(operations.begin(), operations.end(),
                     [&](const MachineOp& a, const MachineOp& b) { return start(a) < start(b); });
    out.insert(out.end(), operations.begin(), operations.end());
  }

  /// The other kind of memory: what one writes the other does not read.
  static bool lie_apart(const MachineOp& store, const MachineOp& load) {
    using facts::OpClass;
    const bool shared = store.op == OpClass::store_shared;
    return (shared || store.op == OpClass::store_global) &&
           (shared ? load.op == OpClass::load_global || load.op == OpClass::load_constant
                   : load.op == OpClass::load_shared || load.op == OpClass::load_constant);
  }

  bool may_follow_all_loads(const MachineOp& store, std::size_t body) {
    for (std::size_t i = body + 1; i < last(); ++i)
      for (const MachineOp& op : block(i).ops)
        if (facts::is_memory(op.op) && op.op != store.op && !lie_apart(store, op))
          return false;
    return true;
  }

  /// A store of what its body loads comes behind the loads of the later bodies. It stays in its own block;
  /// the last one waits in its place, as far as it has room for sources.
  void let_stores_follow_loads() {
    MachineOp* behind = nullptr;
    for (std::size_t i = last(); i-- > 1;)
      for (std::size_t o = block(i).ops.size(); o-- > 0;) {
        MachineOp& op = block(i).ops[o];
        if (op.destination != no_value || !facts::is_memory(op.op) || !may_follow_all_loads(op, i))
          continue;
        if (behind == nullptr)
          behind = &op;
        else if (behind->op == op.op)
          hand_over_loads(op, *behind);
      }
  }

  void hand_over_loads(MachineOp& from, MachineOp& to) const {
    unsigned kept = 0;
    for (unsigned s = 0; s < from.source_count; ++s)
      if (!waits_[from.sources[s]])
        from.sources[kept++] = from.sources[s];
      else if (to.source_count < to.sources.size())
        to.sources[to.source_count++] = from.sources[s];
    std::fill(from.sources.begin() + kept, from.sources.end(), no_value);
    from.source_count = static_cast<std::uint8_t>(kept);
  }

  /// Of the blocks between the step before and the join.
  void count_passed() {
    for (std::size_t i = 1; i <= last(); ++i)
      for (facts::PassedBody& passed : block(i).passed) {
        const auto from = std::find(line_.begin(), line_.end(), passed.previous_block);
        if (from == line_.end() || from - line_.begin() >= static_cast<std::ptrdiff_t>(i))
          continue;
        passed.operations = passed.accesses = 0;
        for (auto between = from + 1; between != line_.begin() + static_cast<std::ptrdiff_t>(i); ++between)
          passed.add(program_.blocks[*between]);
      }
  }

  facts::MachineProgram& program_;
  const Line& line_;
  llvm::BitVector waits_, needed_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      maker_; ///< of values that may go behind the line: their block
};

} // namespace

void straighten_predicated_bodies(facts::MachineProgram& program, const Flow& flow,
                                  const llvm::BitVector& predicated, const Liveness& live,
                                  const std::vector<std::uint8_t>& sizes, unsigned registers) {
  const Lines lines(program, flow, predicated, live, sizes, registers);
  const llvm::BitVector joins = lines.joins();
  std::vector<Line> found;
  for (std::uint32_t head = 0; head < program.blocks.size(); ++head)
    if (!predicated[head] && !joins[head])
      for (Line& line : lines.from(head))
        if (std::count_if(line.begin(), line.end(), [&](std::uint32_t b) { return !predicated[b]; }) > 2)
          found.push_back(std::move(line)); // more than one body
  for (const Line& line : found)
    Straightening(program, line).run();
}

} // namespace forewarp::codegen

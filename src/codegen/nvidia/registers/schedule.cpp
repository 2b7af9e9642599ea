#include "codegen/nvidia/registers/schedule.h"

#include "codegen/nvidia/registers/predicates.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>

namespace forewarp::codegen {

using facts::MachineOp;
using facts::no_value;
using facts::OpClass;

namespace {

enum class Memory : std::uint8_t { none, global, shared, local };

Memory memory_of(OpClass op) {
  switch (op) {
  case OpClass::load_global:
  case OpClass::store_global:
  case OpClass::atomic_global:
  case OpClass::load_texture:
    return Memory::global;
  case OpClass::load_shared:
  case OpClass::store_shared:
  case OpClass::atomic_shared:
    return Memory::shared;
  case OpClass::load_local:
  case OpClass::store_local:
    return Memory::local;
  default:
    return Memory::none;
  }
}

bool writes_memory(OpClass op) {
  return op == OpClass::store_global || op == OpClass::atomic_global || op == OpClass::store_shared ||
         op == OpClass::atomic_shared || op == OpClass::store_local;
}

/// A load and nothing else.
bool only_loads(OpClass op) {
  return facts::is_load(op) && !writes_memory(op);
}

bool ends_stretch(OpClass op) {
  return op == OpClass::barrier || op == OpClass::fence || op == OpClass::branch;
}

/// Where the operations that make the addresses of loads go.
enum class Addresses : std::uint8_t {
  first,    ///< before the loads, as far as they do not wait for others
  in_order, ///< each load's before it, in the program's order
};

/// One stretch of a block, scheduled into `out`.
class Stretch {
public:
  Stretch(const std::vector<MachineOp>& ops, std::size_t first, std::size_t last, std::vector<int>& uses_left,
          std::vector<int>& producer, const std::vector<std::uint8_t>& sizes, const gpu::Machine* machine,
          Addresses addresses, const std::vector<std::uint32_t>& predicates_held)
      : ops_(ops), first_(first), count_(last - first), uses_left_(uses_left), sizes_(sizes),
        machine_(machine),
        predicate_room_(room_for_predicates(ops, first, last, uses_left, sizes, predicates_held)),
        waits_(count_, 0), users_(count_), feeds_load_(count_, false), loads_before_(count_, 0),
        turn_(count_, 0), unit_free_cycle_(machine ? std::max<std::size_t>(machine->units.size(), 1) : 0, 0),
        ready_cycle_(count_, 0) {
    connect(producer);
    if (addresses == Addresses::first)
      give_turns();
    else
      std::iota(turn_.begin(), turn_.end(), 0U);
  }

  /// Returns the most registers that are live at once.
  int run(int& live, const ScheduleBudget& budget, std::vector<MachineOp>& out);

private:
  void edge(std::size_t from, std::size_t to) {
    users_[from].push_back(to);
    ++waits_[to];
  }
  void connect(std::vector<int>& producer);
  std::vector<bool> feeds_shared_alone() const;
  void give_turns();
  int growth(const MachineOp& op) const;
  void retire(const MachineOp& op, int& live);
  bool fits(const MachineOp& op, int live, const ScheduleBudget& budget) const;
  std::size_t least_waiting(const std::set<std::size_t>& rest, int live, const ScheduleBudget& budget) const;
  double waits_until(std::size_t i) const;
  void issue(std::size_t i);

  const std::vector<MachineOp>& ops_;
  std::size_t first_, count_;
  std::vector<int>& uses_left_;
  const std::vector<std::uint8_t>& sizes_;
  const gpu::Machine* machine_;
  std::vector<std::uint8_t> predicate_room_;
  std::vector<std::uint32_t> short_predicates_; ///< of this stretch alone, that still have uses
  std::vector<int> waits_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<bool> feeds_load_;
  std::vector<unsigned> loads_before_; ///< one after the other, of the stretch, that an operation waits for
  std::vector<unsigned> turn_;         ///< of what feeds a load, itself included
  std::vector<std::uint32_t> shared_loaded_; ///< values from shared memory that still have uses
  std::vector<double> unit_free_cycle_;      ///< of the machine's units, as this warp alone keeps them busy
  std::vector<double> ready_cycle_;          ///< of the results of arithmetic that an operation needs
  double cycle_ = 0;                         ///< of one warp alone, an operation a cycle
};

void Stretch::connect(std::vector<int>& producer) {
  std::array<std::vector<std::size_t>, 4> reads;
  std::array<int, 4> last_write = {-1, -1, -1, -1};
  for (std::size_t i = 0; i < count_; ++i) {
    const MachineOp& op = ops_[first_ + i];
    for (unsigned s = 0; s < op.source_count; ++s) {
      const int from = producer[op.sources[s]];
      if (from >= static_cast<int>(first_))
        edge(static_cast<std::size_t>(from) - first_, i);
    }
    if (op.destination != no_value)
      producer[op.destination] = static_cast<int>(first_ + i);
    const auto memory = static_cast<std::size_t>(memory_of(op.op));
    if (memory == 0)
      continue;
    if (last_write[memory] >= 0)
      edge(static_cast<std::size_t>(last_write[memory]), i);
    if (writes_memory(op.op)) {
      for (std::size_t read : reads[memory])
        edge(read, i);
      reads[memory].clear();
      last_write[memory] = static_cast<int>(i);
    } else {
      reads[memory].push_back(i);
    }
  }
  for (std::size_t i = count_; i-- > 0;) {
    const MachineOp& op = ops_[first_ + i];
    bool feeds = only_loads(op.op);
    for (std::size_t user : users_[i])
      feeds = feeds || (feeds_load_[user] && !writes_memory(op.op));
    feeds_load_[i] = feeds;
  }
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t user : users_[i])
      loads_before_[user] =
          std::max(loads_before_[user], loads_before_[i] + (only_loads(ops_[first_ + i].op) ? 1U : 0U));
}

/// Operations that no load of another memory waits for.
std::vector<bool> Stretch::feeds_shared_alone() const {
  std::vector<bool> alone(count_, true);
  for (std::size_t i = count_; i-- > 0;) {
    const OpClass op = ops_[first_ + i].op;
    alone[i] = !only_loads(op) || op == OpClass::load_shared;
    for (const std::size_t user : users_[i])
      alone[i] = alone[i] && (alone[user] || !feeds_load_[user]);
  }
  return alone;
}

/// As a list scheduler with one warp in mind: an address is made as soon as what it waits for is there, and
/// loads go, in program order, where no address can. So independent addresses come before the loads, and a
/// chain of them (a pointer moved by a stride, copy by copy) among the loads along it. What waits for a load
/// goes after all loads that do not, and shared memory, which answers sooner, after global memory.
void Stretch::give_turns() {
  constexpr unsigned address_cycles = 5, load_issue_cycles = 2;
  struct Ready {
    unsigned level;
    bool memory;
    std::size_t op;
    auto operator<=>(const Ready&) const = default;
  };
  std::vector<int> waits(count_, 0);
  for (std::size_t i = 0; i < count_; ++i)
    if (feeds_load_[i])
      for (const std::size_t user : users_[i])
        ++waits[user];
  std::set<Ready> ready;
  std::set<std::tuple<unsigned, unsigned, std::size_t>> later; // by level, then the cycle
  const std::vector<bool> shared_alone = feeds_shared_alone();
  const auto add = [&](std::size_t i, unsigned cycle) {
    if (feeds_load_[i])
      later.insert({2 * loads_before_[i] + shared_alone[i], cycle, i});
  };
  for (std::size_t i = 0; i < count_; ++i)
    if (waits[i] == 0)
      add(i, 0);
  unsigned now = 0, turn = 0;
  while (!ready.empty() || !later.empty()) {
    const auto none_before = [&](unsigned level) { return ready.empty() || level < ready.begin()->level; };
    if (!later.empty() && none_before(std::get<0>(*later.begin())))
      now = std::max(now, std::get<1>(*later.begin()));
    while (!later.empty() && std::get<1>(*later.begin()) <= now) {
      const auto [level, cycle, i] = *later.begin();
      ready.insert({level, facts::is_memory(ops_[first_ + i].op), i});
      later.erase(later.begin());
    }
    const Ready next = *ready.begin();
    ready.erase(ready.begin());
    turn_[next.op] = turn++;
    now += next.memory ? load_issue_cycles : 1;
    for (const std::size_t user : users_[next.op])
      if (--waits[user] == 0)
        add(user, next.memory ? now : now - 1 + address_cycles);
  }
}

int Stretch::growth(const MachineOp& op) const {
  int change = op.destination == no_value ? 0 : sizes_[op.destination];
  for (unsigned s = 0; s < op.source_count; ++s)
    if (uses_left_[op.sources[s]] == 1)
      change -= sizes_[op.sources[s]];
  return change;
}

bool Stretch::fits(const MachineOp& op, int live, const ScheduleBudget& budget) const {
  if (live + growth(op) > static_cast<int>(budget.all))
    return false;
  if (op.op != OpClass::load_shared)
    return true;
  int in_flight = sizes_[op.destination];
  for (std::uint32_t value : shared_loaded_)
    in_flight += sizes_[value];
  return in_flight <= static_cast<int>(budget.shared_in_flight);
}

void Stretch::retire(const MachineOp& op, int& live) {
  live += growth(op);
  if (op.op == OpClass::load_shared && op.destination != no_value)
    shared_loaded_.push_back(op.destination);
  for (unsigned s = 0; s < op.source_count; ++s)
    --uses_left_[op.sources[s]];
  const auto is_used_up = [&](std::uint32_t value) { return uses_left_[value] == 0; };
  std::erase_if(shared_loaded_, is_used_up);
  std::erase_if(short_predicates_, is_used_up);
}

/// The cycle before which an operation waits: for arithmetic that it needs, or for its unit, which an earlier
/// operation of this warp keeps busy.
double Stretch::waits_until(std::size_t i) const {
  if (!machine_ || memory_of(ops_[first_ + i].op) != Memory::none)
    return ready_cycle_[i];
  const gpu::OpTiming& timing = machine_->timing(ops_[first_ + i].op);
  double unit_free = unit_free_cycle_[static_cast<std::size_t>(timing.unit)];
  if (timing.second_unit >= 0)
    unit_free = std::min(unit_free, unit_free_cycle_[static_cast<std::size_t>(timing.second_unit)]);
  return std::max(ready_cycle_[i], unit_free);
}

/// Of the operations that are no loads and find a predicate register where they need one: the first that does
/// not wait, or waits least.
std::size_t Stretch::least_waiting(const std::set<std::size_t>& rest, int live,
                                   const ScheduleBudget& budget) const {
  constexpr int most_looked_at = 64;
  const auto finds_register = [&](std::size_t i) {
    return predicate_room_[i] == 0 || short_predicates_.size() < predicate_room_[i];
  };
  const auto first = std::find_if(rest.begin(), rest.end(), finds_register);
  if (first == rest.end())
    return *rest.begin();
  std::size_t best = *first;
  double least = waits_until(best);
  int looked_at = 0;
  for (auto i = first; i != rest.end() && least > cycle_ && looked_at < most_looked_at; ++i, ++looked_at)
    if (const double until = waits_until(*i);
        until < least && finds_register(*i) && fits(ops_[first_ + *i], live, budget)) {
      best = *i;
      least = until;
    }
  return best;
}

void Stretch::issue(std::size_t i) {
  if (!machine_)
    return;
  const OpClass op = ops_[first_ + i].op;
  const double issued = std::max(cycle_, waits_until(i));
  cycle_ = issued + 1;
  if (memory_of(op) != Memory::none)
    return;
  const gpu::OpTiming& timing = machine_->timing(op);
  auto unit = static_cast<std::size_t>(timing.unit);
  if (timing.second_unit >= 0 &&
      unit_free_cycle_[static_cast<std::size_t>(timing.second_unit)] < unit_free_cycle_[unit])
    unit = static_cast<std::size_t>(timing.second_unit);
  unit_free_cycle_[unit] = issued + timing.issue_cycles * timing.instructions;
  const double latency = ops_[first_ + i].to_predicate && machine_->fixed.predicate_latency_cycles > 0
                             ? machine_->fixed.predicate_latency_cycles
                             : timing.latency_cycles;
  for (std::size_t user : users_[i])
    ready_cycle_[user] = std::max(ready_cycle_[user], issued + latency);
}

int Stretch::run(int& live, const ScheduleBudget& budget, std::vector<MachineOp>& out) {
  int most = live;
  std::set<std::pair<unsigned, std::size_t>> early; // by turn
  std::set<std::size_t> rest;
  const auto make_ready = [&](std::size_t i) {
    if (feeds_load_[i])
      early.insert({turn_[i], i});
    else
      rest.insert(i);
  };
  for (std::size_t i = 0; i < count_; ++i)
    if (waits_[i] == 0)
      make_ready(i);
  while (!early.empty() || !rest.empty()) {
    const std::size_t best = early.empty() ? 0 : early.begin()->second;
    const bool ahead = !early.empty() && fits(ops_[first_ + best], live, budget);
    bool take_early = !early.empty() && (ahead || rest.empty());
    // over the budget: whichever ready operation comes first in the program, it is the way to the consumers
    if (!take_early && !early.empty())
      take_early = best < *rest.begin();
    const std::size_t next = take_early ? best : least_waiting(rest, live, budget);
    if (take_early)
      early.erase(early.begin());
    else
      rest.erase(next);
    issue(next);
    if (predicate_room_[next] > 0)
      short_predicates_.push_back(ops_[first_ + next].destination);
    retire(ops_[first_ + next], live);
    most = std::max(most, live);
    out.push_back(ops_[first_ + next]);
    for (std::size_t user : users_[next])
      if (--waits_[user] == 0)
        make_ready(user);
  }
  return most;
}

struct Scheduled {
  std::vector<MachineOp> ops;
  int most_live = 0;
};

Scheduled scheduled(const facts::MachineBlock& block, const llvm::BitVector& live_in,
                    const llvm::BitVector& live_out, const std::vector<std::uint8_t>& sizes,
                    const ScheduleBudget& budget, const gpu::Machine* machine, Addresses addresses) {
  std::vector<int> uses_left(sizes.size(), 0), producer(sizes.size(), -1);
  for (const MachineOp& op : block.ops)
    for (unsigned s = 0; s < op.source_count; ++s)
      ++uses_left[op.sources[s]];
  for (unsigned value : live_out.set_bits())
    ++uses_left[value];
  int live = 0;
  std::vector<std::uint32_t> predicates; // live
  for (unsigned value : live_in.set_bits()) {
    live += sizes[value];
    if (sizes[value] == 0)
      predicates.push_back(value);
  }
  Scheduled result;
  std::vector<MachineOp>& out = result.ops;
  out.reserve(block.ops.size());
  for (std::size_t first = 0; first < block.ops.size();) {
    std::size_t last = first;
    while (last < block.ops.size() && !ends_stretch(block.ops[last].op))
      ++last;
    Stretch stretch(block.ops, first, last, uses_left, producer, sizes, machine, addresses, predicates);
    result.most_live = std::max(result.most_live, stretch.run(live, budget, out));
    for (std::size_t i = first; i < last; ++i)
      if (const std::uint32_t made = block.ops[i].destination; made != no_value && sizes[made] == 0)
        predicates.push_back(made);
    std::erase_if(predicates, [&](std::uint32_t value) { return uses_left[value] == 0; });
    if (last < block.ops.size())
      out.push_back(block.ops[last++]);
    first = last;
  }
  return result;
}

/// Addresses of many loads may hold more registers than there are: then each is made before its load, and
/// what is left of the last unit of allocation is taken. A few registers more than the budget are within its
/// error.
void schedule_block(facts::MachineBlock& block, const llvm::BitVector& live_in,
                    const llvm::BitVector& live_out, const std::vector<std::uint8_t>& sizes,
                    const ScheduleBudget& budget, const gpu::Machine* machine) {
  constexpr int few = 8;
  Scheduled best = scheduled(block, live_in, live_out, sizes, budget, machine, Addresses::first);
  if (best.most_live > static_cast<int>(budget.all) + few) {
    ScheduleBudget whole = budget;
    whole.all = std::max(budget.all, budget.given);
    Scheduled other = scheduled(block, live_in, live_out, sizes, whole, machine, Addresses::in_order);
    if (other.most_live < best.most_live)
      best = std::move(other);
  }
  block.ops = std::move(best.ops);
}

} // namespace

void schedule(facts::MachineProgram& program, const Liveness& live, const std::vector<std::uint8_t>& sizes,
              const ScheduleBudget& budget, const gpu::Machine* machine) {
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    schedule_block(program.blocks[b], live.in[b], live.out[b], sizes, budget, machine);
}

} // namespace forewarp::codegen

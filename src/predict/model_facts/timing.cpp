#include "predict/model_facts/timing.h"

#include "predict/published/memory_mapper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace forewarp::predict::model_facts {
namespace {

using facts::MemorySpace;
using facts::ModelClassKind;
using facts::OpClass;
using models::MemoryTimes;

constexpr const char* memory_subsystem = "memory";

/// Space of each site as its first event says it: generic pointers are settled at run time.
std::vector<MemorySpace> spaces_of(const TracedFacts& facts) {
  std::vector<MemorySpace> spaces;
  std::vector<bool> unseen;
  for (const facts::MemorySite& site : facts.program.sites)
    spaces.push_back(site.space);
  for (const facts::SiteProfile& site : facts.memory.sites)
    unseen.push_back(site.requests > 0);
  unseen.resize(spaces.size());
  auto left = std::count(unseen.begin(), unseen.end(), true);
  for (const facts::GroupTrace& group : facts.trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (left == 0) {
          return spaces;
        } else if (event.site < spaces.size() && unseen[event.site]) {
          spaces[event.site] = event.space;
          unseen[event.site] = false;
          --left;
        }
  return spaces;
}

ModelClassKind kind_of(OpClass op, bool has_site, MemorySpace space) {
  switch (op) {
  case OpClass::barrier:
    return ModelClassKind::barrier;
  case OpClass::load_shared:
  case OpClass::store_shared:
  case OpClass::atomic_shared:
  case OpClass::load_constant:
    return ModelClassKind::shared_memory;
  case OpClass::scalar_load:
    return has_site ? ModelClassKind::memory : ModelClassKind::shared_memory;
  default:
    break;
  }
  if (!facts::is_memory(op))
    return ModelClassKind::compute;
  return has_site && space == MemorySpace::shared ? ModelClassKind::shared_memory : ModelClassKind::memory;
}

class Builder {
public:
  Builder(const TracedFacts& facts, const hybrid::StreamTemplates& templates,
          const hybrid::BandwidthShares& shares, const BlockRuns& runs, Mapper mapper)
      : facts_(facts), machine_(facts.machine), templates_(templates), shares_(shares), runs_(runs),
        mapper_(mapper), spaces_(spaces_of(facts)), load_cycles_(machine_.units.size(), 0) {}

  OpTable build() {
    for (std::uint32_t b = 0; b < facts_.program.blocks.size(); ++b)
      block(b);
    for (facts::ModelClass& row : table_.mix) {
      const double count = std::max(row.count_per_warp, 1e-300);
      row.lambda_cycles /= count;
      row.latency_cycles /= count;
    }
    traffic();
    return std::move(table_);
  }

private:
  void block(std::uint32_t index) {
    std::vector<OpRow>& rows = table_.blocks.emplace_back();
    const double runs = runs_.per_warp[index];
    const std::vector<facts::MachineOp>& ops = facts_.program.blocks[index].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (!(runs > 0)) { // never executed: no row of the mix
        rows.emplace_back();
        continue;
      }
      rows.push_back(op_row(ops[i], templates_.block(index)[i], runs));
      facts::ModelClass& row = table_.mix[rows.back().mix_class];
      row.count_per_warp += runs;
      row.lambda_cycles += runs * rows.back().lambda_cycles;
      row.latency_cycles += runs * rows.back().latency_cycles;
    }
  }

  OpRow op_row(const facts::MachineOp& op, const hybrid::StreamTemplates::Entry& entry, double runs) {
    const bool has_site = op.site != facts::no_value;
    const MemorySpace space = has_site ? spaces_[op.site] : MemorySpace::local;
    const ModelClassKind kind = kind_of(op.op, has_site, space);
    OpRow row{.lambda_cycles = entry.instruction.lambda_cycles,
              .latency_cycles = entry.instruction.latency_cycles};
    if (kind == ModelClassKind::barrier)
      row.latency_cycles = std::max(row.latency_cycles, machine_.fixed.barrier_latency_cycles);
    if (has_site)
      memory_row(op, entry, kind, space, row);
    const std::size_t unit = unit_of(op.op, row.lambda_cycles * runs);
    row.lambda_cycles /= instances(unit);
    if (kind == ModelClassKind::memory && has_site)
      global_row(op, runs, row);
    const bool waited = kind != ModelClassKind::memory || op.destination != facts::no_value;
    row.mix_class = row_of(op.op, kind, waited, kind == ModelClassKind::memory ? nullptr : &unit);
    return row;
  }

  /// Pipe and latency of the mean access, by the rules of the default predictor.
  void memory_row(const facts::MachineOp& op, const hybrid::StreamTemplates::Entry& entry,
                  ModelClassKind kind, MemorySpace space, OpRow& row) const {
    const facts::SiteProfile& site = facts_.memory.sites[op.site];
    const double requests = std::max(site.requests, 1e-9), sector = facts_.memory.sector_bytes;
    facts::AccessOutcome outcome;
    outcome.transactions = static_cast<float>(std::max(1.0, site.passes_per_request));
    outcome.sectors = static_cast<float>(site.sectors_per_request);
    outcome.l2_sectors = static_cast<float>(site.bytes_l2 / requests / sector);
    outcome.dram_sectors = static_cast<float>(site.bytes_dram / requests / sector);
    if (mapper_ == Mapper::context_independent)
      outcome = {.transactions = static_cast<float>(least_passes(op)),
                 .sectors = static_cast<float>(coalesced_bytes(op) / sector)};
    pipeline::Instruction instruction = entry.instruction;
    templates_.apply(entry, facts::MemoryEvent{.site = op.site, .space = space}, outcome, instruction);
    if (op.stores_site != facts::no_value)
      templates_.apply_stored({.transactions = static_cast<float>(stored_passes(op))}, instruction);
    row.lambda_cycles = instruction.lambda_cycles;
    row.latency_cycles = instruction.latency_cycles;
    if (kind == ModelClassKind::shared_memory && is_plain_shared(op.op, space)) {
      const double degree = std::max(0.0, outcome.transactions / least_passes(op) - 1);
      const double lambda = machine_.timing(op.op).issue_cycles +
                            (least_passes(op) - 1) * machine_.memory.lsu_cycles_per_transaction;
      const MemoryTimes times =
          models::map_shared_memory(degree, {lambda, machine_.memory.shared_latency_cycles});
      row.lambda_cycles = times.lambda_cycles;
      row.latency_cycles = times.latency_cycles;
    }
  }
  double stored_passes(const facts::MachineOp& copy) const {
    return mapper_ == Mapper::context_independent
               ? least_passes(copy)
               : std::max(1.0, facts_.memory.sites[copy.stores_site].passes_per_request);
  }
  static bool is_plain_shared(OpClass op, MemorySpace space) {
    return op == OpClass::load_shared || op == OpClass::store_shared ||
           (space == MemorySpace::shared && op != OpClass::atomic_global && op != OpClass::atomic_shared);
  }
  double coalesced_bytes(const facts::MachineOp& op) const {
    return machine_.warp_width * std::max(1.0, static_cast<double>(op.width_bytes));
  }
  /// Passes of a conflict-free access.
  double least_passes(const facts::MachineOp& op) const {
    if (kind_of(op.op, true, spaces_[op.site]) != ModelClassKind::shared_memory)
      return 1;
    const gpu::MemoryTiming& memory = machine_.memory;
    const double by_lanes = static_cast<double>(machine_.warp_width) / memory.shared_lanes_per_pass;
    const double by_bytes = coalesced_bytes(op) / (memory.shared_banks * memory.shared_bank_bytes);
    return std::max(1.0, std::ceil(std::max(by_lanes, by_bytes)));
  }

  /// P section 6.3. The pipe's own time stays a lower bound of lambda.
  void global_row(const facts::MachineOp& op, double runs, OpRow& row) {
    const facts::SiteProfile& site = facts_.memory.sites[op.site];
    const bool store = facts_.program.sites[op.site].kind == facts::AccessKind::store;
    const bool dependent = mapper_ == Mapper::context_dependent;
    const double parts = std::max<double>(1, op.parts);
    double asked = coalesced_bytes(op);
    coalesced_bytes_per_warp_ += runs * asked;
    if (dependent && site.requests > 0 && site.bytes_asked > 0)
      asked = site.bytes_asked / site.requests / parts;
    const MemoryTimes dram = dram_times(asked, store), l2 = l2_times(asked);
    MemoryTimes times = dram;
    if (dependent && site.bytes_asked > 0) {
      const double miss = std::clamp(1 - site.l1_hit_rate, 0.0, 1.0);
      const MemoryTimes l1{0, machine_.memory.l1_latency_cycles}; // its pipe is the lower bound below
      MemoryTimes cached = models::map_global_memory(site.bytes_l2 / site.bytes_asked, l2, l1);
      cached.latency_cycles =
          miss * std::max(l2.latency_cycles, cached.latency_cycles) + (1 - miss) * l1.latency_cycles;
      times = models::map_global_memory(site.bytes_dram / site.bytes_asked, dram, cached);
    }
    row.lambda_cycles = std::max(row.lambda_cycles, times.lambda_cycles);
    if (dependent && facts_.program.sites[op.site].kind == facts::AccessKind::atomic && site.requests > 0) {
      const double same = site.hottest_address_operations / machine_.memory.atomic_same_address_per_cycle;
      row.lambda_cycles = std::max(row.lambda_cycles, same * machine_.sm_count / site.requests);
      row.latency_cycles = std::max(row.latency_cycles, times.latency_cycles);
    } else {
      row.latency_cycles = times.latency_cycles;
    }
  }
  MemoryTimes dram_times(double bytes, bool store) const {
    return {bytes / (store ? shares_.dram_write_bytes_per_cycle : shares_.dram_read_bytes_per_cycle),
            machine_.memory.dram_latency_cycles};
  }
  MemoryTimes l2_times(double bytes) const {
    return {bytes / std::min(shares_.l2_bytes_per_cycle, shares_.port_bytes_per_cycle),
            machine_.memory.l2_latency_cycles};
  }

  double instances(std::size_t unit) const {
    return machine_.units[unit].per_scheduler ? machine_.schedulers_per_sm : 1;
  }
  /// The pipe that has less to do so far where an operation may run on two.
  std::size_t unit_of(OpClass op, double cycles) {
    const gpu::OpTiming& timing = machine_.timing(op);
    auto unit = static_cast<std::size_t>(timing.unit);
    if (timing.second_unit >= 0 &&
        load_cycles_[static_cast<std::size_t>(timing.second_unit)] < load_cycles_[unit])
      unit = static_cast<std::size_t>(timing.second_unit);
    load_cycles_[unit] += cycles;
    return unit;
  }
  std::uint32_t subsystem_of(const std::string& name) {
    const auto found = std::find(table_.subsystems.begin(), table_.subsystems.end(), name);
    if (found != table_.subsystems.end())
      return static_cast<std::uint32_t>(found - table_.subsystems.begin());
    table_.subsystems.push_back(name);
    return static_cast<std::uint32_t>(table_.subsystems.size() - 1);
  }
  std::uint32_t row_of(OpClass op, ModelClassKind kind, bool waited, const std::size_t* unit) {
    const std::uint32_t subsystem =
        subsystem_of(unit == nullptr ? memory_subsystem : machine_.units[*unit].name);
    const auto key = std::tuple(op, kind, waited, subsystem);
    const auto [place, fresh] = rows_.emplace(key, static_cast<std::uint32_t>(table_.mix.size()));
    if (fresh)
      table_.mix.push_back({.name = std::string(facts::to_string(op)),
                            .kind = kind,
                            .subsystem = subsystem,
                            .lambda_cycles = 0,
                            .latency_cycles = 0,
                            .waited = waited});
    return place->second;
  }

  double warps() const {
    const facts::LaunchShape& shape = facts_.trace.shape;
    return static_cast<double>(shape.groups.count()) *
           std::ceil(static_cast<double>(shape.group_size.count()) / machine_.warp_width);
  }
  void traffic() {
    facts::ModelTraffic& t = table_.traffic;
    double conflicts = 0, requests = 0;
    for (const facts::SiteProfile& site : facts_.memory.sites) {
      const facts::MemorySite& what = facts_.program.sites[site.site];
      const MemorySpace space = spaces_[site.site];
      if (space == MemorySpace::shared && what.kind != facts::AccessKind::atomic) {
        facts::MachineOp op{.site = site.site, .width_bytes = static_cast<std::uint16_t>(what.width_bytes)};
        op.op = OpClass::load_shared;
        conflicts += site.requests * std::max(0.0, site.passes_per_request / least_passes(op) - 1);
        requests += site.requests;
      } else if (space != MemorySpace::shared && space != MemorySpace::constant) {
        t.bytes_global += site.bytes_asked;
      }
    }
    t.bytes_l2 = facts_.memory.l2_bytes_read + facts_.memory.l2_bytes_written;
    t.bytes_dram = facts_.memory.dram_bytes_read + facts_.memory.dram_bytes_written;
    if (mapper_ == Mapper::context_independent)
      t.bytes_l2 = t.bytes_dram = coalesced_bytes_per_warp_ * warps();
    t.bank_conflict_degree = requests > 0 ? conflicts / requests : 0;
    const double bytes = machine_.warp_width * 4.0; // P's four-byte loads
    t.dram_lambda_cycles = dram_times(bytes, false).lambda_cycles;
    t.dram_latency_cycles = machine_.memory.dram_latency_cycles;
    t.l2_lambda_cycles = l2_times(bytes).lambda_cycles;
    t.l2_latency_cycles = machine_.memory.l2_latency_cycles;
  }

  double coalesced_bytes_per_warp_ = 0; ///< if every access of global memory is coalesced
  const TracedFacts& facts_;
  const gpu::Machine& machine_;
  const hybrid::StreamTemplates& templates_;
  const hybrid::BandwidthShares& shares_;
  const BlockRuns& runs_;
  Mapper mapper_;
  std::vector<MemorySpace> spaces_;
  std::vector<double> load_cycles_; ///< by unit, of what was placed so far
  std::map<std::tuple<OpClass, ModelClassKind, bool, std::uint32_t>, std::uint32_t> rows_;
  OpTable table_;
};

} // namespace

OpTable op_table(const TracedFacts& facts, const hybrid::StreamTemplates& templates,
                 const hybrid::BandwidthShares& shares, const BlockRuns& runs, Mapper mapper) {
  return Builder(facts, templates, shares, runs, mapper).build();
}

} // namespace forewarp::predict::model_facts

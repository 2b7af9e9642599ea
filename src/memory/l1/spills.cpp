#include "memory/l1/spills.h"

#include "memory/l1/l1_stage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace forewarp::memory {
namespace {

using facts::AccessOutcome;
using facts::MachineOp;
using facts::OpClass;

/// Slots by last use, the latest first.
class UseOrder {
public:
  struct Use {
    double distance_bytes = 0; ///< of the other slots used since, a lane; infinite: never used before
    bool stored = false;       ///< the last use was a store
  };
  Use use(const MachineOp& op) {
    Use use{HUGE_VAL, false};
    const auto found = std::find_if(slots_.begin(), slots_.end(),
                                    [&](const Slot& s) { return s.offset == op.offset_bytes; });
    if (found != slots_.end()) {
      use = {0, found->stored};
      for (auto later = slots_.begin(); later != found; ++later)
        use.distance_bytes += later->bytes;
      slots_.erase(found);
    }
    slots_.insert(slots_.begin(), {op.offset_bytes, op.width_bytes, op.op == OpClass::store_local});
    return use;
  }
  double frame_bytes() const {
    double bytes = 0;
    for (const Slot& slot : slots_)
      bytes += slot.bytes;
    return bytes;
  }

private:
  struct Slot {
    std::int32_t offset = 0;
    std::uint16_t bytes = 0;
    bool stored = false;
  };
  std::vector<Slot> slots_;
};

struct Room {
  double l1_bytes_a_lane = 0, l2_bytes_a_lane = 0, l3_bytes_a_lane = 0; ///< of the resident waves' lanes
};

Room room_of(const gpu::Machine& machine, const FrameSharing& sharing) {
  const double lanes = sharing.warps_per_sm * sharing.lanes_per_warp;
  const gpu::MemoryTiming& memory = machine.memory;
  return {sharing.l1_bytes / lanes, static_cast<double>(memory.l2.size_bytes) / (lanes * machine.sm_count),
          memory.l3.present ? static_cast<double>(memory.l3.size_bytes) / (lanes * machine.sm_count) : 0};
}

/// Accesses by how many bytes of other slots, a lane, were used since their slot's last use.
struct Distances {
  std::vector<double> bytes;
  void add(double distance) {
    if (std::isfinite(distance))
      bytes.push_back(distance);
  }
  /// Where a line that comes in takes the place of any other, a line stays with probability exp(-d m / c)
  /// while d bytes are used of which a share m comes in: c is the cache. m is the mean over all accesses.
  double share_in(double cache_bytes) const {
    double share = 1, before = 0;
    for (unsigned round = 0; round < 100 && std::abs(share - before) > 1e-4; ++round) {
      before = share;
      double sum = 0;
      for (const double distance : bytes)
        sum += -std::expm1(-distance * before / cache_bytes);
      share = bytes.empty() ? 0 : sum / static_cast<double>(bytes.size());
    }
    return share;
  }
};

/// Runs through the blocks in the program's order: twice, so that loops find what they left.
template <class Visit> double walk(const facts::MachineProgram& program, Visit visit) {
  UseOrder order;
  for (int round = 0; round < 2; ++round)
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
      for (std::size_t o = 0; o < program.blocks[b].ops.size(); ++o)
        if (is_spill(program.blocks[b].ops[o]))
          visit(b, o, order.use(program.blocks[b].ops[o]));
  return order.frame_bytes();
}

} // namespace

FrameSharing frame_sharing(const facts::MachineProgram& program, const facts::KernelTrace& trace,
                           const facts::Occupancy& occupancy, const gpu::Machine& machine) {
  const double threads = static_cast<double>(trace.shape.group_size.count());
  const double warps = std::max(1.0, std::ceil(threads / machine.warp_width));
  const std::uint64_t shared = program.resources.static_shared_bytes + trace.shape.launch_shared_bytes();
  const std::uint64_t l1 =
      l1_data_bytes(machine.memory, machine.limits, occupancy.active_groups_per_sm, shared);
  return {static_cast<double>(std::max(1U, occupancy.active_warps_per_sm)), std::max(1.0, threads / warps),
          static_cast<double>(l1)};
}

bool is_spill(const MachineOp& op) {
  return op.site == facts::no_value && (op.op == OpClass::load_local || op.op == OpClass::store_local);
}

std::vector<std::vector<AccessOutcome>> spill_outcomes(const facts::MachineProgram& program,
                                                       const gpu::Machine& machine,
                                                       const FrameSharing& sharing,
                                                       unsigned bytes_of_sector) {
  std::vector<std::vector<AccessOutcome>> outcomes;
  for (const facts::MachineBlock& block : program.blocks)
    outcomes.emplace_back(block.ops.size());
  if (program.resources.spill_bytes_per_thread <= 0 && program.resources.local_bytes_per_thread == 0)
    return outcomes;
  const Room room = room_of(machine, sharing);
  const double line_bytes = std::max(bytes_of_sector, machine.memory.l1.line_bytes);
  const bool stores_stay = machine.vendor != "amd";
  const bool random = stores_stay && machine.memory.l1_replacement == "random" && room.l1_bytes_a_lane > 0;
  Distances distances;
  if (random)
    walk(program,
         [&](std::size_t, std::size_t, const UseOrder::Use& use) { distances.add(use.distance_bytes); });
  const double share_in = random ? distances.share_in(room.l1_bytes_a_lane) : 0;
  /// Share of a load's lines that L1 does not hold.
  const auto misses_l1 = [&](double distance) {
    if (random && std::isfinite(distance))
      return -std::expm1(-distance * share_in / room.l1_bytes_a_lane);
    return distance <= room.l1_bytes_a_lane ? 0.0 : 1.0;
  };
  const double frame_bytes = walk(program, [&](std::size_t b, std::size_t o, const UseOrder::Use& use) {
    const MachineOp& op = program.blocks[b].ops[o];
    const double bytes = op.width_bytes * sharing.lanes_per_warp;
    AccessOutcome& out = outcomes[b][o];
    out.transactions = static_cast<float>(std::max(1.0, bytes / line_bytes));
    out.sectors = static_cast<float>(bytes / bytes_of_sector);
    const bool store = op.op == OpClass::store_local;
    const bool held = !use.stored || stores_stay;
    out.l2_sectors = out.sectors * static_cast<float>(store || !held ? 1 : misses_l1(use.distance_bytes));
    const bool hits_l2 = use.distance_bytes <= room.l2_bytes_a_lane;
    if (!store && !hits_l2)
      (use.distance_bytes <= room.l3_bytes_a_lane ? out.l3_sectors : out.dram_sectors) = out.l2_sectors;
  });
  if (frame_bytes <= room.l2_bytes_a_lane) // the next wave on the slot writes over it in L2
    return outcomes;
  const bool in_l3 = frame_bytes <= room.l3_bytes_a_lane;
  for (std::size_t b = 0; b < outcomes.size(); ++b)
    for (std::size_t o = 0; o < outcomes[b].size(); ++o)
      if (const MachineOp& op = program.blocks[b].ops[o]; is_spill(op) && op.op == OpClass::store_local)
        (in_l3 ? outcomes[b][o].l3_sectors : outcomes[b][o].dram_sectors) = outcomes[b][o].sectors;
  return outcomes;
}

void add_spill_traffic(const facts::MachineProgram& program, const facts::KernelTrace& trace,
                       const gpu::Machine& machine, const facts::Occupancy& occupancy,
                       facts::MemoryProfile& profile) {
  const auto outcomes = spill_outcomes(program, machine, frame_sharing(program, trace, occupancy, machine),
                                       profile.sector_bytes);
  struct Bytes {
    double l2_read = 0, l2_written = 0, l3 = 0, dram_read = 0, dram_written = 0;
  };
  std::vector<Bytes> of_block(outcomes.size());
  for (std::size_t b = 0; b < outcomes.size(); ++b)
    for (std::size_t o = 0; o < outcomes[b].size(); ++o) {
      if (!is_spill(program.blocks[b].ops[o]))
        continue;
      const bool store = program.blocks[b].ops[o].op == OpClass::store_local;
      (store ? of_block[b].l2_written : of_block[b].l2_read) += outcomes[b][o].l2_sectors;
      of_block[b].l3 += outcomes[b][o].l3_sectors;
      (store ? of_block[b].dram_written : of_block[b].dram_read) += outcomes[b][o].dram_sectors;
    }
  for (const facts::BehaviourClass& behaviour : trace.classes) {
    const facts::GroupTrace& group = trace.groups[behaviour.samples.front()];
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::BlockStep& step : warp.steps) {
        const double times = behaviour.weight_groups * profile.sector_bytes / warp.recorded_share;
        profile.l2_bytes_read += times * of_block[step.block].l2_read;
        profile.l2_bytes_written += times * of_block[step.block].l2_written;
        profile.l3_bytes_read += times * of_block[step.block].l3;
        profile.dram_bytes_read += times * of_block[step.block].dram_read;
        profile.dram_bytes_written += times * of_block[step.block].dram_written;
      }
  }
}

} // namespace forewarp::memory

#include "memory/coalesce/banks.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {
namespace {

struct BankLayout {
  unsigned banks, bytes;
  int shift = std::has_single_bit(bytes) ? std::countr_zero(bytes) : -1;
  std::int64_t mask = std::has_single_bit(banks) ? static_cast<std::int64_t>(banks) - 1 : -1;
  std::int64_t word(std::int64_t address) const { return shift >= 0 ? address >> shift : address / bytes; }
  std::int64_t bank(std::int64_t word) const { return mask >= 0 ? word & mask : word % banks; }
};

constexpr std::int64_t far = 1LL << 40;

struct WordTouch {
  std::int64_t word;
  unsigned lane;
};

/// Words of the phase's lanes, one entry per lane and word.
unsigned gather(const Lanes& lanes, std::uint64_t active, const BankLayout& layout,
                std::array<WordTouch, 256>& out) {
  unsigned count = 0;
  for (; active; active &= active - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(active));
    const std::int64_t address = lanes.address[lane] + far; // relative addresses may be negative
    const std::int64_t first = layout.word(address);
    const std::int64_t last = layout.word(address + lanes.width_bytes - 1);
    for (std::int64_t w = first; w <= last && count < out.size(); ++w)
      out[count++] = {w, lane};
  }
  return count;
}

unsigned multicast_passes(const std::array<WordTouch, 256>& touches, unsigned count, const BankLayout& layout,
                          bool atomic) {
  std::array<std::uint16_t, 256> per_bank{}, newest{},
      before; // newest and before: of the bank's words, from 1
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto bank = static_cast<std::size_t>(layout.bank(touches[i].word)) % per_bank.size();
    unsigned met = newest[bank];
    while (met != 0 && touches[met - 1].word != touches[i].word)
      met = before[met - 1];
    if (met == 0) {
      before[i] = newest[bank];
      newest[bank] = static_cast<std::uint16_t>(i + 1);
    }
    if (atomic || met == 0)
      most = std::max<unsigned>(most, ++per_bank[bank]);
  }
  return most;
}

/// One broadcast word a pass; every other bank serves one lane.
unsigned single_broadcast_passes(std::array<WordTouch, 256>& touches, unsigned count,
                                 const BankLayout& layout) {
  unsigned passes = 0;
  while (count) {
    ++passes;
    const std::int64_t broadcast = touches[0].word;
    std::uint64_t busy = 1ULL << layout.bank(broadcast);
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t bank = 1ULL << layout.bank(touches[i].word);
      if (touches[i].word == broadcast)
        continue;
      if (busy & bank)
        touches[kept++] = touches[i];
      busy |= bank;
    }
    count = kept;
  }
  return passes;
}

/// Whether every active lane asks for the same address as its neighbour at distance 1, or every one as that
/// at distance 2.
bool neighbours_share(const Lanes& lanes) {
  const auto at_distance = [&](unsigned distance) {
    for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(rest)), other = lane ^ distance;
      if ((lanes.active >> other & 1) && lanes.address[lane] != lanes.address[other])
        return false;
    }
    return true;
  };
  return at_distance(1) || at_distance(2);
}

bool is_unaligned(const Lanes& lanes) {
  for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1)
    if (lanes.address[static_cast<unsigned>(std::countr_zero(rest))] % 8 != 0)
      return true;
  return false;
}

/// Lanes served together, 64- and 128-bit words that neighbours share counted once.
unsigned lanes_per_phase(const Lanes& lanes, const BankLayout& layout, const gpu::MemoryTiming& memory,
                         bool atomic) {
  const unsigned most = std::max(1U, memory.shared_lanes_per_pass);
  if (memory.shared_unaligned_lanes > 0 && lanes.width_bytes >= 8 && !atomic && is_unaligned(lanes))
    return memory.shared_unaligned_lanes;
  const unsigned step = std::clamp(layout.banks * layout.bytes / lanes.width_bytes, 1U, most);
  // Banks of 8 bytes already move as much a cycle as the lanes take; so do those of GCN and CDNA (128 bytes a
  // clock to the registers, whatever lanes share: ROCm Compute Profiler's pages, "Local data share").
  const bool to_registers = memory.l1_pass_rule == gpu::L1PassRule::quads;
  return step < most && !atomic && !to_registers && layout.bytes == 4 && neighbours_share(lanes) ? 2 * step
                                                                                                 : step;
}

/// Passes of the lanes' words: as many lanes a phase as shared memory's banks serve, over `bank_count` banks.
BankPasses passes_over(unsigned bank_count, const Lanes& lanes, const gpu::MemoryTiming& memory,
                       bool atomic) {
  const unsigned bytes = std::max(1U, memory.shared_bank_bytes);
  const unsigned step =
      lanes_per_phase(lanes, {std::clamp(memory.shared_banks, 1U, 64U), bytes}, memory, atomic);
  const BankLayout layout{std::clamp(bank_count, 1U, 64U), bytes};
  BankPasses result;
  result.one_address = lanes.active != 0;
  const std::int64_t any =
      lanes.active ? lanes.address[static_cast<unsigned>(std::countr_zero(lanes.active))] : 0;
  for (unsigned first = 0; first < max_lanes; first += step) {
    const std::uint64_t range = (step >= 64 ? ~0ULL : (1ULL << step) - 1) << first;
    const std::uint64_t active = lanes.active & range;
    if (!active)
      continue;
    for (std::uint64_t rest = active; rest; rest &= rest - 1)
      result.one_address &= lanes.address[static_cast<unsigned>(std::countr_zero(rest))] == any;
    std::array<WordTouch, 256> touches;
    const unsigned count = gather(lanes, active, layout, touches);
    ++result.phases;
    result.passes += memory.l1_pass_rule == gpu::L1PassRule::half_warp_segments && !atomic
                         ? single_broadcast_passes(touches, count, layout)
                         : multicast_passes(touches, count, layout, atomic);
  }
  return result;
}

} // namespace

BankPasses bank_passes(const Lanes& lanes, const gpu::MemoryTiming& memory, bool atomic) {
  return passes_over(memory.shared_banks, lanes, memory, atomic);
}

unsigned l1_bank_passes(const Lanes& lanes, const gpu::MemoryTiming& memory) {
  return passes_over(memory.l1_banks, lanes, memory, false).passes;
}

} // namespace forewarp::memory

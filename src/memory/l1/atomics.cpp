#include "memory/l1/atomics.h"

#include "memory/l1/swap_loops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

namespace forewarp::memory {
namespace {

using Amounts = std::unordered_map<std::int64_t, double>;

struct Counts {
  Amounts addresses; ///< operations
  Amounts pieces;    ///< SM cycles, by piece of a slice
  // Of loops of compare-and-swap.
  Amounts successes; ///< by address
  Amounts again;     ///< by piece: SM cycles for each further contender
};

/// One atomic site, and what its operations go to.
struct Counted {
  const facts::MemorySite& site;
  facts::AtomicKind kind;
  const facts::MemoryRegion* region;
  const gpu::MemoryTiming& memory;
  double weight; ///< of an event
};

/// One sector of a request. A request that names one address finds it where the last one left it.
void add_sector(std::span<const std::int64_t> addresses, bool one_address, const Counted& of,
                Counts& counts) {
  for (const std::int64_t address : addresses)
    counts.addresses[address] += of.weight;
  std::size_t words = 0;
  if (of.kind == facts::AtomicKind::compare_swap)
    for (std::size_t i = 0; i < addresses.size(); ++i)
      if (i == 0 || addresses[i] != addresses[i - 1]) {
        counts.successes[addresses[i]] += of.weight;
        ++words;
      }
  if (of.memory.atomic_slice_sector_cycles <= 0)
    return;
  const std::int64_t piece = addresses.front() / std::max(1U, of.memory.l2_slice_run_bytes);
  const double cycles =
      of.weight * (one_address ? slice_cycles_of_one_address(addresses.size(), of.kind, of.memory)
                               : slice_cycles_of_sector(addresses, of.site.width_bytes, of.kind, of.memory));
  counts.pieces[piece] += cycles;
  if (words > 0)
    counts.again[piece] += cycles * rounds_of_sector(words);
}

/// Places that nobody knows: evenly over the buffer, where that is small enough to be fought over. Of lanes
/// that meet in a sector by chance, none names another's address.
void spread(const facts::MemoryEvent& event, const Counted& of, Counts& counts) {
  constexpr std::uint64_t most_bytes = 1024 * block_bytes;
  if (of.region == nullptr || of.region->size_bytes == 0 || of.region->size_bytes > most_bytes)
    return;
  const gpu::MemoryTiming& memory = of.memory;
  const double width = std::max(1U, of.site.width_bytes);
  const double bytes = static_cast<double>(of.region->size_bytes);
  const double lanes = std::popcount(event.active);
  const double sectors = std::ceil(bytes / sector_bytes);
  const double places = std::max(1.0, std::min<double>(sector_bytes, bytes) / width); // of one sector
  const double touched = sectors * (1 - std::pow(1 - 1 / sectors, lanes));            // of one request
  const double lanes_of_one = lanes / touched;
  const double cycles = std::max({memory.atomic_slice_sector_cycles,
                                  width > 4 ? lanes_of_one * memory.atomic_wide_lane_cycles : 0,
                                  lanes_of_one / places * same_address_cycles(of.kind, memory)});
  for (std::uint64_t at = 0; at < of.region->size_bytes; at += sector_bytes) {
    const auto base = static_cast<std::int64_t>(of.region->base + at);
    counts.addresses[base] += of.weight * lanes / sectors / places;
    if (memory.atomic_slice_sector_cycles > 0)
      counts.pieces[base / std::max(1U, memory.l2_slice_run_bytes)] += of.weight * touched / sectors * cycles;
  }
}

void count_request(const Lanes& lanes, const Counted& of, Counts& counts) {
  std::array<std::int64_t, max_lanes> sorted;
  std::size_t size = 0;
  const std::uint64_t first = lanes.active & (~lanes.active + 1);
  for (std::uint64_t rest = of.site.one_per_warp ? first : lanes.active; rest; rest &= rest - 1)
    sorted[size++] = lanes.address[static_cast<unsigned>(std::countr_zero(rest))];
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(size));
  for (std::size_t from = 0; from < size;) {
    std::size_t to = from;
    while (to < size && sorted[to] / sector_bytes == sorted[from] / sector_bytes)
      ++to;
    add_sector({sorted.data() + from, to - from}, size > 0 && sorted[0] == sorted[size - 1], of, counts);
    from = to;
  }
}

void count(const facts::WarpTrace& warp, std::uint32_t index, const Counted& of, Counts& counts) {
  for (const facts::MemoryEvent& event : warp.events) {
    if (event.site != index)
      continue;
    if (event.pattern == facts::MemoryEvent::Pattern::unknown)
      spread(event, of, counts);
    else
      count_request(expand(event, warp.offsets, static_cast<std::int64_t>(event.base), of.site.width_bytes),
                    of, counts);
  }
}

double most(const Amounts& of) {
  double out = 0;
  for (const auto& [place, amount] : of)
    out = std::max(out, amount);
  return out;
}

void raise(HottestOperations& to, const Counts& counts) {
  to.address = std::max(to.address, most(counts.addresses));
  to.slice_cycles = std::max(to.slice_cycles, most(counts.pieces));
}

/// Samples of a site whose addresses do not move with the group, as far as a line through them says.
class Together {
public:
  void add(const Counts& own, double weight) {
    if (own.addresses.empty())
      return;
    ++samples_;
    add(own.addresses, weight, addresses_);
    add(own.pieces, weight, pieces_);
    add(own.successes, weight, successes_);
    add(own.again, weight, again_);
  }
  /// What one sample of several touches alone is its group's own, as is each group's that it stands for.
  Counts counts() const { return {counts(addresses_), counts(pieces_), counts(successes_), counts(again_)}; }

private:
  struct Sum {
    double own = 0, weighted = 0;
    unsigned samples = 0;
  };
  using Sums = std::unordered_map<std::int64_t, Sum>;
  static void add(const Amounts& own, double weight, Sums& sums) {
    for (const auto& [place, amount] : own) {
      Sum& sum = sums[place];
      sum.own += amount;
      sum.weighted += weight * amount;
      ++sum.samples;
    }
  }
  Amounts counts(const Sums& sums) const {
    Amounts out;
    for (const auto& [place, sum] : sums)
      out[place] = samples_ > 1 && sum.samples == 1 ? sum.own : sum.weighted;
    return out;
  }

  unsigned samples_ = 0;
  Sums addresses_, pieces_, successes_, again_;
};

/// What contenders make of a loop of compare-and-swap. Gives the SM cycles of the successes on one word, one
/// after the other: each looks at the word that the one before wrote.
double try_again(Counts& counts, const StageInput& in, std::span<const double> sample_weights) {
  const double successes = most(counts.successes);
  const double groups = std::accumulate(sample_weights.begin(), sample_weights.end(), 0.0);
  const double others = contenders(successes, groups, in.dealing) - 1;
  for (auto& [address, operations] : counts.addresses)
    operations *= 1 + others;
  for (const auto& [piece, cycles] : counts.again)
    counts.pieces[piece] += others * cycles;
  return others > 0 ? successes * in.memory.l2_latency_cycles : 0;
}

/// The piece whose operations, of all sites, take longest; of several the lowest.
std::int64_t slowest_piece(const std::vector<Counts>& of_site) {
  std::map<std::int64_t, double> cycles;
  for (const Counts& counts : of_site)
    for (const auto& [place, own] : counts.pieces)
      cycles[place] += own;
  const auto slowest = std::max_element(cycles.begin(), cycles.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return slowest == cycles.end() ? -1 : slowest->first;
}

/// The site's addresses do not depend on the group, as far as the samples show.
bool same_for_all_groups(const StageInput& in, std::uint32_t site) {
  for (std::uint32_t g = 0; g < in.streams.size(); ++g)
    for (std::uint32_t w = 0; w < in.streams[g].warps.size(); ++w)
      for (const StreamEvent& event : in.streams[g].warps[w])
        if (event.site == site) {
          const Translation& t = *event.translation;
          if (t.affine && !t.is_fixed())
            return false;
        }
  return true;
}

} // namespace

double same_address_cycles(facts::AtomicKind kind, const gpu::MemoryTiming& memory) {
  const double one = 1 / std::max(memory.atomic_same_address_per_cycle, 1e-6);
  return kind == facts::AtomicKind::floating ? std::max(one, memory.atomic_float_same_address_cycles) : one;
}

double slice_cycles_of_one_address(std::size_t lanes, facts::AtomicKind kind,
                                   const gpu::MemoryTiming& memory) {
  return static_cast<double>(lanes) * same_address_cycles(kind, memory);
}

double slice_cycles_of_sector(std::span<const std::int64_t> addresses, unsigned width_bytes,
                              facts::AtomicKind kind, const gpu::MemoryTiming& memory) {
  std::size_t most = 0, same = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    same = i > 0 && addresses[i] == addresses[i - 1] ? same + 1 : 1;
    most = std::max(most, same);
  }
  // A lane of 16 bytes is a piece of a bulk reduction, several elements: its sector's own time.
  const double wide = width_bytes > 4 && width_bytes <= 8
                          ? static_cast<double>(addresses.size()) * memory.atomic_wide_lane_cycles
                          : 0;
  // A lane alone on its address has nobody to wait for.
  const double waits = most > 1 ? static_cast<double>(most) * same_address_cycles(kind, memory) : 0;
  return std::max({memory.atomic_slice_sector_cycles, wide, waits});
}

std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights) {
  std::vector<HottestOperations> out(sites.size());
  std::vector<Counts> over_grid(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (sites[s].kind != facts::AccessKind::atomic)
      continue;
    const bool shared = sites[s].space == facts::MemorySpace::shared;
    const bool together = !shared && same_for_all_groups(in, s);
    const facts::MemoryRegion* region = shared ? nullptr : region_of_site(in.trace, sites[s]);
    const facts::AtomicKind kind = facts::kind_of_site(in.atomics, s);
    const Counted of{sites[s], kind, region, in.memory, 1};
    Together all;
    for (std::size_t g = 0; g < in.trace.groups.size(); ++g) {
      Counts own;
      for (const facts::WarpTrace& warp : in.trace.groups[g].warps)
        count(warp, s, of, own);
      if (together)
        all.add(own, sample_weights[g]);
      else
        raise(out[s], own);
    }
    over_grid[s] = all.counts();
    const double in_a_row = try_again(over_grid[s], in, sample_weights);
    raise(out[s], over_grid[s]);
    out[s].address_cycles = std::max(out[s].address * same_address_cycles(kind, in.memory), in_a_row);
    if (shared)
      out[s].slice_cycles = 0;
  }
  const std::int64_t slowest = slowest_piece(over_grid);
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (over_grid[s].pieces.empty())
      continue;
    const auto found = over_grid[s].pieces.find(slowest);
    out[s].slice_cycles = found == over_grid[s].pieces.end() ? 0 : found->second;
  }
  return out;
}

} // namespace forewarp::memory

#include "memory/coalesce/coalesce.h"

#include "memory/coalesce/banks.h"
#include "memory/coalesce/sector_count.h"
#include "memory/coalesce/small_set.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace forewarp::memory {

using gpu::L1PassRule;

namespace {

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if ((b & (b - 1)) == 0) // nearly always
    return a >> std::countr_zero(static_cast<std::uint64_t>(b));
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

void add_sectors(std::vector<BlockAccess>& blocks, SmallSet& places, std::int64_t address,
                 std::int64_t bytes) {
  for (std::int64_t s = floor_div(address, sector_bytes); s <= floor_div(address + bytes - 1, sector_bytes);
       ++s) {
    const std::int64_t block = floor_div(s, 4);
    const auto [place, first] = places.insert(block);
    if (first)
      blocks.emplace_back(block, 0);
    blocks[place].sectors |= 1U << (s - block * 4);
  }
}

template <class F> void for_each_lane(std::uint64_t active, F&& f) {
  for (; active; active &= active - 1)
    f(static_cast<unsigned>(std::countr_zero(active)));
}

/// Lanes [first, first + count) as a mask.
std::uint64_t lane_range(unsigned first, unsigned count) {
  const std::uint64_t ones = count >= 64 ? ~0ULL : (1ULL << count) - 1;
  return ones << first;
}

void add_segment(Request& request, SmallSet& places, std::int64_t address, std::int64_t bytes) {
  request.passes += 1;
  request.counted += 1;
  request.sectors += static_cast<float>(std::max<std::int64_t>(bytes, sector_bytes) / sector_bytes);
  add_sectors(request.blocks, places, address, bytes);
}

void strict_half_warp(const Lanes& lanes, std::uint64_t active, unsigned first, Request& request,
                      SmallSet& places) {
  const std::int64_t width = lanes.width_bytes;
  const std::int64_t origin = lanes.address[static_cast<unsigned>(std::countr_zero(active))] -
                              width * (std::countr_zero(active) - static_cast<int>(first));
  bool together =
      (width == 4 || width == 8 || width == 16) && floor_div(origin, 16 * width) * 16 * width == origin;
  for_each_lane(active, [&](unsigned l) { together &= lanes.address[l] == origin + width * (l - first); });
  if (!together) {
    for_each_lane(active, [&](unsigned l) { add_segment(request, places, lanes.address[l], width); });
    return;
  }
  const std::int64_t segment = std::min<std::int64_t>(16 * width, block_bytes);
  for (std::int64_t part = 0; part < 16 * width; part += segment)
    add_segment(request, places, origin + part, segment);
}

void relaxed_half_warp(const Lanes& lanes, std::uint64_t active, Request& request, SmallSet& places) {
  const std::int64_t width = lanes.width_bytes;
  const std::int64_t largest = width == 1 ? 32 : width == 2 ? 64 : 128;
  while (active) {
    const std::int64_t segment =
        floor_div(lanes.address[static_cast<unsigned>(std::countr_zero(active))], largest);
    std::int64_t low = segment * largest + largest, high = segment * largest;
    std::uint64_t served = 0;
    for_each_lane(active, [&](unsigned l) {
      if (floor_div(lanes.address[l], largest) != segment)
        return;
      served |= 1ULL << l;
      low = std::min(low, lanes.address[l]);
      high = std::max(high, lanes.address[l] + width);
    });
    active &= ~served;
    std::int64_t bytes = largest;
    std::int64_t start = segment * largest;
    while (bytes > sector_bytes && (high <= start + bytes / 2 || low >= start + bytes / 2)) {
      bytes /= 2;
      start += low >= start + bytes ? bytes : 0;
    }
    add_segment(request, places, start, bytes);
  }
}

/// Distinct `unit` blocks touched by the lanes.
void add_units(SmallSet& set, const Lanes& lanes, std::uint64_t active, std::int64_t unit) {
  for_each_lane(active, [&](unsigned l) {
    const std::int64_t last = floor_div(lanes.address[l] + lanes.width_bytes - 1, unit);
    for (std::int64_t u = floor_div(lanes.address[l], unit); u <= last; ++u)
      set.insert(u);
  });
}

/// As few units as the bytes asked fill, or one more for a contiguous row that starts inside a unit.
bool moves_little(const Lanes& lanes, const CoalesceRule& rule, const Request& request) {
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for_each_lane(lanes.active, [&](unsigned l) {
    low = std::min(low, lanes.address[l]);
    high = std::max(high, lanes.address[l] + lanes.width_bytes);
  });
  const float unit = static_cast<float>(rule.sector_bytes);
  const float least = std::ceil(request.bytes_asked / unit);
  const bool contiguous = static_cast<float>(high - low) <= request.bytes_asked;
  return request.sectors * sector_bytes / unit <= least + (contiguous ? 1 : 0);
}

/// Sum of the distinct units of every `step` lanes.
float units_by_parts(SmallSet& set, const Lanes& lanes, unsigned step, unsigned unit) {
  float sum = 0;
  for (unsigned first = 0; first < max_lanes; first += step)
    if (const std::uint64_t active = lanes.active & lane_range(first, step)) {
      set.clear();
      add_units(set, lanes, active, unit);
      sum += static_cast<float>(set.size());
    }
  return sum;
}

/// Most distinct words of one bank.
unsigned words_of_a_bank(SmallSet& set, const Lanes& lanes, std::uint64_t active, unsigned banks,
                         std::int64_t word_bytes) {
  std::array<std::uint8_t, max_lanes> words{};
  unsigned most = 0;
  set.clear();
  for_each_lane(active, [&](unsigned l) {
    const std::int64_t last = floor_div(lanes.address[l] + lanes.width_bytes - 1, word_bytes);
    for (std::int64_t w = floor_div(lanes.address[l], word_bytes); w <= last; ++w)
      if (set.insert(w).second)
        most = std::max<unsigned>(most, ++words[static_cast<std::uint64_t>(w) % banks]);
  });
  return most;
}

/// Two parts go at once to twice the banks, a line's width, and each replay moves both.
float line_part_passes(SmallSet& set, const Lanes& lanes, const CoalesceRule& rule) {
  const unsigned width = std::max(4U, lanes.width_bytes);
  const unsigned part_bytes = width >= 16 ? rule.line_bytes : rule.pass_bytes;
  const unsigned step = std::max(1U, part_bytes / width);
  double sum = 0;
  for (unsigned first = 0; first < max_lanes; first += 2 * step) {
    double parts = 0, look_ups = 0;
    for (const unsigned part : {first, first + step})
      if (const std::uint64_t active = lanes.active & lane_range(part, step)) {
        set.clear();
        add_units(set, lanes, active, rule.line_bytes);
        look_ups += std::ceil(static_cast<double>(set.size()) / rule.lines_per_pass);
        parts += 1;
      }
    if (parts > 0)
      sum +=
          std::max(look_ups, parts * words_of_a_bank(set, lanes, lanes.active & lane_range(first, 2 * step),
                                                     2 * rule.banks, part_bytes / rule.banks));
  }
  return static_cast<float>(sum);
}

/// Memories of tags in an L1 of GCN and CDNA: rocprof counts TCP_TAGRAM0_REQ to TCP_TAGRAM3_REQ.
constexpr unsigned tag_banks = 4;

/// Most distinct words of one bank; 4-byte words that lie in more than one line take two passes at least,
/// wider ones as many as one memory of tags has lines to look up (lines in a row lie in different ones).
float quad_passes(SmallSet& set, const Lanes& lanes, std::uint64_t active, const CoalesceRule& rule) {
  const unsigned width = std::max(4U, lanes.width_bytes);
  const unsigned banks = width == 4 ? 4 : rule.line_bytes / width;
  unsigned passes = words_of_a_bank(set, lanes, active, std::max(1U, banks), width);
  set.clear();
  add_units(set, lanes, active, rule.line_bytes);
  if (width == 4 && set.size() > 1)
    passes = std::max(passes, 2U);
  if (width >= 8)
    passes = std::max(passes, words_of_a_bank(set, lanes, active, tag_banks, rule.line_bytes));
  // One word of 16 bytes for several lanes: registers are written at half the width of the path.
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for_each_lane(active, [&](unsigned l) {
    low = std::min(low, lanes.address[l]);
    high = std::max(high, lanes.address[l]);
  });
  if (width == 16 && low == high && std::popcount(active) > 1)
    passes = 2;
  return static_cast<float>(passes);
}

/// Words under 4 bytes: each four lanes ask for no more than four such words in a row, wherever these begin.
bool quads_are_rows(const Lanes& lanes, unsigned first, unsigned count) {
  for (unsigned quad = first; quad < first + count; quad += 4) {
    const std::uint64_t active = lanes.active & lane_range(quad, 4);
    if (!active)
      continue;
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for_each_lane(active, [&](unsigned l) {
      low = std::min(low, lanes.address[l]);
      high = std::max(high, lanes.address[l]);
    });
    if (high - low >= 4 * static_cast<std::int64_t>(lanes.width_bytes))
      return false;
  }
  return true;
}

/// Words of 4 bytes at most that lie in a row go together, up to `count` lanes; all others four lanes at a
/// time.
float row_passes(SmallSet& set, const Lanes& lanes, unsigned first, unsigned count,
                 const CoalesceRule& rule) {
  const std::uint64_t active = lanes.active & lane_range(first, count);
  if (!active)
    return 0;
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for_each_lane(active, [&](unsigned l) {
    low = std::min(low, floor_div(lanes.address[l], 4));
    high = std::max(high, floor_div(lanes.address[l] + lanes.width_bytes - 1, 4));
  });
  if (lanes.width_bytes <= 4 && high - low < count &&
      (lanes.width_bytes == 4 || quads_are_rows(lanes, first, count)))
    return 1;
  if (count <= 4)
    return quad_passes(set, lanes, active, rule);
  return row_passes(set, lanes, first, count / 2, rule) +
         row_passes(set, lanes, first + count / 2, count / 2, rule);
}

float wave_passes_by_quads(SmallSet& set, const Lanes& lanes, const CoalesceRule& rule) {
  float sum = 0;
  for (unsigned first = 0; first < max_lanes; first += rule.lanes)
    sum += row_passes(set, lanes, first, rule.lanes, rule);
  return sum;
}

/// Distinct units of every `step` lanes; from the blocks where these tell it.
float units_of(const Request& request, SmallSet& set, const Lanes& lanes, unsigned step, unsigned unit) {
  const bool together = step >= max_lanes || lanes.active >> step == 0;
  if (together && unit == block_bytes)
    return static_cast<float>(request.blocks.size());
  if (together && unit == sector_bytes) {
    unsigned sectors = 0;
    for (const BlockAccess& block : request.blocks)
      sectors += sector_count(static_cast<std::uint32_t>(block.sectors));
    return static_cast<float>(sectors);
  }
  return units_by_parts(set, lanes, step, unit);
}

void by_sectors(const Lanes& lanes, const CoalesceRule& rule, Request& request) {
  const unsigned width = std::max(4U, lanes.width_bytes);
  const unsigned step = std::max(1U, rule.lanes * 4 / width);
  SmallSet set;
  for_each_lane(lanes.active,
                [&](unsigned l) { add_sectors(request.blocks, set, lanes.address[l], lanes.width_bytes); });
  request.passes = rule.quads       ? wave_passes_by_quads(set, lanes, rule)
                   : rule.banks > 0 ? line_part_passes(set, lanes, rule)
                                    : units_of(request, set, lanes, step, rule.pass_bytes);
  // Counted by as many lanes as fill a unit.
  const unsigned counted_lanes =
      rule.unit_bytes < rule.pass_bytes ? max_lanes : std::max(step, rule.unit_bytes / width);
  request.counted = units_of(request, set, lanes, counted_lanes, rule.unit_bytes);
  request.sectors = units_of(request, set, lanes, max_lanes, rule.sector_bytes) *
                    static_cast<float>(rule.sector_bytes / sector_bytes);
  request.minimal = moves_little(lanes, rule, request);
}

float most_lanes_on_one_address(const Lanes& lanes) {
  SmallSet distinct;
  std::array<std::uint8_t, max_lanes> count{};
  unsigned most = 0;
  for_each_lane(lanes.active, [&](unsigned l) {
    most = std::max<unsigned>(most, ++count[distinct.insert(lanes.address[l]).first]);
  });
  return static_cast<float>(most);
}

} // namespace

bool l1_is_sectored(const gpu::MemoryTiming& memory) {
  return memory.l1_pass_rule == L1PassRule::sector_banks;
}

bool l1_passes_are_bank_passes(const gpu::MemoryTiming& memory) {
  return memory.l1_pass_rule == L1PassRule::sector_banks || memory.l1_pass_rule == L1PassRule::line_parts ||
         memory.l1_pass_rule == L1PassRule::quads;
}

CoalesceRule coalesce_rule(const gpu::MemoryTiming& memory, Route route) {
  CoalesceRule rule;
  rule.lanes = std::max(1U, memory.coalesce_lanes);
  rule.pass_bytes = std::max(rule.lanes * 4, sector_bytes);
  if (memory.l1_pass_rule == L1PassRule::half_warp_segments) {
    rule.kind = memory.coalesce_segment_bytes < block_bytes ? CoalesceRule::Kind::half_warp_strict
                                                            : CoalesceRule::Kind::half_warp_relaxed;
    return rule;
  }
  if (route == Route::l1 && memory.l1.present)
    rule.unit_bytes = rule.sector_bytes = std::max(memory.l1.sector_bytes, sector_bytes);
  else if (memory.l2.present)
    rule.unit_bytes = std::max(memory.l2.sector_bytes, sector_bytes);
  // Parts of a wavefront go one by one and each counts its lines; Kepler asks L2 for whole lines.
  if (rule.lanes < 32 || memory.l2_line_request_cycles > 0)
    rule.unit_bytes = std::max(rule.unit_bytes, rule.pass_bytes);
  if (route == Route::l1 && memory.l1_pass_rule == L1PassRule::line_parts) {
    rule.banks = rule.lanes;
    rule.lines_per_pass = std::max(1.0, memory.l1_tag_lookups_per_cycle);
    rule.line_bytes = memory.l1.line_bytes;
  }
  if (route == Route::l1 && memory.l1_pass_rule == L1PassRule::quads) {
    rule.quads = true;
    rule.line_bytes = memory.l1.line_bytes;
  }
  if (l1_is_sectored(memory)) {
    rule.tags_per_pass = std::max(1.0, memory.l1_tag_lookups_per_cycle);
    rule.line_bytes = std::max(memory.l1.line_bytes, sector_bytes);
  }
  return rule;
}

float sectored_passes(const Request& request, const Lanes& lanes, const CoalesceRule& rule,
                      const gpu::MemoryTiming& memory) {
  SmallSet set;
  const double lines = units_of(request, set, lanes, max_lanes, rule.line_bytes);
  const double tags = 1 + std::max(0.0, lines - memory.l1_lines_beside_data) / rule.tags_per_pass;
  return std::max(static_cast<float>(tags), static_cast<float>(l1_bank_passes(lanes, memory)));
}

Request coalesce(const Lanes& lanes, const CoalesceRule& rule) {
  Request request;
  if (!lanes.active)
    return request;
  request.bytes_asked =
      static_cast<float>(std::popcount(lanes.active)) * static_cast<float>(lanes.width_bytes);
  request.same_address = most_lanes_on_one_address(lanes);
  request.uniform = request.same_address == static_cast<float>(std::popcount(lanes.active));
  if (rule.kind == CoalesceRule::Kind::sectors) {
    by_sectors(lanes, rule, request);
    return request;
  }
  float least = 0;
  SmallSet places;
  for (unsigned first = 0; first < max_lanes; first += 16) {
    const std::uint64_t active = lanes.active & lane_range(first, 16);
    if (!active)
      continue;
    least += lanes.width_bytes == 16 ? 2 : 1;
    if (rule.kind == CoalesceRule::Kind::half_warp_strict)
      strict_half_warp(lanes, active, first, request, places);
    else
      relaxed_half_warp(lanes, active, request, places);
  }
  request.minimal = request.passes <= least;
  return request;
}

} // namespace forewarp::memory

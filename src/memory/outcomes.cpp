#include "memory/outcomes.h"

#include "memory/coalesce/banks.h"
#include "memory/coalesce/classify.h"
#include "memory/coalesce/lanes.h"
#include "memory/first_touch.h"
#include "memory/l1/atomics.h"
#include "memory/l1/hot_line.h"
#include "memory/l1/retries.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace forewarp::memory {
namespace {

using facts::AccessOutcome;

double dram_rate(const SiteSectors& site) {
  return site.asked > 0 ? (site.read + site.written) / site.asked : 0;
}

double waiting_rate(const SiteSectors& site) {
  return site.asked > 0 ? site.waiting / site.asked : 0;
}

/// That DRAM serves some sector of one of a request's lines, which count as independent. `rate`: of lines.
double wait_chance(const AccessOutcome& outcome, double rate) {
  if (outcome.l2_sectors <= 0)
    return 0;
  const double lines = outcome.lines > 0 && outcome.sectors > 0
                           ? outcome.lines * outcome.l2_sectors / outcome.sectors
                           : outcome.l2_sectors;
  return std::min(1.0F, outcome.l2_sectors) * (1 - std::pow(1 - std::min(1.0, rate), std::max(1.0, lines)));
}

/// Sectors of DRAM time lost for each sector that reaches L2. Written sectors that stay in L2 took no row.
double lost_rate(const SiteSectors& site) {
  return site.asked > 0 ? site.extra / site.asked : 0;
}

double far_rate(const SiteSectors& site) {
  return site.asked > 0 ? site.crossed / site.asked : 0;
}

double l3_rate(const SiteSectors& site) {
  return site.asked > 0 ? site.from_l3 / site.asked : 0;
}

/// Sums of one site over the grid while the events are walked.
struct SiteSum {
  double requests = 0, counted = 0, passes = 0, sectors = 0, l2_sectors = 0, asked_l1 = 0, passed_l1 = 0,
         bytes_asked = 0;
  SiteLook look;

  void add(const AccessOutcome& o, double counted_units, double bytes, double weight) {
    requests += weight;
    counted += weight * counted_units;
    passes += weight * o.transactions;
    sectors += weight * o.sectors;
    l2_sectors += weight * o.l2_sectors;
    bytes_asked += weight * bytes;
    if (!o.l1_bypass) {
      asked_l1 += weight * o.sectors;
      passed_l1 += weight * o.l2_sectors;
    }
  }
};

/// Itself; of a site whose accesses all lie beyond the budget, the copy (of an unrolled loop) that most was
/// seen of.
std::vector<std::uint32_t> stand_ins(const std::vector<facts::MemorySite>& sites,
                                     const std::vector<SiteSectors>& seen) {
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, facts::AccessKind, std::uint32_t>;
  const auto place_of = [](const facts::MemorySite& s) {
    return Place{s.location.file, s.location.line, s.location.column, s.kind, s.width_bytes};
  };
  std::map<Place, std::uint32_t> most_seen;
  for (std::uint32_t s = 0; s < sites.size(); ++s)
    if (const auto [entry, first] = most_seen.try_emplace(place_of(sites[s]), s);
        seen[s].asked > seen[entry->second].asked)
      entry->second = s;
  std::vector<std::uint32_t> out(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s)
    out[s] = seen[s].asked > 0 ? s : most_seen.at(place_of(sites[s]));
  return out;
}

class Walk {
public:
  Walk(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
       const std::vector<SiteSectors>& l2, const std::vector<std::uint32_t>& stand_in)
      : sums(sites.size()), in_(in), sites_(sites), l1_(l1), l2_(l2), stand_in_(stand_in) {}

  /// Outcomes of one sample; its sums weigh `weight` groups.
  std::vector<std::vector<AccessOutcome>> sample(std::uint32_t sample, double weight) {
    const facts::GroupTrace& group = in_.trace.groups[sample];
    retries_.emplace(group, sites_, in_.atomics, in_.memory);
    std::vector<std::vector<AccessOutcome>> out(group.warps.size());
    for (std::uint32_t w = 0; w < group.warps.size(); ++w)
      warp(sample, w, weight, out[w]);
    return out;
  }

  std::vector<SiteSum> sums;

private:
  void warp(std::uint32_t sample, std::uint32_t w, double weight, std::vector<AccessOutcome>& out) {
    const facts::WarpTrace& trace = in_.trace.groups[sample].warps[w];
    const auto& stream = in_.streams[sample].warps[w];
    weight /= trace.recorded_share;
    out.resize(trace.events.size());
    retries_->begin_warp();
    std::size_t next = 0;
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      const facts::MemoryEvent& event = trace.events[e];
      const bool cached = next < stream.size() && stream[next].event == e;
      if (event.site >= sites_.size() || !event.active)
        continue;
      const double bytes =
          std::popcount(event.active) * static_cast<double>(width_of(event, sites_[event.site]));
      SiteSum& sum = sums[event.site];
      if (cached) {
        const Request& request = *stream[next].request;
        out[e] = cached_outcome(sample, w, next, request);
        if (sites_[event.site].joined_bytes && stream[next].route == Route::l1)
          out[e].transactions = joined_passes(event, trace);
        sum.add(out[e], request.counted, bytes, weight);
        sum.look.add_cached(event, request, weight);
        ++next;
      } else if (event.space == facts::MemorySpace::shared) {
        out[e] = shared_outcome(event, trace, bytes, weight);
      } else if (is_cached(event.space)) {
        out[e] = dropped_outcome(event, trace);
        sum.add(out[e], out[e].transactions, bytes, weight);
      } else {
        sum.add(out[e], 1, bytes, weight);
      }
    }
  }

  /// Of the lanes, whose words lie in another group of the cluster.
  static float other_group_share(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets) {
    unsigned others = 0;
    for (std::uint64_t rest = event.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      others +=
          event.base + static_cast<std::uint64_t>(offset_of(event, offsets, lane)) >= facts::cluster_window;
    }
    return static_cast<float>(others) / static_cast<float>(std::popcount(event.active));
  }

  AccessOutcome shared_outcome(const facts::MemoryEvent& event, const facts::WarpTrace& trace, double bytes,
                               double weight) {
    const facts::MemorySite& site = sites_[event.site];
    SiteSum& sum = sums[event.site];
    if (site.moved_by_neighbour)
      return {};
    if (site.joined_bytes)
      bytes *= static_cast<double>(site.joined_bytes) / site.width_bytes;
    facts::MemoryEvent moved = event;
    if (site.joined_bytes) // the first in program order need not be the lowest
      moved.base &= ~static_cast<std::uint64_t>(site.joined_bytes - 1);
    if (site.one_per_warp) // all lanes name one address
      moved.active &= ~moved.active + 1;
    const bool one_by_one =
        site.kind == facts::AccessKind::atomic && !(site.counts && in_.memory.shared_increments_merged);
    const BankPasses passes = passes_.find(
        moved, trace.offsets, std::max(site.width_bytes, site.joined_bytes), one_by_one, in_.memory);
    AccessOutcome outcome;
    outcome.transactions = static_cast<float>(passes.passes);
    if (in_.trace.shape.cluster.count() > 1)
      outcome.other_group_share = other_group_share(event, trace.offsets);
    const facts::AtomicKind kind = facts::kind_of_site(in_.atomics, event.site);
    if (is_retried(site, kind, event.space, in_.memory)) {
      const Attempts attempts = retries_->next(moved, trace.offsets);
      outcome.attempts = static_cast<float>(attempts.count);
      outcome.tries_floats = kind == facts::AtomicKind::floating;
      outcome.transactions = static_cast<float>(attempts.passes);
    }
    sum.add(outcome, passes.passes, bytes, weight);
    sum.look.add_shared(passes, weight);
    return outcome;
  }

  void fill_dram(AccessOutcome& o, std::uint32_t site) const {
    o.l2_far_sectors = static_cast<float>(o.l2_sectors * far_rate(l2_[site]));
    o.l3_sectors = static_cast<float>(o.l2_sectors * l3_rate(l2_[site]));
    const double rate = in_.memory.l2.present ? dram_rate(l2_[site]) : 1;
    o.dram_sectors = static_cast<float>(o.l2_sectors * rate);
    if (in_.memory.l2.present)
      o.dram_wait = static_cast<float>(wait_chance(o, waiting_rate(l2_[site])));
    o.dram_extra_sectors = static_cast<float>(o.l2_sectors * lost_rate(l2_[site]));
  }

  AccessOutcome cached_outcome(std::uint32_t sample, std::uint32_t w, std::size_t index,
                               const Request& request) const {
    const StreamEvent& event = in_.streams[sample].warps[w][index];
    AccessOutcome o;
    o.transactions = request.passes;
    o.sectors = o.l2_sectors = request.sectors;
    o.lines = static_cast<float>(request.blocks.size());
    o.l1_bypass = event.route != Route::l1 && event.route != Route::constant;
    const std::uint32_t source = l1_.source[sample];
    const L1Sample& l1 = l1_.samples[source];
    const auto& from = in_.streams[source].warps[w];
    if (!o.l1_bypass && l1.visits > 0 && from.size() == in_.streams[sample].warps[w].size()) {
      const std::size_t blocks = from[index].request->blocks.size();
      double sum = 0;
      for (std::size_t b = 0; b < blocks; ++b)
        sum += l1.passed[from[index].first_block + b];
      o.l2_sectors = static_cast<float>(sum / l1.visits);
    }
    fill_dram(o, event.site);
    return o;
  }

  /// Of the one request that stands for a load and its neighbours; which lines these touch, their own
  /// accesses say.
  float joined_passes(const facts::MemoryEvent& event, const facts::WarpTrace& trace) {
    constexpr unsigned widest = 16; // bytes a lane of one operation
    const unsigned joined = sites_[event.site].joined_bytes;
    const unsigned width = std::min(joined, widest);
    const Request& request =
        in_.requests.find(event, trace.offsets, width, Route::l1, false, event.base % block_bytes);
    return request.passes * static_cast<float>(joined) / static_cast<float>(width);
  }

  /// Beyond the budget: its own request, the share that its site let through so far.
  AccessOutcome dropped_outcome(const facts::MemoryEvent& event, const facts::WarpTrace& trace) {
    const facts::MemorySite& site = sites_[event.site];
    const Route route = route_of(event, site, in_.memory);
    AccessOutcome o;
    o.l1_bypass = route != Route::l1 && route != Route::constant;
    if (event.pattern == facts::MemoryEvent::Pattern::unknown) {
      o.transactions = o.sectors = static_cast<float>(std::popcount(event.active));
    } else {
      const Request& request =
          in_.requests.find(event, trace.offsets, width_of(event, site), route,
                            event.space == facts::MemorySpace::local, event.base % block_bytes);
      o.transactions = request.passes;
      o.sectors = request.sectors;
      o.lines = static_cast<float>(request.blocks.size());
    }
    const SiteSum& sum = sums[stand_in_[event.site]];
    o.l2_sectors = o.sectors * static_cast<float>(sum.sectors > 0 ? sum.l2_sectors / sum.sectors : 1);
    fill_dram(o, event.site);
    return o;
  }

  const StageInput& in_;
  const std::vector<facts::MemorySite>& sites_;
  const L1Result& l1_;
  const std::vector<SiteSectors>& l2_;
  const std::vector<std::uint32_t>& stand_in_;
  PassTable passes_;
  std::optional<Retries> retries_; ///< of the sample being walked
};

void fill_site(const facts::MemorySite& site, const SiteSum& sum, const SiteSectors& l2, bool l2_present,
               facts::SiteProfile& p) {
  p.access = sum.look.access();
  p.requests = sum.requests;
  if (sum.requests > 0) {
    p.transactions_per_request = sum.counted / sum.requests;
    p.passes_per_request = sum.passes / sum.requests;
    p.sectors_per_request = sum.sectors / sum.requests;
  }
  p.bytes_asked = sum.bytes_asked;
  p.bytes_l2 = sum.l2_sectors * sector_bytes;
  p.l1_hit_rate = sum.asked_l1 > 0 ? std::max(0.0, 1 - sum.passed_l1 / sum.asked_l1) : 0;
  const double missed = site.kind == facts::AccessKind::store ? l2.written : l2.read + l2.from_l3;
  p.l2_hit_rate = l2_present && l2.asked > 0 ? std::max(0.0, 1 - missed / l2.asked) : 0;
  p.bytes_dram = p.bytes_l2 * (l2_present ? dram_rate(l2) : 1);
  p.dram_rows_opened = l2.asked > 0 ? l2.rows_opened * p.bytes_l2 / (l2.asked * sector_bytes) : 0;
}

/// Adds one site's traffic to the totals of the grid.
void add_totals(const facts::MemorySite& site, const SiteSectors& l2, bool l2_present,
                const facts::SiteProfile& p, facts::MemoryProfile& out) {
  const bool store = site.kind == facts::AccessKind::store, atomic = site.kind == facts::AccessKind::atomic;
  double written_share = store ? 1 : 0;
  if (l2_present && l2.read + l2.written > 0)
    written_share = l2.written / (l2.read + l2.written);
  out.l2_bytes_read += store ? 0 : p.bytes_l2;
  out.l2_bytes_written += store || atomic ? p.bytes_l2 : 0;
  out.l3_bytes_read += p.bytes_l2 * (l2_present ? l3_rate(l2) : 0);
  out.dram_bytes_read += p.bytes_dram * (1 - written_share);
  out.dram_bytes_written += p.bytes_dram * written_share;
  out.dram_extra_bytes_read += p.bytes_l2 * lost_rate(l2) * (1 - written_share);
  out.dram_extra_bytes_written += p.bytes_l2 * lost_rate(l2) * written_share;
}

void walk_samples(const StageInput& in, const std::vector<double>& weights, Walk& walk,
                  facts::MemoryProfile& out) {
  for (std::uint32_t g = 0; g < in.trace.groups.size(); ++g) {
    double weight = weights[g];
    if (in.translator.uniform(g)) {
      const auto& alike = in.translator.alike(g);
      if (alike[0] != g) {
        out.outcomes[g] = out.outcomes[alike[0]];
        continue;
      }
      for (std::size_t i = 1; i < alike.size(); ++i)
        weight += weights[alike[i]];
    }
    out.outcomes[g] = walk.sample(g, weight);
  }
}

/// True: `l2` was changed, and what rests on it has to be made anew.
bool take_back_repeats(const StageInput& in, const std::vector<facts::MemorySite>& sites, const Walk& walk,
                       std::vector<SiteSectors>& l2) {
  std::vector<double> read_bytes(sites.size(), 0);
  for (std::size_t s = 0; s < sites.size(); ++s)
    if (sites[s].kind == facts::AccessKind::load && l2[s].asked > 0)
      read_bytes[s] = walk.sums[s].l2_sectors * sector_bytes * l2[s].read / l2[s].asked;
  const std::vector<double> shares = first_touch_shares(in, read_bytes);
  bool changed = false;
  for (std::size_t s = 0; s < shares.size(); ++s)
    if (shares[s] < 1 && read_bytes[s] > 0) {
      changed = true;
      for (double* sectors : {&l2[s].read, &l2[s].rows_opened, &l2[s].extra})
        *sectors *= shares[s];
    }
  return changed;
}

} // namespace

std::vector<double> sample_weights(const facts::KernelTrace& trace) {
  const double groups = static_cast<double>(trace.shape.groups.count());
  std::vector<double> weights(trace.groups.size(), 0);
  double sum = 0;
  for (const facts::BehaviourClass& c : trace.classes)
    for (const std::uint32_t s : c.samples)
      if (s < weights.size()) {
        weights[s] += c.weight_groups / static_cast<double>(c.samples.size());
        sum += c.weight_groups / static_cast<double>(c.samples.size());
      }
  if (sum <= 0) {
    std::fill(weights.begin(), weights.end(), groups / static_cast<double>(weights.size()));
    return weights;
  }
  for (double& w : weights)
    w *= groups / sum;
  return weights;
}

void fill_profile(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
                  const L2Result& l2, facts::MemoryProfile& out) {
  const std::vector<double> weights = sample_weights(in.trace);
  const std::size_t samples = in.trace.groups.size();
  out.outcomes.resize(samples);
  const std::vector<std::uint32_t> stand_in = stand_ins(sites, l2.sites);
  std::vector<SiteSectors> l2_sites(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s)
    l2_sites[s] = l2.sites[stand_in[s]];
  std::optional<Walk> walk(std::in_place, in, sites, l1, l2_sites, stand_in);
  walk_samples(in, weights, *walk, out);
  if (take_back_repeats(in, sites, *walk, l2_sites)) {
    walk.emplace(in, sites, l1, l2_sites, stand_in);
    walk_samples(in, weights, *walk, out);
  }
  const std::vector<HottestOperations> hottest = hottest_operations(in, sites, weights);
  const std::vector<double> loads_of_hottest_line = sectors_of_hottest_line(in, sites, weights, out.outcomes);
  out.sites.resize(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    out.sites[s].site = s;
    fill_site(sites[s], walk->sums[s], l2_sites[s], in.memory.l2.present, out.sites[s]);
    out.sites[s].hottest_address_operations = hottest[s].address;
    out.sites[s].hottest_address_cycles = hottest[s].address_cycles;
    out.sites[s].hottest_slice_cycles = hottest[s].slice_cycles;
    out.sites[s].hottest_line_sectors = loads_of_hottest_line[s];
    add_totals(sites[s], l2_sites[s], in.memory.l2.present, out.sites[s], out);
  }
  out.footprint_bytes = l2.footprint_bytes;
  out.dirty_at_end_bytes = l2.dirty_at_end_bytes;
  out.compulsory_bytes =
      std::max(0.0, l2.footprint_read_bytes + l2.footprint_written_bytes - l2.dirty_at_end_bytes);
  out.resident_footprint_bytes = l2.first_wave_bytes;
}

} // namespace forewarp::memory

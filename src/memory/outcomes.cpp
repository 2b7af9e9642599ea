#include "memory/outcomes.h"

#include "memory/atomics.h"
#include "memory/banks.h"
#include "memory/classify.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {
namespace {

using facts::AccessOutcome;

/// Sums of one site over the samples, and what its events look like.
struct SiteMean {
  double requests = 0, sectors = 0, l2_sectors = 0;
};

double dram_rate(const L2Site& site) {
  return site.asked > 0 ? (site.read + site.written) / site.asked : 0;
}

AccessOutcome shared_outcome(const StageInput& in, const facts::MemoryEvent& event,
                             const facts::WarpTrace& warp, const facts::MemorySite& site, PassTable& passes) {
  AccessOutcome out;
  out.transactions = static_cast<float>(
      passes.find(event, warp.offsets, site.width_bytes, site.kind == facts::AccessKind::atomic, in.memory)
          .passes);
  return out;
}

void fill_sample(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
                 const L2Result& l2, std::uint32_t sample, PassTable& passes,
                 std::vector<std::vector<AccessOutcome>>& out) {
  const facts::GroupTrace& group = in.trace.groups[sample];
  const L1Sample& l1_sample = l1.samples[l1.source[sample]];
  out.resize(group.warps.size());
  for (std::uint32_t w = 0; w < group.warps.size(); ++w) {
    const facts::WarpTrace& warp = group.warps[w];
    out[w].resize(warp.events.size());
    for (std::size_t e = 0; e < warp.events.size(); ++e)
      if (warp.events[e].space == facts::MemorySpace::shared && warp.events[e].site < sites.size())
        out[w][e] = shared_outcome(in, warp.events[e], warp, sites[warp.events[e].site], passes);
    const bool same = l1.source[sample] == sample ||
                      in.streams[l1.source[sample]].warps[w].size() == in.streams[sample].warps[w].size();
    for (std::size_t i = 0; i < in.streams[sample].warps[w].size(); ++i) {
      const StreamEvent& event = in.streams[sample].warps[w][i];
      const Request& request = in.requests[event.request];
      AccessOutcome& o = out[w][event.event];
      o.transactions = request.passes;
      o.sectors = request.sectors;
      o.l1_bypass = event.route != Route::l1 && event.route != Route::constant;
      o.l2_sectors = request.sectors;
      if (!o.l1_bypass && same && l1_sample.visits > 0) {
        const StreamEvent& from = in.streams[l1.source[sample]].warps[w][i];
        const std::size_t blocks = in.requests[from.request].blocks.size();
        double sum = 0;
        for (std::size_t b = 0; b < blocks; ++b)
          sum += l1_sample.passed[from.first_block + b];
        o.l2_sectors = static_cast<float>(sum / l1_sample.visits);
      }
      o.dram_sectors = in.memory.l2.present
                           ? static_cast<float>(o.l2_sectors * dram_rate(l2.sites[event.site]))
                           : o.l2_sectors;
    }
  }
}

/// Events beyond the budget take their site's mean.
void fill_dropped(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L2Result& l2,
                  RequestTable& requests, facts::MemoryProfile& out) {
  std::vector<SiteMean> means(sites.size());
  for (std::size_t g = 0; g < in.streams.size(); ++g)
    for (std::size_t w = 0; w < in.streams[g].warps.size(); ++w)
      for (const StreamEvent& event : in.streams[g].warps[w]) {
        const AccessOutcome& o = out.outcomes[g][w][event.event];
        means[event.site].sectors += o.sectors;
        means[event.site].l2_sectors += o.l2_sectors;
      }
  for (std::size_t g = 0; g < in.streams.size(); ++g) {
    if (in.streams[g].dropped_events == 0)
      continue;
    for (std::size_t w = 0; w < in.streams[g].warps.size(); ++w) {
      const facts::WarpTrace& warp = in.trace.groups[g].warps[w];
      const auto& kept = in.streams[g].warps[w];
      const std::size_t from = kept.empty() ? 0 : kept.back().event + 1;
      for (std::size_t e = from; e < warp.events.size(); ++e) {
        const facts::MemoryEvent& event = warp.events[e];
        if (!is_cached(event.space) || event.site >= sites.size() || !event.active)
          continue;
        const facts::MemorySite& site = sites[event.site];
        const Route route = route_of(event, site, in.memory);
        AccessOutcome& o = out.outcomes[g][w][e];
        o.l1_bypass = route != Route::l1 && route != Route::constant;
        if (event.pattern == facts::MemoryEvent::Pattern::unknown) {
          o.transactions = o.sectors = static_cast<float>(std::popcount(event.active));
        } else {
          const Request& request =
              requests[requests.find(event, warp.offsets, site.width_bytes, route,
                                     event.space == facts::MemorySpace::local, event.base % block_bytes)];
          o.transactions = request.passes;
          o.sectors = request.sectors;
        }
        const SiteMean& mean = means[event.site];
        o.l2_sectors =
            static_cast<float>(o.sectors * (mean.sectors > 0 ? mean.l2_sectors / mean.sectors : 1));
        o.dram_sectors = static_cast<float>(o.l2_sectors * dram_rate(l2.sites[event.site]));
      }
    }
  }
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

void fill_outcomes(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
                   const L2Result& l2, facts::MemoryProfile& out) {
  PassTable passes;
  out.outcomes.resize(in.trace.groups.size());
  for (std::uint32_t g = 0; g < in.trace.groups.size(); ++g)
    fill_sample(in, sites, l1, l2, g, passes, out.outcomes[g]);
  fill_dropped(in, sites, l2, in.requests, out);
}

void fill_sites(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L2Result& l2,
                facts::MemoryProfile& out) {
  const std::vector<double> weights = sample_weights(in.trace);
  out.sites.resize(sites.size());
  std::vector<SiteLook> looks(sites.size());
  std::vector<double> counted(sites.size()), asked(sites.size()), passed(sites.size());
  PassTable passes;
  for (std::size_t g = 0; g < in.trace.groups.size(); ++g)
    for (std::size_t w = 0; w < in.trace.groups[g].warps.size(); ++w) {
      const facts::WarpTrace& warp = in.trace.groups[g].warps[w];
      auto cached = in.streams[g].warps[w].begin();
      const auto cached_end = in.streams[g].warps[w].end();
      for (std::size_t e = 0; e < warp.events.size(); ++e) {
        const facts::MemoryEvent& event = warp.events[e];
        const bool in_stream = cached != cached_end && cached->event == e;
        const StreamEvent* stream = in_stream ? &*cached : nullptr;
        cached += in_stream;
        if (event.site >= sites.size() || !event.active)
          continue;
        const facts::MemorySite& site = sites[event.site];
        facts::SiteProfile& p = out.sites[event.site];
        const AccessOutcome& o = out.outcomes[g][w][e];
        const double weight = weights[g];
        p.requests += weight;
        p.sectors_per_request += weight * o.sectors;
        p.passes_per_request += weight * o.transactions;
        p.bytes_asked += weight * std::popcount(event.active) * site.width_bytes;
        p.bytes_l2 += weight * o.l2_sectors * sector_bytes;
        if (!o.l1_bypass) {
          asked[event.site] += weight * o.sectors;
          passed[event.site] += weight * o.l2_sectors;
        }
        if (event.space == facts::MemorySpace::shared) {
          counted[event.site] += weight * o.transactions;
          looks[event.site].add_shared(passes.find(event, warp.offsets, site.width_bytes,
                                                   site.kind == facts::AccessKind::atomic, in.memory),
                                       weight);
        } else {
          counted[event.site] += weight * (stream ? in.requests[stream->request].counted : o.transactions);
          if (stream)
            looks[event.site].add_cached(event, in.requests[stream->request], weight);
        }
      }
    }
  const std::vector<double> hottest = hottest_address_operations(in, sites, weights);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    facts::SiteProfile& p = out.sites[s];
    p.site = static_cast<std::uint32_t>(s);
    p.access = looks[s].access();
    p.hottest_address_operations = hottest[s];
    if (p.requests > 0) {
      p.transactions_per_request = counted[s] / p.requests;
      p.sectors_per_request /= p.requests;
      p.passes_per_request /= p.requests;
    }
    const L2Site& l2_site = l2.sites[s];
    p.l1_hit_rate = asked[s] > 0 ? std::max(0.0, 1 - passed[s] / asked[s]) : 0;
    const bool store = sites[s].kind == facts::AccessKind::store;
    const double missed = store ? l2_site.written : l2_site.read;
    if (in.memory.l2.present)
      p.l2_hit_rate = l2_site.asked > 0 ? std::max(0.0, 1 - missed / l2_site.asked) : 0;
    const double rate = in.memory.l2.present ? dram_rate(l2_site) : 1;
    p.bytes_dram = p.bytes_l2 * rate;
    const double written_share = l2_site.read + l2_site.written > 0
                                     ? l2_site.written / (l2_site.read + l2_site.written)
                                     : (store ? 1 : 0);
    const bool atomic = sites[s].kind == facts::AccessKind::atomic;
    out.l2_bytes_read += store ? 0 : p.bytes_l2;
    out.l2_bytes_written += store || atomic ? p.bytes_l2 : 0;
    out.dram_bytes_read += p.bytes_dram * (in.memory.l2.present ? 1 - written_share : (store ? 0 : 1));
    out.dram_bytes_written += p.bytes_dram * (in.memory.l2.present ? written_share : (store ? 1 : 0));
  }
  out.footprint_bytes = l2.footprint_bytes;
  out.resident_footprint_bytes = l2.first_wave_bytes;
}

} // namespace forewarp::memory

#include "memory/translate/translate.h"

#include "support/counter_random.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

namespace forewarp::memory {
namespace {

struct ItemAccesses {
  facts::Dim3 group;
  std::vector<std::int64_t> addresses;
};

/// Of the samples whose work-item 0 makes accesses of the site, and knows where: all of them.
std::vector<ItemAccesses> first_item_accesses(const facts::KernelTrace& trace, std::uint32_t site) {
  using Pattern = facts::MemoryEvent::Pattern;
  std::vector<ItemAccesses> samples;
  for (const facts::GroupTrace& group : trace.groups) {
    if (group.warps.empty())
      continue;
    const facts::WarpTrace& warp = group.warps[0];
    ItemAccesses made{group.group, {}};
    for (const facts::MemoryEvent& event : warp.events) {
      if (event.site != site || (event.active & 1) == 0 || event.pattern == Pattern::unknown)
        continue;
      const std::int64_t offset =
          event.pattern == Pattern::explicit_offsets ? warp.offsets[event.first_offset] : 0;
      made.addresses.push_back(static_cast<std::int64_t>(event.base) + offset);
    }
    if (!made.addresses.empty())
      samples.push_back(std::move(made));
  }
  return samples;
}

} // namespace

Translator::Translator(const facts::KernelTrace& trace, const std::vector<facts::MemorySite>& sites,
                       const GroupPlaces* places)
    : trace_(trace), sites_(sites), places_(places), site_count_(sites.size()),
      front_(facts::busy_front(trace)) {
  build(Classes::by_behaviour);
  // Index clamping at the grid's border bends the addresses of groups that run the same blocks as the inner
  // ones.
  if (irregular_count() > 0)
    build(Classes::by_place);
  if (const auto irregular = irregular_count(); irregular > 0) {
    build(Classes::nearly_affine);
    if (irregular_count() >= irregular)
      build(Classes::by_place);
  }
  follow_first_item();
  follow_lines();
  move_buffers_together();
  for (const bool idle : {false, true})
    if (front_ || !idle)
      for (unsigned wanted = 0; wanted < shares_[0].size(); ++wanted)
        shares_[idle ? 1 : 0][wanted] = shares_of(wanted, idle);
}

std::ptrdiff_t Translator::irregular_count() const {
  return std::count(irregular_.begin(), irregular_.end(), true);
}

void Translator::build(Classes classes) {
  const facts::KernelTrace& trace = trace_;
  const bool by_place = classes == Classes::by_place;
  by_place_ = by_place;
  nearly_ = classes == Classes::nearly_affine;
  classes_.clear();
  class_of_.clear();
  sample_at_.clear();
  by_event_.clear();
  across_.clear();
  irregular_.assign(site_count_, false);
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> class_by_behaviour;
  for (std::uint32_t g = 0; g < trace.groups.size(); ++g) {
    const unsigned place = by_place ? signature(trace.groups[g].group) : 0;
    const auto [entry, first] = class_by_behaviour.try_emplace({trace.groups[g].behaviour, place},
                                                               static_cast<std::uint32_t>(classes_.size()));
    if (first)
      classes_.emplace_back();
    classes_[entry->second].push_back(g);
    class_of_.push_back(entry->second);
    sample_at_.try_emplace(linear_index(trace.shape.groups, trace.groups[g].group), g);
  }
  if (nearly_) // coefficients start from an inner group: indices are clamped at borders
    for (std::vector<std::uint32_t>& members : classes_)
      std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
        return share_of_place(trace.groups[a].group) > share_of_place(trace.groups[b].group);
      });
  weights_.assign(classes_.size(), 1);
  for (const facts::BehaviourClass& c : trace.classes)
    for (const auto& [key, id] : class_by_behaviour)
      if (key.first == c.behaviour)
        weights_[id] = std::max(1e-9, c.weight_groups);
  by_site_.assign(classes_.size(), std::vector<Translation>(site_count_));
  fitted_.assign(classes_.size(), std::vector<bool>(site_count_));
  per_event_.assign(classes_.size(), std::vector<bool>(site_count_));
  class_affine_.assign(classes_.size(), true);
  class_uniform_.assign(classes_.size(), true);
  std::vector<GroupBase> places;
  for (const facts::GroupTrace& group : trace.groups)
    places.push_back({group.group, 0});
  undetermined_ = !spans(trace.shape.groups, places);
  // Largest class first: its coefficients serve classes that have too few samples of their own.
  std::vector<std::uint32_t> order(classes_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return classes_[a].size() > classes_[b].size(); });
  for (const std::uint32_t id : order)
    fit_class(id);
}

const std::optional<Coefficients>& Translator::fit_across_classes(std::uint32_t site) {
  const auto [entry, first] = across_.try_emplace(site);
  if (!first)
    return entry->second;
  for (std::uint32_t id = 0; id < classes_.size(); ++id)
    if (fitted_[id][site]) {
      entry->second = by_site_[id][site].bytes_per_group;
      return entry->second;
    }
  std::vector<GroupBase> points;
  for (const facts::GroupTrace& group : trace_.groups)
    if (!group.warps.empty())
      for (const facts::MemoryEvent& event : group.warps[0].events)
        if (event.site == site) {
          points.push_back({group.group, static_cast<std::int64_t>(event.base)});
          break;
        }
  entry->second = fit_enough(points);
  if (!entry->second && by_place_) { // indices are clamped at borders
    std::erase_if(points, [&](const GroupBase& point) { return signature(point.group) != inner_place; });
    entry->second = fit_enough(points);
  }
  return entry->second;
}

/// Fewer points than a plane needs fit anything.
std::optional<Coefficients> Translator::fit_enough(const std::vector<GroupBase>& points) const {
  const facts::Dim3& grid = trace_.shape.groups;
  if (!spans(grid, points) || (points.size() < 3 && points.size() != grid.count()))
    return std::nullopt;
  return fit_affine(points);
}

/// Lowest address of the site's first access in the first warp of each sample that makes one; nothing where
/// it is unknown.
std::vector<GroupBase> Translator::first_accesses(std::uint32_t site) const {
  std::vector<GroupBase> points;
  for (const facts::GroupTrace& group : trace_.groups) {
    if (group.warps.empty())
      continue;
    const std::vector<facts::MemoryEvent>& events = group.warps[0].events;
    const auto event =
        std::find_if(events.begin(), events.end(), [&](const auto& e) { return e.site == site; });
    if (event == events.end())
      continue;
    if (event->pattern == facts::MemoryEvent::Pattern::unknown)
      return {};
    points.push_back(
        {group.group, static_cast<std::int64_t>(lowest_address(*event, group.warps[0].offsets))});
  }
  return points;
}

std::int64_t Translator::between_places(const std::vector<std::int64_t>& places, const facts::Dim3& from,
                                        const facts::Dim3& to) const {
  const facts::Dim3& grid = trace_.shape.groups;
  return places[linear_index(grid, to)] - places[linear_index(grid, from)];
}

void Translator::follow_lines() {
  for (std::uint32_t site = 0; site < site_count_; ++site) {
    if (!irregular_[site])
      continue;
    const std::vector<GroupBase> points = first_accesses(site);
    std::optional<Line> line = fit_circle(points);
    if (!line)
      line = fit_line(points);
    if (!line)
      continue;
    irregular_[site] = false;
    for (std::vector<Translation>& fits : by_site_)
      if (!fits[site].affine) {
        fits[site].affine = true;
        fits[site].line = line;
      }
  }
}

bool Translator::moves_first_item(std::uint32_t site, const std::vector<std::int64_t>& places) const {
  const std::vector<ItemAccesses> samples = first_item_accesses(trace_, site);
  if (samples.size() < 2)
    return false;
  const ItemAccesses& first = samples[0];
  const auto moves_along = [&](const ItemAccesses& sample) {
    const std::int64_t moved = between_places(places, first.group, sample.group);
    const std::size_t both = std::min(first.addresses.size(), sample.addresses.size());
    for (std::size_t i = 0; i < both; ++i)
      if (first.addresses[i] + moved != sample.addresses[i])
        return false;
    return true;
  };
  return std::ranges::all_of(samples, moves_along) &&
         stays_in_buffer(site, {first.group, first.addresses[0]}, places);
}

bool Translator::stays_in_buffer(std::uint32_t site, const GroupBase& first,
                                 const std::vector<std::int64_t>& places) const {
  const auto region = std::ranges::find_if(trace_.regions, [&](const facts::MemoryRegion& each) {
    return each.space == facts::MemorySpace::global &&
           static_cast<std::uint64_t>(first.base) - each.base < each.size_bytes;
  });
  if (region == trace_.regions.end())
    return false;
  std::int64_t below = 0, above = 0; // of the first item, as far as a sample's others go
  for (const facts::GroupTrace& group : trace_.groups) {
    const std::int64_t item = first.base + between_places(places, first.group, group.group);
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events) {
        if (event.site != site)
          continue;
        if (event.pattern == facts::MemoryEvent::Pattern::unknown)
          return false;
        const Lanes lanes = expand(event, warp.offsets, static_cast<std::int64_t>(event.base) - item, 1);
        for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1) {
          const std::int64_t from_item = lanes.address[static_cast<std::size_t>(std::countr_zero(rest))];
          below = std::max(below, -from_item);
          above = std::max(above, from_item);
        }
      }
  }
  const auto [least, most] = std::ranges::minmax(places);
  const std::int64_t base = first.base - places[linear_index(trace_.shape.groups, first.group)];
  const auto size = static_cast<std::int64_t>(region->size_bytes),
             start = static_cast<std::int64_t>(region->base), slack = size / 4;
  return base + least - below >= start - slack && base + most + above <= start + size + slack;
}

void Translator::follow_first_item() {
  for (std::uint32_t site = 0; places_ && site < std::min(site_count_, places_->size()); ++site) {
    const std::vector<std::int64_t>& places = (*places_)[site];
    if (!irregular_[site] || places.empty() || !moves_first_item(site, places))
      continue;
    irregular_[site] = false;
    for (std::vector<Translation>& fits : by_site_)
      if (!fits[site].affine) {
        fits[site].affine = true;
        fits[site].places = &places;
      }
  }
}

bool Translator::is_irregular_somewhere(std::uint32_t site) const {
  return std::any_of(by_site_.begin(), by_site_.end(),
                     [&](const std::vector<Translation>& fits) { return !fits[site].affine; });
}

void Translator::move_buffers_together() {
  std::map<std::string_view, std::vector<std::uint32_t>> sites_of;
  for (std::uint32_t site = 0; site < site_count_; ++site) {
    for (std::vector<Translation>& fits : by_site_)
      fits[site].moves_with = site;
    if (!sites_[site].buffer.empty() && is_irregular_somewhere(site))
      sites_of[sites_[site].buffer].push_back(site);
  }
  for (const auto& [buffer, sites] : sites_of) {
    Range all;
    for (const std::uint32_t site : sites) {
      all.low = std::min(all.low, ranges_[site].low);
      all.high = std::max(all.high, ranges_[site].high);
    }
    for (std::vector<Translation>& fits : by_site_)
      for (const std::uint32_t site : sites) {
        fits[site].low = all.low == UINT64_MAX ? 0 : all.low;
        fits[site].high = all.high;
        fits[site].moves_with = sites.front();
      }
  }
}

/// Range of the site's lowest addresses over all samples, into every class.
void Translator::fit_site_everywhere(std::uint32_t site) {
  if (ranges_.empty())
    find_ranges();
  for (auto& fits : by_site_) {
    fits[site].low = ranges_[site].low == UINT64_MAX ? 0 : ranges_[site].low;
    fits[site].high = ranges_[site].high;
  }
}

void Translator::find_ranges() {
  ranges_.resize(site_count_);
  for (const facts::GroupTrace& group : trace_.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (event.site < site_count_ && event.pattern != facts::MemoryEvent::Pattern::unknown) {
          const std::uint64_t lowest = lowest_address(event, warp.offsets);
          Range& range = ranges_[event.site];
          range.low = std::min(range.low, lowest);
          range.high = std::max(range.high, lowest);
        }
  for (std::uint32_t site = 0; site < site_count_; ++site)
    if (Range& range = ranges_[site]; range.low == UINT64_MAX)
      if (const facts::MemoryRegion* region = region_of_site(trace_, sites_[site]))
        range = {region->base, region->base + region->size_bytes};
}

double Translator::share_of_place(const facts::Dim3& g) const {
  const auto share = [](std::uint64_t i, std::uint64_t n) {
    const bool border = i == 0 || i + 1 == n;
    return border || n <= 2 ? 1.0 / static_cast<double>(n)
                            : static_cast<double>(n - 2) / static_cast<double>(n);
  };
  const facts::Dim3& grid = trace_.shape.groups;
  return share(g.x, grid.x) * share(g.y, grid.y) * share(g.z, grid.z);
}

unsigned Translator::signature(const facts::Dim3& g) const {
  const auto place = [](std::uint64_t i, std::uint64_t n) {
    return n <= 1 ? 1U : i == 0 ? 0U : i + 1 == n ? 2U : 1U;
  };
  const facts::Dim3& grid = trace_.shape.groups;
  return place(g.x, grid.x) | place(g.y, grid.y) << 2 | place(g.z, grid.z) << 4;
}

std::uint32_t Translator::representative(std::uint64_t group) const {
  if (const auto own = sample_at_.find(group); own != sample_at_.end())
    return all_affine(own->second) ? alike(own->second)[0] : own->second;
  if (classes_.size() == 1 && class_affine_[0])
    return classes_[0][0];
  const bool idle = front_ && group >= front_->busy_groups();
  const Shares& shares = shares_[idle ? 1 : 0][signature(group_at(trace_.shape.groups, group))];
  const double draw = counter_random_unit(91, group) * shares.back().first;
  std::uint32_t chosen = shares.back().second;
  for (const auto& [upto, s] : shares)
    if (draw < upto) {
      chosen = s;
      break;
    }
  return all_affine(chosen) ? alike(chosen)[0] : chosen;
}

/// Among the samples at a like place: one class, then any of it; several, then drawn by the classes' weights.
/// A busy group is like sampled busy ones.
Translator::Shares Translator::shares_of(unsigned wanted, bool idle) const {
  const auto mismatches = [&](std::uint32_t s) {
    const unsigned other = signature(trace_.groups[s].group);
    return ((other ^ wanted) & 3 ? 1 : 0) + ((other ^ wanted) & 12 ? 1 : 0) + ((other ^ wanted) & 48 ? 1 : 0);
  };
  const auto other_side = [&](std::uint32_t s) {
    return front_ &&
           idle == (facts::linear_index(trace_.shape.groups, trace_.groups[s]) <= front_->last_busy);
  };
  int best = 4;
  for (std::uint32_t s = 0; s < trace_.groups.size(); ++s)
    if (!other_side(s))
      best = std::min(best, mismatches(s));
  double sum = 0;
  Shares shares;
  for (std::uint32_t s = 0; s < trace_.groups.size(); ++s)
    if (mismatches(s) == best && !other_side(s)) {
      sum += weights_[class_of_[s]] / static_cast<double>(alike(s).size());
      shares.emplace_back(sum, s);
    }
  return shares;
}

void Translator::attach(std::uint32_t sample, SampleStream& stream) const {
  const facts::GroupTrace& group = trace_.groups[sample];
  for (std::uint32_t w = 0; w < stream.warps.size(); ++w)
    for (StreamEvent& event : stream.warps[w]) {
      event.translation = &translation(sample, w, event);
      if (!event.translation->affine && !event.unknown && !event.local)
        event.lowest = lowest_address(group.warps[w].events[event.event], group.warps[w].offsets);
    }
}

const Translation& Translator::translation(std::uint32_t sample, std::uint32_t warp,
                                           const StreamEvent& event) const {
  const std::uint32_t id = class_of_[sample];
  if (per_event_[id][event.site])
    if (const auto found = by_event_.find({id, warp, event.event}); found != by_event_.end())
      return found->second;
  return by_site_[id][event.site];
}

std::int64_t Translator::delta(std::uint32_t sample, const Translation& t, const StreamEvent& event,
                               std::uint64_t group, const facts::Dim3& to) const {
  const facts::Dim3& from = trace_.groups[sample].group;
  if (to == from)
    return 0;
  if (t.line && !event.unknown)
    return t.line->between(from.x, to.x);
  if (t.places && !event.unknown)
    return between_places(*t.places, from, to);
  if (t.affine && !event.unknown)
    return along(t.bytes_per_group, to, from);
  const std::uint64_t range = range_blocks(t);
  if (event.unknown || range == 1)
    return 0; // unknown: see scattered_block
  const std::uint64_t here = (event.lowest - t.low) / block_bytes;
  const std::uint64_t moved = (here + counter_random(group, t.moves_with) % range) % range;
  // Modulo 2^64: an event may lie below the range, and is then moved back into it.
  return static_cast<std::int64_t>((moved - here) * std::uint64_t{block_bytes});
}

} // namespace forewarp::memory

// Translations of one class of groups: each site's from its first access, verified on every later one of
// every sample; per event where they differ.
#include "memory/translate/translate.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace forewarp::memory {
namespace {

/// Rounded indices put an address this far off its plane at most: further, and other sectors are meant.
constexpr std::int64_t rounding_bytes = sector_bytes;

/// Share of the grid whose addresses need not be known.
constexpr double few_groups = 0.05;

/// Active lanes, one by one, within `rounding_bytes` of the same distance from their bases.
bool nearly_same_offsets(const facts::MemoryEvent& x, const facts::WarpTrace& of_x,
                         const facts::MemoryEvent& y, const facts::WarpTrace& of_y) {
  for (std::uint64_t left = x.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (std::abs(offset_of(x, of_x.offsets, lane) - offset_of(y, of_y.offsets, lane)) > rounding_bytes)
      return false;
  }
  return true;
}

bool same_explicit_offsets(const facts::MemoryEvent& x, const facts::WarpTrace& of_x,
                           const facts::MemoryEvent& y, const facts::WarpTrace& of_y, unsigned lanes) {
  for (unsigned l = 0; l < lanes; ++l)
    if ((x.active >> l & 1) && of_x.offsets[x.first_offset + l] != of_y.offsets[y.first_offset + l])
      return false;
  return true;
}

/// As many warps with as many accesses.
bool same_counts(const facts::GroupTrace& a, const facts::GroupTrace& b) {
  return std::ranges::equal(
      a.warps, b.warps, {}, [](const facts::WarpTrace& warp) { return warp.events.size(); },
      [](const facts::WarpTrace& warp) { return warp.events.size(); });
}

/// An access whose address the class translates: through the caches, of memory that groups share.
bool is_translated(const facts::MemoryEvent& event) {
  return is_cached(event.space) && event.space != facts::MemorySpace::local;
}

} // namespace

bool Translator::same_shape(std::uint32_t a, std::uint32_t b, std::size_t w, std::size_t e) const {
  using Pattern = facts::MemoryEvent::Pattern;
  const facts::WarpTrace& wa = trace_.groups[a].warps[w];
  const facts::WarpTrace& wb = trace_.groups[b].warps[w];
  const facts::MemoryEvent &x = wa.events[e], &y = wb.events[e];
  if (x.site != y.site || x.active != y.active || x.places != y.places)
    return false;
  if (x.pattern == Pattern::unknown || y.pattern == Pattern::unknown)
    return x.pattern == y.pattern;
  if (nearly_)
    return nearly_same_offsets(x, wa, y, wb);
  if (x.pattern != y.pattern)
    return false;
  if (x.pattern == Pattern::explicit_offsets)
    return same_explicit_offsets(x, wa, y, wb, trace_.warp_width);
  return x.stride == y.stride &&
         (x.pattern == Pattern::affine || (x.row_lanes == y.row_lanes && x.row_stride == y.row_stride));
}

class Translator::ClassFit {
public:
  ClassFit(Translator& all, std::uint32_t id)
      : all_(all), id_(id), members_(all.classes_[id]), first_(all.trace_.groups[members_.front()]),
        fits_(all.by_site_[id]), state_(all.site_count_, State::unseen) {
    for (const std::uint32_t m : members_)
      if (same_counts(first_, all.trace_.groups[m]))
        usable_.push_back(m);
    others_.assign(usable_.begin() + 1, usable_.end());
    std::vector<GroupBase> places;
    places.reserve(usable_.size());
    for (const std::uint32_t m : usable_)
      places.push_back({all.trace_.groups[m].group, 0});
    enough_ = spans(all.trace_.shape.groups, places);
  }

  void fit() {
    for (std::size_t w = 0; w < first_.warps.size(); ++w)
      for (std::size_t e = 0; e < first_.warps[w].events.size(); ++e) {
        const facts::MemoryEvent& event = first_.warps[w].events[e];
        if (all_.class_uniform_[id_] && !is_translated(event))
          all_.class_uniform_[id_] = same_everywhere(w, e);
        if (is_translated(event) && event.site < all_.site_count_)
          state_[event.site] = fit_event(w, e, state_[event.site]);
      }
    if (usable_.size() != members_.size() || all_.nearly_)
      all_.class_uniform_[id_] = false;
    for (std::uint32_t site = 0; site < all_.site_count_; ++site)
      settle(site);
  }

private:
  enum class State : std::uint8_t {
    unseen,
    site,  ///< one translation for all of its events so far
    event, ///< one for each event
    irregular
  };

  const facts::MemoryEvent& event_of(std::uint32_t member, std::size_t w, std::size_t e) const {
    return all_.trace_.groups[member].warps[w].events[e];
  }

  /// The same address and shape in all groups.
  bool same_everywhere(std::size_t w, std::size_t e) const {
    return std::ranges::all_of(others_, [&](std::uint32_t m) {
      return first_.warps[w].events[e].base == event_of(m, w, e).base &&
             all_.same_shape(members_.front(), m, w, e);
    });
  }

  bool same_shapes(std::size_t w, std::size_t e) const {
    return first_.warps[w].events[e].pattern != facts::MemoryEvent::Pattern::unknown &&
           std::ranges::all_of(others_,
                               [&](std::uint32_t m) { return all_.same_shape(members_.front(), m, w, e); });
  }

  std::optional<Coefficients> fit_of(std::size_t w, std::size_t e) const {
    std::vector<GroupBase> points;
    points.reserve(usable_.size());
    for (const std::uint32_t m : usable_)
      points.push_back({all_.trace_.groups[m].group, static_cast<std::int64_t>(event_of(m, w, e).base)});
    const std::optional<Coefficients> exact = fit_affine(points);
    return exact || !all_.nearly_ ? exact : fit_nearly(points, rounding_bytes);
  }

  bool matches(const Translation& fit, std::size_t w, std::size_t e) const {
    const auto base = static_cast<std::int64_t>(first_.warps[w].events[e].base);
    return std::ranges::all_of(others_, [&](std::uint32_t m) {
      const facts::Dim3& group = all_.trace_.groups[m].group;
      const std::int64_t moved = fit.places ? all_.between_places(*fit.places, first_.group, group)
                                            : along(fit.bytes_per_group, group, first_.group);
      return base + moved == static_cast<std::int64_t>(event_of(m, w, e).base);
    });
  }

  /// What the trace tells of every group, where all samples agree with it.
  bool take_places(std::uint32_t site, std::size_t w, std::size_t e) {
    const GroupPlaces* of_sites = all_.places_;
    if (!of_sites || site >= of_sites->size() || (*of_sites)[site].empty())
      return false;
    fits_[site].places = &(*of_sites)[site];
    if (matches(fits_[site], w, e))
      return true;
    fits_[site].places = nullptr;
    return false;
  }

  /// Few samples lie on any plane: one that takes some group of the grid many times its buffer's size beyond
  /// the buffer is none that the addresses follow.
  bool leaves_buffer(const Coefficients& fit, std::size_t w, std::size_t e) const {
    constexpr double most_sizes = 8;
    const std::uint64_t base = first_.warps[w].events[e].base;
    const auto region = std::ranges::find_if(all_.trace_.regions, [&](const facts::MemoryRegion& each) {
      return each.space == facts::MemorySpace::global && base - each.base < each.size_bytes;
    });
    if (region == all_.trace_.regions.end())
      return false;
    const facts::Dim3 &grid = all_.trace_.shape.groups, &own = first_.group;
    double below = 0, above = 0;
    for (const auto& [bytes, size, at] :
         {std::tuple(fit[0], grid.x, own.x), {fit[1], grid.y, own.y}, {fit[2], grid.z, own.z}}) {
      const double to_first = -static_cast<double>(bytes) * static_cast<double>(at),
                   to_last = static_cast<double>(bytes) * static_cast<double>(size - 1 - at);
      below += std::min(to_first, to_last);
      above += std::max(to_first, to_last);
    }
    const double room = (most_sizes + 1) * static_cast<double>(region->size_bytes);
    return -below > room || above > room;
  }

  /// What the event's site is now.
  State fit_event(std::size_t w, std::size_t e, State state) {
    const std::uint32_t site = first_.warps[w].events[e].site;
    if (state == State::irregular || !same_shapes(w, e))
      return State::irregular;
    if (state == State::unseen)
      return fit_first(site, w, e);
    if (state == State::site && matches(fits_[site], w, e))
      return state;
    if (fits_[site].places)
      return State::irregular;
    const auto fit = fit_of(w, e);
    if (!fit)
      return State::irregular;
    all_.per_event_[id_][site] = true;
    all_.by_event_[{id_, static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(e)}] = {.bytes_per_group =
                                                                                               *fit};
    return State::event;
  }

  State fit_first(std::uint32_t site, std::size_t w, std::size_t e) {
    if (all_.trace_.shape.groups.count() == 1) // no other group that could move it
      return State::site;
    if (take_places(site, w, e))
      return State::site;
    if (!enough_) // too few samples of its own: what the site's first accesses say over all classes
      if (const auto& fit = all_.fit_across_classes(site); fit && !leaves_buffer(*fit, w, e)) {
        fits_[site].bytes_per_group = *fit;
        if (matches(fits_[site], w, e))
          return State::site;
      }
    const auto fit = usable_.size() > 1 ? fit_of(w, e) : std::nullopt;
    if (!fit || leaves_buffer(*fit, w, e))
      return State::irregular;
    fits_[site].bytes_per_group = *fit;
    return State::site;
  }

  void settle(std::uint32_t site) {
    for (const std::int64_t bytes : fits_[site].bytes_per_group)
      if (bytes % sector_bytes != 0 || state_[site] == State::event)
        all_.class_uniform_[id_] = false;
    if (fits_[site].places) // neighbours may be anywhere
      all_.class_uniform_[id_] = false;
    all_.fitted_[id_][site] =
        enough_ && usable_.size() > 1 && state_[site] == State::site && !fits_[site].places;
    if (state_[site] != State::irregular)
      return;
    fits_[site].places = nullptr;
    all_.fit_site_everywhere(site);
    fits_[site].affine = false;
    all_.per_event_[id_][site] = false;
    all_.irregular_[site] =
        all_.irregular_[site] || !all_.by_place_ || all_.share_of_place(first_.group) > few_groups;
    all_.class_affine_[id_] = all_.class_uniform_[id_] = false;
  }

  Translator& all_;
  std::uint32_t id_;
  const std::vector<std::uint32_t>& members_;
  const facts::GroupTrace& first_;
  std::vector<Translation>& fits_;
  std::vector<State> state_;          ///< [site]
  std::vector<std::uint32_t> usable_; ///< members with as many accesses as the first, itself the first
  std::vector<std::uint32_t> others_; ///< but itself
  bool enough_ = false;               ///< they span the grid
};

void Translator::fit_class(std::uint32_t id) {
  ClassFit(*this, id).fit();
}

} // namespace forewarp::memory

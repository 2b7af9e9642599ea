#include "port/scale/addresses.h"

#include "port/scale/extrapolate.h"
#include "port/warps/layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

namespace forewarp::port {
namespace {

/// Iterations of every loop around the steps of one thread, each counted from 0.
class IterationCounter {
public:
  explicit IterationCounter(const facts::RegionTrace& trace) : trace_(trace), now_(trace.loops.size(), 0) {}
  void start() { previous_ = facts::no_region_index; }
  void step(std::uint32_t block) {
    const facts::RegionBlock& facts = trace_.blocks[block];
    if (facts.loop_header && facts.loop != facts::no_region_index) {
      const bool again = previous_ != facts::no_region_index && inside(previous_, facts.loop);
      now_[facts.loop] = again ? now_[facts.loop] + 1 : 0;
    }
    previous_ = block;
  }
  const std::vector<std::uint64_t>& now() const { return now_; }

private:
  bool inside(std::uint32_t block, std::uint32_t loop) const {
    for (std::uint32_t l = trace_.blocks[block].loop; l != facts::no_region_index; l = trace_.loops[l].parent)
      if (l == loop)
        return true;
    return false;
  }
  const facts::RegionTrace& trace_;
  std::vector<std::uint64_t> now_;
  std::uint32_t previous_ = facts::no_region_index;
};

/// Calls visit(thread, site, index into addresses, iterations) for every traced access.
template <class Visit> void each_access(const facts::RegionTrace& trace, const Visit& visit) {
  IterationCounter counter(trace);
  for (const facts::RegionThread& thread : trace.threads) {
    counter.start();
    std::uint64_t address = thread.first_address;
    for (std::uint64_t s = 0; s < thread.step_count; ++s) {
      const std::uint32_t block = trace.steps[thread.first_step + s];
      counter.step(block);
      for (std::uint32_t i = 0; i < trace.blocks[block].site_count; ++i)
        visit(thread, trace.blocks[block].first_site + i, address++, counter.now());
    }
  }
}

/// Loops that run inside a thread and hold the site.
std::vector<std::uint32_t> loops_around(const facts::RegionTrace& trace, std::uint32_t site) {
  std::vector<std::uint32_t> loops;
  for (std::uint32_t l = trace.blocks[trace.sites[site].block].loop; l != facts::no_region_index;
       l = trace.loops[l].parent)
    if (trace.loops[l].parallel_dimension < 0)
      loops.push_back(l);
  return loops;
}

/// Finds the coefficients one access after the other: the first access that the form so far misses, and
/// whose position differs from a met one in a new direction, gives a coefficient. Rows are kept reduced
/// (Gauss-Jordan), so that a new equation either is met, adds a direction, or contradicts.
class Fit {
public:
  explicit Fit(std::size_t unknowns) : unknowns_(unknowns) {}

  bool contradicted() const { return contradicted_; }
  void add(std::vector<double> row, double value) {
    if (contradicted_)
      return;
    row.push_back(value);
    for (const std::vector<double>& known : rows_)
      subtract(row, known, pivot_of(known));
    const std::size_t pivot = pivot_of(row);
    if (pivot == unknowns_) {
      contradicted_ = std::abs(row[unknowns_]) > 1e-3;
      return;
    }
    const double scale = row[pivot];
    for (double& entry : row)
      entry /= scale;
    for (std::vector<double>& known : rows_)
      subtract(known, row, pivot);
    rows_.push_back(std::move(row));
  }
  /// Directions that never varied count as 0.
  std::vector<double> solution() const {
    std::vector<double> values(unknowns_, 0);
    for (const std::vector<double>& row : rows_)
      values[pivot_of(row)] = row[unknowns_];
    return values;
  }

private:
  std::size_t pivot_of(const std::vector<double>& row) const {
    for (std::size_t i = 0; i < unknowns_; ++i)
      if (std::abs(row[i]) > 1e-6)
        return i;
    return unknowns_;
  }
  static void subtract(std::vector<double>& from, const std::vector<double>& row, std::size_t pivot) {
    const double factor = from[pivot];
    if (factor != 0)
      for (std::size_t i = 0; i < from.size(); ++i)
        from[i] -= factor * row[i];
  }

  std::size_t unknowns_;
  std::vector<std::vector<double>> rows_;
  bool contradicted_ = false;
};

double value_at(const AffineAccess& access, const facts::RegionThread& thread,
                const std::vector<std::uint64_t>& iterations) {
  double value = access.constant;
  for (unsigned d = 0; d < 3; ++d)
    value += access.threads[d] * thread.coordinate[d];
  for (std::size_t l = 0; l < access.loops.size(); ++l)
    if (access.loops[l] != 0)
      value += access.loops[l] * static_cast<double>(iterations[l]);
  return value;
}

/// The form at the wanted size; empty where a coefficient follows no polynomial in it.
std::optional<AffineAccess> form_at(const std::vector<std::vector<AffineAccess>>& runs,
                                    const std::vector<double>& sizes, std::size_t site, double target) {
  AffineAccess out = runs[0][site];
  for (const auto& run : runs)
    if (!run[site].found || run[site].object != out.object)
      return std::nullopt;
  const auto at_target = [&](const auto& coefficient) {
    std::vector<double> values;
    for (const auto& run : runs)
      values.push_back(coefficient(run[site]));
    return extrapolate(sizes, values, target);
  };
  bool confirmed = true;
  const auto take = [&](double& into, const auto& coefficient) {
    const Extrapolation value = at_target(coefficient);
    confirmed = confirmed && value.confirmed;
    into = value.value;
  };
  take(out.constant, [](const AffineAccess& a) { return a.constant; });
  for (unsigned d = 0; d < 3; ++d)
    take(out.threads[d], [d](const AffineAccess& a) { return a.threads[d]; });
  for (std::size_t l = 0; l < out.loops.size(); ++l)
    take(out.loops[l], [l](const AffineAccess& a) { return a.loops[l]; });
  return confirmed ? std::optional(out) : std::nullopt;
}

/// Adds the threads that the wanted size has and the traced one could not have.
class Filler {
public:
  /// `block`: the shape of the blocks to fill, x first; the trace's own or another.
  Filler(facts::RegionTrace& trace, const RegionSize& size, const std::array<std::uint64_t, 3>& block,
         const std::vector<std::optional<AffineAccess>>& forms)
      : trace_(trace), forms_(forms), counter_(trace), other_shape_(block != trace.block) {
    for (unsigned d = 0; d < 3; ++d) {
      extents_[d] = static_cast<std::uint64_t>(std::max(1.0, size.extents[d]));
      sides_[d] = d < trace.dimensions ? block[trace.dimensions - 1 - d] : 1;
      traced_sides_[d] = d < trace.dimensions ? trace.block[trace.dimensions - 1 - d] : 1;
    }
    for (std::size_t t = 0; t < trace.threads.size(); ++t) {
      by_place_[key(trace.threads[t].coordinate)] = t;
      blocks_.insert(block_of(trace.threads[t].coordinate));
    }
  }

  void run() {
    std::set<Place> wanted = blocks_;
    for (std::uint32_t a = 0; a < 3; ++a)
      for (std::uint32_t b = 0; b < 3; ++b)
        for (std::uint32_t c = 0; c < 3; ++c)
          if (a * sides_[0] < extents_[0] && b * sides_[1] < extents_[1] && c * sides_[2] < extents_[2])
            wanted.insert({a, b, c});
    for (const Place& block : wanted)
      fill(block);
  }

private:
  using Place = std::array<std::uint32_t, 3>; ///< outermost first

  static std::uint64_t key(const Place& at) {
    return static_cast<std::uint64_t>(at[0]) << 42 ^ static_cast<std::uint64_t>(at[1]) << 21 ^ at[2];
  }
  Place block_of(const Place& at) const {
    Place block{};
    for (unsigned d = 0; d < 3; ++d)
      block[d] = static_cast<std::uint32_t>(at[d] / sides_[d]);
    return block;
  }

  void fill(const Place& block) {
    const bool traced = blocks_.contains(block);
    Place at{};
    for (std::uint64_t i = 0; i < sides_[0]; ++i)
      for (std::uint64_t j = 0; j < sides_[1]; ++j)
        for (std::uint64_t k = 0; k < sides_[2]; ++k) {
          at = {static_cast<std::uint32_t>(block[0] * sides_[0] + i),
                static_cast<std::uint32_t>(block[1] * sides_[1] + j),
                static_cast<std::uint32_t>(block[2] * sides_[2] + k)};
          if (at[0] >= extents_[0] || at[1] >= extents_[1] || at[2] >= extents_[2] ||
              by_place_.contains(key(at)))
            continue;
          // Inside the small run's extents a missing thread is one that the loops leave out.
          const bool possible =
              at[0] < trace_.extents[0] && at[1] < trace_.extents[1] && at[2] < trace_.extents[2];
          if (other_shape_ || !(traced && possible))
            copy(at);
        }
  }

  /// The traced thread at the same place of a nearer block.
  const facts::RegionThread* source(const Place& at) const {
    Place nearer{};
    for (unsigned d = 0; d < 3; ++d) {
      const std::uint64_t block = std::min<std::uint64_t>(at[d] / sides_[d], 1);
      std::uint64_t place = block * sides_[d] + at[d] % sides_[d];
      if (place >= trace_.extents[d])
        place %= trace_.extents[d];
      nearer[d] = static_cast<std::uint32_t>(place);
    }
    auto found = by_place_.find(key(nearer));
    while (found == by_place_.end() && other_shape_) {
      // Whole traced blocks back, along the axis on which the place lies farthest out.
      unsigned far = 0;
      for (unsigned d = 1; d < 3; ++d)
        if (nearer[d] / traced_sides_[d] > nearer[far] / traced_sides_[far])
          far = d;
      if (nearer[far] < traced_sides_[far])
        break;
      nearer[far] -= static_cast<std::uint32_t>(traced_sides_[far]);
      found = by_place_.find(key(nearer));
    }
    return found == by_place_.end() ? nullptr : &trace_.threads[found->second];
  }

  void copy(const Place& at) {
    const facts::RegionThread* from = source(at);
    if (!from)
      return;
    facts::RegionThread thread = *from; // runs the same steps
    thread.coordinate = at;
    thread.first_address = trace_.addresses.size();
    std::uint64_t index = from->first_address;
    counter_.start();
    for (std::uint64_t s = 0; s < thread.step_count; ++s) {
      const facts::RegionBlock& block = trace_.blocks[trace_.steps[thread.first_step + s]];
      counter_.step(trace_.steps[thread.first_step + s]);
      for (std::uint32_t i = 0; i < block.site_count; ++i, ++index) {
        const auto& form = forms_[block.first_site + i];
        const std::uint64_t same = trace_.addresses[index];
        trace_.addresses.push_back(
            form ? trace_.objects[form->object].base +
                       static_cast<std::uint64_t>(std::llround(value_at(*form, thread, counter_.now())))
                 : same);
      }
    }
    trace_.threads.push_back(thread);
  }

  facts::RegionTrace& trace_;
  const std::vector<std::optional<AffineAccess>>& forms_;
  IterationCounter counter_;
  bool other_shape_;
  std::array<std::uint64_t, 3> extents_{}, sides_{}, traced_sides_{};
  std::unordered_map<std::uint64_t, std::size_t> by_place_; ///< looked up, never walked
  std::set<Place> blocks_;
};

} // namespace

std::vector<AffineAccess> affine_accesses(const facts::RegionTrace& trace) {
  std::vector<std::vector<std::uint32_t>> around;
  std::vector<Fit> fits;
  for (std::uint32_t s = 0; s < trace.sites.size(); ++s) {
    around.push_back(loops_around(trace, s));
    fits.emplace_back(1 + 3 + around.back().size());
  }
  std::vector<AffineAccess> out(trace.sites.size());
  std::vector<bool> mixed(trace.sites.size(), false);
  const DeviceLayout layout(trace);
  const auto current_value = [&](std::uint32_t site, const facts::RegionThread& thread,
                                 const std::vector<std::uint64_t>& iterations) {
    return value_at(out[site], thread, iterations);
  };
  each_access(trace, [&](const facts::RegionThread& thread, std::uint32_t site, std::uint64_t index,
                         const std::vector<std::uint64_t>& iterations) {
    AffineAccess& access = out[site];
    if (mixed[site] || fits[site].contradicted())
      return;
    const std::uint64_t address = trace.addresses[index];
    const std::uint32_t object = layout.object_at(address);
    if (object == facts::no_region_index || (access.found && object != access.object)) {
      mixed[site] = true;
      return;
    }
    const double offset = static_cast<double>(address - trace.objects[object].base);
    if (access.found && std::abs(current_value(site, thread, iterations) - offset) < 1e-3)
      return;
    std::vector<double> row = {1};
    for (unsigned d = 0; d < 3; ++d)
      row.push_back(thread.coordinate[d]);
    for (const std::uint32_t l : around[site])
      row.push_back(static_cast<double>(iterations[l]));
    fits[site].add(std::move(row), offset);
    const std::vector<double> solution = fits[site].solution();
    access.found = true;
    access.object = object;
    access.constant = solution[0];
    std::copy_n(solution.begin() + 1, 3, access.threads.begin());
    access.loops.assign(trace.loops.size(), 0);
    for (std::size_t i = 0; i < around[site].size(); ++i)
      access.loops[around[site][i]] = solution[4 + i];
  });
  // A coefficient that came late may break what fitted before: only what fits everything is kept.
  each_access(trace, [&](const facts::RegionThread& thread, std::uint32_t site, std::uint64_t index,
                         const std::vector<std::uint64_t>& iterations) {
    AffineAccess& access = out[site];
    if (access.found)
      access.found =
          !mixed[site] && !fits[site].contradicted() &&
          std::abs(current_value(site, thread, iterations) -
                   static_cast<double>(trace.addresses[index] - trace.objects[access.object].base)) < 1e-3;
  });
  return out;
}

MovedTrace move_addresses(const std::vector<SizedRun>& runs, const Sizes& wanted, const RegionSize& size) {
  const facts::RegionTrace& traced = *runs.front().trace;
  MovedTrace out{traced};
  const std::string lead = leading_size(runs.front().sizes, wanted);
  if (lead.empty() || runs.size() < 2)
    return out;
  std::vector<std::vector<AffineAccess>> fits;
  std::vector<double> sizes;
  for (const SizedRun& run : runs) {
    fits.push_back(affine_accesses(*run.trace));
    // Objects by their place in the code, then as the first run numbers them.
    const std::vector<std::uint32_t> base = object_order(traced), own = object_order(*run.trace);
    for (AffineAccess& access : fits.back())
      if (access.found)
        access.object =
            base[static_cast<std::size_t>(std::find(own.begin(), own.end(), access.object) - own.begin())];
    sizes.push_back(run.sizes.at(lead));
  }
  std::vector<std::optional<AffineAccess>> forms;
  for (std::size_t s = 0; s < traced.sites.size(); ++s) {
    forms.push_back(form_at(fits, sizes, s, wanted.at(lead)));
    out.sites += traced.sites[s].object != facts::no_region_index;
    out.affine_sites += forms.back().has_value();
  }
  std::uint64_t next = 1ULL << 40; // a fresh range: the arrays grow
  for (std::size_t o = 0; o < traced.objects.size(); ++o) {
    facts::RegionObject& object = out.trace.objects[o];
    object.base = next;
    object.size_bytes =
        std::max(traced.objects[o].size_bytes, static_cast<std::uint64_t>(size.object_bytes[o]));
    next += object.size_bytes + (1U << 20);
  }
  const DeviceLayout layout(traced);
  each_access(traced, [&](const facts::RegionThread& thread, std::uint32_t site, std::uint64_t index,
                          const std::vector<std::uint64_t>& iterations) {
    const std::uint32_t object = layout.object_at(traced.addresses[index]);
    if (object == facts::no_region_index)
      return;
    const double offset = forms[site]
                              ? value_at(*forms[site], thread, iterations)
                              : static_cast<double>(traced.addresses[index] - traced.objects[object].base);
    out.trace.addresses[index] =
        out.trace.objects[object].base + static_cast<std::uint64_t>(std::llround(offset));
  });
  Filler(out.trace, size, traced.block, forms).run();
  return out;
}

facts::RegionTrace fill_blocks(const facts::RegionTrace& trace, const RegionSize& size,
                               const std::array<std::uint64_t, 3>& block,
                               const std::vector<AffineAccess>& accesses) {
  facts::RegionTrace out = trace;
  std::vector<std::optional<AffineAccess>> forms;
  for (const AffineAccess& access : accesses)
    forms.push_back(access.found ? std::optional(access) : std::nullopt);
  Filler(out, size, block, forms).run();
  return out;
}

} // namespace forewarp::port

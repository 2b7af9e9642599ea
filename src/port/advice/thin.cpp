#include "port/advice/thin.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace forewarp::port {
namespace {

/// Iterations of innermost loops are kept by so many: a tile of shared memory holds so many.
constexpr std::uint64_t granularity = 32;

/// The outermost loop around `block` that runs inside a thread; none: it stands in no such loop.
std::uint32_t thread_loop(const facts::RegionTrace& trace, std::uint32_t block) {
  std::uint32_t found = facts::no_region_index;
  for (std::uint32_t l = trace.blocks[block].loop; l != facts::no_region_index; l = trace.loops[l].parent)
    if (trace.loops[l].parallel_dimension < 0)
      found = l;
  return found;
}

class Thinner {
public:
  Thinner(const facts::RegionTrace& trace, double share) : from_(trace), share_(share) {
    for (std::uint32_t b = 0; b < trace.blocks.size(); ++b)
      loop_of_.push_back(thread_loop(trace, b));
  }

  facts::RegionTrace run() {
    facts::RegionTrace out = without_steps();
    for (const std::uint32_t loop : loop_of_)
      if (loop != facts::no_region_index) {
        out.loops[loop].min_trips = kept_of(loop, from_.loops[loop].min_trips);
        out.loops[loop].max_trips = kept_of(loop, from_.loops[loop].max_trips);
      }
    for (const facts::RegionThread& thread : from_.threads) {
      out.threads.push_back(thread);
      facts::RegionThread& made = out.threads.back();
      made.first_step = out.steps.size();
      made.first_address = out.addresses.size();
      add(thread, out);
      made.step_count = out.steps.size() - made.first_step;
    }
    return out;
  }

private:
  facts::RegionTrace without_steps() const {
    facts::RegionTrace out;
    out.name = from_.name;
    out.location = from_.location;
    out.files = from_.files;
    out.dimensions = from_.dimensions;
    out.candidates = from_.candidates;
    out.block = from_.block;
    out.extents = from_.extents;
    out.shared = from_.shared;
    out.tile = from_.tile;
    out.loops = from_.loops;
    out.blocks = from_.blocks;
    out.instructions = from_.instructions;
    out.sites = from_.sites;
    out.objects = from_.objects;
    out.value_count = from_.value_count;
    out.launches = from_.launches;
    out.detailed_launch = from_.detailed_launch;
    out.dependences = from_.dependences;
    return out;
  }

  std::uint64_t kept_of(std::uint32_t loop, std::uint64_t iterations) const {
    const auto kept = static_cast<std::uint64_t>(std::ceil(share_ * static_cast<double>(iterations)));
    const bool holds_loop = std::any_of(from_.loops.begin(), from_.loops.end(),
                                        [&](const facts::RegionLoop& other) { return other.parent == loop; });
    const std::uint64_t unit = holds_loop ? 1 : granularity;
    return std::min(iterations, (kept + unit - 1) / unit * unit);
  }

  bool begins_iteration(std::uint32_t block, std::uint32_t loop) const {
    return from_.blocks[block].loop_header && from_.blocks[block].loop == loop;
  }

  void add(const facts::RegionThread& thread, facts::RegionTrace& out) const {
    const std::uint64_t end = thread.first_step + thread.step_count;
    std::uint64_t address = thread.first_address;
    for (std::uint64_t s = thread.first_step; s < end;) {
      const std::uint32_t loop = loop_of_[from_.steps[s]];
      std::uint64_t last = s, iterations = 0;
      for (; last < end && loop_of_[from_.steps[last]] == loop; ++last)
        iterations += loop != facts::no_region_index && begins_iteration(from_.steps[last], loop) ? 1 : 0;
      const std::uint64_t kept = kept_of(loop, iterations);
      std::uint64_t iteration = 0;
      for (; s < last; ++s) {
        const std::uint32_t block = from_.steps[s];
        iteration += loop != facts::no_region_index && begins_iteration(block, loop) ? 1 : 0;
        const std::uint32_t sites = from_.blocks[block].site_count;
        if (loop == facts::no_region_index || iteration <= kept) {
          out.steps.push_back(block);
          const auto first = from_.addresses.begin() + static_cast<std::ptrdiff_t>(address);
          out.addresses.insert(out.addresses.end(), first, first + sites);
        }
        address += sites;
      }
    }
  }

  const facts::RegionTrace& from_;
  double share_;
  std::vector<std::uint32_t> loop_of_; ///< by block
};

} // namespace

facts::RegionTrace thin(const facts::RegionTrace& trace, double share) {
  return Thinner(trace, share).run();
}

} // namespace forewarp::port

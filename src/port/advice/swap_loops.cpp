#include "port/advice/swap_loops.h"

#include <algorithm>
#include <cmath>

namespace forewarp::port {
namespace {

constexpr std::uint32_t outer = 0, inner = 1;

bool inside(const facts::RegionTrace& trace, std::uint32_t block, std::uint32_t loop) {
  for (std::uint32_t l = trace.blocks[block].loop; l != facts::no_region_index; l = trace.loops[l].parent)
    if (l == loop)
      return true;
  return false;
}

bool can_swap(const facts::RegionTrace& trace) {
  if (trace.dimensions != 1 || trace.candidates < 2 || trace.loops.size() < 2 ||
      trace.loops[inner].parent != outer || trace.threads.empty())
    return false;
  const facts::RegionLoop& loop = trace.loops[inner];
  if (loop.min_trips != loop.max_trips || loop.min_trips < 2)
    return false;
  return std::none_of(trace.dependences.begin(), trace.dependences.end(),
                      [](const facts::RegionDependence& d) { return d.loop == inner; });
}

/// Part of a thread's steps, with the first of its addresses.
struct Piece {
  std::uint64_t first_step = 0, step_count = 0, first_address = 0, address_count = 0;
};

class Swapper {
public:
  explicit Swapper(const facts::RegionTrace& trace) : from_(trace) {
    for (std::uint32_t b = 0; b < trace.blocks.size(); ++b)
      in_inner_.push_back(inside(trace, b, inner));
  }

  facts::RegionTrace run() {
    cut();
    facts::RegionTrace out = from_;
    out.threads.clear();
    out.steps.clear();
    out.addresses.clear();
    for (std::size_t j = 0; j < trips_; ++j) {
      facts::RegionThread thread;
      thread.coordinate[0] = static_cast<std::uint32_t>(j);
      thread.first_step = out.steps.size();
      thread.first_address = out.addresses.size();
      for (const Cut& cut : cuts_)
        for (const Piece& piece : {cut.before, cut.iterations[j], cut.after})
          append(out, piece);
      thread.step_count = out.steps.size() - thread.first_step;
      out.threads.push_back(thread);
    }
    out.loops[outer].parallel_dimension = -1;
    out.loops[inner].parallel_dimension = 0;
    out.extents = {trips_, 1, 1};
    return out;
  }

private:
  /// One thread of the region as it stands.
  struct Cut {
    Piece before, after;
    std::vector<Piece> iterations;
  };

  void append(facts::RegionTrace& out, const Piece& piece) const {
    const auto steps = from_.steps.begin() + static_cast<std::ptrdiff_t>(piece.first_step);
    const auto addresses = from_.addresses.begin() + static_cast<std::ptrdiff_t>(piece.first_address);
    out.steps.insert(out.steps.end(), steps, steps + static_cast<std::ptrdiff_t>(piece.step_count));
    out.addresses.insert(out.addresses.end(), addresses,
                         addresses + static_cast<std::ptrdiff_t>(piece.address_count));
  }

  void cut() {
    trips_ = from_.loops[inner].min_trips;
    for (const facts::RegionThread& thread : from_.threads) {
      Cut cut;
      std::uint64_t address = thread.first_address;
      for (std::uint64_t s = thread.first_step; s < thread.first_step + thread.step_count; ++s) {
        const facts::RegionBlock& block = from_.blocks[from_.steps[s]];
        const bool mine = in_inner_[from_.steps[s]];
        if (mine && block.loop == inner && block.loop_header)
          cut.iterations.emplace_back();
        Piece& piece = mine && !cut.iterations.empty() ? cut.iterations.back()
                       : cut.iterations.empty()        ? cut.before
                                                       : cut.after;
        if (piece.step_count == 0) {
          piece.first_step = s;
          piece.first_address = address;
        }
        ++piece.step_count;
        piece.address_count += block.site_count;
        address += block.site_count;
      }
      if (cut.iterations.size() == trips_) // others: their record was cut short
        cuts_.push_back(std::move(cut));
    }
  }

  const facts::RegionTrace& from_;
  std::vector<bool> in_inner_;
  std::vector<Cut> cuts_;
  std::size_t trips_ = 0;
};

std::uint32_t header_of(const facts::RegionTrace& trace, std::uint32_t loop) {
  for (std::uint32_t b = 0; b < trace.blocks.size(); ++b)
    if (trace.blocks[b].loop == loop && trace.blocks[b].loop_header)
      return b;
  return facts::no_region_index;
}

} // namespace

std::optional<SwappedLoops> swap_loops(const facts::RegionTrace& trace, const RegionSize& size) {
  const std::uint32_t header = can_swap(trace) ? header_of(trace, inner) : facts::no_region_index;
  if (header == facts::no_region_index || size.block_runs[header] < 1)
    return std::nullopt;
  SwappedLoops out{Swapper(trace).run(), size};
  const double threads = std::round(size.block_runs[header]);
  for (std::uint32_t b = 0; b < trace.blocks.size(); ++b)
    out.size.block_runs[b] *= size.threads / (inside(trace, b, inner) ? threads : 1);
  out.size.threads = threads;
  out.size.extents = {threads, 1, 1};
  return out;
}

} // namespace forewarp::port

#include "port/advice/tile.h"

#include "port/advice/unroll.h"
#include "port/warps/lockstep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace forewarp::port {
namespace {

bool is_written(const facts::RegionTrace& trace, std::uint32_t object) {
  return std::any_of(trace.sites.begin(), trace.sites.end(), [&](const facts::RegionSite& site) {
    return site.object == object && site.kind != facts::AccessKind::load;
  });
}

/// Sites whose addresses in a loop go by one distance, as far as some of the threads tell: where a tile lies
/// is known before it is loaded.
std::vector<bool> evenly_spaced(const facts::RegionTrace& trace) {
  struct Walk {
    std::uint64_t last = 0, stride = 0, length = 0, execution = 0;
  };
  constexpr std::size_t threads_looked_at = 64;
  const std::size_t step = std::max<std::size_t>(1, trace.threads.size() / threads_looked_at);
  std::vector<bool> even(trace.sites.size(), true);
  for (std::size_t t = 0; t < trace.threads.size(); t += step) {
    const facts::RegionThread& thread = trace.threads[t];
    std::vector<Walk> walks(trace.sites.size());
    std::uint64_t execution = 0, at = thread.first_address;
    std::uint32_t loop = facts::no_region_index;
    for (std::uint64_t s = thread.first_step; s < thread.first_step + thread.step_count; ++s) {
      const facts::RegionBlock& block = trace.blocks[trace.steps[s]];
      execution += block.loop != loop ? 1 : 0;
      loop = block.loop;
      for (std::uint32_t site = block.first_site; site < block.first_site + block.site_count; ++site, ++at) {
        Walk& walk = walks[site];
        const std::uint64_t address = trace.addresses[at], stride = address - walk.last;
        if (walk.execution != execution)
          walk.length = 0;
        else if (walk.length > 1 && stride != walk.stride)
          even[site] = false;
        walk = {address, stride, walk.length + 1, execution};
      }
    }
  }
  return even;
}

/// Loads that can be staged: in a loop inside the threads, from an array that is only read.
std::vector<std::uint32_t> staged_sites(const facts::RegionTrace& trace, const Version& base,
                                        const std::vector<std::string>& arrays) {
  const std::vector<bool> even = evenly_spaced(trace);
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_loop;
  for (std::uint32_t s = 0; s < trace.sites.size(); ++s) {
    const facts::RegionSite& site = trace.sites[s];
    const std::uint32_t loop = trace.blocks[site.block].loop;
    if (site.kind != facts::AccessKind::load || site.object == facts::no_region_index ||
        loop == facts::no_region_index || trace.loops[loop].parallel_dimension >= 0 ||
        is_written(trace, site.object) || !even[s])
      continue;
    const std::string& name = trace.objects[site.object].name;
    if (arrays.empty() || std::find(arrays.begin(), arrays.end(), name) != arrays.end())
      by_loop[loop].push_back(s);
  }
  std::vector<std::uint32_t> busiest;
  double most = 0;
  for (const auto& [loop, sites] : by_loop) {
    double runs = 0;
    for (const std::uint32_t s : sites)
      runs += base.block_runs[trace.sites[s].block];
    if (runs > most)
      most = runs, busiest = sites;
  }
  return busiest;
}

Result<void> check_arrays(const facts::RegionTrace& trace, const std::vector<std::string>& arrays) {
  for (const std::string& name : arrays) {
    const auto found = std::find_if(trace.objects.begin(), trace.objects.end(),
                                    [&](const facts::RegionObject& object) { return object.name == name; });
    std::set<std::string> names;
    for (const facts::RegionObject& object : trace.objects)
      names.insert(object.name);
    if (found == trace.objects.end())
      return fail(
          ErrorCode::bad_input, fmt::format("shared({}): the region touches no array of that name", name),
          fmt::format("region '{}'", trace.name), fmt::format("it touches {}", fmt::join(names, ", ")));
    if (is_written(trace, static_cast<std::uint32_t>(found - trace.objects.begin())))
      return fail(ErrorCode::bad_input, fmt::format("shared({}): the region writes the array", name),
                  fmt::format("region '{}'", trace.name), "only arrays that are read can be staged");
  }
  return {};
}

/// Addresses of one staged site in one run of `tile` iterations by one block, sorted.
using TileElements = std::vector<std::uint64_t>;

class Tiler {
public:
  Tiler(const facts::RegionTrace& trace, const Version& base, std::vector<std::uint32_t> staged,
        std::uint64_t tile)
      : trace_(trace), out_(base), staged_(std::move(staged)), tile_(tile),
        header_loop_(trace.blocks[trace.sites[staged_.front()].block].loop),
        staged_index_(base.warps.sites.size(), none) {
    for (std::uint32_t i = 0; i < staged_.size(); ++i)
      staged_index_[staged_[i]] = i;
  }

  Version run() {
    offsets_ = shared_offsets();
    add_blocks();
    for (facts::GroupTrace& group : out_.warps.trace.groups)
      change_group(group);
    count_runs();
    return std::move(out_);
  }
  double elements_per_thread() const { return elements_per_thread_; }
  double reads_per_thread() const { return reads_per_thread_; }

private:
  static constexpr std::uint32_t none = UINT32_MAX;

  bool starts_iteration(std::uint32_t block) const {
    return block < trace_.blocks.size() && trace_.blocks[block].loop == header_loop_ &&
           trace_.blocks[block].loop_header;
  }

  /// tiles[i][c]: elements of staged site i in run c of the loop.
  std::vector<std::vector<TileElements>> tiles_of(const facts::GroupTrace& group) {
    std::vector<std::vector<TileElements>> tiles(staged_.size());
    for (const facts::WarpTrace& warp : group.warps) {
      std::uint64_t iterations = 0;
      for (const facts::BlockStep& step : warp.steps) {
        iterations += starts_iteration(step.block);
        const std::uint32_t sites = trace_.blocks[step.block].site_count;
        for (std::uint32_t e = 0; e < sites; ++e) {
          const facts::MemoryEvent& event = warp.events[step.first_event + e];
          const std::uint32_t i = staged_index_[event.site];
          if (i == none || iterations == 0)
            continue;
          const std::size_t chunk = (iterations - 1) / tile_;
          if (tiles[i].size() <= chunk)
            tiles[i].resize(chunk + 1);
          for (std::uint64_t rest = event.active; rest; rest &= rest - 1)
            tiles[i][chunk].push_back(
                lane_address(event, warp.offsets, static_cast<unsigned>(std::countr_zero(rest))));
        }
      }
    }
    for (auto& of_site : tiles)
      for (TileElements& elements : of_site) {
        reads_ += static_cast<double>(elements.size());
        std::sort(elements.begin(), elements.end());
        elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
      }
    return tiles;
  }

  /// Start of each staged site's tile in shared memory; the last is the sum. A tile has the size of the
  /// largest one.
  std::vector<std::uint64_t> shared_offsets() {
    std::vector<std::uint64_t> largest(staged_.size(), 0);
    for (const facts::GroupTrace& group : out_.warps.trace.groups) {
      tiles_.push_back(tiles_of(group));
      for (std::size_t i = 0; i < staged_.size(); ++i)
        for (const TileElements& elements : tiles_.back()[i])
          largest[i] = std::max<std::uint64_t>(largest[i], elements.size());
    }
    std::vector<std::uint64_t> offsets = {0};
    for (std::size_t i = 0; i < staged_.size(); ++i) {
      const std::uint64_t bytes = largest[i] * out_.warps.sites[staged_[i]].width_bytes;
      offsets.push_back(offsets.back() + (bytes + 255) / 256 * 256);
    }
    out_.shared_bytes += offsets.back();
    return offsets;
  }

  void add_site(std::uint32_t block, std::uint32_t index, std::uint32_t like, facts::AccessKind kind,
                facts::MemorySpace space) {
    facts::MemorySite site = out_.warps.sites[like];
    site.block = block;
    site.index_in_block = index;
    site.kind = kind;
    site.space = space;
    out_.warps.sites.push_back(site);
  }

  /// A block that fills each tile (load, store to shared memory), and one with the barrier.
  void add_blocks() {
    facts::MachineProgram& program = out_.program;
    for (const std::uint32_t s : staged_) {
      const auto block = static_cast<std::uint32_t>(program.blocks.size());
      const auto load = static_cast<std::uint32_t>(out_.warps.sites.size());
      const std::uint32_t address = program.value_count++, value = program.value_count++;
      const facts::SourceLocation location = out_.warps.sites[s].location;
      const auto width = static_cast<std::uint16_t>(out_.warps.sites[s].width_bytes);
      facts::MachineBlock fill;
      fill.memory_sites = 2;
      fill.ops = {{.op = facts::OpClass::int_mul_wide, .destination = address, .location = location},
                  {.op = facts::OpClass::load_global,
                   .source_count = 1,
                   .sources = {address, facts::no_value, facts::no_value, facts::no_value},
                   .destination = value,
                   .site = load,
                   .width_bytes = width,
                   .location = location},
                  {.op = facts::OpClass::store_shared,
                   .source_count = 1,
                   .sources = {value, facts::no_value, facts::no_value, facts::no_value},
                   .site = load + 1,
                   .width_bytes = width,
                   .location = location}};
      program.blocks.push_back(std::move(fill));
      add_site(block, 0, s, facts::AccessKind::load, facts::MemorySpace::global);
      add_site(block, 1, s, facts::AccessKind::store, facts::MemorySpace::shared);
      out_.operations.push_back({2, 1});
      out_.fills_tile.push_back(true);
      first_fill_ = std::min(first_fill_, block);
    }
    barrier_ = static_cast<std::uint32_t>(program.blocks.size());
    facts::MachineBlock barrier;
    barrier.ops = {{.op = facts::OpClass::barrier}};
    program.blocks.push_back(std::move(barrier));
    out_.operations.push_back({0, 1});
    out_.fills_tile.push_back(false);
    for (const std::uint32_t s : staged_)
      out_.warps.sites[s].space = facts::MemorySpace::shared;
    for (facts::MachineBlock& block : program.blocks)
      for (facts::MachineOp& op : block.ops)
        if (op.op == facts::OpClass::load_global && op.site < staged_index_.size() &&
            staged_index_[op.site] != none)
          op.op = facts::OpClass::load_shared;
    program.sites = out_.warps.sites;
    unroll_tiles();
  }

  /// The loop over a tile is one of `tile` iterations, known to the compiler.
  void unroll_tiles() {
    constexpr std::uint64_t most_unrolled = 64;
    const std::uint32_t block = trace_.sites[staged_.front()].block;
    if (tile_ > most_unrolled || !starts_iteration(block))
      return;
    std::vector<bool> constant_address(staged_index_.size());
    for (std::size_t s = 0; s < staged_index_.size(); ++s)
      constant_address[s] = staged_index_[s] != none;
    unroll(out_.program, block, constant_address);
  }

  void change_group(facts::GroupTrace& group) {
    const std::size_t g = static_cast<std::size_t>(&group - out_.warps.trace.groups.data());
    const auto warps = static_cast<std::uint32_t>(group.warps.size());
    for (std::uint32_t w = 0; w < warps; ++w)
      group.warps[w] = change_warp(group.warps[w], tiles_[g], w, warps);
    group.behaviour = group.behaviour * 31 + 1;
  }

  void add_step(facts::WarpTrace& to, std::uint32_t block, std::uint64_t active) {
    const std::uint32_t before = to.steps.empty() ? UINT32_MAX : to.steps.back().block;
    to.steps.push_back({block, before, active, static_cast<std::uint32_t>(to.events.size())});
    to.ir_instructions += out_.program.blocks[block].ops.size();
  }

  void fill(facts::WarpTrace& to, std::uint32_t i, const TileElements& elements, std::uint32_t warp,
            std::uint32_t warps) {
    const unsigned width = out_.warps.trace.warp_width;
    const std::uint32_t load = static_cast<std::uint32_t>(staged_index_.size()) + 2 * i;
    const std::uint64_t stride = static_cast<std::uint64_t>(warps) * width;
    const unsigned bytes = out_.warps.sites[load].width_bytes;
    std::array<std::uint64_t, 64> from{}, into{};
    for (std::uint64_t first = static_cast<std::uint64_t>(warp) * width; first < elements.size();
         first += stride) {
      std::uint64_t active = 0;
      for (unsigned lane = 0; lane < width && first + lane < elements.size(); ++lane) {
        active |= 1ULL << lane;
        from[lane] = elements[first + lane];
        into[lane] = offsets_[i] + (first + lane) * bytes;
      }
      add_step(to, first_fill_ + i, active);
      to.events.push_back(make_event(load, active, from, to.offsets));
      to.events.push_back(make_event(load + 1, active, into, to.offsets));
      to.events.back().space = facts::MemorySpace::shared;
    }
  }

  facts::WarpTrace change_warp(const facts::WarpTrace& warp,
                               const std::vector<std::vector<TileElements>>& tiles, std::uint32_t index,
                               std::uint32_t warps) {
    facts::WarpTrace to;
    to.offsets = warp.offsets;
    to.ir_instructions = warp.ir_instructions;
    std::uint64_t iterations = 0;
    for (const facts::BlockStep& step : warp.steps) {
      if (starts_iteration(step.block) && iterations++ % tile_ == 0) {
        const std::size_t chunk = (iterations - 1) / tile_;
        add_step(to, barrier_, step.active);
        for (std::uint32_t i = 0; i < staged_.size(); ++i)
          if (chunk < tiles[i].size())
            fill(to, i, tiles[i][chunk], index, warps);
        add_step(to, barrier_, step.active);
      }
      facts::BlockStep moved = step;
      moved.first_event = static_cast<std::uint32_t>(to.events.size());
      to.steps.push_back(moved);
      const std::uint32_t sites = trace_.blocks[step.block].site_count;
      for (std::uint32_t e = 0; e < sites; ++e) {
        const facts::MemoryEvent& event = warp.events[step.first_event + e];
        const std::uint32_t i = staged_index_[event.site];
        if (i == none || iterations == 0) {
          to.events.push_back(event);
          continue;
        }
        to.events.push_back(in_tile(event, warp, i, tiles[i][(iterations - 1) / tile_], to.offsets));
      }
    }
    return to;
  }

  facts::MemoryEvent in_tile(const facts::MemoryEvent& event, const facts::WarpTrace& warp, std::uint32_t i,
                             const TileElements& elements, std::vector<std::int64_t>& offsets) const {
    std::array<std::uint64_t, 64> addresses{};
    for (std::uint64_t rest = event.active; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const auto place =
          std::lower_bound(elements.begin(), elements.end(), lane_address(event, warp.offsets, lane));
      addresses[lane] = offsets_[i] + static_cast<std::uint64_t>(place - elements.begin()) *
                                          out_.warps.sites[event.site].width_bytes;
    }
    facts::MemoryEvent moved = make_event(event.site, event.active, addresses, offsets);
    moved.space = facts::MemorySpace::shared;
    return moved;
  }

  /// Runs of the new blocks by a thread at the wanted size.
  void count_runs() {
    double iterations = 0;
    for (std::uint32_t b = 0; b < trace_.blocks.size(); ++b)
      if (starts_iteration(b))
        iterations += out_.block_runs[b];
    const double chunks = iterations / static_cast<double>(tile_);
    const double block_threads = static_cast<double>(out_.warps.trace.shape.group_size.count());
    for (std::size_t i = 0; i < staged_.size(); ++i) {
      double elements = 0, count = 0;
      for (const auto& of_group : tiles_)
        for (const TileElements& tile : of_group[i])
          elements += static_cast<double>(tile.size()), ++count;
      const double loads = count > 0 ? chunks * elements / count / block_threads : 0;
      out_.block_runs.push_back(loads);
      elements_per_thread_ += loads;
      reads_per_thread_ += out_.block_runs[trace_.sites[staged_[i]].block];
    }
    out_.barriers_per_thread += 2 * chunks;
    out_.block_runs.push_back(2 * chunks);
  }

  const facts::RegionTrace& trace_;
  Version out_;
  std::vector<std::uint32_t> staged_;
  std::uint64_t tile_;
  std::uint32_t header_loop_;
  std::vector<std::uint32_t> staged_index_;                   ///< by site of the base version
  std::vector<std::vector<std::vector<TileElements>>> tiles_; ///< by group, staged site, run of the loop
  std::vector<std::uint64_t> offsets_;
  std::uint32_t first_fill_ = UINT32_MAX, barrier_ = 0;
  double reads_ = 0, elements_per_thread_ = 0, reads_per_thread_ = 0;
};

} // namespace

Result<Version> tile_version(const facts::RegionTrace& trace, const Version& base, const TileRequest& request,
                             const gpu::Machine& machine) {
  FOREWARP_TRY(check_arrays(trace, request.arrays));
  std::vector<std::uint32_t> staged = staged_sites(trace, base, request.arrays);
  const std::string where = fmt::format("region '{}'", trace.name);
  if (staged.empty() || request.tile == 0)
    return fail(ErrorCode::bad_input,
                "no loop inside the threads reads an array that could be staged in tiles", where,
                "shared(...) names arrays that a loop inside the parallel ones reads");
  Tiler tiler(trace, base, std::move(staged), request.tile);
  Version version = tiler.run();
  if (tiler.elements_per_thread() >= tiler.reads_per_thread())
    return fail(ErrorCode::bad_input, "no two threads of a block read the same element: tiles save no access",
                where, "leave shared(...) out, or transpose the array");
  if (version.shared_bytes > machine.limits.shared_per_group_max_bytes)
    return fail(ErrorCode::launch,
                fmt::format("the tiles take {} B of shared memory a block, {} has {}", version.shared_bytes,
                            machine.name, machine.limits.shared_per_group_max_bytes),
                where, "a smaller tile(...) or block(...)");
  update_shares(version);
  return version;
}

} // namespace forewarp::port

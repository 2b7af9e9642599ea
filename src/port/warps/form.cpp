#include "port/warps/form.h"

#include "port/warps/layout.h"
#include "port/warps/lockstep.h"
#include "port/warps/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace forewarp::port {
namespace {

struct Shape {
  std::array<std::uint64_t, 3> block = {1, 1, 1}, extents = {1, 1, 1}; ///< x first
  std::array<unsigned, 3> dimension = {0, 0, 0};                       ///< of the region, outermost first
  unsigned axes = 1;

  std::uint64_t threads() const { return block[0] * block[1] * block[2]; }
  facts::Dim3 groups() const {
    const auto count = [&](int a) {
      return std::max<std::uint64_t>(1, (extents[a] + block[a] - 1) / block[a]);
    };
    return {count(0), count(1), count(2)};
  }
};

Result<Shape> shape_of(const facts::RegionTrace& trace, const WarpOptions& options) {
  Shape shape;
  shape.axes = trace.dimensions;
  shape.block = options.block[0] ? options.block : trace.block;
  for (unsigned a = 0; a < 3; ++a)
    shape.block[a] = std::max<std::uint64_t>(1, shape.block[a]);
  const bool scaled = options.extents[0] > 0;
  for (unsigned a = 0; a < trace.dimensions; ++a) {
    shape.dimension[a] = trace.dimensions - 1 - options.axes[a];
    shape.extents[a] = (scaled ? options.extents : trace.extents)[shape.dimension[a]];
  }
  if (shape.threads() > 1024)
    return fail(ErrorCode::bad_input, fmt::format("a block of {} threads", shape.threads()),
                fmt::format("region '{}'", trace.name), "a block has at most 1024 threads: block(x,y)");
  return shape;
}

/// Blocks that hold traced threads, by launch order.
struct Block {
  facts::Dim3 group;
  std::vector<const facts::RegionThread*> threads; ///< by place in the block; null: none
  std::size_t count = 0;
};
using Blocks = std::map<std::array<std::uint64_t, 3>, Block>; ///< key z, y, x

Blocks deal_threads(const facts::RegionTrace& trace, const Shape& shape) {
  Blocks blocks;
  for (const facts::RegionThread& thread : trace.threads) {
    std::array<std::uint64_t, 3> group{}, place{};
    for (unsigned a = 0; a < shape.axes; ++a) {
      const std::uint64_t at = thread.coordinate[shape.dimension[a]];
      group[a] = at / shape.block[a];
      place[a] = at % shape.block[a];
    }
    Block& block = blocks[{group[2], group[1], group[0]}];
    if (block.threads.empty())
      block.threads.resize(shape.threads());
    block.group = {group[0], group[1], group[2]};
    block.threads[place[0] + shape.block[0] * (place[1] + shape.block[1] * place[2])] = &thread;
    ++block.count;
  }
  return blocks;
}

/// Of another shape than traced: blocks that were cut are dropped; those at the border, which lack a row or a
/// column, stay.
void keep_whole(Blocks& blocks) {
  std::size_t most = 0;
  for (const auto& [key, block] : blocks)
    most = std::max(most, block.count);
  std::erase_if(blocks, [&](const auto& entry) { return 4 * entry.second.count < 3 * most; });
}

std::uint64_t behaviour_of(const facts::GroupTrace& group) {
  std::uint64_t hash = 1469598103934665603ULL;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
  for (const facts::WarpTrace& warp : group.warps) {
    mix(warp.steps.size());
    for (const facts::BlockStep& step : warp.steps)
      mix(step.block), mix(step.active);
  }
  return hash;
}

/// Bit by axis: not at the grid's first border.
unsigned place_of(const facts::Dim3& group) {
  return (group.x > 0 ? 1U : 0U) | (group.y > 0 ? 2U : 0U) | (group.z > 0 ? 4U : 0U);
}

/// Groups of the grid that each sample stands for: those of its place (first or later along each axis),
/// shared by the samples of the place; a place without sample goes to the one that is most like it.
std::vector<double> sample_weights(const facts::KernelTrace& trace) {
  std::array<double, 8> samples{}, groups{};
  for (const facts::GroupTrace& group : trace.groups)
    ++samples[place_of(group.group)];
  const facts::Dim3& grid = trace.shape.groups;
  for (unsigned place = 0; place < 8; ++place) {
    const double count = (place & 1 ? static_cast<double>(grid.x - 1) : 1) *
                         (place & 2 ? static_cast<double>(grid.y - 1) : 1) *
                         (place & 4 ? static_cast<double>(grid.z - 1) : 1);
    unsigned like = place, most = 0;
    for (unsigned other = 0; other < 8 && samples[place] == 0; ++other) {
      const unsigned common = 1 + static_cast<unsigned>(std::popcount(7U & ~(place ^ other)));
      if (samples[other] > 0 && common > most)
        most = common, like = other;
    }
    groups[like] += count;
  }
  std::vector<double> weights;
  for (const facts::GroupTrace& group : trace.groups) {
    const unsigned place = place_of(group.group);
    weights.push_back(groups[place] / samples[place]);
  }
  return weights;
}

void classify(facts::KernelTrace& trace) {
  for (std::uint32_t g = 0; g < trace.groups.size(); ++g) {
    const std::uint64_t behaviour = trace.groups[g].behaviour;
    auto found = std::find_if(trace.classes.begin(), trace.classes.end(),
                              [&](const facts::BehaviourClass& c) { return c.behaviour == behaviour; });
    if (found == trace.classes.end())
      found = trace.classes.insert(trace.classes.end(), facts::BehaviourClass{.behaviour = behaviour});
    found->samples.push_back(g);
  }
  const std::vector<double> weights = sample_weights(trace);
  for (facts::BehaviourClass& behaviour : trace.classes)
    for (const std::uint32_t sample : behaviour.samples)
      behaviour.weight_groups += weights[sample];
}

std::vector<facts::MemorySite> sites_of(const facts::RegionTrace& trace) {
  std::vector<facts::MemorySite> sites;
  for (const facts::RegionSite& site : trace.sites) {
    facts::MemorySite out;
    out.block = site.block;
    out.index_in_block = static_cast<std::uint32_t>(sites.size()) - trace.blocks[site.block].first_site;
    out.kind = site.kind;
    out.width_bytes = site.width_bytes;
    out.location = site.location;
    if (site.object != facts::no_region_index)
      out.buffer = trace.objects[site.object].name;
    sites.push_back(std::move(out));
  }
  return sites;
}

} // namespace

Result<PseudoWarps> form_warps(const facts::RegionTrace& trace, const WarpOptions& options) {
  if (trace.threads.empty())
    return fail(ErrorCode::bad_input, "no iteration of its parallel loops was traced",
                fmt::format("region '{}'", trace.name), "give sizes at which the loops run");
  auto shape = shape_of(trace, options);
  FOREWARP_TRY(shape);
  Blocks blocks = deal_threads(trace, *shape);
  const bool as_traced = (options.block[0] == 0 || options.block == trace.block) && options.axes[0] == 0;
  if (!as_traced)
    keep_whole(blocks);
  const std::vector<std::uint32_t> rank = block_order(trace);
  const DeviceLayout layout(trace);

  PseudoWarps out;
  out.sites = sites_of(trace);
  facts::KernelTrace& kernel = out.trace;
  kernel.warp_width = options.warp_width;
  kernel.shape.groups = shape->groups();
  kernel.shape.group_size = {shape->block[0], shape->block[1], shape->block[2]};
  kernel.shape.global_items = {shape->extents[0], shape->extents[1], shape->extents[2]};
  kernel.regions = layout.regions();
  for (const auto& [key, block] : blocks) {
    if (block.group.x >= kernel.shape.groups.x || block.group.y >= kernel.shape.groups.y ||
        block.group.z >= kernel.shape.groups.z)
      continue;
    facts::GroupTrace group{.group = block.group};
    for (std::size_t first = 0; first < block.threads.size(); first += options.warp_width) {
      WarpLanes lanes{};
      const std::size_t count = std::min<std::size_t>(options.warp_width, block.threads.size() - first);
      std::copy_n(block.threads.begin() + static_cast<std::ptrdiff_t>(first), count, lanes.begin());
      group.warps.push_back(run_in_lockstep(trace, layout, rank, lanes, options.warp_width));
    }
    group.behaviour = behaviour_of(group);
    out.traced_threads += block.count;
    kernel.groups.push_back(std::move(group));
  }
  if (kernel.groups.empty())
    return fail(ErrorCode::bad_input, "no whole block of this shape was traced",
                fmt::format("region '{}'", trace.name), "trace a larger size");
  kernel.whole_grid = kernel.groups.size() == kernel.shape.groups.count();
  classify(kernel);
  return out;
}

unsigned resident_blocks(const gpu::Machine& machine, std::uint64_t block_threads,
                         std::uint64_t shared_bytes_per_block) {
  const gpu::OccupancyLimits& limits = machine.limits;
  const std::uint64_t warps = (block_threads + machine.warp_width - 1) / machine.warp_width;
  std::uint64_t blocks = std::min<std::uint64_t>(limits.max_groups_per_sm, limits.max_warps_per_sm / warps);
  blocks =
      std::min<std::uint64_t>(blocks, limits.max_threads_per_sm / std::max<std::uint64_t>(1, block_threads));
  if (shared_bytes_per_block > 0)
    blocks = std::min<std::uint64_t>(blocks, limits.shared_per_sm_bytes / shared_bytes_per_block);
  return static_cast<unsigned>(blocks);
}

std::string batch_warning(const PseudoWarps& warps, const gpu::Machine& machine) {
  const std::uint64_t wanted = 2ULL * machine.limits.max_threads_per_sm;
  if (warps.traced_threads >= wanted)
    return {};
  return fmt::format("{} pseudo-threads were traced; two batches of a multiprocessor are {}: trace a size at "
                     "which the parallel loops have that many iterations",
                     warps.traced_threads, wanted);
}

} // namespace forewarp::port

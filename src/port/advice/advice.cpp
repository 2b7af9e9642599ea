#include "port/advice/advice.h"

#include "port/access/classes.h"
#include "port/advice/rewrite.h"
#include "port/advice/tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace forewarp::port {
namespace {

/// Constant memory of CUDA devices (CUDA C Programming Guide, compute capabilities).
constexpr double constant_memory_bytes = 65536;
/// Smaller gains are no reason to change a program.
constexpr double least_gain = 0.01;

class Adviser {
public:
  Adviser(const AdviceRequest& request, const Version& base) : request_(request), base_(base) {}

  std::vector<Advice> run() {
    transpose();
    interchange();
    tile();
    block_shapes();
    constant_memory();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain_ms > b.gain_ms; });
    return std::move(found_);
  }

private:
  void consider(const Version& version, std::string kind, std::string array, std::string text) {
    auto time = kernel_time(version, *request_.size, *request_.target, request_.model);
    if (!time || request_.base_ms - time->time_ms < least_gain * request_.base_ms)
      return;
    Advice advice;
    advice.kind = std::move(kind);
    advice.text = std::move(text);
    advice.location = place_of(array);
    advice.array = std::move(array);
    advice.time_ms = time->time_ms;
    advice.gain_ms = request_.base_ms - time->time_ms;
    advice.changed = *std::move(time);
    found_.push_back(std::move(advice));
  }

  facts::SourceLocation place_of(const std::string& array) const {
    for (const facts::MemorySite& site : base_.warps.sites)
      if (!array.empty() && site.buffer == array)
        return site.location;
    return {};
  }

  void transpose() {
    for (const facts::MemoryRegion& array : base_.warps.trace.regions)
      if (const auto pitch = row_pitch_bytes(base_, array))
        consider(transposed(base_, array, *pitch), "transpose", array.name,
                 fmt::format("store {} transposed, so that neighbouring threads read neighbouring elements "
                             "(the transposition itself is not in the time)",
                             array.name));
  }

  void interchange() {
    if (request_.trace->dimensions < 2)
      return;
    VersionOptions options = request_.options;
    std::swap(options.warps.axes[0], options.warps.axes[1]);
    auto version = make_version(*request_.trace, *request_.size, request_.target->machine, options);
    if (version)
      consider(
          *version, "interchange", "",
          "interchange the two innermost parallel loops, so that threads of a warp run along the other one");
  }

  void tile() {
    const std::uint64_t tile = request_.trace->tile ? request_.trace->tile : 32;
    auto version =
        tile_version(*request_.trace, base_, {request_.trace->shared, tile}, request_.target->machine);
    if (!version)
      return;
    std::set<std::string> arrays;
    for (const facts::MemorySite& site : version->warps.sites)
      if (site.space == facts::MemorySpace::shared && !site.buffer.empty())
        arrays.insert(site.buffer);
    consider(*version, "tile", fmt::format("{}", fmt::join(arrays, ", ")),
             fmt::format("stage {} in shared memory, {} iterations a tile ({} B a block)",
                         fmt::join(arrays, " and "), tile, version->shared_bytes));
  }

  void block_shapes() {
    static const std::vector<std::array<std::uint64_t, 3>> flat = {
        {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}};
    static const std::vector<std::array<std::uint64_t, 3>> square = {
        {32, 4, 1}, {32, 8, 1}, {32, 16, 1}, {32, 32, 1}, {16, 16, 1}, {64, 4, 1}, {128, 2, 1}};
    std::vector<Advice> before;
    std::swap(before, found_);
    for (const auto& block : request_.trace->dimensions == 1 ? flat : square) {
      if (block == request_.trace->block)
        continue;
      VersionOptions options = request_.options;
      options.warps.block = block;
      auto version = make_version(*request_.trace, *request_.size, request_.target->machine, options);
      if (version)
        consider(*version, "block_shape", "", fmt::format("blocks of {} x {} threads", block[0], block[1]));
    }
    // The best shape is one piece of advice.
    const auto best = std::max_element(
        found_.begin(), found_.end(), [](const Advice& a, const Advice& b) { return a.gain_ms < b.gain_ms; });
    if (best != found_.end())
      before.push_back(std::move(*best));
    found_ = std::move(before);
  }

  /// Only the default predictor knows constant memory.
  void constant_memory() {
    if (request_.model != "hybrid")
      return;
    const std::vector<SiteClasses> classes = classify_sites(base_.warps.trace, base_.warps.sites);
    for (std::uint32_t o = 0; o < request_.trace->objects.size(); ++o) {
      const std::string& name = request_.trace->objects[o].name;
      if (name.empty() || request_.size->object_bytes[o] > constant_memory_bytes ||
          !only_broadcast(o, classes))
        continue;
      consider(
          in_constant_memory(base_, name), "constant_memory", name,
          fmt::format("keep {} in constant memory: every thread of a warp reads the same element", name));
    }
  }
  bool only_broadcast(std::uint32_t object, const std::vector<SiteClasses>& classes) const {
    bool read = false;
    for (std::size_t s = 0; s < request_.trace->sites.size(); ++s) {
      const facts::RegionSite& site = request_.trace->sites[s];
      if (site.object != object)
        continue;
      if (site.kind != facts::AccessKind::load || classes[s].share(AccessPattern::constant) < 1)
        return false;
      read = true;
    }
    return read;
  }

  const AdviceRequest& request_;
  const Version& base_;
  std::vector<Advice> found_;
};

} // namespace

std::vector<Advice> advise(const AdviceRequest& request, const Version& base) {
  return Adviser(request, base).run();
}

} // namespace forewarp::port

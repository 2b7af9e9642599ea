#include "port/advice/advice.h"

#include "port/access/classes.h"
#include "port/advice/rewrite.h"
#include "port/advice/swap_loops.h"
#include "port/advice/thin.h"
#include "port/advice/tile.h"
#include "port/advice/transposition.h"
#include "port/scale/addresses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace forewarp::port {
namespace {

/// Constant memory of CUDA devices (CUDA C Programming Guide, compute capabilities).
constexpr double constant_memory_bytes = 65536;
/// Smaller gains are no reason to change a program.
constexpr double least_gain = 0.01;
/// Records with more steps are compared by some of them.
constexpr std::size_t most_steps = 1'000'000;
constexpr double steps_of_long_ones = 60'000;

/// Do the sampled groups differ along every axis of the grid? Else how addresses move along it is not known.
bool spans_the_grid(const facts::KernelTrace& trace) {
  const auto moves = [&](const auto& along) {
    return along(trace.shape.groups) == 1 ||
           std::any_of(trace.groups.begin(), trace.groups.end(), [&](const facts::GroupTrace& group) {
             return along(group.group) != along(trace.groups.front().group);
           });
  };
  return moves([](const facts::Dim3& at) { return at.x; }) &&
         moves([](const facts::Dim3& at) { return at.y; }) &&
         moves([](const facts::Dim3& at) { return at.z; });
}

class Adviser {
public:
  Adviser(const AdviceRequest& request, const Version& base)
      : request_(request), trace_(request.trace), base_(&base), base_ms_(request.base_ms) {}

  std::vector<Advice> run() {
    shorten();
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
  /// Of a long record a part is compared with the same part of each change.
  void shorten() {
    if (!port_model_is_traced(request_.model) || trace_->steps.size() <= most_steps)
      return;
    part_ = thin(*trace_, steps_of_long_ones / static_cast<double>(trace_->steps.size()));
    auto version = make_version(part_, *request_.size, request_.target->machine, request_.options);
    if (!version)
      return;
    auto time = kernel_time(*version, *request_.size, *request_.target, request_.model);
    if (!time)
      return;
    part_version_ = *std::move(version);
    trace_ = &part_;
    base_ = &part_version_;
    base_ms_ = time->time_ms;
  }

  /// `before_ms`: what has to run first, once.
  void consider(const Version& version, std::string kind, std::string array, std::string text,
                double before_ms = 0) {
    auto time = kernel_time(version, *request_.size, *request_.target, request_.model);
    if (!time)
      return;
    const double changed_ms = time->time_ms * request_.base_ms / base_ms_ + before_ms;
    if (request_.base_ms - changed_ms < least_gain * request_.base_ms)
      return;
    Advice advice;
    advice.kind = std::move(kind);
    advice.text = std::move(text);
    advice.location = place_of(array);
    advice.array = std::move(array);
    advice.time_ms = changed_ms;
    advice.gain_ms = request_.base_ms - advice.time_ms;
    advice.before_ms = before_ms;
    advice.changed = *std::move(time);
    found_.push_back(std::move(advice));
  }

  facts::SourceLocation place_of(const std::string& array) const {
    for (const facts::MemorySite& site : base_->warps.sites)
      if (!array.empty() && site.buffer == array)
        return site.location;
    return {};
  }

  void transpose() {
    for (const facts::MemoryRegion& array : base_->warps.trace.regions)
      if (const auto pitch = row_pitch_bytes(*base_, array)) {
        const double once_ms = transposition_ms(array, *pitch);
        const bool written = is_written(array.name);
        consider(transposed(*base_, array, *pitch), "transpose", array.name,
                 fmt::format("store {} transposed, so that neighbouring threads {} neighbouring elements (in "
                             "the time: {:.3g} ms to transpose it{})",
                             array.name, written ? "use" : "read", written ? 2 * once_ms : once_ms,
                             written ? ", and back" : ""),
                 written ? 2 * once_ms : once_ms);
      }
  }

  /// One launch of the kernel that does it; 0 where it cannot be predicted.
  double transposition_ms(const facts::MemoryRegion& array, std::uint64_t pitch_bytes) const {
    unsigned element_bytes = 4;
    for (const facts::MemorySite& site : base_->warps.sites)
      if (site.buffer == array.name)
        element_bytes = site.width_bytes;
    const Version kernel = transposition_kernel(request_.target->machine, array.size_bytes / pitch_bytes,
                                                pitch_bytes / element_bytes, element_bytes);
    RegionSize once;
    const auto time = kernel_time(kernel, once, *request_.target, request_.model);
    return time ? time->time_ms + request_.target->machine.fixed.launch_overhead_us * 1e-3 : 0;
  }
  bool is_written(const std::string& array) const {
    for (const facts::MemorySite& site : base_->warps.sites)
      if (site.buffer == array && site.kind != facts::AccessKind::load)
        return true;
    return false;
  }

  void interchange() {
    if (trace_->dimensions < 2) {
      interchange_with_a_thread_loop();
      return;
    }
    VersionOptions options = request_.options;
    std::swap(options.warps.axes[0], options.warps.axes[1]);
    auto version = make_version(*trace_, *request_.size, request_.target->machine, options);
    if (version)
      consider(
          *version, "interchange", "",
          "interchange the two innermost parallel loops, so that threads of a warp run along the other one");
  }

  void interchange_with_a_thread_loop() {
    const auto swapped = swap_loops(*trace_, *request_.size);
    if (!swapped)
      return;
    auto version = make_version(swapped->trace, swapped->size, request_.target->machine, request_.options);
    if (version)
      consider(
          *version, "interchange", "",
          fmt::format("interchange the parallel loop with the one in line {} that each thread runs: threads "
                      "along that one",
                      trace_->loops[1].location.line));
  }

  void tile() {
    const std::uint64_t tile = trace_->tile ? trace_->tile : 32;
    auto version = tile_version(*trace_, *base_, {trace_->shared, tile}, request_.target->machine);
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
    for (const auto& block : trace_->dimensions == 1 ? flat : square) {
      if (block == trace_->block)
        continue;
      VersionOptions options = request_.options;
      options.warps.block = block;
      const auto version = of_shape(options);
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

  /// Blocks of the shape in the options, from the traced threads where they hold enough whole ones.
  std::optional<Version> of_shape(const VersionOptions& options) {
    const gpu::Machine& machine = request_.target->machine;
    auto version = make_version(*trace_, *request_.size, machine, options);
    if (version && spans_the_grid(version->warps.trace))
      return *std::move(version);
    if (trace_->dimensions == 1) // a longer trace holds them; copies of all threads cost more than they tell
      return std::nullopt;
    if (!accesses_)
      accesses_ = affine_accesses(*trace_);
    version = make_version(fill_blocks(*trace_, *request_.size, options.warps.block, *accesses_),
                           *request_.size, machine, options);
    if (version && spans_the_grid(version->warps.trace))
      return *std::move(version);
    return std::nullopt;
  }

  /// Only the default predictor knows constant memory.
  void constant_memory() {
    if (!port_model_is_traced(request_.model))
      return;
    const std::vector<SiteClasses> classes = classify_sites(base_->warps.trace, base_->warps.sites);
    for (std::uint32_t o = 0; o < trace_->objects.size(); ++o) {
      const std::string& name = trace_->objects[o].name;
      if (name.empty() || request_.size->object_bytes[o] > constant_memory_bytes ||
          !only_broadcast(o, classes))
        continue;
      consider(
          in_constant_memory(*base_, name), "constant_memory", name,
          fmt::format("keep {} in constant memory: every thread of a warp reads the same element", name));
    }
  }
  bool only_broadcast(std::uint32_t object, const std::vector<SiteClasses>& classes) const {
    bool read = false;
    for (std::size_t s = 0; s < trace_->sites.size(); ++s) {
      const facts::RegionSite& site = trace_->sites[s];
      if (site.object != object)
        continue;
      if (site.kind != facts::AccessKind::load || classes[s].share(AccessPattern::constant) < 1)
        return false;
      read = true;
    }
    return read;
  }

  const AdviceRequest& request_;
  const facts::RegionTrace* trace_;
  const Version* base_;
  double base_ms_;          ///< of base_
  facts::RegionTrace part_; ///< of a long record
  Version part_version_;
  std::vector<Advice> found_;
  std::optional<std::vector<AffineAccess>> accesses_; ///< of the trace, when they were needed
};

} // namespace

std::vector<Advice> advise(const AdviceRequest& request, const Version& base) {
  return Adviser(request, base).run();
}

} // namespace forewarp::port

// Sizes of a launch against the kernel's own wishes.
#include "facts/trace.h"
#include "simt/argument_words.h"
#include "simt/run.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::simt {
namespace {

using facts::Dim3;

std::string text(const Dim3& d) {
  return fmt::format("{},{},{}", d.x, d.y, d.z);
}

std::uint64_t largest_divisor(std::uint64_t of, std::uint64_t limit) {
  for (std::uint64_t d = std::min(of, limit); d > 1; --d)
    if (of % d == 0)
      return d;
  return 1;
}

/// 256 threads, 16 x 16 or 8 x 8 x 4, cut to what divides the global size.
Dim3 default_group_size(const facts::Launch& launch, const ir::KernelSignature& kernel) {
  const std::uint64_t limit = std::min<std::uint64_t>(256, kernel.max_group_threads.value_or(256));
  if (!launch.global_items)
    return {limit, 1, 1};
  const Dim3& g = *launch.global_items;
  const bool flat = g.y == 1 && g.z == 1, plane = g.z == 1;
  Dim3 size;
  size.x = largest_divisor(g.x, flat ? limit : plane ? 16 : 8);
  size.y = largest_divisor(
      g.y, std::min<std::uint64_t>(plane ? 16 : 8, std::max<std::uint64_t>(limit / size.x, 1)));
  size.z =
      largest_divisor(g.z, std::min<std::uint64_t>(4, std::max<std::uint64_t>(limit / (size.x * size.y), 1)));
  return size;
}

/// The group's bytes behind `__local` pointer arguments. Arguments that are missing or of another kind are
/// reported when they are bound.
std::uint64_t local_argument_bytes(const ir::KernelSignature& kernel, const facts::Launch& launch) {
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const ir::Parameter& parameter = kernel.parameters[k];
    if (!parameter.is_pointer || parameter.space != ir::AddressSpace::shared)
      continue;
    const auto value = find_argument(launch, parameter, k);
    if (value == launch.arguments.end())
      continue;
    if (const auto* buffer = std::get_if<facts::BufferValue>(&value->second))
      total = (total + 15) / 16 * 16 + buffer->size_in_bytes();
  }
  return total;
}

/// A driver refuses such a launch (CUDA C++ Programming Guide, "Features and Technical Specifications").
Result<void> check_cuda_limits(const facts::LaunchShape& shape) {
  constexpr Dim3 most_groups{0x7FFF'FFFF, 65535, 65535};
  constexpr std::uint64_t most_threads_z = 64;
  const Dim3& groups = shape.groups;
  if (groups.x > most_groups.x || groups.y > most_groups.y || groups.z > most_groups.z)
    return fail(ErrorCode::launch,
                fmt::format("CUDA has no grid of {} groups; {} is the most", text(groups), text(most_groups)),
                "--grid", "fold the larger dimension into another, or loop in the kernel");
  if (shape.group_size.z > most_threads_z)
    return fail(ErrorCode::launch,
                fmt::format("CUDA has no group of {} threads; {} is the most along z", text(shape.group_size),
                            most_threads_z),
                "--block", "use another shape of the group");
  return {};
}

std::uint64_t missing(std::uint64_t groups, std::uint64_t cluster) {
  return groups % cluster == 0 ? 0 : cluster - groups % cluster;
}

/// Clusters are whole, and as the kernel asks for.
Result<void> decide_cluster(const ir::KernelSignature& kernel, const facts::Launch& launch,
                            facts::LaunchShape& shape) {
  const auto& required = kernel.required_cluster;
  if (required && launch.cluster && !(*required == *launch.cluster))
    return fail(ErrorCode::launch,
                fmt::format("the cluster is {} groups, but '{}' requires {}", text(*launch.cluster),
                            kernel.name, text(*required)),
                "--cluster", fmt::format("use --cluster {}, or leave it out", text(*required)));
  shape.cluster = launch.cluster ? *launch.cluster : required.value_or(Dim3{});
  const Dim3 &cluster = shape.cluster, &groups = shape.groups;
  if (cluster.count() == 0 || cluster.count() > facts::most_cluster_groups)
    return fail(ErrorCode::launch,
                fmt::format("a cluster of {} groups; from 1 to {} are possible", text(cluster),
                            facts::most_cluster_groups),
                "--cluster", "8 groups are portable; 16 where the program opts in");
  if (missing(groups.x, cluster.x) + missing(groups.y, cluster.y) + missing(groups.z, cluster.z) > 0)
    return fail(
        ErrorCode::launch,
        fmt::format("the grid of {} groups is not made of whole clusters of {}", text(groups), text(cluster)),
        "--cluster",
        fmt::format("use --grid {},{},{}", groups.x + missing(groups.x, cluster.x),
                    groups.y + missing(groups.y, cluster.y), groups.z + missing(groups.z, cluster.z)));
  return {};
}

Result<facts::LaunchShape> decided_shape(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                         const facts::Launch& launch) {
  if (launch.groups && launch.global_items)
    return fail(ErrorCode::launch, "both the grid (--grid) and the global size (--global) are given",
                "--grid, --global", "give one of them");
  if (!launch.groups && !launch.global_items)
    return fail(ErrorCode::launch, fmt::format("the launch of '{}' has no size", kernel.name), {},
                "give --global X,Y,Z (work-items) or --grid X,Y,Z (groups), and --local X,Y,Z");
  facts::LaunchShape shape;
  shape.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  shape.local_argument_bytes = local_argument_bytes(kernel, launch);
  shape.group_size = launch.group_size            ? *launch.group_size
                     : kernel.required_group_size ? *kernel.required_group_size
                                                  : default_group_size(launch, kernel);
  const Dim3& size = shape.group_size;
  if (size.x == 0 || size.y == 0 || size.z == 0)
    return fail(ErrorCode::launch, fmt::format("the group size {} has a zero", text(size)), "--local",
                "every size is at least 1");
  if (kernel.required_group_size && !(size == *kernel.required_group_size))
    return fail(ErrorCode::launch,
                fmt::format("the group size is {}, but '{}' requires {}", text(size), kernel.name,
                            text(*kernel.required_group_size)),
                "--local", fmt::format("use --local {}", text(*kernel.required_group_size)));
  if (kernel.max_group_threads && size.count() > *kernel.max_group_threads)
    return fail(ErrorCode::launch,
                fmt::format("a group of {} threads is more than the {} that '{}' is compiled for",
                            size.count(), *kernel.max_group_threads, kernel.name),
                "--local",
                fmt::format("take {} at most; the source's launch bounds say so", *kernel.max_group_threads));
  if (launch.groups) {
    shape.groups = *launch.groups;
    if (shape.groups.count() == 0)
      return fail(ErrorCode::launch, fmt::format("the grid {} has a zero", text(shape.groups)), "--grid",
                  "every size is at least 1");
    shape.global_items = {shape.groups.x * size.x, shape.groups.y * size.y, shape.groups.z * size.z};
    return shape;
  }
  shape.global_items = *launch.global_items;
  const Dim3& items = shape.global_items;
  if (items.count() == 0)
    return fail(ErrorCode::launch, fmt::format("the global size {} has a zero", text(items)), "--global",
                "every size is at least 1");
  auto groups = [](std::uint64_t n, std::uint64_t by) { return (n + by - 1) / by; };
  shape.groups = {groups(items.x, size.x), groups(items.y, size.y), groups(items.z, size.z)};
  const Dim3 whole = {shape.groups.x * size.x, shape.groups.y * size.y, shape.groups.z * size.z};
  if (whole == items)
    return shape;
  if (module.language == ir::SourceLanguage::opencl && module.non_uniform_groups_allowed)
    return shape; // the last groups are partial
  if (module.language == ir::SourceLanguage::opencl)
    return fail(
        ErrorCode::launch,
        fmt::format("the global size {} is not a multiple of the group size {}", text(items), text(size)),
        "--global",
        fmt::format("OpenCL 1.x asks for it: use --global {}, another --local, or -cl-std=CL2.0",
                    text(whole)));
  shape.global_items = whole; // grids of CUDA are made of whole blocks
  return shape;
}

} // namespace

Result<facts::LaunchShape> resolve_shape(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                         const facts::Launch& launch) {
  auto shape = decided_shape(module, kernel, launch);
  FOREWARP_TRY(shape);
  FOREWARP_TRY(decide_cluster(kernel, launch, *shape));
  if (module.language == ir::SourceLanguage::cuda)
    FOREWARP_TRY(check_cuda_limits(*shape));
  return shape;
}

} // namespace forewarp::simt

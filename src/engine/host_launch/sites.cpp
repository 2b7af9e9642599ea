#include "engine/host_launch/sites.h"

#include "frontend/languages/only_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace forewarp::engine {
namespace {

using frontend::host::FoundLaunch;
using frontend::host::HostArgument;
using frontend::host::HostProgram;

std::string text(const facts::Dim3& size) {
  return size.z != 1   ? fmt::format("{},{},{}", size.x, size.y, size.z)
         : size.y != 1 ? fmt::format("{},{}", size.x, size.y)
                       : std::to_string(size.x);
}

std::uint64_t work_items(const FoundLaunch& launch) {
  return launch.groups.count() * (launch.in_items ? 1 : launch.group_size.count());
}

/// Without scope, template arguments and blanks.
std::string base_name(const std::string& name) {
  const std::string front = name.substr(0, name.find('<'));
  const std::size_t scope = front.rfind("::");
  return scope == std::string::npos ? front : front.substr(scope + 2);
}

/// A named instance that nothing starts goes by another one's launch.
std::string name_to_find(const HostProgram& program, const std::string& kernel) {
  const bool is_started = std::any_of(program.launches.begin(), program.launches.end(),
                                      [&](const FoundLaunch& launch) { return is_meant(launch, kernel); });
  return is_started ? kernel : base_name(kernel);
}

bool is_in_line_of(const FoundLaunch& one, const FoundLaunch& other) {
  return one.file == other.file && one.line == other.line;
}

bool is_anonymous(const std::string& kernel) {
  return kernel.find('(') != std::string::npos;
}

} // namespace

std::string place_of(const FoundLaunch& launch) {
  return fmt::format("{}:{}", launch.file, launch.line);
}

std::string sizes_of(const FoundLaunch& launch) {
  std::string sizes = fmt::format("{} {}", launch.in_items ? "global" : "grid", text(launch.groups));
  if (launch.group_size.count() > 0)
    sizes += fmt::format(", {} {}", launch.in_items ? "local" : "block", text(launch.group_size));
  if (launch.dynamic_shared_bytes > 0)
    sizes += fmt::format(", {} bytes of dynamic shared memory", launch.dynamic_shared_bytes);
  return sizes;
}

bool is_meant(const FoundLaunch& launch, const std::string& kernel) {
  if (kernel.empty() || launch.symbol == kernel ||
      frontend::bare_kernel_name(launch.kernel) == frontend::bare_kernel_name(kernel))
    return true;
  return kernel.find('<') == std::string::npos && base_name(launch.kernel) == base_name(kernel);
}

bool fits(const FoundLaunch& launch) {
  constexpr std::uint64_t most_threads = 1024, most_groups = 0x7FFF'FFFF, most_along_y = 0xFFFF,
                          most_bytes = std::uint64_t{1} << 37;
  std::uint64_t bytes = 0;
  for (const HostArgument& argument : launch.arguments)
    bytes += argument.kind == HostArgument::Kind::buffer ? argument.bytes : 0;
  return launch.groups.count() > 0 && launch.group_size.count() <= most_threads &&
         launch.groups.x <= most_groups && (launch.in_items || launch.group_size.count() > 0) &&
         (launch.in_items || std::max(launch.groups.y, launch.groups.z) <= most_along_y) &&
         launch.groups.count() <= most_groups && bytes <= most_bytes &&
         launch.dynamic_shared_bytes <= 256 * 1024;
}

const FoundLaunch* Site::largest() const {
  return *std::max_element(launches.begin(), launches.end(), [](const FoundLaunch* a, const FoundLaunch* b) {
    return work_items(*a) < work_items(*b);
  });
}

std::vector<Site> sites_of(const HostProgram& program, const std::string& asked) {
  const std::string kernel = name_to_find(program, asked);
  std::vector<Site> sites;
  for (const FoundLaunch& launch : program.launches) {
    if (!is_meant(launch, kernel) || !fits(launch))
      continue;
    const auto same = std::find_if(sites.begin(), sites.end(), [&](const Site& site) {
      const FoundLaunch& other = *site.launches.front();
      return is_in_line_of(other, launch) && other.column == launch.column && other.kernel == launch.kernel;
    });
    if (same != sites.end())
      same->launches.push_back(&launch);
    else
      sites.push_back({{&launch}});
  }
  return sites;
}

std::vector<LaunchSite> described(const std::vector<Site>& sites) {
  std::vector<LaunchSite> all;
  for (const Site& site : sites) {
    const FoundLaunch& launch = *site.largest();
    std::uint64_t times = 0;
    for (const FoundLaunch* each : site.launches)
      times += each->repeated;
    const bool is_alone = std::ranges::none_of(sites, [&](const Site& other) {
      return &other != &site && is_in_line_of(*other.launches.front(), launch);
    });
    const std::string place = place_of(launch);
    all.push_back({launch.kernel, is_alone ? place : fmt::format("{}:{}", place, launch.column),
                   sizes_of(launch), times});
  }
  return all;
}

std::string name_of(const FoundLaunch& launch, const std::string& kernel) {
  return is_anonymous(kernel) && !launch.symbol.empty() ? launch.symbol : kernel;
}

bool is_other_instance(const PredictRequest& request, const FoundLaunch& launch) {
  return request.kernel.find('<') != std::string::npos && !is_meant(launch, request.kernel);
}

const Site* chosen_site(std::vector<Site>& sites, const HostSource& source) {
  std::stable_partition(sites.begin(), sites.end(),
                        [](const Site& site) { return !site.launches.front()->in_isolation; });
  const std::size_t at = source.launch_site == 0 ? 0 : source.launch_site - 1;
  return at < sites.size() ? &sites[at] : nullptr;
}

Result<void> check_one_kernel(const PredictRequest& request, const std::vector<Site>& sites) {
  std::set<std::string> bases;
  std::vector<std::string> listed;
  for (const Site& site : sites)
    if (bases.insert(base_name(site.launches.front()->kernel)).second)
      listed.push_back(
          fmt::format("'{}' ({})", site.launches.front()->kernel, place_of(*site.launches.front())));
  if (!request.kernel.empty() || bases.size() <= 1)
    return {};
  return fail(ErrorCode::not_found,
              fmt::format("the host code starts {} kernels: {}", bases.size(), fmt::join(listed, ", ")),
              request.compile.path, "name one with --kernel");
}

} // namespace forewarp::engine

#include "measure/run/plan.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

constexpr unsigned copies_stage = 3, sweep_stage = 5;

bool is_wanted(const BundleKernel& kernel, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
           return kernel.name.find(part) != std::string::npos;
         });
}

} // namespace

std::vector<Task> plan_tasks(const Bundle& bundle, const std::vector<std::string>& wanted) {
  std::vector<Task> tasks;
  bool any_timed = false;
  for (std::size_t k = 0; k < bundle.kernels.size(); ++k) {
    const BundleKernel& kernel = bundle.kernels[k];
    if (!is_wanted(kernel, wanted))
      continue;
    for (std::size_t l = 0; l < kernel.launches.size(); ++l) {
      const BundleLaunch& launch = kernel.launches[l];
      const std::string name = kernel.name + '/' + launch.name;
      if (!launch.expected.empty())
        tasks.push_back({TaskKind::check, k, l, launch.timed ? launch.stage : 0, "check " + name});
      if (launch.timed)
        tasks.push_back({TaskKind::time, k, l, launch.stage, "time " + name});
      if (launch.timed && launch.occupancy_sweep)
        tasks.push_back({TaskKind::sweep, k, l, sweep_stage, "occupancy sweep " + name});
      any_timed = any_timed || launch.timed;
    }
  }
  if (any_timed && wanted.empty())
    tasks.push_back({TaskKind::copies, 0, 0, copies_stage, "host copies"});
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const Task& a, const Task& b) { return a.stage < b.stage; });
  return tasks;
}

} // namespace forewarp::measure

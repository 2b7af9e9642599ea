#include "measure/run/plan.h"

#include "measure/run/timing.h"

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

std::vector<Task> plan_once(const Bundle& bundle, const std::vector<std::string>& wanted) {
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < bundle.kernels.size(); ++k)
    for (std::size_t l = 0; l < bundle.kernels[k].launches.size(); ++l)
      if (bundle.kernels[k].kind == "corpus" && bundle.kernels[k].launches[l].timed &&
          is_wanted(bundle.kernels[k], wanted))
        tasks.push_back({TaskKind::once, k, l, 0,
                         "once " + bundle.kernels[k].name + '/' + bundle.kernels[k].launches[l].name});
  return tasks;
}

TaskSeconds seconds_of(const Bundle& bundle, const Task& task) {
  if (task.kind == TaskKind::copies)
    return {3, 10};
  constexpr double load = 0.02, clocks = 0.004, bytes_per_second = 1e9, kernel = 0.0005;
  double bytes = 0;
  for (const BundleArgument& argument : bundle.kernels[task.kernel].launches[task.launch].arguments)
    if (const auto* buffer = std::get_if<facts::BufferValue>(&argument.value))
      if (buffer->contents.kind != facts::BufferContents::Kind::zeros) // filled on the device
        bytes += static_cast<double>(buffer->size_in_bytes());
  const bool micro = bundle.kernels[task.kernel].kind == "micro";
  const double series = task.kind == TaskKind::time ? (micro ? 1 : 2) : task.kind == TaskKind::sweep ? 6 : 0;
  const RepetitionRule rule = task.kind == TaskKind::sweep ? rule_of_sweeps
                              : micro                      ? rule_of_micro
                                                           : RepetitionRule{};
  const double fixed = load + 2 * clocks + bytes / bytes_per_second;
  return {fixed + series * (rule.least + 1) * kernel, fixed + series * rule.seconds};
}

} // namespace forewarp::measure

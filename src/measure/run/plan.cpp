#include "measure/run/plan.h"

#include "measure/run/timing.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace forewarp::measure {
namespace {

constexpr unsigned copies_stage = 3, sweep_stage = 5;

bool is_wanted(const BundleKernel& kernel, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
           return kernel.name.find(part) != std::string::npos;
         });
}

double kernel_seconds(const BundleLaunch& launch) {
  constexpr double unknown = 0.0005, launching = 0.00003;
  return launching + (launch.predicted_us > 0 ? launch.predicted_us * 1e-6 : unknown);
}

/// Over the bus; zeros are filled on the device.
double bytes_of_contents(const BundleLaunch& launch) {
  double bytes = 0;
  for (const BundleArgument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<facts::BufferValue>(&argument.value))
      if (buffer->contents.kind != facts::BufferContents::Kind::zeros)
        bytes += static_cast<double>(buffer->size_in_bytes());
  return bytes;
}

/// Copies on the device before each repetition (LaunchSession::put_back).
double put_back_seconds(const BundleKernel& kernel, const BundleLaunch& launch) {
  constexpr double bytes_per_second = 2e11;
  double bytes = 0;
  for (const BundleArgument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<facts::BufferValue>(&argument.value))
      bytes +=
          kernel.kind == "micro" || argument.read_only ? 0 : static_cast<double>(buffer->size_in_bytes());
  return bytes / bytes_per_second;
}

/// By stage; in a stage by what a kernel's tasks take together, so that its points stay together.
void put_in_order(const Bundle& bundle, std::vector<Task>& tasks) {
  std::map<std::pair<unsigned, std::size_t>, double> seconds;
  for (const Task& task : tasks)
    seconds[{task.stage, task.kernel}] += task.kind == TaskKind::copies ? 0 : seconds_of(bundle, task).usual;
  std::stable_sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
    const auto rank = [&](const Task& task) {
      return std::make_tuple(task.stage, seconds.at({task.stage, task.kernel}), task.kernel);
    };
    return rank(a) < rank(b);
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
  put_in_order(bundle, tasks);
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
  const BundleKernel& kernel = bundle.kernels[task.kernel];
  const BundleLaunch& launch = kernel.launches[task.launch];
  const bool micro = kernel.kind == "micro", sweep = task.kind == TaskKind::sweep;
  constexpr double load = 0.02, clocks = 0.004, bus_bytes_per_second = 1e9;
  const double fixed = load + 2 * clocks + bytes_of_contents(launch) / bus_bytes_per_second;
  const double one = (sweep ? 2 : 1) * kernel_seconds(launch) + put_back_seconds(kernel, launch);
  if (task.kind == TaskKind::check || task.kind == TaskKind::once)
    return {fixed + one, fixed + one};
  const double series = sweep ? 6 : micro ? 1 : 2;
  const RepetitionRule rule = sweep ? rule_of_sweeps : micro ? rule_of_micro : RepetitionRule{};
  const double longest = std::max(rule.seconds, (rule.least_slow + 1) * one);
  return {fixed + series * std::min((rule.least + 1) * one, longest), fixed + series * longest};
}

} // namespace forewarp::measure

#include "measure/run/worker.h"

#include "measure/run/tasks.h"

#include <fmt/format.h>
#include <unistd.h>

namespace forewarp::measure {
namespace {

void write_line(int out, const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(out, text.data() + at, text.size() - at);
    if (n <= 0)
      return; // the parent is gone
    at += static_cast<std::size_t>(n);
  }
}

nlohmann::json json_of(const DeviceInfo& info) {
  return {{"backend", info.backend},
          {"name", info.name},
          {"vendor", info.vendor},
          {"driver", info.driver},
          {"target", info.target},
          {"sm_count", info.sm_count},
          {"memory_bytes", info.memory_bytes},
          {"l2_bytes", info.l2_bytes},
          {"shared_per_group_bytes", info.shared_per_group_bytes},
          {"attributes", info.attributes}};
}

int capability(const std::string& target) {
  return target.starts_with("sm_") ? std::atoi(target.c_str() + 3) : 0;
}

/// PTX runs on its own target and later ones.
std::string mismatch(const Bundle& bundle, const DeviceInfo& info) {
  const bool ptx = bundle.language == "ptx";
  if (ptx != (info.backend == "cuda"))
    return fmt::format("the bundle holds {}, which backend {} does not run", ptx ? "PTX" : "OpenCL C",
                       info.backend);
  if (ptx && capability(bundle.target) > capability(info.target))
    return fmt::format("the bundle is for {}, but {} is {}", bundle.target, info.name, info.target);
  return "";
}

/// The worker's own sentence, without the words of `to_string` about hints.
std::string sentence(const Error& error) {
  return error.where.empty() ? error.message : error.where + ": " + error.message;
}

} // namespace

void run_worker(const Bundle& bundle, const MeasureOptions& options, const std::vector<Task>& tasks,
                std::size_t first, std::chrono::steady_clock::time_point deadline, int out) {
  auto device = open_device(options.backend, options.device);
  if (!device)
    return write_line(out, {{"no_device", sentence(device.error())}});
  if (const std::string wrong = mismatch(bundle, (*device)->info()); !wrong.empty())
    return write_line(out, {{"mismatch", wrong}});
  write_line(out, {{"device", json_of((*device)->info())}});
  TaskRunner runner(**device, bundle, options.keep);
  if (!options.once)
    runner.warm_up();
  for (std::size_t i = first; i < tasks.size(); ++i) {
    // What does not fit leaves room for others behind it.
    const std::chrono::duration<double> left = deadline - std::chrono::steady_clock::now();
    if (left.count() < seconds_of(bundle, tasks[i]).usual) {
      write_line(out, {{"skipped", i}});
      continue;
    }
    write_line(out, {{"begin", i}});
    auto result = runner.run(tasks[i]);
    if (result) {
      nlohmann::json line = {{"end", i}, {"entries", std::move(result->entries)}};
      if (!result->wrong.empty())
        line["failure"] = "wrong result: " + result->wrong;
      write_line(out, line);
      continue;
    }
    write_line(out,
               {{"end", i}, {"entries", nlohmann::json::array()}, {"failure", sentence(result.error())}});
    if (result.error().code == ErrorCode::kernel_fault) // the driver's context is lost with it
      return write_line(out, {{"lost", true}});
  }
  write_line(out, {{"finished", true}});
}

} // namespace forewarp::measure

#include "program/report/summary.h"

#include <nlohmann/json.hpp>

namespace forewarp::program {
namespace {

using Json = nlohmann::ordered_json;

Json kernel_words(const KernelRow& row) {
  Json words = {{"kernel", row.kernel},
                {"calls", row.calls},
                {"calls_without_time", row.unknown_calls},
                {"total_ms", row.total_ns / 1e6},
                {"least_ms", row.least_ns / 1e6},
                {"most_ms", row.most_ns / 1e6}};
  if (row.has_limiter)
    words["limiter"] = facts::to_string(row.limiter);
  if (!row.why.empty())
    words["why"] = row.why;
  return words;
}

Json gpu_words(const RunLog& log, std::size_t gpu) {
  const GpuSummary summary = summarise(log, gpu);
  Json words = {{"gpu", summary.gpu},
                {"span_ms", summary.span_ns / 1e6},
                {"kernels_ms", summary.kernels_ns / 1e6},
                {"copies_ms", summary.copies_ns / 1e6},
                {"idle_ms", summary.idle_ns / 1e6},
                {"launch_overhead_ms", summary.launch_overhead_ns / 1e6}};
  words["kernels"] = Json::array();
  for (const KernelRow& row : summary.kernels)
    words["kernels"].push_back(kernel_words(row));
  words["memory"] = Json::array();
  for (const CopyRow& row : summary.copies)
    words["memory"].push_back(
        {{"name", row.name}, {"calls", row.calls}, {"bytes", row.bytes}, {"total_ms", row.total_ns / 1e6}});
  words["assumed"] = log.devices[gpu].assumed;
  return words;
}

Json sizes(const std::optional<facts::Dim3>& size) {
  return size ? Json{size->x, size->y, size->z} : Json();
}

Json kind_words(const RunLog& log, const LaunchKind& kind) {
  Json words = {{"number", kind.number},
                {"kernel", kind.kernel},
                {"global", sizes(kind.launch.global_items)},
                {"local", sizes(kind.launch.group_size)},
                {"with_contents", kind.with_contents},
                {"notes", kind.notes}};
  words["on"] = Json::array();
  for (std::size_t gpu = 0; gpu < kind.on.size(); ++gpu) {
    if (log.as_devices && gpu != kind.device)
      continue;
    const LaunchOnGpu& on = kind.on[gpu];
    Json answer = {{"gpu", log.devices[gpu].machine.name}};
    if (on.time_ns() > 0) {
      answer["time_ms"] = on.prediction->time_ms;
      answer["interval_ms"] = on.prediction->interval_ms;
      answer["limiter"] = facts::to_string(on.prediction->limiter);
    } else {
      answer["impossible"] = on.impossible;
      answer["why"] = on.why;
    }
    words["on"].push_back(std::move(answer));
  }
  return words;
}

} // namespace

std::string json_report(const RunLog& log) {
  Json words = {{"schema_version", 1}, {"program", log.program}};
  words["exit_code"] = log.exit_code ? Json(*log.exit_code) : Json();
  words["signal"] = log.signal;
  words["gpus"] = Json::array();
  for (std::size_t gpu = 0; gpu < log.devices.size(); ++gpu)
    words["gpus"].push_back(gpu_words(log, gpu));
  words["launches"] = Json::array();
  for (const LaunchKind& kind : log.launches)
    words["launches"].push_back(kind_words(log, kind));
  words["executed_launches"] = 0;
  words["faults"] = words["properties_read"] = Json::array();
  words["not_executed"] = Json::object();
  for (const ProcessLog& process : log.processes) {
    for (const std::string& fault : process.faults)
      words["faults"].push_back(fault);
    for (const std::string& property : process.properties)
      words["properties_read"].push_back(property);
    for (const auto& [kernel, why] : process.not_compiled)
      words["not_executed"][kernel] = why;
    words["executed_launches"] = words["executed_launches"].get<std::uint64_t>() + process.executed;
  }
  return words.dump(2) + "\n";
}

} // namespace forewarp::program

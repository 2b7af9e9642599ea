// Chrome's trace format, which ui.perfetto.dev reads: times in microseconds.
#include "program/report/summary.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace forewarp::program {
namespace {

using Json = nlohmann::ordered_json;

Json detail_of(const RunLog& log, const LoggedCommand& command, std::size_t gpu) {
  const LaunchKind* kind = log.kind(command.launch);
  if (command.command.kind != CommandKind::kernel || !kind)
    return {{"bytes", command.bytes}};
  const LaunchOnGpu& on = kind->on[gpu];
  if (on.time_ns() <= 0)
    return {{"launch", kind->number}, {"why", on.why}};
  Json detail = {{"launch", kind->number},
                 {"limiter", facts::to_string(on.prediction->limiter)},
                 {"interval_ms", on.prediction->interval_ms},
                 {"dram_bytes", on.prediction->dram_bytes},
                 {"occupancy", on.prediction->achieved_occupancy}};
  for (const facts::CauseShare& cause : on.prediction->causes)
    detail["share of " + std::string(facts::to_string(cause.cause))] = cause.share;
  return detail;
}

void add_process(const RunLog& log, const ProcessLog& process, std::size_t gpu, Json& events) {
  const Timeline timeline = timeline_of(log, process, gpu);
  const std::string name = log.devices[gpu].machine.name;
  const auto row = [&](const char* what, std::uint64_t thread, const std::string& text) {
    events.push_back(
        {{"ph", "M"}, {"pid", gpu + 1}, {"tid", thread}, {"name", what}, {"args", {{"name", text}}}});
  };
  row("process_name", 0, name + ", process " + std::to_string(process.pid));
  std::map<std::uint64_t, bool> named;
  for (const PlacedCommand& placed : timeline.commands) {
    const LoggedCommand& command = *placed.command;
    if (command.command.kind == CommandKind::marker)
      continue;
    if (!std::exchange(named[command.command.queue], true))
      row("thread_name", command.command.queue, "queue " + std::to_string(command.command.queue));
    const LaunchKind* kind = log.kind(command.launch);
    events.push_back(
        {{"ph", "X"},
         {"pid", gpu + 1},
         {"tid", command.command.queue},
         {"name", command.command.kind == CommandKind::kernel && kind ? kind->kernel : command.name},
         {"ts", static_cast<double>(placed.times.start - timeline.began_at) / 1e3},
         {"dur", static_cast<double>(placed.times.end - placed.times.start) / 1e3},
         {"args", detail_of(log, command, gpu)}});
  }
}

} // namespace

std::string trace_report(const RunLog& log) {
  Json events = Json::array();
  for (std::size_t gpu = 0; gpu < log.devices.size(); ++gpu)
    for (const ProcessLog& process : log.processes)
      add_process(log, process, gpu, events);
  return Json{{"displayTimeUnit", "ns"}, {"traceEvents", events}}.dump() + "\n";
}

} // namespace forewarp::program

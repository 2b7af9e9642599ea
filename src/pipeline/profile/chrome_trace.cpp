#include "pipeline/profile/common.h"

#include <nlohmann/json.hpp>

namespace forewarp::pipeline {
namespace {

using namespace profile_detail;
using Json = nlohmann::ordered_json;

constexpr int pipelines_process = 1, warps_process = 2;

/// Writes events one a line; a whole-document object would cost memory for nothing.
class Writer {
public:
  void metadata(const char* what, int process, std::uint64_t track, const std::string& name) {
    add({{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}});
  }
  void span(const std::string& name, const char* category, int process, std::uint64_t track, double from,
            double to, Json args) {
    add({{"name", name},
         {"cat", category},
         {"ph", "X"},
         {"ts", from},
         {"dur", to - from},
         {"pid", process},
         {"tid", track},
         {"args", std::move(args)}});
  }
  void instant(const std::string& name, int process, std::uint64_t track, double cycle) {
    add({{"name", name}, {"ph", "i"}, {"s", "t"}, {"ts", cycle}, {"pid", process}, {"tid", track}});
  }
  std::string finish(const ProfileNames& names, std::size_t dropped) {
    const Json other = {
        {"title", names.title}, {"unit", "1 us = 1 SM clock cycle"}, {"dropped_events", dropped}};
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":" + other.dump() + ",\"traceEvents\":[\n" + text_ +
           "\n]}\n";
  }

private:
  void add(const Json& event) {
    if (!text_.empty())
      text_ += ",\n";
    text_ += event.dump();
  }
  std::string text_;
};

std::uint64_t warp_track(std::uint32_t group, std::uint32_t warp) {
  return std::uint64_t{group} * 4096 + warp;
}

} // namespace

std::string profile_to_chrome_trace(const ProfileRecorder& profile, const Outcome&,
                                    const ProfileNames& names) {
  Writer writer;
  writer.metadata("process_name", pipelines_process, 0, "pipelines");
  writer.metadata("process_name", warps_process, 0, "warps");
  const auto pipelines = pipelines_of(profile);
  const bool several = several_instances(pipelines);
  for (const auto& [instance, name] : pipelines)
    writer.metadata("thread_name", pipelines_process, instance, pipeline_label(name, names, several));
  std::map<std::uint64_t, std::string> warps;
  for (const IssueEvent& event : profile.issues)
    warps.emplace(warp_track(event.group, event.warp),
                  fmt::format("group {} warp {}", event.group, event.warp));
  for (const auto& [track, name] : warps)
    writer.metadata("thread_name", warps_process, track, name);

  for (const IssueEvent& event : profile.issues) {
    const std::string name = tag_label(event.tag, names);
    const std::uint64_t track = warp_track(event.group, event.warp);
    writer.span(name, "pipeline", pipelines_process, event.instance, event.issue_cycle,
                event.subsystem_free_cycle, {{"warp", warps[track]}, {"result_cycle", event.result_cycle}});
    writer.span(name, "issue", warps_process, track, event.issue_cycle, event.subsystem_free_cycle,
                {{"pipeline", pipeline_label(pipelines.at(event.instance), names, several)},
                 {"scheduler", event.scheduler},
                 {"result_cycle", event.result_cycle}});
  }
  for (const StallEvent& stall : profile.stalls)
    writer.span(fmt::format("stall: {}", to_string(stall.cause)), "stall", warps_process,
                warp_track(stall.group, stall.warp), stall.from_cycle, stall.to_cycle,
                {{"instruction", tag_label(stall.tag, names)}});
  for (const GroupEvent& barrier : profile.barriers)
    writer.instant("barrier released", warps_process, warp_track(barrier.group, 0), barrier.cycle);
  return writer.finish(names, profile.dropped);
}

} // namespace forewarp::pipeline

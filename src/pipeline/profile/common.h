// What the writers share.
#pragma once

#include "pipeline/profile/profile.h"

#include <fmt/format.h>

#include <map>

namespace forewarp::pipeline::profile_detail {

struct PipelineName {
  unsigned subsystem = 0;
  unsigned number = 0; ///< among the subsystem's instances
};

/// Instances that issued anything, by instance index.
inline std::map<std::uint32_t, PipelineName> pipelines_of(const ProfileRecorder& profile) {
  std::map<std::uint32_t, PipelineName> pipelines;
  for (const IssueEvent& event : profile.issues)
    pipelines.emplace(event.instance, PipelineName{event.subsystem, 0});
  std::map<unsigned, unsigned> next;
  for (auto& [instance, name] : pipelines)
    name.number = next[name.subsystem]++;
  return pipelines;
}

inline std::string pipeline_label(const PipelineName& name, const ProfileNames& names, bool several) {
  const std::string base = name.subsystem < names.subsystems.size() ? names.subsystems[name.subsystem]
                                                                    : fmt::format("unit {}", name.subsystem);
  return several ? fmt::format("{} {}", base, name.number) : base;
}

/// Does any subsystem show more than one instance?
inline bool several_instances(const std::map<std::uint32_t, PipelineName>& pipelines) {
  for (const auto& [instance, name] : pipelines)
    if (name.number > 0)
      return true;
  return false;
}

inline std::string tag_label(std::uint32_t tag, const ProfileNames& names) {
  return tag < names.tags.size() && !names.tags[tag].empty() ? names.tags[tag]
                                                             : fmt::format("instruction {}", tag);
}

} // namespace forewarp::pipeline::profile_detail

#include "engine/published/models.h"
#include "pipeline/profile/profile.h"
#include "predict/simulated/pipeline.h"

#include <fmt/format.h>

namespace forewarp::engine {

Result<std::string> execution_profile(const ModelInput& input, const std::string& format,
                                      const std::string& scheduler) {
  const auto policy = predict::scheduler_named(scheduler);
  FOREWARP_TRY(policy);
  if (format != "text" && format != "perfetto" && format != "svg")
    return fail(ErrorCode::usage, fmt::format("unknown format '{}'", format), "--format",
                "text, perfetto or svg");
  pipeline::ProfileRecorder recorder;
  pipeline::GraphModelOptions options;
  options.policy = *policy;
  options.simulated_waves = 1;
  options.listener = &recorder;
  const facts::ModelFacts& facts = input.facts;
  const auto run = pipeline::simulate_graphs(facts, facts.concurrent_groups, options);
  FOREWARP_TRY(run);
  pipeline::ProfileNames names{facts.subsystems, {}, {}};
  for (const facts::ModelClass& row : facts.mix)
    names.tags.push_back(row.name);
  names.title = fmt::format("{} on {}: one SM, {:g} groups of {:g} warps, {}", facts.kernel,
                            input.machine.name, facts.concurrent_groups, facts.warps_per_group, scheduler);
  if (format == "perfetto")
    return profile_to_chrome_trace(recorder, run->outcome, names);
  if (format == "svg")
    return profile_to_svg(recorder, run->outcome, names);
  return profile_to_text(recorder, run->outcome, names);
}

} // namespace forewarp::engine

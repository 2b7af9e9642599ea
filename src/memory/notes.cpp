#include "memory/notes.h"

#include <fmt/format.h>

namespace forewarp::memory {

void add_notes(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
               const L2Result& l2, std::uint64_t l1_bytes, std::vector<facts::Note>& notes) {
  using Severity = facts::Note::Severity;
  std::vector<bool> unknown(sites.size());
  for (const SampleStream& stream : in.streams)
    for (const auto& warp : stream.warps)
      for (const StreamEvent& event : warp)
        if (event.unknown)
          unknown[event.site] = true;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::string name = sites[s].buffer.empty() ? "" : fmt::format(" of '{}'", sites[s].buffer);
    if (unknown[s])
      notes.push_back(
          {Severity::assumption,
           fmt::format(
               "the addresses of the accesses{} are unknown: each lane was given one of its own, spread "
               "evenly over the buffer",
               name),
           sites[s].location, "give the contents of the buffers that the index comes from"});
    else if (in.translator.irregular_sites()[s] && !in.trace.whole_grid)
      notes.push_back(
          {Severity::assumption,
           fmt::format("the accesses{} do not follow the work-group index: groups that were not run take the "
                       "addresses of sampled ones, moved at random within the range those used",
                       name),
           sites[s].location,
           {}});
  }
  if (in.translator.undetermined())
    notes.push_back(
        {Severity::assumption,
         "the sampled work-groups do not differ in one dimension of the grid: addresses were taken as equal "
         "along it",
         {},
         "raise the number of sampled work-groups"});
  std::uint64_t dropped = 0;
  for (const SampleStream& stream : in.streams)
    dropped += stream.dropped_events;
  if (dropped)
    notes.push_back(
        {Severity::assumption,
         fmt::format("{} memory events lie beyond the analysis budget and were given the mean of their "
                     "instruction",
                     dropped),
         {},
         {}});
  if (in.memory.l1.present && in.memory.l1.unified_with_shared)
    notes.push_back({Severity::info,
                     fmt::format("L1 holds {} KiB: the array less its shared-memory part", l1_bytes / 1024),
                     {},
                     {}});
  if (l2.one_line_in > 1)
    notes.push_back(
        {Severity::info, fmt::format("L2 was simulated on 1/{} of its lines", l2.one_line_in), {}, {}});
  if (in.dealing.waves() > l2.waves_simulated)
    notes.push_back({Severity::info,
                     fmt::format("caches were simulated for {} of {} waves of work-groups; the rest was "
                                 "taken as the last of them",
                                 l2.waves_simulated, in.dealing.waves()),
                     {},
                     {}});
  (void)l1;
}

} // namespace forewarp::memory

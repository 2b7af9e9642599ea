#include "facts/shortcuts.h"

#include "support/named.h"

namespace forewarp::facts {

const std::vector<ShortcutRow>& shortcut_table() {
  using enum Shortcut;
  static const std::vector<ShortcutRow> table = {
      {sampled_groups, "sampled-groups", "a sample of the work-groups is run"},
      {loop_replay, "loop-replay", "iterations that repeat the ones before are written, not run"},
      {asked_values, "asked-values", "values that no address or branch rests on are not computed"},
      {trace_budget, "trace-budget", "of long warps a part is recorded"},
      {line_sampling, "line-sampling", "in L2 a share of the lines stands for all"},
      {l2_waves, "l2-waves", "in L2 the first waves stand for all"},
      {steady_loops, "steady-loops", "in L1 and L2 the middle of steady loops is left out"},
      {like_groups, "like-groups", "one of like groups stands for the others in the simulated SM"},
      {sm_waves, "sm-waves", "the simulated SM runs three or four waves"},
      {trace_cuts, "trace-cuts", "the simulated SM runs parts of long warps"},
      {rounded_demands, "rounded-demands", "what the simulated SM is told of the memory system is rounded"},
  };
  return table;
}

Result<Shortcuts> shortcuts_without(const std::vector<std::string>& names, const std::string& where) {
  Shortcuts shortcuts;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const ShortcutRow& row : shortcut_table())
        shortcuts.leave_out(row.shortcut);
      continue;
    }
    const auto row = find_named(shortcut_table(), name, {"unknown shortcut", where});
    FOREWARP_TRY(row);
    shortcuts.leave_out((*row)->shortcut);
  }
  return shortcuts;
}

} // namespace forewarp::facts

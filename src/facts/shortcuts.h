// What saves time and may cost accuracy, by name: each can be left out, and then the long way is gone. What
// each saves and costs was measured: docs/reference/shortcuts.md.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::facts {

enum class Shortcut : std::uint8_t {
  sampled_groups, ///< of the grid's groups a sample is run
  loop_replay,    ///< iterations that repeat the ones before with moved addresses are written, not run
  asked_values,   ///< values that no address, branch or division rests on are not computed
  trace_budget,   ///< of long warps a part is recorded, of large groups fewer
  line_sampling,  ///< in L2 a share of the lines stands for all
  l2_waves,       ///< in L2 the first waves stand for all
  steady_loops,   ///< in L1 and L2 the middle of a loop that does the same over and over is left out
  like_groups, ///< one of sampled groups that ask nearly the same stands for the others in the simulated SM
  sm_waves,    ///< the simulated SM runs three or four waves of its groups
  trace_cuts,  ///< the simulated SM runs parts of long warps
  rounded_demands ///< what the simulated SM is told of the memory system is rounded
};

struct ShortcutRow {
  Shortcut shortcut;
  std::string_view name; ///< as `--exact` takes it
  std::string_view what; ///< one line, for help and documents
};
const std::vector<ShortcutRow>& shortcut_table();

/// Those that are taken; all by default.
class Shortcuts {
public:
  bool takes(Shortcut shortcut) const { return (left_out_ >> static_cast<unsigned>(shortcut) & 1U) == 0; }
  void leave_out(Shortcut shortcut) { left_out_ |= 1U << static_cast<unsigned>(shortcut); }
  /// One number for each choice, for keys of what is kept; 0: all are taken.
  std::uint32_t left_out() const { return left_out_; }
  bool operator==(const Shortcuts&) const = default;

private:
  std::uint32_t left_out_ = 0;
};

/// Without those of these names; "all": none is taken. Errors: usage with the nearest names; `where` is the
/// option.
Result<Shortcuts> shortcuts_without(const std::vector<std::string>& names, const std::string& where);

} // namespace forewarp::facts

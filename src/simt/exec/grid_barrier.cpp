#include "simt/exec/grid_barrier.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::simt {
namespace {

struct Member {
  GroupRunner::State state;
  facts::GroupTrace trace;
  bool ended = false;
};

std::string text(const facts::Dim3& group) {
  return fmt::format("({}, {}, {})", group.x, group.y, group.z);
}

/// Every group to its next barrier of the grid or its end; returns how many wait.
Result<std::size_t> run_phase(GroupRunner& runner, std::vector<Member>& members, bool from_start) {
  std::size_t waiting = 0;
  std::uint32_t barrier = 0;
  for (Member& member : members) {
    if (member.ended)
      continue;
    runner.exchange(member.state);
    if (from_start)
      runner.start();
    auto ended = runner.run_on();
    FOREWARP_TRY(ended);
    if (runner.replay_failed())
      return 0;
    member.ended = *ended;
    if (member.ended) {
      member.trace = runner.finish();
    } else {
      ++waiting;
      barrier = runner.waits_at();
    }
    runner.exchange(member.state);
  }
  const auto returned =
      std::find_if(members.begin(), members.end(), [](const Member& member) { return member.ended; });
  if (waiting > 0 && returned != members.end() && !runner.guessed())
    return tl::unexpected(runner.fault(
        fmt::format(
            "group {} has returned, but {} of {} groups that were run wait at this barrier of the grid",
            text(returned->state.group), waiting, members.size()),
        barrier, "every group of the launch has to reach it"));
  return waiting;
}

} // namespace

Result<std::vector<facts::GroupTrace>> run_together(GroupRunner& runner,
                                                    const std::vector<facts::Dim3>& groups) {
  std::vector<Member> members;
  for (const facts::Dim3& group : groups)
    members.push_back({runner.make_state(group), {}});
  auto waiting = run_phase(runner, members, true);
  while (waiting && *waiting > 0)
    waiting = run_phase(runner, members, false);
  FOREWARP_TRY(waiting);
  std::vector<facts::GroupTrace> traces;
  for (Member& member : members)
    traces.push_back(std::move(member.trace));
  return traces;
}

} // namespace forewarp::simt

#include "simt/exec/waiting/cluster.h"

#include <algorithm>

namespace forewarp::simt {
namespace {

struct Member {
  GroupRunner::State state;
  facts::GroupTrace trace;
  bool started = false, ended = false;
};

class Cluster {
public:
  Cluster(GroupRunner& runner, const std::vector<facts::Dim3>& groups) : runner_(runner) {
    for (const facts::Dim3& group : groups)
      members_.push_back({runner.make_state(group), {}});
  }

  Result<void> run() {
    while (!runner_.replay_failed()) {
      const std::uint64_t before = runner_.arrivals();
      bool any_ended = false;
      for (std::size_t rank = 0; rank < members_.size() && !runner_.replay_failed(); ++rank)
        if (!members_[rank].ended) {
          FOREWARP_TRY(run(rank));
          any_ended = any_ended || members_[rank].ended;
        }
      if (std::ranges::all_of(members_, &Member::ended))
        break;
      if (!any_ended && runner_.arrivals() == before && !runner_.replay_failed())
        FOREWARP_TRY(go_on_without_returned());
    }
    return {};
  }

  std::vector<facts::GroupTrace> traces() {
    std::vector<facts::GroupTrace> all;
    for (Member& member : members_)
      all.push_back(std::move(member.trace));
    return all;
  }

private:
  Result<void> run(std::size_t rank) {
    Member& member = members_[rank];
    runner_.exchange(member.state);
    for (std::size_t other = 0; other < members_.size(); ++other)
      runner_.show(static_cast<unsigned>(other), other == rank ? nullptr : &members_[other].state);
    if (!member.started)
      runner_.start(rank == 0);
    member.started = true;
    const Result<bool> ended = runner_.run_on();
    FOREWARP_TRY(ended);
    member.ended = *ended;
    if (member.ended && !runner_.replay_failed())
      member.trace = runner_.finish();
    runner_.exchange(member.state);
    return {};
  }

  /// Nobody got on. Work-items that have returned are not waited for at the cluster's barrier; anything else
  /// is waited for in vain.
  Result<void> go_on_without_returned() {
    const auto left = std::ranges::find(members_, false, &Member::ended);
    runner_.exchange(left->state);
    const bool released = runner_.release_cluster();
    if (!released)
      runner_.fail_waiting();
    runner_.exchange(left->state);
    if (runner_.error())
      return tl::unexpected<Error>(*runner_.error());
    return {};
  }

  GroupRunner& runner_;
  std::vector<Member> members_;
};

} // namespace

std::vector<facts::Dim3> cluster_of(const facts::LaunchShape& shape, const facts::Dim3& group) {
  const facts::Dim3& size = shape.cluster;
  const facts::Dim3 first = {group.x - group.x % size.x, group.y - group.y % size.y,
                             group.z - group.z % size.z};
  std::vector<facts::Dim3> groups;
  for (std::uint64_t z = 0; z < size.z; ++z)
    for (std::uint64_t y = 0; y < size.y; ++y)
      for (std::uint64_t x = 0; x < size.x; ++x)
        groups.push_back({first.x + x, first.y + y, first.z + z});
  return groups;
}

Result<std::vector<facts::GroupTrace>> run_cluster(GroupRunner& runner,
                                                   const std::vector<facts::Dim3>& groups) {
  Cluster cluster(runner, groups);
  FOREWARP_TRY(cluster.run());
  return cluster.traces();
}

} // namespace forewarp::simt

// Barriers in memory (mbarrier) and named barriers of a group: who waits for whom, as the hardware counts it.
// Copies that no lane makes are over at once here; when their bytes come in time is the simulator's part.
// Not modelled: a warp one part of which waits for another part of itself.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/warp_record.h"

#include <map>
#include <utility>

namespace forewarp::simt {

class Meetings {
public:
  Meetings(GroupState& state, WarpRecord& record) : state_(state), record_(record) {}

  /// Of a new group: nothing is begun.
  void start();
  /// False: the warp waits, or the state has an error.
  bool execute(const Instruction& instruction);
  /// Bytes of a bulk copy came; `site` is that of the event that says so.
  void bytes_come(std::uint64_t address, std::uint64_t bytes, std::uint32_t site);
  /// Grows whenever somebody arrives: a warp that waits may look again.
  std::uint64_t changes() const { return changes_; }
  /// The round of the cluster's barrier ends although some have not arrived: they have returned.
  void end_cluster_round();
  /// Sets the error: nobody is left who could end what the warp waits for.
  void fail_waiting(const Warp& warp);

private:
  struct Barrier {
    std::uint64_t expected = 0, pending = 0, phase = 0;
    std::int64_t bytes = 0;        ///< that the phase still waits for
    std::uint64_t first_phase = 0; ///< of all that lay at this address
  };
  struct Named {
    std::uint64_t arrived = 0, round = 0;
  };

  bool use(const MeetingOp& op, const Instruction& instruction);
  bool wait(const MeetingOp& op, const Instruction& instruction);
  bool gather(const MeetingOp& op, const Instruction& instruction);
  bool leave(const MeetingOp& op, const Instruction& instruction);
  void arrive_in_groups(const MeetingOp& op, std::uint64_t address, std::uint64_t number,
                        std::uint64_t groups);
  void begin(Barrier& barrier, std::uint64_t count);
  void count(Barrier& barrier, const MeetingOp& op, std::uint64_t number);
  void end_phase_if_complete(Barrier& barrier);
  bool suspend(const Instruction& instruction);
  bool arrive_at_cluster(const MeetingOp& op);
  bool wait_for_cluster(const MeetingOp& op, const Instruction& instruction);
  /// The same address seen from any group of the cluster.
  std::uint64_t place_of(std::uint64_t address) const;
  /// What this group has at the same place. In time the groups of a cluster are taken to be alike: what this
  /// one does at another's barrier stands for what the others do at its own.
  std::uint64_t own_place(std::uint64_t address) const;
  std::uint64_t name_of(std::uint64_t number) const { return state_.cluster_rank * 16ULL + number; }
  /// Stands for the cluster's barrier among the group's own places.
  std::uint64_t own_cluster() const { return name_of(0) + 0x1000; }
  std::uint32_t id_of(std::uint64_t place, std::uint64_t phase);
  /// Lanes that run, all of whose operands are known; false, with an error, otherwise.
  bool operands_known(const Instruction& instruction);

  GroupState& state_;
  WarpRecord& record_;
  std::map<std::uint64_t, Barrier> barriers_; ///< by place_of the address
  std::map<std::uint64_t, Named> named_;      ///< by number and group
  Named cluster_;                             ///< barrier of the cluster: work-items, rounds
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> ids_;
  std::uint64_t changes_ = 0;
};

} // namespace forewarp::simt

// Events of the simulator and the interface of those who listen. Reports never touch the simulator.
#pragma once

#include <cstdint>

namespace forewarp::pipeline {

enum class StallCause : std::uint8_t {
  dependence_arithmetic, ///< a source comes from an arithmetic operation
  dependence_memory,     ///< a source comes from an operation that used a server or a memory latency
  subsystem_busy,
  issue_slot, ///< another warp was chosen
  barrier,
  memory_queue, ///< a server's backlog or the bound on outstanding memory operations held it back
};
inline constexpr int stall_cause_count = 6;
const char* to_string(StallCause cause);

struct IssueEvent {
  std::uint32_t group = 0, warp = 0; ///< launch-order group, warp of the group
  std::uint32_t scheduler = 0, subsystem = 0, instance = 0, tag = 0;
  double issue_cycle = 0, subsystem_free_cycle = 0, result_cycle = 0;
  bool barrier = false;
};
struct StallEvent {
  std::uint32_t group = 0, warp = 0, tag = 0; ///< tag of the instruction that waited
  StallCause cause = StallCause::issue_slot;
  double from_cycle = 0, to_cycle = 0;
};
struct GroupEvent {
  std::uint32_t group = 0;
  double cycle = 0;
};

/// Handlers default to doing nothing; implement those that matter.
class Listener {
public:
  virtual ~Listener() = default;
  virtual void on_issue(const IssueEvent&) {}
  virtual void on_stall(const StallEvent&) {}
  virtual void on_barrier_release(const GroupEvent&) {}
  virtual void on_group_start(const GroupEvent&) {}
  virtual void on_group_finish(const GroupEvent&) {}
};

} // namespace forewarp::pipeline

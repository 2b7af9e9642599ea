// Gates: what may keep a ready head from issuing besides its own unit: a downstream server whose backlog is
// bounded, and the bound on outstanding memory operations. A gate is one of these; gate max_servers is the
// second.
#pragma once

#include "pipeline/core/servers.h"
#include "pipeline/core/state.h"

#include <algorithm>
#include <cstddef>

namespace forewarp::pipeline {

class Gates {
public:
  Gates(const Configuration& configuration, Servers& servers)
      : configuration_(configuration), servers_(servers), outstanding_(configuration.max_outstanding_memory) {
    for (int i = 0; i < max_servers; ++i)
      any_ |= configuration.server_backlog_cycles[i] > 0;
    any_ |= outstanding_.bounded();
  }
  bool any() const { return any_; }

  /// Marks the head of the warp at `bit` at every gate that it has to pass.
  void mark(const Instruction& head, WarpMask bit, GatedHeads& gated) const {
    for (int i = 0; i < max_servers; ++i)
      if (waits_at(head, i))
        gated[static_cast<std::size_t>(i)] |= bit;
    if (counts_as_outstanding(head))
      gated[max_servers] |= bit;
  }

  /// Heads behind a gate that is closed at cycle `now`; lowers `open_cycle` to the first cycle at which such
  /// a gate opens.
  WarpMask closed(const GatedHeads& gated, double now, double& open_cycle) {
    WarpMask blocked = 0;
    for (int gate = 0; gate <= max_servers; ++gate) {
      const WarpMask heads = gated[static_cast<std::size_t>(gate)];
      if (heads == 0)
        continue;
      const double cycle = gate == max_servers ? outstanding_.open_cycle(now) : server_open_cycle(gate);
      if (cycle <= now)
        continue;
      blocked |= heads;
      open_cycle = std::min(open_cycle, cycle);
    }
    return blocked;
  }

  /// The cycle at which the last of the head's gates opened, for the account of what it waited for.
  double opened_cycle(const Instruction& head) const {
    double opened = 0;
    for (int i = 0; i < max_servers; ++i)
      if (waits_at(head, i))
        opened = std::max(opened, server_open_cycle(i));
    if (counts_as_outstanding(head))
      opened = std::max(opened, outstanding_.last_opening_cycle());
    return opened;
  }

  void issued(bool memory, double result_cycle) {
    if (memory && outstanding_.bounded())
      outstanding_.add(result_cycle);
  }

private:
  bool waits_at(const Instruction& head, int server) const {
    return head.server_cycles[server] > 0 && configuration_.server_backlog_cycles[server] > 0;
  }
  bool counts_as_outstanding(const Instruction& head) const {
    return outstanding_.bounded() && (head.memory || servers_used(head));
  }
  double server_open_cycle(int server) const {
    return servers_.free_cycle(server) - configuration_.server_backlog_cycles[server];
  }

  const Configuration& configuration_;
  const Servers& servers_;
  OutstandingMemory outstanding_;
  bool any_ = false;
};

} // namespace forewarp::pipeline

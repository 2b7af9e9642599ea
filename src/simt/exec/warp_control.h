// Runs one warp from where it is to its next barrier or its end: blocks, divergent paths, loops.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/loop_replay.h"
#include "simt/exec/special_instructions.h"
#include "simt/exec/warp_record.h"

#include <utility>
#include <vector>

namespace forewarp::simt {

class WarpControl {
public:
  WarpControl(GroupState& state, WarpRecord& record, LoopReplayer& replayer, SpecialInstructions& specials)
      : state_(state), record_(record), replayer_(replayer), specials_(specials) {}
  void run(Warp& warp);

private:
  bool run_block(std::uint32_t first, std::uint32_t end);
  void run_preserving(const Instruction& instruction);
  void start_block(const Path& path);
  std::pair<std::uint32_t, std::uint32_t> code_of(const Block& block) const;
  void finish_block();
  void take_edge(Path& path, std::uint32_t edge, std::uint64_t taking);
  void split(const Terminator& t, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& ways,
             std::uint64_t both);
  void leave(std::uint64_t lanes_leaving);
  void move_phis(const Edge& edge, std::uint64_t taking);
  void branch(const Terminator& t);
  void choose_case(const Terminator& t);
  void pop_reconverged();
  bool is_crowded(const Path& path) const;
  void merge_twins(const Terminator& t);

  GroupState& state_;
  WarpRecord& record_;
  LoopReplayer& replayer_;
  SpecialInstructions& specials_;
};

} // namespace forewarp::simt

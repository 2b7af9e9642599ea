// Atomics, one lane after the other in lane order.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/warp_record.h"

namespace forewarp::simt {

/// What an atomic of `bytes` leaves.
std::uint64_t combined(AtomicOp op, std::uint64_t old, std::uint64_t operand, unsigned bytes);
/// Of PTX's words: "add" of kind 'f'; none: there is no such operation.
std::optional<AtomicOp> atomic_of(std::string_view verb, char kind, unsigned bytes);

/// Of the running warp; false: the state has an error.
class Atomics {
public:
  Atomics(GroupState& state, WarpRecord& record) : state_(state), record_(record) {}
  bool atomic(const Instruction& instruction);
  bool compare_exchange(const Instruction& instruction);

private:
  GroupState& state_;
  WarpRecord& record_;
};

} // namespace forewarp::simt

// Markers of lifted machine code (ir/machine_markers.h).
#include "simt/decode/decoder.h"

#include "ir/machine_markers.h"

namespace forewarp::simt {

bool Decoder::ends_lanes(const llvm::Instruction& terminator) {
  const auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(terminator.getPrevNonDebugInstruction());
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == ir::machine_markers::lane_exit;
}

bool Decoder::decode_machine_marker(const llvm::CallBase& call, llvm::StringRef name) {
  struct Entry {
    const char* name;
    LaneOp op;
  };
  static constexpr Entry entries[] = {
      {"flush", LaneOp::flushf},
      {"fma_up", LaneOp::fmaupf},
      {"fma_down", LaneOp::fmadownf},
      {"fma_zero", LaneOp::fmazerof},
      {"fma_up.f64", LaneOp::fmaupd},
      {"fma_down.f64", LaneOp::fmadownd},
      {"fma_zero.f64", LaneOp::fmazerod},
      {"narrow_up", LaneOp::dtofup},
      {"narrow_down", LaneOp::dtofdown},
      {"narrow_zero", LaneOp::dtofzero},
      {"division_check", LaneOp::divcheckf},
      {"sin_revolutions", LaneOp::sinrevf},
      {"cos_revolutions", LaneOp::cosrevf},
      {"tanh", LaneOp::tanhf_},
      {"rcp_high", LaneOp::rcphigh},
      {"rsqrt_high", LaneOp::rsqrthigh},
  };
  if (name == "exit")
    return true; // the terminator does it
  if (name == "unknown") {
    emit_special(Special::unknown_value, define(call).front());
    return true;
  }
  for (const Entry& entry : entries) {
    if (name != entry.name)
      continue;
    std::int32_t operands[3] = {no_slot, no_slot, no_slot};
    for (unsigned k = 0; k < call.arg_size() && k < 3; ++k)
      operands[k] = slot(call.getArgOperand(k));
    put(entry.op, define(call).front(), operands[0], operands[1], operands[2]);
    return true;
  }
  return false;
}

} // namespace forewarp::simt

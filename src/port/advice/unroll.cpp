#include "port/advice/unroll.h"

#include <algorithm>

namespace forewarp::port {
namespace {

using facts::MachineOp;
using facts::OpClass;

bool keeps_itself(const MachineOp& op) {
  switch (op.op) {
  case OpClass::int_add:
  case OpClass::int_logic:
  case OpClass::int_shift:
  case OpClass::int_mul:
  case OpClass::int_mul_wide:
  case OpClass::int_minmax_cmp:
  case OpClass::cvt_32:
  case OpClass::cvt_64:
  case OpClass::move:
  case OpClass::branch:
  case OpClass::scalar_alu:
    return false;
  default:
    return true;
  }
}

} // namespace

void unroll(facts::MachineProgram& program, std::uint32_t block, const std::vector<bool>& constant_address) {
  std::vector<MachineOp>& ops = program.blocks[block].ops;
  for (MachineOp& op : ops)
    if (facts::is_memory(op.op) && op.op != OpClass::store_shared && op.site < constant_address.size() &&
        constant_address[op.site])
      op.source_count = 0;
  std::vector<bool> needed(program.value_count, false);
  const auto need = [&](std::uint32_t value) {
    const bool fresh = value < needed.size() && !needed[value];
    if (fresh)
      needed[value] = true;
    return fresh;
  };
  const auto need_sources = [&](const MachineOp& op) {
    bool fresh = false;
    for (unsigned s = 0; s < op.source_count; ++s)
      fresh = need(op.sources[s]) || fresh;
    return fresh;
  };
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b)
    if (b != block) {
      for (const MachineOp& op : program.blocks[b].ops)
        need_sources(op);
      for (const facts::PhiAlias& phi : program.blocks[b].phis)
        need(phi.source);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (const MachineOp& op : ops)
      if (keeps_itself(op) || (op.destination < needed.size() && needed[op.destination]))
        changed = need_sources(op) || changed;
    for (const facts::PhiAlias& phi : program.blocks[block].phis)
      if (phi.destination < needed.size() && needed[phi.destination])
        changed = need(phi.source) || changed;
  }
  std::erase_if(ops, [&](const MachineOp& op) {
    return !keeps_itself(op) && !(op.destination < needed.size() && needed[op.destination]);
  });
}

} // namespace forewarp::port

#include "codegen/nvidia/registers/sink_loads.h"

#include <map>

namespace forewarp::codegen {

using facts::MachineOp;
using facts::OpClass;

bool is_plain_load(const MachineOp& op) {
  switch (op.op) {
  case OpClass::load_global:
  case OpClass::load_shared:
  case OpClass::load_local:
  case OpClass::load_constant:
  case OpClass::load_texture:
    return op.destination != facts::no_value;
  default:
    return false;
  }
}

bool ends_load_stretch(const MachineOp& op) {
  return facts::is_memory(op.op)
             ? !is_plain_load(op)
             : op.op == OpClass::barrier || op.op == OpClass::fence || op.op == OpClass::branch;
}

namespace {

/// Loads that wait, by the register that they write.
class Sinking {
public:
  void run(std::vector<MachineOp>& ops) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (i % scheduling_window == 0)
        flush();
      if (is_plain_load(ops[i]) && !waiting_.contains(ops[i].destination))
        waiting_.emplace(ops[i].destination, ops[i]);
      else
        place(ops[i]);
    }
    flush();
    ops = std::move(order_);
    order_.clear();
  }

private:
  void place(const MachineOp& op) {
    if (ends_load_stretch(op))
      flush();
    for (unsigned s = 0; s < op.source_count; ++s)
      release(op.sources[s]);
    release(op.destination); // written again: the earlier load comes first
    order_.push_back(op);
  }
  void release(std::uint32_t value) {
    const auto found = waiting_.find(value);
    if (found == waiting_.end())
      return;
    const MachineOp load = found->second;
    waiting_.erase(found);
    for (unsigned s = 0; s < load.source_count; ++s)
      release(load.sources[s]);
    order_.push_back(load);
  }
  void flush() {
    while (!waiting_.empty())
      release(waiting_.begin()->first);
  }

  std::map<std::uint32_t, MachineOp> waiting_;
  std::vector<MachineOp> order_;
};

} // namespace

void sink_loads(facts::MachineProgram& program) {
  for (facts::MachineBlock& block : program.blocks)
    Sinking().run(block.ops);
}

} // namespace forewarp::codegen

#include "codegen/nvidia/registers/recompute.h"

#include <map>
#include <set>

namespace forewarp::codegen {
namespace {

using facts::MachineOp;
using facts::OpClass;

/// A multiple, made by one multiplication of one value in a register. Sums and shifts are left out: hashes
/// make them of their data, and hold them.
bool is_offset(const MachineOp& op) {
  return op.op == OpClass::int_mul && op.source_count == 1 && op.destination != facts::no_value &&
         op.sources[0] != op.destination;
}

struct Offset {
  MachineOp op;
  std::uint32_t block = 0; ///< that makes it
  int writes = 0;
  std::set<std::uint32_t> users; ///< other blocks
  bool kept = false;             ///< a phi reads it
};

std::map<std::uint32_t, Offset> offsets_of(const facts::MachineProgram& program) {
  std::map<std::uint32_t, Offset> offsets; // by the value
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b)
    for (const MachineOp& op : program.blocks[b].ops)
      if (is_offset(op))
        offsets[op.destination] = {.op = op, .block = b};
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
    for (const facts::PhiAlias& phi : program.blocks[b].phis)
      if (const auto found = offsets.find(phi.source); found != offsets.end())
        found->second.kept = true;
    for (const MachineOp& op : program.blocks[b].ops) {
      if (const auto found = offsets.find(op.destination); found != offsets.end())
        ++found->second.writes;
      for (unsigned s = 0; s < op.source_count; ++s)
        if (const auto found = offsets.find(op.sources[s]);
            found != offsets.end() && found->second.block != b)
          found->second.users.insert(b);
    }
  }
  return offsets;
}

void make_in(facts::MachineBlock& block, const MachineOp& offset) {
  for (auto op = block.ops.begin(); op != block.ops.end(); ++op)
    for (unsigned s = 0; s < op->source_count; ++s)
      if (op->sources[s] == offset.destination) {
        block.ops.insert(op, offset);
        return;
      }
}

} // namespace

bool recompute_offsets(facts::MachineProgram& program, const Liveness& live,
                       const std::vector<std::uint8_t>& sizes, unsigned most) {
  std::set<std::uint32_t> full;
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b)
    if (peak_pressure(program, live, b, sizes) > most)
      full.insert(b);
  bool changed = false;
  if (full.empty())
    return changed;
  std::set<std::uint32_t> made; // no chain of them: the first is no longer held where the second is made
  for (const auto& [value, offset] : offsets_of(program)) {
    const std::uint32_t from = offset.op.sources[0];
    bool can = offset.writes == 1 && !offset.kept && !offset.users.empty() && !made.contains(from);
    for (const std::uint32_t user : offset.users)
      can = can && full.contains(user) && live.in[user][from];
    if (!can)
      continue;
    for (const std::uint32_t user : offset.users)
      make_in(program.blocks[user], offset.op);
    made.insert(value);
    changed = true;
  }
  return changed;
}

} // namespace forewarp::codegen

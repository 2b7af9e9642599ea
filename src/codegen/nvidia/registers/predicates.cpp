#include "codegen/nvidia/registers/predicates.h"

#include <llvm/ADT/DenseMap.h>

#include <algorithm>

namespace forewarp::codegen {

using facts::MachineOp;
using facts::no_value;

std::vector<std::uint8_t> room_for_predicates(const std::vector<MachineOp>& ops, std::size_t first,
                                              std::size_t last, const std::vector<int>& uses_left,
                                              const std::vector<std::uint8_t>& sizes,
                                              const std::vector<std::uint32_t>& held) {
  constexpr int registers = 7;
  llvm::DenseMap<std::uint32_t, int> uses_here;
  for (std::size_t i = first; i < last; ++i)
    for (unsigned s = 0; s < ops[i].source_count; ++s)
      if (const std::uint32_t value = ops[i].sources[s]; sizes[value] == 0)
        ++uses_here[value];
  llvm::DenseMap<std::uint32_t, int> around; // live, with the uses that are left
  for (const std::uint32_t value : held)
    around[value] = uses_left[value];
  std::vector<std::uint8_t> room(last - first, 0);
  for (std::size_t i = first; i < last; ++i) {
    const MachineOp& op = ops[i];
    for (unsigned s = 0; s < op.source_count; ++s)
      if (const auto found = around.find(op.sources[s]); found != around.end() && --found->second == 0)
        around.erase(found);
    if (op.destination == no_value || sizes[op.destination] != 0 || uses_left[op.destination] == 0)
      continue;
    if (uses_here.lookup(op.destination) < uses_left[op.destination])
      around[op.destination] = uses_left[op.destination];
    else
      room[i - first] = static_cast<std::uint8_t>(std::max(1, registers - static_cast<int>(around.size())));
  }
  return room;
}

} // namespace forewarp::codegen

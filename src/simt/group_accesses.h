// What group_places asks of an access: where it goes, and whether the places of all groups are a plain sum of
// multiples of the group's index.
#pragma once

#include "facts/launch.h"

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace forewarp::simt {

inline const llvm::Value* address_of(const llvm::Instruction& instruction) {
  if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
    return pointer;
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  return nullptr;
}

inline bool is_shared_by_groups(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == 0 || space == 1;
}

/// A plain sum of multiples of the index after all: `index & mask` of a mask that is wide enough, and the
/// like.
inline bool is_plane(const std::vector<std::int64_t>& places, const facts::Dim3& groups) {
  const auto at = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return places[(z * groups.y + y) * groups.x + x];
  };
  const std::int64_t dx = groups.x > 1 ? at(1, 0, 0) - at(0, 0, 0) : 0,
                     dy = groups.y > 1 ? at(0, 1, 0) - at(0, 0, 0) : 0,
                     dz = groups.z > 1 ? at(0, 0, 1) - at(0, 0, 0) : 0;
  std::size_t i = 0;
  for (std::uint64_t z = 0; z < groups.z; ++z)
    for (std::uint64_t y = 0; y < groups.y; ++y)
      for (std::uint64_t x = 0; x < groups.x; ++x, ++i)
        if (places[i] != places[0] + static_cast<std::int64_t>(x) * dx + static_cast<std::int64_t>(y) * dy +
                             static_cast<std::int64_t>(z) * dz)
          return false;
  return true;
}

} // namespace forewarp::simt

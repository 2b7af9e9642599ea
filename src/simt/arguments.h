// Arguments of a launch -> regions of the address space and values of the kernel's parameter slots.
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"
#include "simt/decode/program.h"
#include "simt/memory_map.h"
#include "support/result.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace forewarp::simt {

struct SlotValue {
  std::int32_t slot = 0;
  LaneType type = LaneType::quad;
  std::uint64_t value = 0;
  bool known = true;
};

struct Binding {
  std::vector<SlotValue> slots;
  std::vector<std::uint64_t> variable_addresses; ///< by Program::variables
  std::vector<Region*> buffers;                  ///< of global and constant pointers, in parameter order
  std::uint64_t shared_bytes = 0;                ///< static, `local` arguments and dynamic
  std::vector<facts::MemoryRegion> shared_regions;
  std::vector<facts::Note> notes;
  std::deque<facts::BufferValue> large_variables; ///< contents of regions: as long as the launch's memory
};

/// Errors: launch; every missing or wrong argument is named in one message, with how to write it.
Result<Binding> bind_arguments(const Program& program, const ir::KernelSignature& kernel,
                               const facts::Launch& launch, const facts::LaunchShape& shape,
                               MemoryMap& memory);

/// The bytes of a scalar, vector or struct parameter. Error: what is wrong, without place.
Result<std::vector<std::uint8_t>> scalar_bytes(const ir::Parameter& parameter,
                                               const facts::ScalarValue& value);

} // namespace forewarp::simt

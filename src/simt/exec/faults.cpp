#include "simt/exec/faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::simt {

std::string work_item(const GroupState& state, unsigned lane) {
  const std::uint64_t id = static_cast<std::uint64_t>(state.warp->index) * state.lanes() + lane;
  return fmt::format("work-item ({}, {}, {})",
                     state.group.x * state.shape.group_size.x + id % state.group_size.x,
                     state.group.y * state.shape.group_size.y + id / state.group_size.x % state.group_size.y,
                     state.group.z * state.shape.group_size.z + id / state.group_size.x / state.group_size.y);
}

namespace {

bool fault_shared(GroupState& state, const char* kind, std::uint32_t origin, std::uint64_t offset,
                  unsigned lane, std::uint32_t width_bytes) {
  const bool dynamic = std::any_of(state.program.variables.begin(), state.program.variables.end(),
                                   [](const Variable& variable) { return variable.dynamic_shared; });
  return state.fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} shared memory by {}: {} bytes at byte {}, but a group has {} bytes", kind,
                  work_item(state, lane), width_bytes, offset, state.shared_bytes),
      origin,
      dynamic ? fmt::format("guard the access, or give more dynamic shared memory: --dynamic-shared "
                            "BYTES (now {})",
                            state.shape.dynamic_shared_bytes)
      : state.shape.local_argument_bytes > 0
          ? std::string("guard the access, or give more elements to the `local` argument: --arg "
                        "NAME=buffer:TYPE[COUNT]")
          : std::string("guard the access, or declare a larger array; machine code may want --dynamic-shared "
                        "BYTES"));
}

/// The places are those of the work-item's own arrays, which lie behind one another for all lanes.
bool fault_private(GroupState& state, const char* kind, std::uint32_t origin, std::uint64_t address,
                   unsigned lane, std::uint32_t width_bytes) {
  const std::uint64_t frame = state.local_region->size_bytes / state.lanes();
  const auto offset = static_cast<std::int64_t>(address - state.local_region->info.base - lane * frame);
  return state.fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} private arrays by {}: {} bytes at byte {}, but a work-item has {} bytes",
                  kind, work_item(state, lane), width_bytes, offset, frame),
      origin, "guard the access, or declare a larger array");
}

} // namespace

bool fault_access(GroupState& state, const MemoryOp& op, std::uint32_t origin, std::uint64_t address,
                  unsigned lane, std::uint32_t width_bytes) {
  const char* kind = op.kind == facts::AccessKind::load    ? "load from"
                     : op.kind == facts::AccessKind::store ? "store to"
                                                           : "atomic on";
  if (address >= shared_window && address < local_window)
    return fault_shared(state, kind, origin, address - shared_window, lane, width_bytes);
  constexpr std::uint64_t first_page = 65536;
  if (address < first_page && state.memory.find(address) == nullptr)
    return state.fail_with(
        ErrorCode::kernel_fault,
        fmt::format("{} a null pointer (address {:#x}) by {}", kind, address, work_item(state, lane)), origin,
        "give what the pointer lies in: --arg NAME=buffer:TYPE[COUNT], of a struct "
        "--arg NAME.FIELD=..., of a table of pointers --arg 'NAME[]=...'");
  const std::string named = op.site == no_site ? std::string() : state.program.sites[op.site].buffer;
  // The buffer that the source names, else the one that lies nearest.
  const Region* target = nullptr;
  std::uint64_t nearest = ~std::uint64_t{0};
  for (const auto& region : state.memory.regions()) {
    if (!named.empty() && region->info.name == named) {
      target = region.get();
      break;
    }
    const std::uint64_t end = region->info.base + region->size_bytes;
    const std::uint64_t distance = address >= end                ? address - end
                                   : region->info.base > address ? region->info.base - address
                                                                 : 0;
    if (distance < nearest) {
      nearest = distance;
      target = region.get();
    }
  }
  if (!target || (named.empty() && nearest > (std::uint64_t{1} << 40)))
    return state.fail_with(ErrorCode::kernel_fault,
                           fmt::format("{} the address {:#x}, which belongs to no buffer, by {}", kind,
                                       address, work_item(state, lane)),
                           origin);
  if (target == state.local_region)
    return fault_private(state, kind, origin, address, lane, width_bytes);
  const std::uint32_t element = target->buffer ? target->element_bytes : width_bytes;
  const auto offset = static_cast<std::int64_t>(address - target->info.base);
  const std::int64_t index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
  return state.fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} '{}' by {}: index {} (byte {}), but it has {} elements of {} bytes", kind,
                  target->info.name, work_item(state, lane), index, offset, target->size_bytes / element,
                  element),
      origin, fmt::format("guard the access, or give '{}' more elements", target->info.name));
}

} // namespace forewarp::simt

// Errors of the kernel itself, worded for the person who wrote it.
#include "simt/exec/group.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::simt {

std::string GroupRunner::place(std::uint32_t origin) const {
  const facts::SourceLocation at = program_.locations[origin];
  if (at.line == 0 || at.file >= program_.files.size())
    return {};
  return fmt::format("{}:{}:{}", program_.files[at.file], at.line, at.column);
}

std::string GroupRunner::work_item(unsigned lane) const {
  const std::uint64_t id = static_cast<std::uint64_t>(warp_->index) * lanes() + lane;
  return fmt::format("work-item ({}, {}, {})", group_.x * shape_.group_size.x + id % group_size_.x,
                     group_.y * shape_.group_size.y + id / group_size_.x % group_size_.y,
                     group_.z * shape_.group_size.z + id / group_size_.x / group_size_.y);
}

bool GroupRunner::fail_with(ErrorCode code, std::string message, std::uint32_t origin, std::string hint) {
  if (!error_)
    error_ = Error{code, std::move(message), place(origin), std::move(hint)};
  return false;
}

Error GroupRunner::fault(std::string message, std::uint32_t instruction, std::string hint) {
  return {ErrorCode::kernel_fault, std::move(message), place(program_.code[instruction].origin),
          std::move(hint)};
}

bool GroupRunner::fault_shared(const char* kind, std::uint32_t origin, std::uint64_t offset, unsigned lane,
                               std::uint32_t width_bytes) {
  const bool dynamic = std::any_of(program_.variables.begin(), program_.variables.end(),
                                   [](const Variable& variable) { return variable.dynamic_shared; });
  return fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} shared memory by {}: {} bytes at byte {}, but a group has {} bytes", kind,
                  work_item(lane), width_bytes, offset, shared_memory_.size()),
      origin,
      dynamic ? fmt::format("guard the access, or give more dynamic shared memory: --dynamic-shared "
                            "BYTES (now {})",
                            shape_.dynamic_shared_bytes)
      : shape_.local_argument_bytes > 0
          ? std::string("guard the access, or give more elements to the `local` argument: --arg "
                        "NAME=buffer:TYPE[COUNT]")
          : std::string("guard the access, or declare a larger array"));
}

/// The places are those of the work-item's own arrays, which lie behind one another for all lanes.
bool GroupRunner::fault_private(const char* kind, std::uint32_t origin, std::uint64_t address, unsigned lane,
                                std::uint32_t width_bytes) {
  const std::uint64_t frame = local_region_->size_bytes / lanes();
  const auto offset = static_cast<std::int64_t>(address - local_region_->info.base - lane * frame);
  return fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} private arrays by {}: {} bytes at byte {}, but a work-item has {} bytes",
                  kind, work_item(lane), width_bytes, offset, frame),
      origin, "guard the access, or declare a larger array");
}

bool GroupRunner::fault_access(const MemoryOp& op, std::uint32_t origin, std::uint64_t address, unsigned lane,
                               std::uint32_t width_bytes) {
  const char* kind = op.kind == facts::AccessKind::load    ? "load from"
                     : op.kind == facts::AccessKind::store ? "store to"
                                                           : "atomic on";
  if (address >= shared_window && address < local_window)
    return fault_shared(kind, origin, address - shared_window, lane, width_bytes);
  const std::string named = op.site == no_site ? std::string() : program_.sites[op.site].buffer;
  // The buffer that the source names, else the one that lies nearest.
  const Region* target = nullptr;
  std::uint64_t nearest = ~std::uint64_t{0};
  for (const auto& region : memory_.regions()) {
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
    return fail_with(ErrorCode::kernel_fault,
                     fmt::format("{} the address {:#x}, which belongs to no buffer, by {}", kind, address,
                                 work_item(lane)),
                     origin);
  if (target == local_region_)
    return fault_private(kind, origin, address, lane, width_bytes);
  const std::uint32_t element = target->buffer ? target->element_bytes : width_bytes;
  const auto offset = static_cast<std::int64_t>(address - target->info.base);
  const std::int64_t index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
  return fail_with(
      ErrorCode::kernel_fault,
      fmt::format("out-of-bounds {} '{}' by {}: index {} (byte {}), but it has {} elements of {} bytes", kind,
                  target->info.name, work_item(lane), index, offset, target->size_bytes / element, element),
      origin, fmt::format("guard the access, or give '{}' more elements", target->info.name));
}

} // namespace forewarp::simt

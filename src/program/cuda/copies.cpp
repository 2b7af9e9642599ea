// Copies and fills: done at once, timed by the link or by the device's own memory.
#include "program/cuda/state.h"

#include <cstring>

using namespace forewarp::program;

namespace {

bool is_on_device(const void* at) {
  const Allocation* found = allocation_at(at);
  return found && (found->kind == MemoryKind::device || found->kind == MemoryKind::variable ||
                   found->kind == MemoryKind::managed);
}

struct Way {
  CommandKind kind;
  const char* name;
  double gbps;
  bool over_link;
};

Way way_of(const void* to, const void* from, cudaMemcpyKind kind) {
  const State& s = state();
  if (kind == cudaMemcpyDefault)
    kind = is_on_device(to) ? (is_on_device(from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                            : (is_on_device(from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  switch (kind) {
  case cudaMemcpyHostToDevice:
    return {CommandKind::to_device, "write", s.to_device_gbps, true};
  case cudaMemcpyDeviceToHost:
    return {CommandKind::from_device, "read", s.from_device_gbps, true};
  case cudaMemcpyDeviceToDevice:
    return {CommandKind::on_device, "copy", s.on_device_gbps / 2, false};
  default:
    return {CommandKind::marker, "", 0, false};
  }
}

/// Rows of `width` bytes.
struct Rows {
  void* to = nullptr;
  std::size_t to_pitch = 0;
  const void* from = nullptr;
  std::size_t from_pitch = 0, width = 0, height = 1;
  std::size_t reach(std::size_t pitch) const {
    return height == 0 || width == 0 ? 0 : pitch * (height - 1) + width;
  }
};

bool fits(const void* at, std::size_t bytes) {
  const Allocation* found = allocation_at(at);
  return !found || reinterpret_cast<std::uint64_t>(at) - found->begin + bytes <= found->bytes;
}

/// A null pointer, or a device pointer that points to no buffer, or beyond one.
bool is_bad(const Rows& rows, cudaMemcpyKind kind) {
  if (!rows.to || !rows.from)
    return true;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && !allocation_at(rows.to)) || (from_device && !allocation_at(rows.from)))
    return true;
  return (to_device && !fits(rows.to, rows.reach(rows.to_pitch))) ||
         (from_device && !fits(rows.from, rows.reach(rows.from_pitch)));
}

cudaError_t copy_now(Call& call, Stream& stream, const Rows& rows, cudaMemcpyKind kind, bool host_waits) {
  State& s = state();
  if (s.sticky != cudaSuccess)
    return s.sticky;
  if (rows.width == 0 || rows.height == 0)
    return cudaSuccess;
  if (is_bad(rows, kind))
    return give(cudaErrorInvalidValue);
  for (std::size_t k = 0; k < rows.height; ++k)
    std::memmove(static_cast<char*>(rows.to) + k * rows.to_pitch,
                 static_cast<const char*>(rows.from) + k * rows.from_pitch, rows.width);
  wrote(rows.to);
  const Way way = way_of(rows.to, rows.from, kind);
  if (way.kind == CommandKind::marker)
    return cudaSuccess;
  const auto bytes = static_cast<double>(rows.width) * static_cast<double>(rows.height);
  Given given{way.kind, way.name, call.entered_at(), way.over_link ? s.copy_delay_ns : s.launch_delay_ns,
              copy_ns(bytes, way.gbps)};
  given.detail = {{"bytes", bytes}};
  const Kept kept = keep(stream, std::move(given));
  if (host_waits && way.over_link)
    call.leave_at(wait_for({kept.command}, call.entered_at()));
  return cudaSuccess;
}

cudaError_t copy(const Rows& rows, cudaMemcpyKind kind, cudaStream_t handle, bool host_waits) {
  Call call;
  Stream& stream = stream_of(handle);
  if (!stream.capture)
    return copy_now(call, stream, rows, kind, host_waits);
  stream.capture->steps.emplace_back([rows, kind](Stream& at) {
    Call again;
    copy_now(again, at, rows, kind, false);
  });
  return cudaSuccess;
}

cudaError_t fill_now(Call& call, Stream& stream, const Rows& rows, int value) {
  State& s = state();
  if (s.sticky != cudaSuccess)
    return s.sticky;
  if (rows.width == 0 || rows.height == 0)
    return cudaSuccess;
  if (!allocation_at(rows.to) || !fits(rows.to, rows.reach(rows.to_pitch)))
    return give(cudaErrorInvalidValue);
  for (std::size_t k = 0; k < rows.height; ++k)
    std::memset(static_cast<char*>(rows.to) + k * rows.to_pitch, value, rows.width);
  wrote(rows.to);
  const auto bytes = static_cast<double>(rows.width) * static_cast<double>(rows.height);
  Given given{CommandKind::on_device, "fill", call.entered_at(), s.launch_delay_ns,
              copy_ns(bytes, s.on_device_gbps)};
  given.detail = {{"bytes", bytes}};
  keep(stream, std::move(given));
  call.leave_at(call.entered_at() + s.launch_call_ns);
  return cudaSuccess;
}

cudaError_t fill(const Rows& rows, int value, cudaStream_t handle) {
  Call call;
  Stream& stream = stream_of(handle);
  if (!stream.capture)
    return fill_now(call, stream, rows, value);
  stream.capture->steps.emplace_back([rows, value](Stream& at) {
    Call again;
    fill_now(again, at, rows, value);
  });
  return cudaSuccess;
}

Rows flat(void* to, const void* from, std::size_t bytes) {
  return {to, bytes, from, bytes, bytes, 1};
}

/// The device's memory behind a variable's host shadow; null: not a variable.
char* symbol_address(const void* shadow) {
  const auto found = state().variables.find(shadow);
  return found == state().variables.end() ? nullptr : reinterpret_cast<char*>(found->second.begin);
}

} // namespace

FOREWARP_API cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy(flat(to, from, bytes), kind, nullptr, true);
}
FOREWARP_API cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  return copy(flat(to, from, bytes), kind, stream, false);
}
FOREWARP_API cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return copy(flat(to, from, bytes), cudaMemcpyDeviceToDevice, nullptr, false);
}
FOREWARP_API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                             cudaStream_t stream) {
  return copy(flat(to, from, bytes), cudaMemcpyDeviceToDevice, stream, false);
}
FOREWARP_API cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                      std::size_t from_pitch, std::size_t width, std::size_t height,
                                      cudaMemcpyKind kind) {
  return copy({to, to_pitch, from, from_pitch, width, height}, kind, nullptr, true);
}
FOREWARP_API cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                           std::size_t from_pitch, std::size_t width, std::size_t height,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
  return copy({to, to_pitch, from, from_pitch, width, height}, kind, stream, false);
}
FOREWARP_API cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return fill(flat(to, nullptr, bytes), value, nullptr);
}
FOREWARP_API cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill(flat(to, nullptr, bytes), value, stream);
}
FOREWARP_API cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                      std::size_t height) {
  return fill({to, pitch, nullptr, 0, width, height}, value, nullptr);
}
FOREWARP_API cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                           std::size_t height, cudaStream_t stream) {
  return fill({to, pitch, nullptr, 0, width, height}, value, stream);
}
FOREWARP_API cudaError_t cudaMemPrefetchAsync(const void* at, std::size_t, int, cudaStream_t) {
  Call call; // pages of managed memory have no place of their own in this model
  return allocation_at(at) ? cudaSuccess : give(cudaErrorInvalidValue);
}

FOREWARP_API cudaError_t forewarp_copy_to_symbol(const void* shadow, const void* from, std::size_t bytes,
                                                 std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                                 int waits) {
  char* to = symbol_address(shadow);
  return to ? copy(flat(to + offset, from, bytes), kind, stream, waits != 0) : give(cudaErrorInvalidSymbol);
}
FOREWARP_API cudaError_t forewarp_copy_from_symbol(void* to, const void* shadow, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind,
                                                   cudaStream_t stream, int waits) {
  const char* from = symbol_address(shadow);
  return from ? copy(flat(to, from + offset, bytes), kind, stream, waits != 0) : give(cudaErrorInvalidSymbol);
}
FOREWARP_API cudaError_t forewarp_symbol_address(void** out, const void* shadow) {
  Call call;
  *out = symbol_address(shadow);
  return *out ? cudaSuccess : give(cudaErrorInvalidSymbol);
}
FOREWARP_API cudaError_t forewarp_symbol_size(std::size_t* out, const void* shadow) {
  Call call;
  const auto found = state().variables.find(shadow);
  if (found == state().variables.end())
    return give(cudaErrorInvalidSymbol);
  *out = found->second.bytes;
  return cudaSuccess;
}

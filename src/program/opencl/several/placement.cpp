#include "program/opencl/several/placement.h"

#include "program/opencl/several/devices.h"

namespace forewarp::program {
namespace {

/// Of a part of a buffer: the whole. Under State::lock.
MemoryFacts* whole(State& s, cl_mem memory) {
  auto found = s.memory.find(memory);
  while (found != s.memory.end() && found->second.parent)
    found = s.memory.find(found->second.parent);
  return found == s.memory.end() ? nullptr : &found->second;
}

std::uint64_t bit(unsigned device) {
  return std::uint64_t{1} << device;
}

} // namespace

Move& Move::operator+=(const Move& other) {
  bytes += other.bytes;
  duration += other.duration;
  return *this;
}

void lies_on(cl_mem memory, cl_command_queue queue) {
  State& s = state();
  if (s.devices.size() == 1)
    return;
  const std::lock_guard lock(s.lock);
  if (MemoryFacts* facts = whole(s, memory))
    facts->holders = bit(s.queue(queue).device);
}

Move move_to(cl_command_queue queue, cl_mem memory) {
  State& s = state();
  if (s.devices.size() == 1)
    return {};
  const std::lock_guard lock(s.lock);
  MemoryFacts* facts = whole(s, memory);
  if (!facts)
    return {};
  const unsigned to = s.queue(queue).device;
  const std::uint64_t before = facts->holders;
  facts->holders = facts->read_only ? before | bit(to) : bit(to);
  if (before == 0 || (before & bit(to)) != 0)
    return {};
  unsigned from = 0;
  while ((before & bit(from)) == 0)
    ++from;
  const auto bytes = static_cast<double>(facts->bytes);
  return {bytes,
          copy_ns(bytes, s.devices[from].from_device_gbps) + copy_ns(bytes, s.devices[to].to_device_gbps)};
}

Given as_command(const Move& move, cl_command_queue queue) {
  return {CommandKind::to_device, "migrate", 0, device_of(queue).copy_delay_ns, move.duration, false,
          {{"bytes", move.bytes}}};
}

} // namespace forewarp::program

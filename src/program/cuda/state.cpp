#include "program/cuda/state.h"

#include "program/inside/log.h"

#include <algorithm>
#include <pthread.h>

namespace forewarp::program {
namespace {

State* made() {
  auto* s = new State;
  s->default_stream.id = ++s->streams;
  s->device = nlohmann::json::object();
  const auto facts = greet();
  if (!facts)
    return s;
  // A child finds no lock that another thread held.
  ::pthread_atfork([] { state().lock.lock(); }, [] { state().lock.unlock(); }, [] { state().lock.unlock(); });
  s->device = facts->at("device");
  s->execute = facts->value("execute", "needed");
  s->launch_delay_ns = facts->value("launch_delay_ns", std::int64_t{0});
  s->launch_call_ns = facts->value("launch_call_ns", std::int64_t{0});
  s->copy_delay_ns = facts->value("copy_delay_ns", std::int64_t{0});
  s->to_device_gbps = facts->value("to_device_gbps", 0.0);
  s->from_device_gbps = facts->value("from_device_gbps", 0.0);
  s->on_device_gbps = facts->value("on_device_gbps", 0.0);
  s->look_again = facts->value("look_again", 0U);
  return s;
}

} // namespace

State& state() {
  static State* only = made();
  return *only;
}

cudaError_t give(cudaError_t error) {
  State& s = state();
  if (s.sticky != cudaSuccess)
    return s.sticky;
  if (error != cudaSuccess && error != cudaErrorNotReady)
    s.last_error = error;
  return error;
}

Stream& stream_of(cudaStream_t handle) {
  State& s = state();
  const auto found = s.made_streams.find(reinterpret_cast<std::uint64_t>(handle));
  return found == s.made_streams.end() ? s.default_stream : *found->second;
}

Allocation* allocation_at(const void* address) {
  State& s = state();
  const auto at = reinterpret_cast<std::uint64_t>(address);
  auto found = s.memory.upper_bound(at);
  if (found == s.memory.begin())
    return nullptr;
  Allocation& before = (--found)->second;
  return at - before.begin < before.bytes ? &before : nullptr;
}

Allocation& add_allocation(void* at, std::size_t bytes, MemoryKind kind) {
  State& s = state();
  const auto begin = reinterpret_cast<std::uint64_t>(at);
  const std::uint64_t number = kind == MemoryKind::variable ? 0 : ++s.allocations;
  return s.memory[begin] = {begin, bytes, kind, number, ++s.versions};
}

void wrote(const void* address) {
  if (Allocation* allocation = allocation_at(address))
    allocation->version = ++state().versions;
}

Kept keep(Stream& stream, Given given) {
  State& s = state();
  if (&stream == &s.default_stream) {
    for (const auto& [handle, other] : s.made_streams)
      if (other->blocking && other->last > 0)
        given.after.push_back(other->last);
  } else if (stream.blocking && s.default_stream.last > 0) {
    given.after.push_back(s.default_stream.last);
  }
  Command command = {++s.commands,    stream.id,   true,           false,      given.kind,
                     given.called_at, given.delay, given.duration, given.after};
  const CommandTimes times = s.clock.run(command);
  stream.last = command.id;
  tell_command(command, given.name, given.detail);
  return {command.id, times};
}

std::int64_t wait_for(const std::vector<std::uint64_t>& commands, std::int64_t entered_at) {
  std::int64_t left_at = entered_at;
  for (const std::uint64_t id : commands)
    left_at = std::max(left_at, state().clock.end_of(id));
  tell_wait(commands, entered_at, left_at);
  return left_at;
}

std::vector<std::uint64_t> last_of_all() {
  State& s = state();
  std::vector<std::uint64_t> out;
  if (s.default_stream.last > 0)
    out.push_back(s.default_stream.last);
  for (const auto& [handle, stream] : s.made_streams)
    if (stream->last > 0)
      out.push_back(stream->last);
  return out;
}

} // namespace forewarp::program

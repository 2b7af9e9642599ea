// Calls of libraries (Thrust, CUB's device-wide functions, cuBLAS): executed here, named without a time.
#include "program/cuda/vendor/library.h"

using namespace forewarp::program;

namespace {

thread_local std::vector<void*> rooms;
thread_local unsigned depth = 0; ///< calls that this thread is in
thread_local cudaStream_t stream_of_call = nullptr;

} // namespace

namespace forewarp::program {

bool is_in_library_call() {
  return depth > 0;
}

void tell_library_call(Call& call, const std::string& name, const std::string& shape, cudaStream_t stream) {
  const std::string words = shape.empty() ? name : name + ", " + shape;
  keep(stream_of(stream), {CommandKind::kernel,
                           words.c_str(),
                           call.entered_at(),
                           state().launch_delay_ns,
                           0,
                           {},
                           {{"launch", 0}}});
}

bool lies_in_buffer(const char* name, const void* at, std::uint64_t bytes) {
  const Allocation* found = allocation_at(at);
  if (found && reinterpret_cast<std::uint64_t>(at) - found->begin + bytes <= found->bytes)
    return true;
  tell({{"op", "fault"},
        {"kernel", name},
        {"what", std::string(name) + ": an argument of " + std::to_string(bytes) +
                     " bytes does not lie within a buffer of the device"}});
  return false;
}

void wrote_everywhere() {
  State& s = state();
  for (auto& [begin, allocation] : s.memory)
    allocation.version = ++s.versions;
}

} // namespace forewarp::program

FOREWARP_API void forewarp_library_begin(const char* name, std::size_t items, std::size_t item_bytes,
                                         cudaStream_t stream) {
  Call call;
  if (depth++ > 0)
    return;
  stream_of_call = stream;
  tell_library_call(call, name, std::to_string(items) + " x " + std::to_string(item_bytes) + " bytes",
                    stream);
}

FOREWARP_API void forewarp_library_end(int host_waits) {
  Call call;
  if (--depth > 0)
    return;
  for (void* at : rooms)
    give_back_room(at);
  rooms.clear();
  if (const Stream& stream = stream_of(stream_of_call); host_waits != 0 && stream.last > 0)
    call.leave_at(wait_for({stream.last}, call.entered_at()));
}

FOREWARP_API void* forewarp_library_room(std::size_t bytes) {
  Call call;
  void* at = take_room(bytes);
  if (at)
    rooms.push_back(at);
  return at;
}

// Streams, events, waiting, graphs.
#include "program/cuda/state.h"

#include <algorithm>

using namespace forewarp::program;

namespace {

Event* event_of(cudaEvent_t handle) {
  return reinterpret_cast<Event*>(handle);
}
Graph* graph_of(cudaGraph_t handle) {
  return reinterpret_cast<Graph*>(handle);
}

std::vector<std::uint64_t> last_of(const Stream& stream) {
  return stream.last > 0 ? std::vector{stream.last} : std::vector<std::uint64_t>{};
}

} // namespace

FOREWARP_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  Call call;
  State& s = state();
  auto stream = std::make_unique<Stream>();
  stream->id = ++s.streams;
  stream->blocking = (flags & cudaStreamNonBlocking) == 0;
  const auto handle = reinterpret_cast<std::uint64_t>(stream.get());
  *out = reinterpret_cast<cudaStream_t>(handle);
  s.made_streams[handle] = std::move(stream);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return cudaStreamCreateWithFlags(out, 0);
}
FOREWARP_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int) {
  return cudaStreamCreateWithFlags(out, flags);
}
FOREWARP_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Call call;
  return state().made_streams.erase(reinterpret_cast<std::uint64_t>(handle)) == 1
             ? cudaSuccess
             : give(cudaErrorInvalidResourceHandle);
}
FOREWARP_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Call call;
  call.leave_at(wait_for(last_of(stream_of(handle)), call.entered_at()));
  return state().sticky;
}
FOREWARP_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Call call;
  const Stream& stream = stream_of(handle);
  return stream.last > 0 && state().clock.end_of(stream.last) > call.entered_at() ? cudaErrorNotReady
                                                                                  : state().sticky;
}
FOREWARP_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  Call call;
  Stream& stream = stream_of(handle);
  if (stream.capture || !event_of(event)->recorded)
    return cudaSuccess;
  keep(stream, {CommandKind::marker, "wait", call.entered_at(), 0, 0, {event_of(event)->command}});
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  {
    Call call;
    call.leave_at(wait_for(last_of(stream_of(handle)), call.entered_at()));
  }
  function(data); // in the calling thread, when what is before it has ended
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data,
                                               unsigned) {
  {
    Call call;
    call.leave_at(wait_for(last_of(stream_of(handle)), call.entered_at()));
  }
  function(handle, cudaSuccess, data);
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaDeviceSynchronize() {
  Call call;
  call.leave_at(wait_for(last_of_all(), call.entered_at()));
  return state().sticky;
}
FOREWARP_API cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}

FOREWARP_API cudaError_t cudaEventCreate(cudaEvent_t* out) {
  Call call;
  *out = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned) {
  return cudaEventCreate(out);
}
FOREWARP_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Call call;
  delete event_of(event);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  Call call;
  if (!handle)
    return give(cudaErrorInvalidResourceHandle);
  Stream& stream = stream_of(stream_handle);
  if (stream.capture)
    return cudaSuccess;
  const Kept kept = keep(stream, {CommandKind::marker, "event", call.entered_at(), state().launch_delay_ns});
  *event_of(handle) = {kept.command, kept.times.end, true};
  return state().sticky;
}
FOREWARP_API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  Call call;
  if (!handle)
    return give(cudaErrorInvalidResourceHandle);
  const Event& event = *event_of(handle);
  if (event.recorded)
    call.leave_at(wait_for({event.command}, call.entered_at()));
  return state().sticky;
}
FOREWARP_API cudaError_t cudaEventQuery(cudaEvent_t handle) {
  Call call;
  return event_of(handle)->time > call.entered_at() ? cudaErrorNotReady : state().sticky;
}
FOREWARP_API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  Call call;
  if (!from || !to || !event_of(from)->recorded || !event_of(to)->recorded)
    return give(cudaErrorInvalidResourceHandle);
  *ms = static_cast<float>(static_cast<double>(event_of(to)->time - event_of(from)->time) / 1e6);
  return state().sticky;
}

FOREWARP_API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* out) {
  Call call;
  *out = stream_of(handle).blocking ? 0 : cudaStreamNonBlocking;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamGetPriority(cudaStream_t, int* out) {
  *out = 0; // streams take turns, whatever their priorities
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* out) {
  Call call;
  *out = stream_of(handle).capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  Call call;
  stream_of(handle).capture = new Graph;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out) {
  Call call;
  Stream& stream = stream_of(handle);
  *out = reinterpret_cast<cudaGraph_t>(stream.capture);
  stream.capture = nullptr;
  return *out ? cudaSuccess : give(cudaErrorInvalidValue);
}
FOREWARP_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  Call call;
  *out = reinterpret_cast<cudaGraphExec_t>(new Graph(*graph_of(graph)));
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  const Graph& graph = *reinterpret_cast<Graph*>(handle);
  for (const auto& step : graph.steps)
    step(stream_of(stream));
  return state().sticky;
}
FOREWARP_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Call call;
  delete graph_of(graph);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  Call call;
  delete reinterpret_cast<Graph*>(handle);
  return cudaSuccess;
}

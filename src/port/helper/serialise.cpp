#include "port/helper/serialise.h"

#include <cstring>
#include <type_traits>

namespace forewarp::port {
namespace {

class Writer {
public:
  static constexpr bool reads = false;
  std::string bytes;
  bool ok = true;
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

class Reader {
public:
  static constexpr bool reads = true;
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  bool ok = true;
  void raw(void* data, std::size_t size) {
    if (!ok || bytes_.size() - at_ < size) {
      ok = false;
      return;
    }
    if (size > 0)
      std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  std::size_t left() const { return bytes_.size() - at_; }

private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

template <class Stream, class T>
  requires std::is_trivially_copyable_v<T>
void field(Stream& stream, T& value) {
  stream.raw(&value, sizeof value);
}

template <class Stream> std::size_t length(Stream& stream, std::size_t size) {
  std::uint64_t count = size;
  field(stream, count);
  if constexpr (Stream::reads)
    if (!stream.ok || count > stream.left()) { // every element takes a byte or more
      stream.ok = false;
      return 0;
    }
  return count;
}

template <class Stream> void field(Stream& stream, std::string& text) {
  text.resize(length(stream, text.size()));
  stream.raw(text.data(), text.size());
}

template <class Stream> void field(Stream& stream, facts::RegionObject& object);
template <class Stream> void field(Stream& stream, facts::RegionDependence& dependence);
template <class Stream> void field(Stream& stream, facts::RegionLoop& loop);
template <class Stream> void field(Stream& stream, facts::RegionBlock& block);
template <class Stream> void field(Stream& stream, facts::RegionTrace& trace);
template <class Stream> void field(Stream& stream, FeatureCounts& counts);

template <class Stream, class T> void field(Stream& stream, std::vector<T>& list) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    const std::size_t count = length(stream, list.size());
    if constexpr (Stream::reads)
      if (count > stream.left() / sizeof(T)) {
        stream.ok = false;
        return;
      }
    list.resize(count);
    stream.raw(list.data(), count * sizeof(T));
  } else {
    list.resize(length(stream, list.size()));
    for (T& element : list)
      field(stream, element);
  }
}

template <class Stream, class... Fields> void fields(Stream& stream, Fields&... list) {
  (field(stream, list), ...);
}

template <class Stream> void field(Stream& stream, facts::RegionObject& object) {
  fields(stream, object.kind, object.name, object.base, object.size_bytes, object.element_bytes,
         object.read_bytes, object.written_bytes, object.copy_in_bytes, object.privatizable);
}

template <class Stream> void field(Stream& stream, facts::RegionDependence& dependence) {
  fields(stream, dependence.kind, dependence.loop, dependence.variable, dependence.object, dependence.source,
         dependence.sink, dependence.source_iteration, dependence.sink_iteration, dependence.count,
         dependence.same_inner, dependence.reduction, dependence.privatizable);
}

/// Dynamic part only; the static one is known where it is read.
template <class Stream> void field(Stream& stream, facts::RegionLoop& loop) {
  fields(stream, loop.executions, loop.iterations, loop.detailed_launch_executions,
         loop.detailed_launch_iterations, loop.min_trips, loop.max_trips);
}

template <class Stream> void field(Stream& stream, facts::RegionBlock& block) {
  fields(stream, block.runs, block.detailed_launch_runs);
}

template <class Stream> void field(Stream& stream, facts::RegionTrace& trace) {
  fields(stream, trace.loops, trace.blocks, trace.sites, trace.objects, trace.launches, trace.threads,
         trace.steps, trace.addresses, trace.trace_complete, trace.dependences);
}

template <class Stream> void field(Stream& stream, FeatureCounts& counts) {
  fields(stream, counts.totals, counts.block_runs);
}

template <class Stream> void field(Stream& stream, RunResult& result) {
  fields(stream, result.end, result.code, result.region, result.block, result.message, result.program_ms,
         result.again, result.regions, result.features, result.times);
}

} // namespace

std::string to_bytes(const RunResult& result) {
  Writer writer;
  field(writer,
        const_cast<RunResult&>(result)); // one list of fields for both directions; a writer changes nothing
  return std::move(writer.bytes);
}

Result<RunResult> from_bytes(const std::string& bytes) {
  Reader reader(bytes);
  RunResult result;
  field(reader, result);
  if (!reader.ok)
    return fail(ErrorCode::internal, "the helper's answer is cut short");
  return result;
}

} // namespace forewarp::port

#include "measure/compare/launches.h"

namespace forewarp::measure {

facts::Launch predicted_launch(const BundleLaunch& launch, unsigned sm_count,
                               std::uint64_t unused_shared_bytes) {
  facts::Launch result;
  result.groups = grid_of(launch, sm_count);
  result.group_size = launch.group_size;
  result.dynamic_shared_bytes = launch.dynamic_shared_bytes + unused_shared_bytes;
  for (const BundleArgument& argument : launch.arguments) {
    if (const auto* scalar = std::get_if<ScalarBytes>(&argument.value)) {
      result.arguments[argument.name] = facts::ScalarValue{"", scalar->bytes};
    } else if (const auto* local = std::get_if<LocalBytes>(&argument.value)) {
      result.arguments[argument.name] =
          facts::BufferValue{local->type, local->bytes / facts::size_bytes(local->type), {}};
    } else {
      facts::BufferValue buffer = std::get<facts::BufferValue>(argument.value);
      if (buffer.contents.kind == facts::BufferContents::Kind::bytes)
        buffer.contents.kind = facts::BufferContents::Kind::unknown;
      result.arguments[argument.name] = buffer;
    }
  }
  return result;
}

std::vector<ComparedPoint> compared_points(const Measured& measured, const std::string& l2, bool sweeps) {
  std::vector<ComparedPoint> points;
  for (const BundleKernel& kernel : measured.kernels) {
    if (kernel.kind != "corpus")
      continue;
    for (const BundleLaunch& launch : kernel.launches)
      for (const MeasuredTime& time : measured.times)
        if (time.kernel == kernel.name && time.launch == launch.name && time.l2 == l2 &&
            (time.what == "time" || (sweeps && time.what == "sweep")))
          points.push_back({&kernel, &launch, &time});
  }
  return points;
}

} // namespace forewarp::measure

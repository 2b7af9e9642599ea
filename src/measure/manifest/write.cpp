// Bundle -> manifest.json.
#include "measure/manifest/manifest.h"

#include <fmt/format.h>

namespace forewarp::measure {
namespace {

nlohmann::json dims(const facts::Dim3& size) {
  return {size.x, size.y, size.z};
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::uint8_t byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

nlohmann::json buffer_json(const facts::BufferValue& buffer, const std::string& data_file) {
  using Kind = facts::BufferContents::Kind;
  const facts::BufferContents& contents = buffer.contents;
  nlohmann::json json = {{"type", facts::to_string(buffer.type)}, {"count", buffer.count}};
  switch (contents.kind) {
  case Kind::unknown:
  case Kind::zeros:
    json["contents"] = "zeros";
    break;
  case Kind::iota:
    json.update({{"contents", "iota"}, {"start", contents.start}, {"step", contents.step}});
    break;
  case Kind::random:
    json.update(
        {{"contents", "random"}, {"seed", contents.seed}, {"low", contents.low}, {"high", contents.high}});
    break;
  case Kind::bytes:
    json.update({{"contents", "file"}, {"file", data_file}});
    break;
  }
  return json;
}

nlohmann::json argument_json(const BundleArgument& argument) {
  nlohmann::json json = {{"name", argument.name}};
  if (const auto* scalar = std::get_if<ScalarBytes>(&argument.value))
    json["scalar"] = hex(scalar->bytes);
  else if (const auto* local = std::get_if<LocalBytes>(&argument.value))
    json.update({{"local_bytes", local->bytes}, {"local_type", facts::to_string(local->type)}});
  else
    json["buffer"] = buffer_json(std::get<facts::BufferValue>(argument.value), argument.data_file);
  if (argument.read_only)
    json["read_only"] = true;
  return json;
}

nlohmann::json launch_json(const BundleLaunch& launch, bool with_expected) {
  nlohmann::json json = {{"name", launch.name},
                         {"groups", dims(launch.groups)},
                         {"groups_per_sm", launch.groups_per_sm},
                         {"group_size", dims(launch.group_size)},
                         {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
                         {"checks_inputs", launch.checks_inputs},
                         {"timed", launch.timed},
                         {"occupancy_sweep", launch.occupancy_sweep},
                         {"stage", launch.stage}};
  json["arguments"] = nlohmann::json::array();
  for (const BundleArgument& argument : launch.arguments)
    json["arguments"].push_back(argument_json(argument));
  if (launch.predicted_us > 0)
    json["predicted_us"] = launch.predicted_us;
  if (!launch.micro.is_null())
    json["micro"] = launch.micro;
  if (with_expected)
    for (const Expected& expected : launch.expected)
      json["expected"].push_back(to_json(expected));
  return json;
}

} // namespace

nlohmann::json to_json(const BundleKernel& kernel, bool with_expected) {
  nlohmann::json json = {{"name", kernel.name},
                         {"symbol", kernel.symbol},
                         {"file", kernel.file},
                         {"options", kernel.options},
                         {"kind", kernel.kind},
                         {"source", kernel.source},
                         {"source_suffix", kernel.source_suffix},
                         {"standard", kernel.standard}};
  if (!kernel.padded_file.empty())
    json["padded_file"] = kernel.padded_file;
  json["launches"] = nlohmann::json::array();
  for (const BundleLaunch& launch : kernel.launches)
    json["launches"].push_back(launch_json(launch, with_expected));
  return json;
}

nlohmann::json to_json(const Bundle& bundle) {
  nlohmann::json json = {{"format", "forewarp-bundle"},
                         {"version", bundle_version},
                         {"language", bundle.language},
                         {"target", bundle.target},
                         {"made_by", bundle.made_by}};
  if (!bundle.times_for.empty())
    json["times_for"] = bundle.times_for;
  json["kernels"] = nlohmann::json::array();
  for (const BundleKernel& kernel : bundle.kernels)
    json["kernels"].push_back(to_json(kernel, true));
  return json;
}

} // namespace forewarp::measure

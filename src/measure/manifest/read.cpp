// manifest.json -> Bundle. A manifest comes from another machine: everything that sizes or indexes is
// checked.
#include "measure/manifest/manifest.h"

#include "launch/parse.h"
#include "support/text_file.h"

#include <filesystem>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

constexpr std::uint64_t max_manifest_bytes = std::uint64_t{1} << 28;
constexpr std::uint64_t max_buffer_bytes = std::uint64_t{1} << 40;

/// Thrown inside this file only: nlohmann's own errors travel the same way.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

facts::Dim3 dims(const nlohmann::json& json) {
  const facts::Dim3 size{json.at(0), json.at(1), json.at(2)};
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (size.x == 0 || size.y == 0 || size.z == 0 || size.x > most || size.y > most || size.z > most)
    throw Wrong("a size is zero or too large");
  return size;
}

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  if (text.size() % 2 != 0 || text.empty())
    throw Wrong("a scalar's bytes are not pairs of hexadecimal digits");
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// A file below the bundle's folder, never above it.
std::string inside(const std::string& path) {
  const std::filesystem::path parts(path);
  if (path.empty() || parts.is_absolute())
    throw Wrong(fmt::format("'{}' is no file of the bundle", path));
  for (const auto& part : parts)
    if (part == "..")
      throw Wrong(fmt::format("'{}' lies outside the bundle", path));
  return path;
}

facts::BufferValue buffer_of(const nlohmann::json& json, std::string& data_file) {
  using Kind = facts::BufferContents::Kind;
  facts::BufferValue buffer;
  const auto type = facts::scalar_type_from_string(json.at("type").get<std::string>());
  if (!type)
    throw Wrong("unknown element type");
  buffer.type = *type;
  buffer.count = json.at("count");
  if (buffer.count == 0 || buffer.count > max_buffer_bytes / facts::size_bytes(*type))
    throw Wrong("a buffer is empty or too large");
  const std::string contents = json.at("contents");
  if (contents == "zeros") {
    buffer.contents.kind = Kind::zeros;
  } else if (contents == "iota") {
    buffer.contents.kind = Kind::iota;
    buffer.contents.start = json.at("start");
    buffer.contents.step = json.at("step");
  } else if (contents == "random") {
    buffer.contents.kind = Kind::random;
    buffer.contents.seed = json.at("seed");
    buffer.contents.low = json.at("low");
    buffer.contents.high = json.at("high");
  } else if (contents == "file") {
    buffer.contents.kind = Kind::bytes;
    data_file = inside(json.at("file"));
  } else {
    throw Wrong(fmt::format("unknown contents '{}'", contents));
  }
  return buffer;
}

LocalBytes local_of(const nlohmann::json& json) {
  const auto type = facts::scalar_type_from_string(json.at("local_type").get<std::string>());
  if (!type)
    throw Wrong("unknown element type");
  return {json.at("local_bytes"), *type};
}

BundleArgument argument_of(const nlohmann::json& json) {
  BundleArgument argument;
  argument.name = json.at("name");
  if (json.contains("scalar"))
    argument.value = ScalarBytes{from_hex(json.at("scalar"))};
  else if (json.contains("local_bytes"))
    argument.value = local_of(json);
  else {
    argument.value = buffer_of(json.at("buffer"), argument.data_file);
    argument.read_only = json.value("read_only", false);
  }
  return argument;
}

BundleLaunch launch_of(const nlohmann::json& json) {
  BundleLaunch launch;
  launch.name = json.at("name");
  launch.groups = dims(json.at("groups"));
  launch.groups_per_sm = json.at("groups_per_sm");
  launch.group_size = dims(json.at("group_size"));
  launch.dynamic_shared_bytes = json.at("dynamic_shared_bytes");
  launch.checks_inputs = json.at("checks_inputs");
  launch.timed = json.at("timed");
  launch.occupancy_sweep = json.at("occupancy_sweep");
  launch.stage = json.at("stage");
  for (const auto& argument : json.at("arguments"))
    launch.arguments.push_back(argument_of(argument));
  launch.predicted_us = json.value("predicted_us", 0.0);
  if (json.contains("micro"))
    launch.micro = json.at("micro");
  if (json.contains("expected"))
    for (const auto& expected : json.at("expected"))
      launch.expected.push_back(expected_from_json(expected));
  return launch;
}

BundleKernel kernel_of(const nlohmann::json& json) {
  BundleKernel kernel;
  kernel.name = json.at("name");
  kernel.symbol = json.at("symbol");
  kernel.file = inside(json.at("file"));
  if (json.contains("padded_file"))
    kernel.padded_file = inside(json.at("padded_file"));
  kernel.options = json.at("options");
  kernel.kind = json.at("kind");
  kernel.source = json.at("source");
  kernel.source_suffix = json.at("source_suffix");
  kernel.standard = json.at("standard");
  for (const auto& launch : json.at("launches"))
    kernel.launches.push_back(launch_of(launch));
  return kernel;
}

Bundle bundle_of(const nlohmann::json& json) {
  if (json.at("format") != "forewarp-bundle")
    throw Wrong("this is no bundle's manifest");
  if (json.at("version") != bundle_version)
    throw Wrong(fmt::format("bundle version {}, but this program reads {}", json.at("version").dump(),
                            bundle_version));
  Bundle bundle;
  bundle.language = json.at("language");
  bundle.target = json.at("target");
  bundle.made_by = json.at("made_by");
  bundle.times_for = json.value("times_for", "");
  if (bundle.language != "ptx" && bundle.language != "opencl")
    throw Wrong(fmt::format("unknown language '{}'", bundle.language));
  for (const auto& kernel : json.at("kernels"))
    bundle.kernels.push_back(kernel_of(kernel));
  return bundle;
}

template <class Read> auto guarded(const std::string& where, Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const std::exception& error) { // the JSON library's and std::stoul's
    return fail(ErrorCode::bad_input, error.what(), where, "make the bundle anew with 'forewarp bundle'");
  }
}

} // namespace

Result<Bundle> read_bundle(const std::string& folder) {
  const std::string path = folder + "/manifest.json";
  const auto text = read_text_file(path, "bundle's manifest", max_manifest_bytes);
  FOREWARP_TRY(text);
  auto bundle = guarded(path, [&] { return bundle_of(nlohmann::json::parse(*text)); });
  FOREWARP_TRY(bundle);
  bundle->folder = folder;
  return bundle;
}

Result<BundleKernel> kernel_from_json(const nlohmann::json& json, const std::string& where) {
  return guarded(where, [&] { return kernel_of(json); });
}

facts::Dim3 grid_of(const BundleLaunch& launch, unsigned sm_count) {
  facts::Dim3 grid = launch.groups;
  if (launch.groups_per_sm)
    grid.x *= sm_count;
  return grid;
}

Result<std::vector<std::uint8_t>> contents_of(const BundleArgument& argument, const std::string& folder) {
  const auto& buffer = std::get<facts::BufferValue>(argument.value);
  std::vector<std::uint8_t> bytes(buffer.size_in_bytes());
  if (buffer.contents.kind != facts::BufferContents::Kind::bytes) {
    launch::generate_elements(buffer, 0, buffer.count, bytes.data());
    return bytes;
  }
  const std::string path = folder + '/' + argument.data_file;
  const auto text = read_file(path, "data file", bytes.size());
  FOREWARP_TRY(text);
  std::copy(text->begin(), text->end(), bytes.begin());
  return bytes;
}

} // namespace forewarp::measure

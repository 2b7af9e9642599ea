#include "program/launch_words.h"

#include "launch/argument.h"

#include <algorithm>

namespace forewarp::program {
namespace {

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 1 < text.size(); k += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(k, 2), nullptr, 16)));
  return bytes;
}

/// A null pointer is written as the launch language writes it, and so is one that leads into another
/// argument.
facts::ArgumentValue argument_of(const engine::KernelDescription::Parameter& parameter,
                                 const nlohmann::json& words) {
  if (words.contains("local"))
    return buffer_of(parameter, words["local"].get<std::uint64_t>());
  if (words.contains("buffer") && parameter.is_pointer)
    return buffer_of(parameter, words["buffer"].get<std::uint64_t>());
  if (words.contains("image"))
    if (auto image = launch::parse_value(words["image"].get<std::string>(), "", parameter.name))
      return *std::move(image);
  facts::ScalarValue scalar;
  scalar.bytes = from_hex(words.value("bytes", std::string()));
  if (parameter.is_pointer)
    scalar = {words.value("as", std::string("0")), {}};
  return scalar;
}

} // namespace

facts::Dim3 dims_of(const nlohmann::json& sizes) {
  return {sizes.at(0).get<std::uint64_t>(), sizes.at(1).get<std::uint64_t>(),
          sizes.at(2).get<std::uint64_t>()};
}

facts::BufferValue buffer_of(const engine::KernelDescription::Parameter& parameter, std::uint64_t bytes) {
  facts::BufferValue value;
  value.type = parameter.scalar.value_or(facts::ScalarType::u8);
  value.count = std::max<std::uint64_t>(bytes / facts::size_bytes(value.type), 1);
  return value;
}

facts::Launch launch_of(const engine::KernelDescription& kernel, const nlohmann::json& words) {
  facts::Launch launch;
  launch.global_items = dims_of(words.at("global"));
  if (words.contains("local"))
    launch.group_size = dims_of(words["local"]);
  launch.dynamic_shared_bytes = words.value("shared", std::uint64_t{0});
  const nlohmann::json& arguments = words.at("arguments");
  for (std::size_t k = 0; k < kernel.parameters.size() && k < arguments.size(); ++k)
    launch.arguments.emplace(std::to_string(k), argument_of(kernel.parameters[k], arguments[k]));
  return launch;
}

void add_inner(facts::Launch& launch, const nlohmann::json& words) {
  for (const nlohmann::json& inner : words.value("inner", nlohmann::json::array())) {
    facts::BufferValue buffer;
    buffer.type = facts::ScalarType::u8;
    buffer.count = inner.value("buffer", std::uint64_t{0});
    auto& value = launch.arguments[inner.at("key").get<std::string>()];
    if (inner.contains("as"))
      value = facts::ScalarValue{inner["as"].get<std::string>(), {}};
    else
      value = std::move(buffer);
  }
}

void add_contents(facts::Launch& launch, const Message& question) {
  if (!question.text.contains("contents"))
    return;
  for (const nlohmann::json& part : question.text["contents"]) {
    const auto at = part.at("at").get<std::size_t>(), size = part.at("bytes").get<std::size_t>();
    const auto key = part.at("key").get<std::string>();
    if (key.starts_with(':')) { // a variable
      facts::BufferValue variable;
      variable.type = facts::ScalarType::u8;
      variable.count = size;
      launch.arguments.emplace(key, std::move(variable));
    }
    const auto found = launch.arguments.find(key);
    auto* value = found == launch.arguments.end() ? nullptr : std::get_if<facts::BufferValue>(&found->second);
    if (!value || at + size > question.bytes.size())
      continue;
    const auto begin = question.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    value->contents.kind = facts::BufferContents::Kind::bytes;
    value->contents.bytes.assign(
        begin, begin + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(size, value->size_in_bytes())));
  }
}

} // namespace forewarp::program

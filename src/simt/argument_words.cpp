#include "simt/argument_words.h"

#include "facts/tensor_map.h"
#include "support/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <variant>

namespace forewarp::simt {

std::string label(const ir::Parameter& parameter, std::size_t position) {
  return parameter.name.empty() ? std::to_string(position) : parameter.name;
}

std::string type_text(const ir::Parameter& parameter) {
  return parameter.type_name.empty() ? fmt::format("a value of {} bytes", parameter.size_bytes)
                                     : fmt::format("a '{}'", parameter.type_name);
}

std::string example(const ir::Parameter& parameter, std::size_t position) {
  const std::string name = label(parameter, position);
  if (parameter.is_pointer) {
    const auto type = parameter.scalar ? facts::to_string(*parameter.scalar) : std::string_view("f32");
    return fmt::format("--arg {}=buffer:{}[{}]", name, type,
                       parameter.space == ir::AddressSpace::shared ? 256 : 1024 * parameter.components);
  }
  if (!parameter.scalar && parameter.size_bytes == facts::tensor_map_bytes && parameter.fields.empty())
    return fmt::format("--arg {}=tensormap:f16[4096x4096]:box=64x64", name);
  if (!parameter.scalar && parameter.size_bytes > 8)
    return parameter.fields.empty() ? fmt::format("--arg {}=@{}.bin", name, name)
                                    : fmt::format("--arg {}={{}}", name);
  if (parameter.type_name == "bool" || parameter.type_name == "_Bool")
    return fmt::format("--arg {}=true", name);
  const bool is_byte = parameter.size_bytes == parameter.components;
  std::string value = parameter.scalar && *parameter.scalar >= facts::ScalarType::f16 ? "1.0"
                      : is_byte                                                       ? "1"
                                                                                      : "1024";
  for (unsigned k = 1; k < parameter.components; ++k)
    value += ",1";
  return fmt::format("--arg {}={}", name, value);
}

bool is_texture(const ir::Parameter& parameter) {
  const std::string& name = parameter.type_name;
  return parameter.is_image ||
         (!parameter.is_pointer && (name.ends_with("TextureObject_t") || name.ends_with("SurfaceObject_t") ||
                                    name == "CUtexObject" || name == "CUsurfObject"));
}

bool buffer_fits(const ir::Parameter& pointer, const facts::BufferValue& buffer) {
  const std::size_t wanted = facts::size_bytes(*pointer.scalar), given = facts::size_bytes(buffer.type);
  if (wanted == given || !pointer.type_name.empty())
    return wanted == given;
  const bool is_integer = *pointer.scalar < facts::ScalarType::f16;
  return given == 1 || (is_integer && wanted >= 4 && given < wanted);
}

std::vector<std::string> surplus_arguments(const ir::KernelSignature& kernel, const facts::Launch& launch,
                                           const std::set<std::string>& used) {
  std::vector<std::string> names, strange, wrong;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const ir::Parameter& parameter = kernel.parameters[k];
    names.push_back(label(parameter, k));
    for (const ir::Parameter& field : parameter.fields)
      names.push_back(inner_name(parameter.is_pointer ? parameter.name + "[]" : parameter.name, field));
  }
  for (const auto& [name, value] : launch.arguments) {
    if (used.contains(name) || name.starts_with(':')) // a variable that this kernel does not use
      continue;
    const std::vector<std::string> near = nearest_names(name, names);
    if (near.empty())
      strange.push_back(fmt::format("'{}'", name));
    else
      wrong.push_back(
          fmt::format("'{}' is no parameter of '{}' (did you mean '{}'?)", name, kernel.name, near.front()));
  }
  if (!strange.empty())
    wrong.push_back(fmt::format(
        "{} {} of '{}' ({})", fmt::join(strange, ", "),
        strange.size() == 1 ? "is no parameter" : "are no parameters", kernel.name,
        names.empty() ? "it has none"
                      : fmt::format("it has: {}; by place, from 0, too", fmt::join(names, ", "))));
  return wrong;
}

bool is_sampler(const facts::ArgumentValue& value) {
  const auto* scalar = std::get_if<facts::ScalarValue>(&value);
  return scalar && scalar->text.starts_with("sampler:");
}

bool has_inner(const facts::Launch& launch, const std::string& name) {
  const auto after = [&](char next) {
    const auto found = launch.arguments.lower_bound(name + next);
    return found != launch.arguments.end() && found->first.starts_with(name + next);
  };
  return after('.') || after('[');
}

std::string inner_name(const std::string& name, const ir::Parameter& field) {
  return field.name.empty() || field.name.front() == '[' ? name + field.name : name + "." + field.name;
}

std::map<std::string, facts::ArgumentValue>::const_iterator
find_argument(const facts::Launch& launch, const ir::Parameter& parameter, std::size_t position) {
  const auto found = parameter.name.empty() ? launch.arguments.end() : launch.arguments.find(parameter.name);
  return found != launch.arguments.end() ? found : launch.arguments.find(std::to_string(position));
}

std::optional<std::uint64_t> number_for_pointer(const ir::Parameter& parameter,
                                                const facts::ScalarValue& value) {
  std::int64_t number = 0;
  const char* end = value.text.data() + value.text.size();
  if (!parameter.name.empty() || !parameter.type_name.empty() ||
      std::from_chars(value.text.data(), end, number).ptr != end)
    return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

} // namespace forewarp::simt

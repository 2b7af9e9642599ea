#include "engine/host_launch/inner_arguments.h"

#include "simt/argument_words.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace forewarp::engine {
namespace {

using frontend::host::HostArgument;
using frontend::host::InnerBuffer;

facts::BufferValue buffer_for(const ir::Parameter& pointer, const InnerBuffer& inner) {
  facts::BufferValue buffer{pointer.scalar.value_or(facts::ScalarType::u8)};
  buffer.count = inner.bytes / facts::size_bytes(buffer.type);
  if (inner.zeros)
    buffer.contents.kind = facts::BufferContents::Kind::zeros;
  return buffer;
}

std::string said(const std::string& name, const facts::BufferValue& buffer, const InnerBuffer& inner) {
  return fmt::format("{} = {}[{}]{}{}", name, facts::to_string(buffer.type), buffer.count,
                     inner.zeros ? " of zeros" : "",
                     inner.line > 0 ? fmt::format(" (line {})", inner.line) : "");
}

template <class T> T read(const std::vector<std::uint8_t>& bytes, std::uint32_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// As the user would write it; the bytes themselves for vectors and halves.
facts::ScalarValue number_at(const ir::Parameter& field, const std::vector<std::uint8_t>& bytes) {
  using S = facts::ScalarType;
  const std::uint32_t at = field.offset_bytes;
  if (field.components == 1)
    switch (*field.scalar) {
    case S::i32:
      return {std::to_string(read<std::int32_t>(bytes, at))};
    case S::u32:
      return {std::to_string(read<std::uint32_t>(bytes, at))};
    case S::i64:
      return {std::to_string(read<std::int64_t>(bytes, at))};
    case S::u64:
      return {std::to_string(read<std::uint64_t>(bytes, at))};
    case S::f32:
      return {fmt::format("{:.9g}", read<float>(bytes, at))};
    case S::f64:
      return {fmt::format("{:.17g}", read<double>(bytes, at))};
    default:
      break;
    }
  return {"", {bytes.begin() + at, bytes.begin() + at + field.size_bytes}};
}

bool is_known(const ir::Parameter& field, const HostArgument& argument) {
  const std::size_t end = field.offset_bytes + field.size_bytes;
  return field.scalar && end <= argument.known.size() &&
         std::all_of(argument.known.begin() + field.offset_bytes,
                     argument.known.begin() + static_cast<std::ptrdiff_t>(end),
                     [](std::uint8_t byte) { return byte != 0; });
}

} // namespace

std::string give_fields(const ir::Parameter& parameter, const std::string& key, const HostArgument& argument,
                        Arguments& arguments) {
  if (argument.contents.size() != parameter.size_bytes)
    return {};
  std::vector<std::string> told;
  for (const ir::Parameter& field : parameter.fields) {
    const std::string name = simt::inner_name(key, field);
    if (arguments.contains(name))
      continue;
    const auto inner = std::ranges::find_if(
        argument.inner, [&](const InnerBuffer& each) { return each.offset == field.offset_bytes; });
    if (field.is_pointer && inner != argument.inner.end() && inner->bytes > 0) {
      const facts::BufferValue buffer = buffer_for(field, *inner);
      if (buffer.count == 0)
        continue;
      arguments[name] = buffer;
      told.push_back(said(name, buffer, *inner));
    } else if (!field.is_pointer && is_known(field, argument)) {
      const facts::ScalarValue number = number_at(field, argument.contents);
      arguments[name] = number;
      told.push_back(
          fmt::format("{} = {}", name, number.bytes.empty() ? number.text : "as the host fills it"));
    }
  }
  return fmt::format("{}", fmt::join(told, ", "));
}

std::string give_elements(const ir::Parameter& parameter, const std::string& key,
                          const HostArgument& argument, Arguments& arguments) {
  std::string told;
  if (parameter.pointee_bytes == 0)
    return told;
  for (const ir::Parameter& field : parameter.fields) {
    const std::string name = simt::inner_name(key + "[]", field);
    const InnerBuffer* largest = nullptr;
    for (const InnerBuffer& inner : argument.inner)
      if (inner.offset % parameter.pointee_bytes == field.offset_bytes && field.is_pointer &&
          (!largest || inner.bytes > largest->bytes))
        largest = &inner;
    if (!largest || arguments.contains(name))
      continue;
    const facts::BufferValue buffer = buffer_for(field, *largest);
    if (buffer.count == 0)
      continue;
    arguments[name] = buffer;
    told += ", " + said(name, buffer, *largest) + " for each pointer";
  }
  return told;
}

} // namespace forewarp::engine

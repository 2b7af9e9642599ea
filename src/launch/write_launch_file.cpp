#include "launch/write_launch_file.h"

#include "launch/image.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::launch {
namespace {

constexpr std::size_t most_written_bytes = 4096;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string digits(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + quoted(word);
  return "[" + text + "]";
}

std::string size_text(const facts::Dim3& size) {
  return size.z != 1   ? fmt::format("[{}, {}, {}]", size.x, size.y, size.z)
         : size.y != 1 ? fmt::format("[{}, {}]", size.x, size.y)
                       : std::to_string(size.x);
}

std::string contents_text(const facts::BufferContents& contents) {
  using Kind = facts::BufferContents::Kind;
  switch (contents.kind) {
  case Kind::zeros:
    return ":zeros";
  case Kind::iota:
    return fmt::format(":iota({},{})", contents.start, contents.step);
  case Kind::random:
    if (contents.spread == facts::BufferContents::Spread::normal)
      return fmt::format(":normal({},{},{})", contents.seed, contents.start, contents.step);
    if (contents.spread == facts::BufferContents::Spread::exponential)
      return fmt::format(":exponential({},{})", contents.seed, contents.start);
    return contents.low < contents.high
               ? fmt::format(":random({},{},{})", contents.seed, contents.low, contents.high)
               : fmt::format(":random({})", contents.seed);
  case Kind::bytes:
    return contents.bytes.size() <= most_written_bytes ? fmt::format(":hex({})", digits(contents.bytes)) : "";
  case Kind::unknown:
    break;
  }
  return "";
}

/// "f16[4096x4096]:box=128x64:swizzle=128", outermost first.
std::string map_text(const facts::BufferValue& buffer) {
  const facts::TensorMap& map = *buffer.map;
  const auto sizes = [&](const auto& of) {
    std::string text;
    for (unsigned d = map.rank; d-- > 0;)
      text += std::to_string(of[d]) + (d > 0 ? "x" : "");
    return text;
  };
  const auto corner = [&](const std::array<std::int16_t, 3>& of) {
    std::string text;
    for (unsigned d = map.rank - 2; d-- > 0;)
      text += std::to_string(of[d]) + (d > 0 ? "x" : "");
    return text;
  };
  const std::string box = map.of_columns ? fmt::format("columns={}x{}:lower={}:upper={}", map.box[1],
                                                       map.box[0], corner(map.lower), corner(map.upper))
                                         : "box=" + sizes(map.box);
  static constexpr unsigned widths[] = {0, 32, 64, 128};
  return fmt::format("tensormap:{}[{}]:{}:swizzle={}{}", facts::to_string(buffer.type), sizes(map.extents),
                     box, widths[static_cast<int>(map.swizzle)], contents_text(buffer.contents));
}

std::string image_text(const facts::ImageValue& image) {
  std::string sizes = fmt::format("{}x{}", image.width, image.height);
  if (image.depth > 1)
    sizes += fmt::format("x{}", image.depth);
  const std::string sampler = sampler_text(image.sampler);
  return fmt::format("image:{}:{}{}{}{}", sizes, image.format,
                     image.linear && image.height > 1 ? ":rows" : "", sampler.empty() ? "" : ":", sampler);
}

std::string value_text(const facts::ArgumentValue& value) {
  return quoted(argument_text(value));
}

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

class Writer {
public:
  explicit Writer(const LaunchFileParts& parts) : parts_(parts) {}

  std::string write() {
    for (const std::string& line : parts_.head)
      out_ += "# " + line + "\n";
    key("source", quoted(parts_.source));
    key("kernel", quoted(parts_.kernel));
    if (!parts_.standard.empty())
      key("std", quoted(parts_.standard));
    if (!parts_.defines.empty())
      key("defines", list_of(parts_.defines));
    if (!parts_.include_directories.empty())
      key("include_directories", list_of(parts_.include_directories));
    if (!parts_.options.empty())
      key("options", list_of(parts_.options));
    const facts::Launch& launch = parts_.launch;
    if (launch.groups)
      key("grid", size_text(*launch.groups));
    if (launch.global_items)
      key("global", size_text(*launch.global_items));
    if (launch.group_size)
      key("block", size_text(*launch.group_size));
    if (launch.cluster)
      key("cluster", size_text(*launch.cluster));
    if (launch.dynamic_shared_bytes > 0)
      key("dynamic_shared", std::to_string(launch.dynamic_shared_bytes));
    if (parts_.outside_reads_zero)
      key("out_of_bounds", quoted("read-zero"));
    out_ += "\n[arguments]\n";
    for (const std::string& name : parts_.order)
      argument(name);
    for (const auto& [name, value] : launch.arguments)
      if (std::find(parts_.order.begin(), parts_.order.end(), name) == parts_.order.end())
        argument(name);
    return out_;
  }

private:
  void key(const std::string& name, const std::string& value) {
    const auto comment = parts_.comments.find(name);
    out_ += name + " = " + value + (comment == parts_.comments.end() ? "" : "  # " + comment->second) + "\n";
  }
  void argument(const std::string& name) {
    const auto value = parts_.launch.arguments.find(name);
    if (value == parts_.launch.arguments.end())
      return;
    const auto comment = parts_.comments.find("argument " + name);
    out_ += (is_bare_key(name) ? name : quoted(name)) + " = " + value_text(value->second) +
            (comment == parts_.comments.end() ? "" : "  # " + comment->second) + "\n";
  }

  const LaunchFileParts& parts_;
  std::string out_;
};

} // namespace

std::string argument_text(const facts::ArgumentValue& value) {
  if (const auto* buffer = std::get_if<facts::BufferValue>(&value)) {
    if (buffer->map)
      return map_text(*buffer);
    if (buffer->image)
      return image_text(*buffer->image);
    const std::string count = buffer->count == 0 ? "auto" : std::to_string(buffer->count);
    return fmt::format("buffer:{}[{}]{}", facts::to_string(buffer->type), count,
                       contents_text(buffer->contents));
  }
  const auto& scalar = std::get<facts::ScalarValue>(value);
  return scalar.bytes.empty() ? scalar.text : "hex:" + digits(scalar.bytes);
}

std::string launch_file_text(const LaunchFileParts& parts) {
  return Writer(parts).write();
}

} // namespace forewarp::launch

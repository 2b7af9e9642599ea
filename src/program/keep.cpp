#include "program/keep.h"

#include "support/text_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace forewarp::program {
namespace {

constexpr std::uint64_t most_source_bytes = 64 << 20;

Result<void> write(const std::filesystem::path& path, const void* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  file.close();
  if (!file)
    return fail(ErrorCode::not_found, "the file cannot be written", path.string(),
                "choose a folder that can be written");
  return {};
}

/// TOML's basic strings are JSON's.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts)
    out += (out.size() > 1 ? ", " : "") + quoted(text);
  return out + "]";
}

template <class T> std::string number(const std::vector<std::uint8_t>& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  if constexpr (std::is_floating_point_v<T>)
    return fmt::format("{:.17g}", value);
  else
    return std::to_string(value);
}

/// Empty: no number of a type that a launch file writes as one.
std::string scalar_text(const engine::KernelDescription::Parameter& parameter,
                        const std::vector<std::uint8_t>& bytes) {
  using facts::ScalarType;
  if (!parameter.scalar || facts::size_bytes(*parameter.scalar) != bytes.size())
    return {};
  switch (*parameter.scalar) {
  case ScalarType::i8:
    return number<std::int8_t>(bytes);
  case ScalarType::u8:
    return number<std::uint8_t>(bytes);
  case ScalarType::i16:
    return number<std::int16_t>(bytes);
  case ScalarType::u16:
    return number<std::uint16_t>(bytes);
  case ScalarType::i32:
    return number<std::int32_t>(bytes);
  case ScalarType::u32:
    return number<std::uint32_t>(bytes);
  case ScalarType::i64:
    return number<std::int64_t>(bytes);
  case ScalarType::u64:
    return number<std::uint64_t>(bytes);
  case ScalarType::f32:
    return number<float>(bytes);
  case ScalarType::f64:
    return number<double>(bytes);
  case ScalarType::f16:
    return {};
  }
  return {};
}

std::string image_text(const facts::ImageValue& image) {
  return fmt::format("image:{}x{}x{}:{}{}", image.width, image.height, image.depth, image.format,
                     image.linear ? ":rows" : "");
}

class Keeper {
public:
  Keeper(const std::filesystem::path& folder, const KeptLaunch& kept) : folder_(folder), kept_(kept) {}

  Result<std::string> keep() {
    const auto source = keep_source();
    FOREWARP_TRY(source);
    text_ = fmt::format("source = {}\nkernel = {}\ndefines = {}\noptions = {}\ninclude_directories = {}\n",
                        quoted(*source), quoted(kept_.kernel.name), list(kept_.source.defines),
                        list(kept_.source.extra_options), list(kept_.source.include_directories));
    if (!kept_.source.standard.empty())
      text_ += "std = " + quoted(kept_.source.standard) + "\n";
    add_size("global", kept_.launch.global_items);
    add_size("local", kept_.launch.group_size);
    if (kept_.launch.dynamic_shared_bytes > 0)
      text_ += fmt::format("dynamic_shared = {}\n", kept_.launch.dynamic_shared_bytes);
    text_ += "arguments = [\n";
    for (std::size_t k = 0; k < kept_.kernel.parameters.size(); ++k)
      FOREWARP_TRY(add_argument(std::to_string(k), k));
    for (const auto& [key, value] : kept_.launch.arguments)
      if (key.find_first_of("+:") != std::string::npos)
        FOREWARP_TRY(add_argument(key, std::nullopt));
    text_ += "]\n";
    std::string name = fmt::format("{}.toml", kept_.number);
    FOREWARP_TRY(write(folder_ / name, text_.data(), text_.size()));
    return name;
  }

private:
  /// A file of the user's is named; what a program handed over is written.
  Result<std::string> keep_source() {
    if (engine::is_cuda_source(kept_.source.path))
      return std::filesystem::absolute(kept_.source.path).string();
    const auto source = read_file(kept_.source.path, "program", most_source_bytes);
    FOREWARP_TRY(source);
    std::string name = fmt::format("{:016x}.cl", XXH3_64bits(source->data(), source->size()));
    FOREWARP_TRY(write(folder_ / name, source->data(), source->size()));
    return name;
  }

  void add_size(const char* key, const std::optional<facts::Dim3>& size) {
    if (size)
      text_ += fmt::format("{} = [{}, {}, {}]\n", key, size->x, size->y, size->z);
  }

  Result<std::string> keep_bytes(std::string key, const std::vector<std::uint8_t>& bytes) {
    std::replace(key.begin(), key.end(), ':', '_');
    std::string name = fmt::format("{}_{}.bin", kept_.number, key);
    FOREWARP_TRY(write(folder_ / name, bytes.data(), bytes.size()));
    return name;
  }

  /// `place`: of a parameter; empty: a pointer inside of one, or a variable.
  Result<void> add_argument(const std::string& key, std::optional<std::size_t> place) {
    const auto found = kept_.launch.arguments.find(key);
    if (found == kept_.launch.arguments.end())
      return {};
    std::string value;
    if (const auto* buffer = std::get_if<facts::BufferValue>(&found->second)) {
      value = buffer->image ? image_text(*buffer->image)
                            : fmt::format("buffer:{}[{}]", facts::to_string(buffer->type), buffer->count);
      if (buffer->contents.kind == facts::BufferContents::Kind::bytes) {
        const auto file = keep_bytes(key, buffer->contents.bytes);
        FOREWARP_TRY(file);
        value += ":@" + *file;
      }
    } else {
      const auto& scalar = std::get<facts::ScalarValue>(found->second);
      value = scalar.bytes.empty() || !place || !scalar.text.empty()
                  ? scalar.text
                  : scalar_text(kept_.kernel.parameters[*place], scalar.bytes);
      if (value.empty()) {
        const auto file = keep_bytes(key, scalar.bytes);
        FOREWARP_TRY(file);
        value = "@" + *file;
      }
    }
    text_ += fmt::format("  {},\n", quoted(fmt::format("{}={}", key, value)));
    return {};
  }

  std::filesystem::path folder_;
  const KeptLaunch& kept_;
  std::string text_;
};

} // namespace

Result<std::string> keep_launch(const std::string& folder, const KeptLaunch& kept) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return Keeper(folder, kept).keep();
}

} // namespace forewarp::program

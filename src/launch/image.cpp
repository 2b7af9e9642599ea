#include "launch/image.h"

#include "launch/argument.h"
#include "launch/parse.h"
#include "launch/words.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace forewarp::launch {
namespace {

/// Bytes of a texel: "rgba8", "r32f", or an element type such as "float4".
Result<std::uint32_t> texel_bytes(std::string_view format, const std::string& where) {
  const std::size_t letters = std::min(format.find_first_not_of("rgbaRGBA"), format.size());
  std::string_view digits = format.substr(letters);
  while (!digits.empty() && std::isalpha(static_cast<unsigned char>(digits.back())) != 0)
    digits.remove_suffix(1); // rgba8ui, r32f
  if (const auto bits = whole_number(digits);
      letters > 0 && letters <= 4 && bits && *bits % 8 == 0 && *bits <= 32)
    return static_cast<std::uint32_t>(letters * *bits / 8);
  const std::size_t name = format.find_last_not_of("0123456789") + 1;
  const auto width = whole_number(format.substr(name));
  if (width && *width >= 2 && *width <= 4)
    if (const auto lane = parse_type(format.substr(0, name), where))
      return static_cast<std::uint32_t>(*width * facts::size_bytes(*lane));
  const auto element = parse_type(format, where);
  if (!element)
    return fail(
        ErrorCode::usage, fmt::format("unknown image format '{}'", format), where,
        "formats are channels and bits, as in r8, rg16, rgba8, r32f, rgba32f, or a type such as float4");
  return static_cast<std::uint32_t>(facts::size_bytes(*element));
}

} // namespace

Result<facts::ArgumentValue> parse_image(std::string_view text, const std::string& where) {
  constexpr const char* how = "write image:WIDTHxHEIGHT:FORMAT, for example image:4096x4096:rgba8";
  const std::size_t colon = text.find(':');
  facts::ImageValue image;
  std::uint32_t* const sizes[] = {&image.width, &image.height, &image.depth};
  const auto words = split(text.substr(0, colon), 'x');
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto size = whole_number(words[k]);
    constexpr std::uint64_t largest_side = std::uint64_t{1} << 28;
    if (k >= 3 || !size || *size == 0 || *size > largest_side)
      return fail(ErrorCode::usage, fmt::format("'{}' is no size of an image", text.substr(0, colon)), where,
                  how);
    *sizes[k] = static_cast<std::uint32_t>(*size);
  }
  const std::string_view behind = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const std::string_view format = strip(behind.substr(0, behind.find(':')));
  std::string_view words_behind = behind.substr(std::min(behind.size(), behind.find(':')));
  image.linear = image.height == 1;
  if (words_behind == ":rows" || words_behind.starts_with(":rows:")) {
    image.linear = true;
    words_behind.remove_prefix(5);
  }
  const auto sampler = parse_sampler(words_behind, where);
  FOREWARP_TRY(sampler);
  image.sampler = *sampler;
  image.format = format.empty() ? "rgba8" : std::string(format);
  const auto bytes = texel_bytes(image.format, where);
  FOREWARP_TRY(bytes);
  image.texel_bytes = *bytes;
  const auto area = bounded_product(image.width, image.height);
  const auto texels = area ? bounded_product(*area, image.depth) : std::nullopt;
  if (!texels || !bounded_product(*texels, image.texel_bytes))
    return fail(ErrorCode::usage, "an image beyond 2^48 bytes", where, "check its sizes");
  facts::BufferValue buffer{.type = facts::ScalarType::u8, .count = image_bytes(image)};
  buffer.image = image;
  return buffer;
}

namespace {

struct EdgeWord {
  std::string_view word;
  facts::Sampler::Edge edge;
  std::uint64_t bits; ///< CLK_ADDRESS_CLAMP_TO_EDGE, _CLAMP, _REPEAT, _MIRRORED_REPEAT
};
using Edge = facts::Sampler::Edge;
constexpr EdgeWord edge_words[] = {{"clamp", Edge::clamp, 2},
                                   {"border", Edge::border, 4},
                                   {"wrap", Edge::wrap, 6},
                                   {"mirror", Edge::mirror, 8}};
constexpr std::uint64_t normalised_bit = 1, edge_bits = 0xE, linear_bit = 0x20, nearest_bit = 0x10;

} // namespace

Result<facts::Sampler> parse_sampler(std::string_view text, const std::string& where) {
  facts::Sampler sampler;
  for (std::string_view word : split(text, ':')) {
    word = strip(word);
    const auto* edge = std::ranges::find(edge_words, word, &EdgeWord::word);
    if (edge != std::end(edge_words))
      sampler.edge = edge->edge;
    else if (word == "linear" || word == "nearest")
      sampler.linear = word == "linear";
    else if (word == "normalised" || word == "normalized")
      sampler.normalised = true;
    else if (!word.empty())
      return fail(
          ErrorCode::usage, fmt::format("'{}' says nothing of a sampler", word), where,
          "words are nearest, linear, normalised, clamp, border, wrap and mirror, with colons between");
  }
  return sampler;
}

std::string sampler_text(const facts::Sampler& sampler) {
  std::string text = sampler.linear ? ":linear" : "";
  text += sampler.normalised ? ":normalised" : "";
  if (sampler.edge != Edge::clamp)
    text += fmt::format(":{}", std::ranges::find(edge_words, sampler.edge, &EdgeWord::edge)->word);
  return text.empty() ? text : text.substr(1);
}

facts::Sampler sampler_of_bits(std::uint64_t bits) {
  facts::Sampler sampler{.linear = (bits & linear_bit) != 0, .normalised = (bits & normalised_bit) != 0};
  const auto* edge = std::ranges::find(edge_words, bits & edge_bits, &EdgeWord::bits);
  if (edge != std::end(edge_words)) // none: the program promises to stay inside
    sampler.edge = edge->edge;
  return sampler;
}

std::uint64_t bits_of_sampler(const facts::Sampler& sampler) {
  return (sampler.linear ? linear_bit : nearest_bit) | (sampler.normalised ? normalised_bit : 0) |
         std::ranges::find(edge_words, sampler.edge, &EdgeWord::edge)->bits;
}

bool is_image(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
         text.substr(0, colon).find_first_not_of("0123456789x") == std::string_view::npos;
}

namespace {

std::uint64_t tiles_along_x(const facts::ImageValue& image) {
  return (std::uint64_t{image.width} * image.texel_bytes + tile_row_bytes - 1) / tile_row_bytes;
}

std::uint64_t slice_bytes(const facts::ImageValue& image) {
  if (image.linear)
    return std::uint64_t{image.width} * image.height * image.texel_bytes;
  return tiles_along_x(image) * ((image.height + tile_rows - 1) / tile_rows) * tile_row_bytes * tile_rows;
}

} // namespace

std::uint64_t image_bytes(const facts::ImageValue& image) {
  return slice_bytes(image) * image.depth;
}

std::uint64_t texel_offset(const facts::ImageValue& image, std::uint64_t x, std::uint64_t y,
                           std::uint64_t z) {
  const std::uint64_t slice = z * slice_bytes(image), along = x * image.texel_bytes;
  if (image.linear)
    return slice + y * image.width * image.texel_bytes + along;
  const std::uint64_t tile = y / tile_rows * tiles_along_x(image) + along / tile_row_bytes;
  const std::uint64_t inside =
      along % tile_row_bytes / 32 * 256 + y % 8 / 2 * 64 + along % 32 / 16 * 32 + y % 2 * 16 + along % 16;
  return slice + tile * tile_row_bytes * tile_rows + inside;
}

} // namespace forewarp::launch

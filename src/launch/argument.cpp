#include "launch/argument.h"

#include "launch/buffer_file.h"
#include "launch/image.h"
#include "launch/parse.h"
#include "launch/words.h"
#include "support/suggest.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace forewarp::launch {
namespace {

constexpr const char* grammar =
    "write NAME=VALUE or "
    "NAME=buffer:TYPE[COUNT or auto][:zeros|iota|iota(START,STEP)|random(SEED)|random(SEED,LOW,HIGH)|"
    "constant(VALUE)|normal(SEED,MEAN,DEVIATION)|exponential(SEED,MEAN)|@file.npy|@file.bin] or "
    "NAME=image:WIDTHxHEIGHT:FORMAT or NAME=tensormap:TYPE[ROWSxCOLUMNS]:box=ROWSxCOLUMNS:swizzle=128";
constexpr std::size_t max_components = 16; // OpenCL's widest vector

const std::vector<std::string>& type_names() {
  static const std::vector<std::string> names = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                 "i64", "u64", "f16", "f32", "f64"};
  return names;
}

/// As C, CUDA and OpenCL spell it.
std::optional<facts::ScalarType> spelled_type(std::string_view name) {
  using S = facts::ScalarType;
  static const std::map<std::string_view, S> types = {
      {"char", S::i8},           {"signed char", S::i8},
      {"int8_t", S::i8},         {"unsigned char", S::u8},
      {"uchar", S::u8},          {"uint8_t", S::u8},
      {"bool", S::u8},           {"short", S::i16},
      {"int16_t", S::i16},       {"unsigned short", S::u16},
      {"ushort", S::u16},        {"uint16_t", S::u16},
      {"int", S::i32},           {"int32_t", S::i32},
      {"unsigned", S::u32},      {"unsigned int", S::u32},
      {"uint", S::u32},          {"uint32_t", S::u32},
      {"long", S::i64},          {"long long", S::i64},
      {"int64_t", S::i64},       {"ptrdiff_t", S::i64},
      {"unsigned long", S::u64}, {"unsigned long long", S::u64},
      {"ulong", S::u64},         {"uint64_t", S::u64},
      {"size_t", S::u64},        {"half", S::f16},
      {"__half", S::f16},        {"float", S::f32},
      {"double", S::f64}};
  const auto found = types.find(name);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

struct ElementType {
  facts::ScalarType type = facts::ScalarType::f32;
  std::uint64_t components = 1;
};

/// "f32", "float" or a vector of such: "float4" is four floats.
Result<ElementType> parse_element(std::string_view text, const std::string& where) {
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;
  if (const auto width = whole_number(text.substr(digits)); width && *width >= 2 && *width <= max_components)
    if (const auto type = spelled_type(text.substr(0, digits)))
      return ElementType{*type, *width};
  const auto type = parse_type(text, where);
  FOREWARP_TRY(type);
  return ElementType{*type, 1};
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names,
                         const std::string& otherwise) {
  const auto nearest = nearest_names(wanted, names, 1);
  return nearest.empty() ? otherwise : fmt::format("did you mean '{}'?", nearest.front());
}

Result<facts::ArgumentValue> parse_buffer(std::string_view text, const std::string& base_directory,
                                          const std::string& where) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return fail(ErrorCode::usage, fmt::format("'buffer:{}' has no element count in brackets", text), where,
                "write buffer:TYPE[COUNT], for example buffer:f32[1024]");
  facts::BufferValue buffer;
  const auto element = parse_element(strip(text.substr(0, open)), where);
  FOREWARP_TRY(element);
  buffer.type = element->type;
  const std::string_view count = strip(text.substr(open + 1, close - open - 1));
  const std::string_view rest = strip(text.substr(close + 1));
  const bool count_from_file = count.empty() && rest.starts_with(":@");
  if (!count_from_file && count != "auto") {
    const auto elements = parse_count(count, buffer.type, where);
    FOREWARP_TRY(elements);
    buffer.count = *elements * element->components;
  }
  if (!rest.empty()) {
    if (rest.front() != ':')
      return fail(ErrorCode::usage, fmt::format("'{}' follows the element count", rest), where, grammar);
    FOREWARP_TRY(parse_contents(strip(rest.substr(1)), buffer, base_directory, where));
  }
  return buffer;
}

/// "128x64" from the outermost dimension -> from the innermost.
bool read_sizes(std::string_view text, std::array<std::uint32_t, facts::most_tensor_dimensions>& sizes,
                unsigned& rank) {
  std::vector<std::uint32_t> read;
  for (const std::string_view word : split(text, 'x')) {
    const auto size = whole_number(word);
    if (!size || *size == 0 || *size > UINT32_MAX)
      return false;
    read.push_back(static_cast<std::uint32_t>(*size));
  }
  rank = static_cast<unsigned>(read.size());
  if (rank == 0 || rank > sizes.size())
    return false;
  std::copy(read.rbegin(), read.rend(), sizes.begin());
  return true;
}

/// "-1x-1": from the outermost, of the dimensions between channels and images. False: not so many numbers.
bool read_corner(std::string_view text, std::array<std::int16_t, 3>& corner, const facts::TensorMap& map) {
  const auto words = split(text, 'x');
  if (map.rank < 3 || words.size() != map.rank - 2)
    return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string number(words[words.size() - 1 - i]);
    std::int16_t& at = corner[i];
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at);
    if (error != std::errc() || end != number.data() + number.size() || (i > 0 && (at < -128 || at > 127)))
      return false;
  }
  return true;
}

/// Of a tensor map: "box=128x64", "swizzle=128"; false: neither.
bool read_map_word(std::string_view word, facts::TensorMap& map) {
  using Swizzle = facts::TensorMap::Swizzle;
  if (word.starts_with("box=")) {
    unsigned rank = 0;
    return read_sizes(word.substr(4), map.box, rank) && rank == map.rank &&
           std::all_of(map.box.begin(), map.box.begin() + rank,
                       [](std::uint32_t size) { return size <= 256; });
  }
  if (word.starts_with("columns=")) { // pixels and channels
    unsigned rank = 0;
    map.of_columns = map.rank > 2 && read_sizes(word.substr(8), map.box, rank) && rank == 2 &&
                     map.box[0] <= 256 && map.box[1] <= 1024;
    std::fill(map.box.begin() + 2, map.box.end(), 1);
    return map.of_columns;
  }
  if (word.starts_with("lower=") || word.starts_with("upper="))
    return read_corner(word.substr(6), word.front() == 'l' ? map.lower : map.upper, map);
  for (const auto& [name, swizzle] : {std::pair{"swizzle=0", Swizzle::none},
                                      {"swizzle=32", Swizzle::bytes_32},
                                      {"swizzle=64", Swizzle::bytes_64},
                                      {"swizzle=128", Swizzle::bytes_128}})
    if (word == name)
      return map.swizzle = swizzle, true;
  return false;
}

/// CUtensorMapDataType; none: that of its size.
std::optional<std::uint8_t> type_of_map(facts::ScalarType type) {
  using Type = facts::ScalarType;
  return type == Type::i32   ? 3
         : type == Type::i64 ? 5
         : type == Type::f16 ? 6
         : type == Type::f32 ? 7
         : type == Type::f64 ? std::optional<std::uint8_t>(8)
                             : std::nullopt;
}

/// "f16[4096x4096]:box=128x64:swizzle=128:CONTENTS": a tensor, rows one behind the other, as a tensor map.
Result<facts::ArgumentValue> parse_map(std::string_view text, const std::string& base_directory,
                                       const std::string& where) {
  constexpr const char* how =
      "write tensormap:TYPE[ROWSxCOLUMNS]:box=ROWSxCOLUMNS:swizzle=128; sides of a box are at "
      "most 256. Images as columns (im2col): "
      "tensormap:TYPE[IMAGESxROWSxCOLUMNSxCHANNELS]:columns=PIXELSxCHANNELS:"
      "lower=-1x-1:upper=-1x-1";
  const std::size_t open = text.find('['), close = text.find(']');
  facts::TensorMap map;
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      !read_sizes(text.substr(open + 1, close - open - 1), map.extents, map.rank))
    return fail(ErrorCode::usage, fmt::format("'tensormap:{}' has no sizes of a tensor in brackets", text),
                where, how);
  const auto type = parse_type(strip(text.substr(0, open)), where);
  FOREWARP_TRY(type);
  facts::BufferValue buffer{.type = *type, .count = 1};
  map.element_bytes = static_cast<unsigned>(facts::size_bytes(*type));
  map.type = type_of_map(*type);
  std::uint64_t bytes = map.element_bytes;
  for (unsigned d = 0; d < map.rank; ++d) {
    map.strides[d] = bytes;
    const auto product = bounded_product(buffer.count, map.extents[d]);
    if (!product || !bounded_product(*product, map.element_bytes))
      return fail(ErrorCode::usage, "a tensor beyond 2^48 bytes", where, "check its sizes");
    buffer.count = *product;
    bytes = buffer.count * map.element_bytes;
  }
  for (const std::string_view word : split(text.substr(close + 1), ':'))
    if (!word.empty() && !read_map_word(strip(word), map))
      FOREWARP_TRY(parse_contents(strip(word), buffer, base_directory, where));
  if (map.box[0] == 0)
    return fail(ErrorCode::usage, fmt::format("'tensormap:{}' has no box", text), where, how);
  if (map.row_bytes() % 16 != 0)
    return fail(ErrorCode::usage, "the rows of a box are multiples of 16 bytes", where, how);
  buffer.map = map;
  return buffer;
}

Result<facts::ArgumentValue> parse_scalar(std::string_view text, const std::string& where) {
  const auto components = split(text, ',');
  if (components.size() > max_components)
    return fail(ErrorCode::usage, fmt::format("a vector of {} components; 16 is the most", components.size()),
                where, "arrays are buffers: NAME=buffer:TYPE[COUNT]:@file.npy");
  facts::ScalarValue scalar;
  for (const std::string_view component : components) {
    const auto number = normal_number(component);
    if (!number)
      return fail(ErrorCode::usage, fmt::format("'{}' is not a number", component), where, grammar);
    scalar.text += (scalar.text.empty() ? "" : ",") + *number;
  }
  return scalar;
}

/// The bytes of "hex:00ff" or "hex(00ff)" without the words around; empty where a digit is wrong.
std::optional<std::vector<std::uint8_t>> bytes_of_digits(std::string_view digits) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2) {
    const int high = digit(digits[k]), low = digit(digits[k + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return digits.empty() || digits.size() % 2 != 0 ? std::nullopt : std::optional(std::move(bytes));
}

/// "name(1,2)" -> {1, 2}; empty when `text` is something else or holds no plain numbers.
std::optional<std::vector<double>> call_of(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || text.size() < name.size() + 2 || text[name.size()] != '(' ||
      !text.ends_with(")"))
    return std::nullopt;
  std::vector<double> numbers;
  for (const std::string_view word :
       split(text.substr(name.size() + 1, text.size() - name.size() - 2), ',')) {
    const auto number = normal_number(strip(word));
    if (!number)
      return std::vector<double>{};
    numbers.push_back(std::stod(*number));
  }
  return numbers;
}

} // namespace

std::string below(const std::string& base_directory, std::string_view path) {
  const std::filesystem::path inner(path);
  if (inner.is_absolute() || base_directory.empty() || base_directory == ".")
    return inner.string();
  return (std::filesystem::path(base_directory) / inner).string();
}

Result<facts::ScalarType> parse_type(std::string_view text, const std::string& where) {
  if (const auto type = facts::scalar_type_from_string(text))
    return *type;
  if (const auto type = spelled_type(text))
    return *type;
  return fail(ErrorCode::usage, fmt::format("unknown element type '{}'", text), where,
              did_you_mean(text, type_names(), fmt::format("types are {}", fmt::join(type_names(), ", "))));
}

Result<std::uint64_t> parse_count(std::string_view text, facts::ScalarType type, const std::string& where) {
  const char separator = text.find('*') != std::string_view::npos ? '*' : 'x';
  std::uint64_t count = 1;
  for (const std::string_view word : split(text, separator)) {
    const auto size = whole_number(word);
    if (!size && (word.empty() || word.find_first_not_of("0123456789") != std::string_view::npos))
      return fail(ErrorCode::usage, fmt::format("'{}' is not an element count", text), where,
                  "write a whole number or a product such as 64x32");
    if (size && *size == 0)
      return fail(ErrorCode::usage, "a buffer of no elements", where, "the count is at least 1");
    const auto product = size ? bounded_product(count, *size) : std::nullopt;
    if (!product || !bounded_product(*product, facts::size_bytes(type)))
      return fail(ErrorCode::usage, fmt::format("a buffer of '{}' elements is beyond 2^48 bytes", text),
                  where, "check the count");
    count = *product;
  }
  return count;
}

namespace {

Result<void> parse_spread(std::string_view text, facts::BufferValue& buffer, const std::string& where) {
  using Spread = facts::BufferContents::Spread;
  const bool is_normal = text.starts_with("normal(");
  const auto numbers = call_of(text, is_normal ? "normal" : "exponential");
  const std::size_t wanted = is_normal ? 3 : 2;
  const bool fits = numbers && numbers->size() == wanted && numbers->front() >= 0 &&
                    numbers->front() <= 0x1p53 && numbers->front() == std::floor(numbers->front()) &&
                    numbers->back() > 0;
  if (!fits)
    return fail(ErrorCode::usage,
                fmt::format("'{}' is not {}", text,
                            is_normal ? "normal(SEED,MEAN,DEVIATION)" : "exponential(SEED,MEAN)"),
                where,
                is_normal ? "the deviation is above 0: normal(1,0,1)"
                          : "the mean is above 0: exponential(1,100)");
  buffer.contents = {.kind = facts::BufferContents::Kind::random,
                     .seed = static_cast<std::uint64_t>(numbers->front()),
                     .start = (*numbers)[1],
                     .step = is_normal ? (*numbers)[2] : 1};
  buffer.contents.spread = is_normal ? Spread::normal : Spread::exponential;
  return {};
}

} // namespace

Result<void> parse_contents(std::string_view text, facts::BufferValue& buffer,
                            const std::string& base_directory, const std::string& where) {
  using Kind = facts::BufferContents::Kind;
  if (text == "zeros") {
    buffer.contents.kind = Kind::zeros;
  } else if (text == "iota") {
    buffer.contents.kind = Kind::iota;
  } else if (text == "unknown") {
    buffer.contents.kind = Kind::unknown;
  } else if (text == "random") {
    buffer.contents = {.kind = Kind::random, .seed = 1};
  } else if (text.starts_with("hex(") && text.ends_with(")")) {
    auto bytes = bytes_of_digits(text.substr(4, text.size() - 5));
    if (!bytes || bytes->size() > buffer.size_in_bytes())
      return fail(ErrorCode::usage, "the digits are no bytes of this buffer", where,
                  "write hex(00ff...), two digits a byte");
    buffer.contents.kind = Kind::bytes;
    buffer.contents.bytes = *std::move(bytes);
  } else if (const auto constant = call_of(text, "constant"); constant && constant->size() == 1) {
    buffer.contents = {.kind = Kind::iota, .start = constant->front(), .step = 0};
  } else if (const auto iota = call_of(text, "iota")) {
    if (iota->size() != 2)
      return fail(ErrorCode::usage, fmt::format("'{}' does not have a start and a step", text), where,
                  "write iota(0,16)");
    buffer.contents = {.kind = Kind::iota, .start = (*iota)[0], .step = (*iota)[1]};
  } else if (const auto random = call_of(text, "random")) {
    const bool ranged = random->size() == 3 && (*random)[1] < (*random)[2];
    if ((random->size() != 1 && !ranged) || random->front() < 0 || random->front() > 0x1p53 ||
        random->front() != std::floor(random->front()))
      return fail(ErrorCode::usage, fmt::format("'{}' is not random(SEED) or random(SEED,LOW,HIGH)", text),
                  where, "the seed is a whole number and LOW is below HIGH: random(1), random(1,0,100)");
    buffer.contents = {.kind = Kind::random, .seed = static_cast<std::uint64_t>(random->front())};
    if (ranged)
      buffer.contents.low = (*random)[1], buffer.contents.high = (*random)[2];
  } else if (text.starts_with("normal(") || text.starts_with("exponential(")) {
    return parse_spread(text, buffer, where);
  } else if (text.starts_with("@")) {
    auto loaded = load_contents(buffer, below(base_directory, strip(text.substr(1))));
    if (!loaded) {
      loaded.error().where = fmt::format("{}: {}", where, loaded.error().where);
      return loaded;
    }
  } else {
    return fail(ErrorCode::usage, fmt::format("unknown contents '{}'", text), where,
                did_you_mean(text, {"zeros", "iota", "random", "unknown"}, grammar));
  }
  return {};
}

Result<facts::ArgumentValue> parse_value(std::string_view text, const std::string& base_directory,
                                         const std::string& where) {
  text = strip(text);
  if (text.empty())
    return fail(ErrorCode::usage, "the value is missing", where, grammar);
  if (text == "{}")
    return facts::ScalarValue{std::string(text)};
  if (text.starts_with("hex:")) {
    auto bytes = bytes_of_digits(text.substr(4));
    if (!bytes)
      return fail(ErrorCode::usage, fmt::format("'{}' is not bytes in hexadecimal", text), where,
                  "write hex:00ff..., two digits a byte");
    return facts::ScalarValue{std::string(text), *std::move(bytes)};
  }
  if (text.starts_with("buffer:"))
    return parse_buffer(text.substr(7), base_directory, where);
  if (text.starts_with("image:") || is_image(text))
    return parse_image(text.starts_with("image:") ? text.substr(6) : text, where);
  if (text.starts_with("sampler:")) {
    const auto sampler = parse_sampler(text.substr(8), where);
    FOREWARP_TRY(sampler);
    const std::uint64_t bits = bits_of_sampler(*sampler);
    facts::ScalarValue value{std::string(text), std::vector<std::uint8_t>(sizeof bits)};
    std::memcpy(value.bytes.data(), &bits, sizeof bits);
    return value;
  }
  if (text.starts_with("tensormap:"))
    return parse_map(text.substr(10), base_directory, where);
  if (text.starts_with("@")) {
    auto bytes = load_struct(below(base_directory, strip(text.substr(1))));
    if (!bytes) {
      bytes.error().where = fmt::format("{}: {}", where, bytes.error().where);
      return tl::unexpected<Error>(bytes.error());
    }
    return facts::ScalarValue{std::string(text), *std::move(bytes)};
  }
  if (text.starts_with("&") && is_argument_key(text.substr(1)))
    return facts::ScalarValue{std::string(text), {}};
  return parse_scalar(text, where);
}

Result<std::pair<std::string, facts::ArgumentValue>> parse_argument(const std::string& text,
                                                                    const std::string& base_directory) {
  const std::size_t equals = text.find('=');
  const std::string name(strip(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos || !is_argument_key(name))
    return fail(ErrorCode::usage, fmt::format("'{}' names no argument", text), "--arg", grammar);
  auto value =
      parse_value(std::string_view(text).substr(equals + 1), base_directory, fmt::format("--arg {}", name));
  FOREWARP_TRY(value);
  return std::pair{name, *std::move(value)};
}

} // namespace forewarp::launch

// "1.5", "7", "1,2,3,4" -> the bytes that the kernel sees.
#include "simt/argument_words.h"
#include "simt/arguments.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace forewarp::simt {
namespace {

std::uint16_t half_bits(float value) {
  const auto u = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(u >> 16 & 0x8000);
  if (std::isnan(value))
    return sign | 0x7E00;
  const float size = std::fabs(value);
  if (size >= 65520.0F)
    return sign | 0x7C00;
  if (size < 0x1p-14F) // subnormal: multiples of 2^-24
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24F)));
  const std::uint32_t rounded = (u & 0x7FFFFFFF) + 0xFFF + (u >> 13 & 1);
  return static_cast<std::uint16_t>(sign | (((rounded >> 23) - 112) << 10) | (rounded >> 13 & 0x3FF));
}

bool is_float(facts::ScalarType type) {
  return type >= facts::ScalarType::f16;
}
bool is_signed(facts::ScalarType type) {
  using S = facts::ScalarType;
  return type == S::i8 || type == S::i16 || type == S::i32 || type == S::i64;
}

Result<std::uint64_t> element_bits(const std::string& text, facts::ScalarType type) {
  const char* begin = text.c_str();
  char* end = nullptr;
  auto ended = [&] {
    while (*end == ' ' || *end == 'f' || *end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
      ++end; // literal suffixes of C
    return end != begin && *end == '\0';
  };
  errno = 0;
  if (is_float(type)) {
    const double value = std::strtod(begin, &end);
    if (!ended())
      return fail(ErrorCode::launch, fmt::format("'{}' is not a number", text));
    if (type == facts::ScalarType::f64)
      return std::bit_cast<std::uint64_t>(value);
    if (type == facts::ScalarType::f32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return half_bits(static_cast<float>(value));
  }
  const unsigned bits = static_cast<unsigned>(facts::size_bytes(type)) * 8;
  const bool negative = text.find('-') != std::string::npos;
  std::uint64_t value = 0;
  if (negative)
    value = static_cast<std::uint64_t>(std::strtoll(begin, &end, 0));
  else
    value = std::strtoull(begin, &end, 0);
  if (!ended()) {
    if (text == "true" || text == "false")
      return std::uint64_t{text == "true"};
    return fail(ErrorCode::launch, fmt::format("'{}' is not an integer", text));
  }
  const std::uint64_t top = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t low = is_signed(type) ? std::uint64_t{1} << (bits - 1) : 0; // -2^(bits-1) ... 2^bits-1
  if (errno == ERANGE || (!negative && value > top) || (negative && 0 - value > low))
    return fail(ErrorCode::launch, fmt::format("{} does not fit into {}", text, facts::to_string(type)));
  return value & top;
}

} // namespace

Result<std::vector<std::uint8_t>> scalar_bytes(const ir::Parameter& parameter,
                                               const facts::ScalarValue& value) {
  if (!value.bytes.empty()) {
    if (value.bytes.size() != parameter.size_bytes)
      return fail(ErrorCode::launch, fmt::format("has {} bytes, but it is {} of {}", value.bytes.size(),
                                                 type_text(parameter), parameter.size_bytes));
    return value.bytes;
  }
  if (value.text == "{}") // as in C: all zero
    return std::vector<std::uint8_t>(parameter.size_bytes);
  if (!parameter.scalar && !parameter.is_pointer && parameter.size_bytes > 8)
    return fail(ErrorCode::launch,
                fmt::format("is {}{} and has to come from a file", type_text(parameter),
                            parameter.type_name.empty() ? std::string()
                                                        : fmt::format(" of {} bytes", parameter.size_bytes)));
  facts::ScalarType type = parameter.scalar.value_or(parameter.size_bytes == 8   ? facts::ScalarType::i64
                                                     : parameter.size_bytes == 4 ? facts::ScalarType::i32
                                                     : parameter.size_bytes == 2 ? facts::ScalarType::i16
                                                                                 : facts::ScalarType::i8);
  // IR has no names of types: a decimal point tells a float.
  if (!parameter.scalar && value.text.find_first_of(".eE") != std::string::npos &&
      value.text.find('x') == std::string::npos)
    type = parameter.size_bytes == 8   ? facts::ScalarType::f64
           : parameter.size_bytes == 4 ? facts::ScalarType::f32
                                       : facts::ScalarType::f16;
  const std::size_t element = facts::size_bytes(type);
  std::vector<std::uint8_t> bytes(
      std::max<std::size_t>(parameter.size_bytes, element * parameter.components));
  std::size_t from = 0;
  for (unsigned k = 0; k < parameter.components; ++k) {
    const std::size_t comma = value.text.find(',', from);
    const bool last = k + 1 == parameter.components;
    if (last != (comma == std::string::npos))
      return fail(ErrorCode::launch, fmt::format("{} needs {} value(s) separated by commas, not '{}'",
                                                 type_text(parameter), parameter.components, value.text));
    Result<std::uint64_t> bits = element_bits(value.text.substr(from, comma - from), type);
    FOREWARP_TRY(bits);
    std::memcpy(bytes.data() + k * element, &*bits, element);
    from = comma + 1;
  }
  return bytes;
}

} // namespace forewarp::simt

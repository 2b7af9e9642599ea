// Generated buffer contents: a value is a function of the index alone.
#include "launch/parse.h"
#include "support/counter_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace forewarp::launch {
namespace {

/// IEEE binary32 -> binary16, round to nearest even; beyond 65504 infinity.
std::uint16_t half_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude >= 0x477FF000U) // rounds to 65536 or is not finite
    return sign | (magnitude > 0x7F800000U ? 0x7E00U : 0x7C00U);
  if (magnitude < 0x38800000U) { // subnormal half: add a power of two whose last place is 2^-24
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U);
  }
  const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U);
  return sign | static_cast<std::uint16_t>((rounded - 0x38000000U) >> 13);
}

template <class T> void put(std::uint8_t* out, T value) {
  std::memcpy(out, &value, sizeof value);
}

/// Integers keep the low bits, as a conversion in C does.
template <class Integer, class Float>
void put_number(facts::ScalarType type, Integer integer, Float real, std::uint8_t* out) {
  using facts::ScalarType;
  switch (type) {
  case ScalarType::i8:
  case ScalarType::u8:
    return put(out, static_cast<std::uint8_t>(integer));
  case ScalarType::i16:
  case ScalarType::u16:
    return put(out, static_cast<std::uint16_t>(integer));
  case ScalarType::i32:
  case ScalarType::u32:
    return put(out, static_cast<std::uint32_t>(integer));
  case ScalarType::i64:
  case ScalarType::u64:
    return put(out, static_cast<std::uint64_t>(integer));
  case ScalarType::f16:
    return put(out, half_bits(static_cast<float>(real)));
  case ScalarType::f32:
    return put(out, static_cast<float>(real));
  case ScalarType::f64:
    return put(out, static_cast<double>(real));
  }
}

void put_iota(const facts::BufferValue& buffer, std::uint64_t index, std::uint8_t* out) {
  const double value = buffer.contents.start + static_cast<double>(index) * buffer.contents.step;
  put_number(buffer.type, static_cast<std::int64_t>(value), value, out);
}

void put_random(const facts::BufferValue& buffer, std::uint64_t index, std::uint8_t* out) {
  const auto& contents = buffer.contents;
  const std::uint64_t bits = counter_random(contents.seed, index);
  const float unit = counter_random_unit(contents.seed, index);
  if (contents.low >= contents.high)
    return put_number(buffer.type, bits >> 48, unit, out);
  const double value = contents.low + (contents.high - contents.low) * static_cast<double>(unit);
  put_number(buffer.type, static_cast<std::int64_t>(std::floor(value)), value, out);
}

} // namespace

void generate_elements(const facts::BufferValue& buffer, std::uint64_t first, std::uint64_t count,
                       std::uint8_t* out) {
  using Kind = facts::BufferContents::Kind;
  const std::size_t size = facts::size_bytes(buffer.type);
  switch (buffer.contents.kind) {
  case Kind::unknown:
  case Kind::zeros:
    std::memset(out, 0, count * size);
    return;
  case Kind::iota:
    for (std::uint64_t i = 0; i < count; ++i)
      put_iota(buffer, first + i, out + i * size);
    return;
  case Kind::random:
    for (std::uint64_t i = 0; i < count; ++i)
      put_random(buffer, first + i, out + i * size);
    return;
  case Kind::bytes: {
    const auto& bytes = buffer.contents.bytes;
    std::memset(out, 0, count * size);
    const std::uint64_t begin = first * size;
    if (begin < bytes.size())
      std::memcpy(out, bytes.data() + begin, std::min<std::uint64_t>(count * size, bytes.size() - begin));
    return;
  }
  }
}

} // namespace forewarp::launch

// Generated buffer contents: a value is a function of the index alone.
#include "launch/parse.h"
#include "support/counter_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

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

/// floor(); that of the C library is a call for each element on processors before SSE4.1.
std::int64_t floor_of(double value) {
  const auto toward_zero = static_cast<std::int64_t>(value);
  return toward_zero - (static_cast<double>(toward_zero) > value ? 1 : 0);
}

/// Integers keep the low bits, as a conversion in C does.
template <class T> T number(std::int64_t integer, double) {
  return static_cast<T>(integer);
}
template <> float number(std::int64_t, double real) {
  return static_cast<float>(real);
}
template <> double number(std::int64_t, double real) {
  return real;
}

/// binary16 is kept in a type of its own, apart from 16-bit integers.
struct Half {
  std::uint16_t bits;
};
template <> Half number(std::int64_t, double real) {
  return {half_bits(static_cast<float>(real))};
}

template <class T> constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <class T>
void put_iota(const facts::BufferContents& contents, std::uint64_t first, std::uint64_t count,
              std::uint8_t* out) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = contents.start + static_cast<double>(first + i) * contents.step;
    const T converted = is_real<T> ? number<T>(0, value) : number<T>(static_cast<std::int64_t>(value), value);
    put(out + i * sizeof(T), converted);
  }
}

template <class T>
void put_plain_random(std::uint64_t seed, std::uint64_t first, std::uint64_t count, std::uint8_t* out) {
  for (std::uint64_t i = 0; i < count; ++i)
    if constexpr (is_real<T>)
      put(out + i * sizeof(T), number<T>(0, counter_random_unit(seed, first + i)));
    else
      put(out + i * sizeof(T),
          number<T>(static_cast<std::int64_t>(counter_random(seed, first + i) >> 48), 0));
}

template <class T>
void put_random(const facts::BufferContents& contents, std::uint64_t first, std::uint64_t count,
                std::uint8_t* out) {
  if (contents.low >= contents.high)
    return put_plain_random<T>(contents.seed, first, count, out);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value =
        contents.low +
        (contents.high - contents.low) * static_cast<double>(counter_random_unit(contents.seed, first + i));
    put(out + i * sizeof(T), number<T>(is_real<T> ? 0 : floor_of(value), value));
  }
}

/// By the inverse (exponential) and by Box and Muller (normal) of one or two even numbers of the index.
double spread_number(const facts::BufferContents& contents, std::uint64_t index) {
  constexpr double least = 0x1p-25, full_turn = 6.283185307179586;
  const double first = std::max(least, static_cast<double>(counter_random_unit(contents.seed, 2 * index)));
  if (contents.spread == facts::BufferContents::Spread::exponential)
    return -contents.start * std::log(first);
  const double second = static_cast<double>(counter_random_unit(contents.seed, 2 * index + 1));
  return contents.start + contents.step * std::sqrt(-2 * std::log(first)) * std::cos(full_turn * second);
}

template <class T>
void put_spread(const facts::BufferContents& contents, std::uint64_t first, std::uint64_t count,
                std::uint8_t* out) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = spread_number(contents, first + i);
    put(out + i * sizeof(T), number<T>(is_real<T> ? 0 : floor_of(value), value));
  }
}

template <class T>
void put_all(const facts::BufferContents& contents, std::uint64_t first, std::uint64_t count,
             std::uint8_t* out) {
  if (contents.kind == facts::BufferContents::Kind::iota)
    put_iota<T>(contents, first, count, out);
  else if (contents.spread != facts::BufferContents::Spread::even)
    put_spread<T>(contents, first, count, out);
  else
    put_random<T>(contents, first, count, out);
}

void put_typed(const facts::BufferValue& buffer, std::uint64_t first, std::uint64_t count,
               std::uint8_t* out) {
  using facts::ScalarType;
  const facts::BufferContents& contents = buffer.contents;
  switch (buffer.type) {
  case ScalarType::i8:
  case ScalarType::u8:
    return put_all<std::uint8_t>(contents, first, count, out);
  case ScalarType::i16:
  case ScalarType::u16:
    return put_all<std::uint16_t>(contents, first, count, out);
  case ScalarType::i32:
  case ScalarType::u32:
    return put_all<std::uint32_t>(contents, first, count, out);
  case ScalarType::i64:
  case ScalarType::u64:
    return put_all<std::uint64_t>(contents, first, count, out);
  case ScalarType::f16:
    return put_all<Half>(contents, first, count, out);
  case ScalarType::f32:
    return put_all<float>(contents, first, count, out);
  case ScalarType::f64:
    return put_all<double>(contents, first, count, out);
  }
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
  case Kind::random:
    return put_typed(buffer, first, count, out);
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

// Elements of matrices by cudaDataType's number, as float.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace forewarp::program {

// As data/include/cublas_v2.h has them.
inline constexpr int float_type = 0, double_type = 1, half_type = 2, bfloat_type = 14;

/// 0: a type that is not computed with.
inline long float_bytes(int type) {
  return type == half_type || type == bfloat_type ? 2 : type == float_type ? 4 : type == double_type ? 8 : 0;
}

inline const char* float_name(int type) {
  return type == half_type     ? "half"
         : type == bfloat_type ? "bfloat16"
         : type == float_type  ? "float"
                               : "double";
}

inline float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16, exponent = bits >> 10 & 31U,
                      rest = bits & 1023U;
  if (exponent == 0)
    return std::copysign(static_cast<float>(rest) * 0x1p-24F, std::bit_cast<float>(sign));
  return std::bit_cast<float>(sign | (exponent == 31 ? 0x7f800000U : (exponent + 112) << 23) | rest << 13);
}

/// To the nearest, to even between two.
inline std::uint16_t half_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t size = bits & 0x7fffffffU;
  if (size > 0x7f800000U)
    return sign | 0x7e00U;
  if (size >= 0x477ff000U)
    return sign | 0x7c00U;
  if (size < 0x38800000U) // below the normal ones
    return static_cast<std::uint16_t>(
        sign | static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(size) * 0x1p24F)));
  const std::uint32_t rounded = size + 0xfffU + (size >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | (rounded - 0x38000000U) >> 13);
}

inline float load_float(const void* at, int type, long place) {
  if (type == double_type)
    return static_cast<float>(static_cast<const double*>(at)[place]);
  if (type == float_type)
    return static_cast<const float*>(at)[place];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(at)[place];
  return type == half_type ? float_of_half(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

inline void store_float(void* at, int type, long place, float value) {
  if (type == double_type) {
    static_cast<double*>(at)[place] = static_cast<double>(value);
  } else if (type == float_type) {
    static_cast<float*>(at)[place] = value;
  } else if (type == half_type) {
    static_cast<std::uint16_t*>(at)[place] = half_of_float(value);
  } else {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = std::isnan(value) ? bits | 0x400000U : bits + 0x7fffU + (bits >> 16 & 1U);
    static_cast<std::uint16_t*>(at)[place] = static_cast<std::uint16_t>(rounded >> 16);
  }
}

} // namespace forewarp::program

#include "launch/parse.h"
#include "support/counter_random.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

using facts::BufferContents;
using facts::BufferValue;
using facts::ScalarType;

template <class T>
std::vector<T> elements(const BufferValue& buffer, std::uint64_t first, std::uint64_t count) {
  std::vector<T> out(count);
  generate_elements(buffer, first, count, reinterpret_cast<std::uint8_t*>(out.data()));
  return out;
}

BufferValue generated(ScalarType type, BufferContents::Kind kind, std::uint64_t seed = 0) {
  return BufferValue{type, std::uint64_t{1} << 40, {kind, seed, {}}};
}

TEST(Generate, IotaIsTheIndex) {
  const auto ints = elements<std::int32_t>(generated(ScalarType::i32, BufferContents::Kind::iota), 1000, 3);
  EXPECT_EQ(ints, (std::vector<std::int32_t>{1000, 1001, 1002}));
  EXPECT_EQ(elements<double>(generated(ScalarType::f64, BufferContents::Kind::iota), 1ULL << 35, 1)[0],
            0x1p35);
  EXPECT_EQ(elements<std::uint8_t>(generated(ScalarType::u8, BufferContents::Kind::iota), 255, 2),
            (std::vector<std::uint8_t>{255, 0}));
}

TEST(Generate, NormalAndExponentialHaveTheirMoments) {
  constexpr std::uint64_t count = 100000;
  const auto moments = [&](const std::string& contents) {
    const auto argument = parse_argument("x=buffer:f64[100000]:" + contents);
    EXPECT_TRUE(argument);
    const auto values = elements<double>(std::get<BufferValue>(argument->second), 0, count);
    double sum = 0, squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const double mean = sum / count;
    return std::pair{mean, std::sqrt(squares / count - mean * mean)};
  };
  // Of n numbers the mean is within 4 deviations / sqrt(n) with all but 1 in 10,000 seeds.
  const auto [normal_mean, normal_deviation] = moments("normal(1,10,3)");
  EXPECT_NEAR(normal_mean, 10, 4 * 3 / std::sqrt(count));
  EXPECT_NEAR(normal_deviation, 3, 0.05);
  const auto [exponential_mean, exponential_deviation] = moments("exponential(2,50)");
  EXPECT_NEAR(exponential_mean, 50, 4 * 50 / std::sqrt(count));
  EXPECT_NEAR(exponential_deviation, 50, 1);
}

TEST(Generate, HalfPrecision) {
  // 1 = 0x3c00, 2049 lies between 2048 and 2050 and rounds to even 2048 = 0x6800, 65520 rounds to infinity.
  const auto at = [](std::uint64_t index) {
    return elements<std::uint16_t>(generated(ScalarType::f16, BufferContents::Kind::iota), index, 1)[0];
  };
  EXPECT_EQ(at(0), 0x0000);
  EXPECT_EQ(at(1), 0x3c00);
  EXPECT_EQ(at(2049), 0x6800);
  EXPECT_EQ(at(65504), 0x7bff);
  EXPECT_EQ(at(65519), 0x7bff);
  EXPECT_EQ(at(65520), 0x7c00);
}

TEST(Generate, HalfOfRandomUnitMatchesTheHardwareConversion) {
  const auto halves =
      elements<std::uint16_t>(generated(ScalarType::f16, BufferContents::Kind::random, 3), 0, 20000);
  for (std::uint64_t i = 0; i < halves.size(); ++i) {
    const float value = counter_random_unit(3, i);
    // Decode the half in double and require that no neighbour is nearer.
    const auto decode = [](unsigned bits) {
      const double fraction = bits & 0x3FFU;
      return (bits >> 10) == 0 ? fraction * 0x1p-24
                               : std::ldexp(1024 + fraction, static_cast<int>(bits >> 10) - 25);
    };
    const double error = std::abs(decode(halves[i]) - value);
    ASSERT_LE(error, std::abs(decode(halves[i] + 1U) - value)) << i;
    if (halves[i] > 0) {
      ASSERT_LE(error, std::abs(decode(halves[i] - 1U) - value)) << i;
    }
  }
}

TEST(Generate, RandomIsAFunctionOfTheIndex) {
  const BufferValue buffer = generated(ScalarType::f32, BufferContents::Kind::random, 7);
  const auto all = elements<float>(buffer, 0, 100);
  EXPECT_EQ(elements<float>(buffer, 37, 1)[0], all[37]);
  for (const float value : all) {
    EXPECT_GE(value, 0.0F);
    EXPECT_LT(value, 1.0F);
  }
  for (const auto value :
       elements<std::uint64_t>(generated(ScalarType::u64, BufferContents::Kind::random, 7), 0, 1000))
    EXPECT_LE(value, 65535U);
  EXPECT_NE(all, elements<float>(generated(ScalarType::f32, BufferContents::Kind::random, 8), 0, 100));
}

TEST(Generate, BytesAreCutAtTheirEnd) {
  BufferValue buffer{ScalarType::u8, 8, {.kind = BufferContents::Kind::bytes, .bytes = {1, 2, 3}}};
  EXPECT_EQ(elements<std::uint8_t>(buffer, 1, 4), (std::vector<std::uint8_t>{2, 3, 0, 0}));
  EXPECT_EQ(elements<std::uint8_t>(buffer, 6, 2), (std::vector<std::uint8_t>{0, 0}));
}

} // namespace
} // namespace forewarp::launch

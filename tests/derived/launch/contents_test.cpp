// Hand-worked contents of generated buffers.
#include "launch/parse.h"

#include <cstring>
#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

template <class T>
std::vector<T> elements(const std::string& argument, std::uint64_t first, std::uint64_t count) {
  const auto parsed = parse_argument(argument);
  EXPECT_TRUE(parsed) << (parsed ? "" : to_string(parsed.error()));
  std::vector<T> out(count);
  if (parsed)
    generate_elements(std::get<facts::BufferValue>(parsed->second), first, count,
                      reinterpret_cast<std::uint8_t*>(out.data()));
  return out;
}

// Row starts of a sparse matrix with 16 entries a row: 0 + i * 16.
TEST(Contents, IotaHasStartAndStep) {
  EXPECT_EQ(elements<std::int32_t>("rows=buffer:i32[100]:iota(0,16)", 3, 3),
            (std::vector<std::int32_t>{48, 64, 80}));
  EXPECT_EQ(elements<float>("x=buffer:f32[100]:iota(1,-0.5)", 0, 3), (std::vector<float>{1, 0.5F, 0}));
}

TEST(Contents, RangedRandomStaysInItsRangeAndReachesItsEnds) {
  const auto values = elements<std::int32_t>("edge=buffer:i32[10000]:random(1,-4,5)", 0, 10000);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -4);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 4);
}

TEST(Contents, BadCallsAreRefused) {
  for (const char* text :
       {"a=buffer:i32[8]:iota(1)", "a=buffer:i32[8]:random(1,5,5)", "a=buffer:i32[8]:random(-1)",
        "a=buffer:i32[8]:random(1.5)", "a=buffer:i32[8]:random(x)", "a=buffer:i32[8]:iota(,)"})
    EXPECT_FALSE(parse_argument(text)) << text;
}

} // namespace
} // namespace forewarp::launch

#include "facts/tensor_map.h"

#include <gtest/gtest.h>

namespace forewarp::facts {
namespace {

TensorMap map_of_two() {
  TensorMap map{
      .swizzle = TensorMap::Swizzle::bytes_128, .rank = 2, .element_bytes = 2, .address = 0x1'2345'6700};
  map.extents = {4096, 512};
  map.strides = {2, 8192};
  map.box = {64, 128};
  return map;
}

TEST(TensorMap, BytesAndBack) {
  const auto bytes = bytes_of(map_of_two());
  EXPECT_EQ(tensor_map_of(bytes), map_of_two());
  EXPECT_EQ(map_of_two().row_bytes(), 128U);
  EXPECT_EQ(map_of_two().box_bytes(), 16384U);
}

TEST(TensorMap, BytesThatAreNone) {
  std::array<std::uint8_t, tensor_map_bytes> zeros{};
  EXPECT_FALSE(tensor_map_of(zeros)); // an empty box
  auto bytes = bytes_of(map_of_two());
  bytes[tensor_map_fields::rank] = 5;
  EXPECT_FALSE(tensor_map_of(bytes));
  bytes = bytes_of(map_of_two());
  bytes[tensor_map_fields::element_steps] = 2; // elements that are stepped over
  EXPECT_FALSE(tensor_map_of(bytes));
}

// PTX ISA, "swizzling modes": the 16-byte pieces of a row are changed by the row's number.
TEST(TensorMap, Swizzle) {
  using Swizzle = TensorMap::Swizzle;
  EXPECT_EQ(swizzled(0x10, Swizzle::none), 0x10U);
  EXPECT_EQ(swizzled(128 + 0x00, Swizzle::bytes_128), 128U + 0x10);
  EXPECT_EQ(swizzled(7 * 128 + 0x70, Swizzle::bytes_128), 7U * 128);
  EXPECT_EQ(swizzled(8 * 128 + 0x30, Swizzle::bytes_128), 8U * 128 + 0x30); // eight rows on it begins anew
  EXPECT_EQ(swizzled(3 * 128 + 0x00, Swizzle::bytes_64), 3U * 128 + 0x30);
  EXPECT_EQ(swizzled(4 * 128 + 0x00, Swizzle::bytes_64), 4U * 128);
  EXPECT_EQ(swizzled(128 + 0x00, Swizzle::bytes_32), 128U + 0x10);
}

} // namespace
} // namespace forewarp::facts

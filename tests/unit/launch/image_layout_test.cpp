#include "launch/image.h"

#include <gtest/gtest.h>

#include <set>

namespace forewarp::launch {
namespace {

TEST(ImageLayout, EachTexelHasAPlaceOfItsOwn) {
  const facts::ImageValue image{.width = 40, .height = 19, .depth = 3, .texel_bytes = 4};
  std::set<std::uint64_t> places;
  for (std::uint64_t z = 0; z < 3; ++z)
    for (std::uint64_t y = 0; y < 19; ++y)
      for (std::uint64_t x = 0; x < 40; ++x) {
        const std::uint64_t at = texel_offset(image, x, y, z);
        EXPECT_LE(at + 4, image_bytes(image));
        places.insert(at);
      }
  EXPECT_EQ(places.size(), 40U * 19 * 3);
}

TEST(ImageLayout, SixteenTexelsInTwoRowsShareTwoSectorsOfATile) {
  // By hand, texels of 4 bytes: a sector holds 16 bytes of a row and 16 of the next.
  const facts::ImageValue image{.width = 1024, .height = 1024, .texel_bytes = 4};
  EXPECT_EQ(texel_offset(image, 0, 0, 0), 0U);
  EXPECT_EQ(texel_offset(image, 3, 0, 0), 12U);
  EXPECT_EQ(texel_offset(image, 0, 1, 0), 16U);
  EXPECT_EQ(texel_offset(image, 4, 0, 0), 32U);
  EXPECT_EQ(texel_offset(image, 0, 2, 0), 64U);
  EXPECT_EQ(texel_offset(image, 8, 0, 0), 256U);
  EXPECT_EQ(texel_offset(image, 16, 0, 0), 512U);     // next tile
  EXPECT_EQ(texel_offset(image, 0, 8, 0), 64U * 512); // next row of tiles
  EXPECT_EQ(image_bytes(image), 1024ULL * 1024 * 4);
}

TEST(ImageSampler, WordsAndBitsComeBack) {
  for (const char* text : {"", "linear", "normalised:wrap", "linear:normalised:mirror", "border"}) {
    const auto sampler = parse_sampler(text, "x");
    ASSERT_TRUE(sampler) << text;
    EXPECT_EQ(sampler_text(*sampler), text);
    EXPECT_EQ(sampler_of_bits(bits_of_sampler(*sampler)), *sampler);
  }
  // CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR of Clang's opencl-c-base.h
  const facts::Sampler sampler = sampler_of_bits(0x1 | 0x6 | 0x20);
  EXPECT_EQ(sampler_text(sampler), "linear:normalised:wrap");
  EXPECT_FALSE(parse_sampler("trilinear", "x"));
}

TEST(ImageSampler, StandsBehindTheFormat) {
  const auto value = parse_image("64x32:r32f:rows:linear:normalised:wrap", "x");
  ASSERT_TRUE(value);
  const facts::ImageValue& image = *std::get<facts::BufferValue>(*value).image;
  EXPECT_TRUE(image.linear);
  EXPECT_TRUE(image.sampler.linear);
  EXPECT_EQ(image.sampler.edge, facts::Sampler::Edge::wrap);
  EXPECT_EQ(image.texel_bytes, 4U);
}

TEST(ImageLayout, OneDimensionIsARow) {
  const facts::ImageValue image{.width = 100, .texel_bytes = 16, .linear = true};
  EXPECT_EQ(texel_offset(image, 99, 0, 0), 99U * 16);
  EXPECT_EQ(image_bytes(image), 1600U);
}

} // namespace
} // namespace forewarp::launch

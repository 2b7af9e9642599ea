#include "launch/parse.h"

#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

TEST(Dims, BothSeparatorsAndFewerThanThree) {
  EXPECT_EQ(*parse_dim3("1024", "--global"), (facts::Dim3{1024, 1, 1}));
  EXPECT_EQ(*parse_dim3("1024,16", "--global"), (facts::Dim3{1024, 16, 1}));
  EXPECT_EQ(*parse_dim3("8x4x2", "--local"), (facts::Dim3{8, 4, 2}));
  EXPECT_EQ(*parse_dim3(" 8 , 4 ", "--local"), (facts::Dim3{8, 4, 1}));
}

TEST(Dims, WrongOnesNameTheOption) {
  for (const char* text : {"", "0", "1,0", "-1", "1,2,3,4", "1,,2", "x", "1.5", "1e3", "99999999999999999999",
                           "281474976710657", "65536,65536,65537", "0x10"}) {
    const auto dims = parse_dim3(text, "--global");
    ASSERT_FALSE(dims) << text;
    EXPECT_EQ(dims.error().code, ErrorCode::usage);
    EXPECT_EQ(dims.error().where, "--global");
  }
}

TEST(Dims, LargestTaken) {
  EXPECT_TRUE(parse_dim3("281474976710656", "--global")); // 2^48
  EXPECT_TRUE(parse_dim3("65536,65536,65536", "--global"));
}

} // namespace
} // namespace forewarp::launch

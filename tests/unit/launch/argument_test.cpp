#include "launch/buffer_file.h"
#include "launch/parse.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace forewarp::launch {
namespace {

using facts::BufferContents;
using facts::BufferValue;
using facts::ScalarType;
using facts::ScalarValue;

BufferValue buffer(const std::string& text, const std::string& directory = ".") {
  auto argument = parse_argument(text, directory);
  EXPECT_TRUE(argument) << (argument ? "" : to_string(argument.error()));
  return argument ? std::get<BufferValue>(argument->second) : BufferValue{};
}

std::string scalar(const std::string& text) {
  auto argument = parse_argument(text);
  EXPECT_TRUE(argument) << text;
  return argument ? std::get<ScalarValue>(argument->second).text : "";
}

class Files : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "forewarp-launch-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }
  std::string directory_name() const { return directory_.string(); }

private:
  std::filesystem::path directory_;
};

/// Version 1.0 header as numpy.save writes it, padded to a multiple of 64 bytes.
std::string npy(const std::string& dictionary, const std::string& data) {
  std::string header = dictionary;
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

std::string refusal(const std::string& text) {
  const auto argument = parse_argument(text);
  return argument ? "" : argument.error().message;
}

TEST(Argument, Images) {
  const BufferValue picture = buffer("a=image:4096x2048:rgba8");
  ASSERT_TRUE(picture.image);
  EXPECT_EQ(picture.image->width, 4096U);
  EXPECT_EQ(picture.image->height, 2048U);
  EXPECT_EQ(picture.image->texel_bytes, 4U);
  EXPECT_EQ(picture.size_in_bytes(), 4096ULL * 2048 * 4);
  EXPECT_EQ(buffer("a=64x64x64:rg16f").image->depth, 64U);
  EXPECT_EQ(buffer("a=64x64:rg16f").image->texel_bytes, 4U);
  EXPECT_EQ(buffer("a=64x64:rgba32f").image->texel_bytes, 16U);
  EXPECT_EQ(buffer("a=image:64x64:float4").image->texel_bytes, 16U);
  EXPECT_EQ(buffer("a=image:64:u8").image->linear, true);
  EXPECT_NE(refusal("a=image:0x64:rgba8").find("no size of an image"), std::string::npos);
  EXPECT_NE(refusal("a=image:64x64:rgbx").find("unknown image format"), std::string::npos);
  EXPECT_NE(refusal("a=image:1x2x3x4:r8").find("no size of an image"), std::string::npos);
}

TEST(Argument, FieldsAndElements) {
  EXPECT_EQ(scalar("p.size=3"), "3");
  EXPECT_EQ(scalar("p.box.m[2]=3"), "3");
  EXPECT_EQ(buffer("rows[]=buffer:f32[8]").count, 8U);
  EXPECT_EQ(buffer("0.data=buffer:f32[8]").count, 8U);
  for (const char* wrong : {"p.=1", "p..a=1", "p[a]=1", "p[1=1", ".a=1", "p]a=1"})
    EXPECT_NE(refusal(wrong).find("names no argument"), std::string::npos) << wrong;
}

TEST(Argument, Distributions) {
  using Spread = BufferContents::Spread;
  const BufferValue normal = buffer("x=buffer:f32[8]:normal(3,1.5,2)");
  EXPECT_EQ(normal.contents.spread, Spread::normal);
  EXPECT_EQ(normal.contents.start, 1.5);
  EXPECT_EQ(normal.contents.step, 2);
  EXPECT_EQ(buffer("x=buffer:i32[8]:exponential(3,100)").contents.spread, Spread::exponential);
  EXPECT_NE(refusal("x=buffer:f32[8]:normal(3,1)").find("is not normal(SEED,MEAN,DEVIATION)"),
            std::string::npos);
  EXPECT_NE(refusal("x=buffer:f32[8]:exponential(3,0)").find("is not exponential"), std::string::npos);
}

TEST(Argument, Numbers) {
  EXPECT_EQ(scalar("n=1024"), "1024");
  EXPECT_EQ(scalar("n=-3"), "-3");
  EXPECT_EQ(scalar("n=0x10"), "16");
  EXPECT_EQ(scalar("a=1.5f"), "1.5");
  EXPECT_EQ(scalar("a=1e-3"), "1e-3");
  EXPECT_EQ(scalar("n=7u"), "7");
  EXPECT_EQ(scalar("flag=true"), "1");
  EXPECT_EQ(scalar("v=1, 2,3 ,4"), "1,2,3,4");
  EXPECT_EQ(scalar("0=5"), "5");
}

TEST(Argument, Buffers) {
  BufferValue value = buffer("a=buffer:f32[1024]");
  EXPECT_EQ(value.type, ScalarType::f32);
  EXPECT_EQ(value.count, 1024U);
  EXPECT_EQ(value.contents.kind, BufferContents::Kind::unknown);
  EXPECT_EQ(buffer("a=buffer:u8[3x5x7]:zeros").count, 105U);
  EXPECT_EQ(buffer("a=buffer:u8[3*5]:iota").contents.kind, BufferContents::Kind::iota);
  EXPECT_EQ(buffer("a=buffer:i64[4]:random(42)").contents.seed, 42U);
  EXPECT_EQ(buffer("a=buffer:i8[281474976710656]").count, 281474976710656U);
}

TEST(Argument, WrongOnesAreUsageErrors) {
  for (const char* text : {"",
                           "n",
                           "=3",
                           "n=",
                           "n=abc",
                           "n=1,",
                           "1a=3",
                           "a-b=3",
                           "a=buffer:f32",
                           "a=buffer:f31[4]",
                           "a=buffer:f32[]",
                           "a=buffer:f32[0]",
                           "a=buffer:f32[-1]",
                           "a=buffer:f32[4",
                           "a=buffer:f32]4[",
                           "a=buffer:f32[4]zeros",
                           "a=buffer:f32[4]:ones",
                           "a=buffer:f32[4]:random(x)",
                           "a=buffer:f32[4]:random(-1)",
                           "a=buffer:f32[4]:@x.txt",
                           "a=buffer:f32[99999999999999999999999]",
                           "a=buffer:f64[281474976710656]",
                           "a=buffer:f32[65536x65536x65536]",
                           "v=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                           "n=--1",
                           "n=1e999",
                           "n=0x",
                           "n=f"}) {
    const auto argument = parse_argument(text);
    ASSERT_FALSE(argument) << text;
    EXPECT_EQ(argument.error().code, ErrorCode::usage) << text;
    EXPECT_FALSE(argument.error().hint.empty()) << text;
  }
}

TEST(Argument, NearestTypeIsSuggested) {
  EXPECT_NE(parse_argument("a=buffer:f3[4]").error().hint.find("did you mean"), std::string::npos);
}

TEST_F(Files, BinaryMustFitExactly) {
  write("a.bin", std::string(16, '\x01'));
  EXPECT_EQ(buffer("a=buffer:f32[4]:@a.bin", directory_name()).contents.bytes.size(), 16U);
  EXPECT_EQ(buffer("a=buffer:u16[]:@a.bin", directory_name()).count, 8U);
  EXPECT_EQ(parse_argument("a=buffer:f32[5]:@a.bin", directory_name()).error().code, ErrorCode::bad_input);
  EXPECT_EQ(parse_argument("a=buffer:f32[3]:@a.bin", directory_name()).error().code, ErrorCode::bad_input);
  EXPECT_EQ(parse_argument("a=buffer:f32[4]:@b.bin", directory_name()).error().code, ErrorCode::not_found);
}

TEST_F(Files, StructByValue) {
  write("s.bin", "12345678");
  const auto argument = parse_argument("s=@s.bin", directory_name());
  ASSERT_TRUE(argument);
  EXPECT_EQ(std::get<ScalarValue>(argument->second).bytes.size(), 8U);
}

TEST_F(Files, NumpyFile) {
  write("a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", std::string(24, '\x02')));
  EXPECT_EQ(buffer("a=buffer:f32[]:@a.npy", directory_name()).count, 6U);
  EXPECT_EQ(buffer("a=buffer:f32[6]:@a.npy", directory_name()).contents.bytes,
            std::vector<std::uint8_t>(24, 2));
  EXPECT_EQ(parse_argument("a=buffer:f32[7]:@a.npy", directory_name()).error().code, ErrorCode::bad_input);
  EXPECT_NE(
      to_string(parse_argument("a=buffer:i32[6]:@a.npy", directory_name()).error()).find("f32 elements"),
      std::string::npos);
}

TEST(NpyHeader, RefusesWhatItCannotRead) {
  const auto refused = [](const std::string& bytes) { return !parse_npy_header(bytes, "a.npy").has_value(); };
  EXPECT_TRUE(refused(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "")));
  EXPECT_TRUE(refused(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "")));
  EXPECT_TRUE(refused(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "")));
  EXPECT_TRUE(refused(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", "")));
  EXPECT_TRUE(
      refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", "")));
  EXPECT_TRUE(refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': 3 }", "")));
  EXPECT_TRUE(refused(npy("{'descr': '<f4'}", "")));
  EXPECT_TRUE(refused("\x93NUMPY"));
  EXPECT_TRUE(refused(std::string("\x93NUMPY\x09\x00\x10\x00", 10)));
  EXPECT_TRUE(refused(std::string("\x93NUMPY\x01\x00\xff\xff{", 11)));
  EXPECT_TRUE(refused("not a npy file at all"));
  EXPECT_FALSE(refused(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "")));
}

TEST(Argument, TensorMap) {
  const BufferValue made = buffer("a=tensormap:f16[512x4096]:box=128x64:swizzle=128:iota");
  ASSERT_TRUE(made.map);
  EXPECT_EQ(made.count, 512U * 4096);
  EXPECT_EQ(made.map->rank, 2U);
  EXPECT_EQ(made.map->extents[0], 4096U); // from the innermost
  EXPECT_EQ(made.map->extents[1], 512U);
  EXPECT_EQ(made.map->strides[1], 8192U);
  EXPECT_EQ(made.map->box[0], 64U);
  EXPECT_EQ(made.map->box[1], 128U);
  EXPECT_EQ(made.map->swizzle, facts::TensorMap::Swizzle::bytes_128);
  EXPECT_EQ(made.contents.kind, BufferContents::Kind::iota);
  EXPECT_FALSE(buffer("a=tensormap:u8[64]:box=32").map->box[0] != 32);
}

TEST(Argument, TensorMapThatIsWrong) {
  const auto error = [](const std::string& text) {
    auto argument = parse_argument(text);
    EXPECT_FALSE(argument) << text;
    return argument ? std::string() : to_string(argument.error());
  };
  EXPECT_NE(error("a=tensormap:f16[512x4096]").find("has no box"), std::string::npos);
  EXPECT_NE(error("a=tensormap:f16[512x4096]:box=128").find("unknown contents 'box=128'"), std::string::npos);
  EXPECT_NE(error("a=tensormap:f16[512x4096]:box=128x512").find("unknown contents"), std::string::npos);
  EXPECT_NE(error("a=tensormap:f16[512x4096]:box=8x3").find("16 bytes"), std::string::npos);
  EXPECT_NE(error("a=tensormap:f16").find("sizes of a tensor"), std::string::npos);
}

TEST(Argument, KeysOfInnerPointersAndVariables) {
  for (const char* key : {"p+8", "0+16+8", ":table", ":_ZL5table+0", ":steps.1"})
    EXPECT_EQ(buffer(std::string(key) + "=buffer:u8[64]").count, 64) << key;
  EXPECT_EQ(scalar("rows+8=&rows+0+256"), "&rows+0+256");
  for (const char* text :
       {"+8=buffer:u8[64]", "p+=buffer:u8[64]", "p+x=buffer:u8[64]", ":=buffer:u8[64]", "p=&", "p=&+8"})
    EXPECT_FALSE(parse_argument(text)) << text;
}

} // namespace
} // namespace forewarp::launch

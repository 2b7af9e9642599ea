// Launches that leave arguments open are made whole: sizes by what is touched, limits by the index.
#include "engine/session.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::engine {
namespace {

using Arguments = std::map<std::string, facts::ArgumentValue>;

Result<facts::Prediction> predicted(const std::string& source, facts::Dim3 items, facts::Dim3 group,
                                    const Arguments& arguments = {}) {
  static const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  const test::TemporaryFile file{source, ".cl"};
  PredictRequest request;
  request.compile.path = file.path();
  request.launch.global_items = items;
  request.launch.group_size = group;
  request.launch.arguments = arguments;
  request.gpus.push_back(*catalogue->find("v100"));
  auto predictions = Session().predict(request);
  FOREWARP_TRY(predictions);
  return predictions->front();
}

bool says(const facts::Prediction& prediction, const std::string& text) {
  return std::any_of(prediction.notes.begin(), prediction.notes.end(), [&](const facts::Note& note) {
    return (note.text + " " + note.remedy).find(text) != std::string::npos;
  });
}

constexpr const char* shifted = "__kernel void k(__global float* y, __global const float* x, int n) {\n"
                                "int i = get_global_id(0); if (i < n) y[i] = x[i + 3]; }";

TEST(OpenArguments, BuffersAreAsLargeAsTheLaunchTouchesThem) {
  const auto prediction = predicted(shifted, {65536, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "'n' is 65536: as far as the launch's work-items go"));
  EXPECT_TRUE(says(*prediction, "--arg y=buffer:f32[65536]"));
  EXPECT_TRUE(says(*prediction, "--arg x=buffer:f32[65539]"));
}

TEST(OpenArguments, TheTimeIsThatOfTheSameArgumentsGiven) {
  const auto open = predicted(shifted, {65536, 1, 1}, {256, 1, 1});
  const auto given = predicted(shifted, {65536, 1, 1}, {256, 1, 1},
                               {{"n", facts::ScalarValue{"65536"}},
                                {"x", facts::BufferValue{facts::ScalarType::f32, 65539, {}}},
                                {"y", facts::BufferValue{facts::ScalarType::f32, 65536, {}}}});
  ASSERT_TRUE(open && given);
  EXPECT_EQ(open->time_ms, given->time_ms);
}

TEST(OpenArguments, AGivenArgumentStays) {
  const auto prediction = predicted(shifted, {65536, 1, 1}, {256, 1, 1}, {{"n", facts::ScalarValue{"200"}}});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "--arg x=buffer:f32[203]"));
  EXPECT_FALSE(says(*prediction, "'n' is"));
}

// in[x] of a transposition is read along y: the limit is the height, whatever the axes that make the index.
TEST(OpenArguments, ALimitIsTheLastIndexAndOne) {
  const auto prediction =
      predicted("__kernel void k(__global float* out, int width, int height) {\n"
                "int x = get_group_id(1) * get_local_size(0) + get_local_id(0), y = get_group_id(0);\n"
                "if (x < height && y < width) out[x] = 1; }",
                {2048, 16, 1}, {32, 1, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "'height' is 512:")); // 16 groups of 32
  EXPECT_TRUE(says(*prediction, "'width' is 64:"));   // 2048 / 32 groups
}

TEST(OpenArguments, APitchIsTheWorkItemsOfARow) {
  const auto prediction = predicted("__kernel void k(__global float* a, int pitch) {\n"
                                    "a[get_global_id(1) * pitch + get_global_id(0)] = 1; }",
                                    {512, 64, 1}, {64, 4, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "'pitch' is 512:"));
  EXPECT_TRUE(says(*prediction, "--arg a=buffer:f32[32768]"));
}

// A loop's bound: nothing says how far it goes, so the answer says what half and twice would do.
TEST(OpenArguments, AGuessIsHeldAgainstHalfAndTwice) {
  const auto prediction =
      predicted("__kernel void k(__global float* a, __global const float* x, int rounds) {\n"
                "float s = 0; for (int r = 0; r < rounds; ++r) s += x[r];\n"
                "a[get_global_id(0)] = s; }",
                {65536, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "'rounds' is 1024: nothing in the kernel says"));
  EXPECT_TRUE(says(*prediction, "the guess of 'rounds' matters"));
  EXPECT_TRUE(says(*prediction, "--arg x=buffer:f32[1024]"));
}

TEST(OpenArguments, AGuessThatLeavesAnArrayOfTheKernelShrinks) {
  const auto prediction =
      predicted("__kernel void k(__global float* a, int taps) {\n"
                "__local float s[256]; for (int t = 0; t < taps; ++t) s[t] = t;\n"
                "barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = s[get_local_id(0)]; }",
                {65536, 1, 1}, {64, 1, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "'taps' is 256:"));
}

TEST(OpenArguments, LocalMemoryGrowsUntilTheKernelStaysInside) {
  const auto prediction = predicted("__kernel void k(__global float* a, __local float* s) {\n"
                                    "int l = get_local_id(0); s[3 * l] = l; barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "a[get_global_id(0)] = s[3 * (255 - l)]; }",
                                    {65536, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(prediction) << to_string(prediction.error());
  EXPECT_TRUE(says(*prediction, "--arg s=buffer:f32[1024]")); // 256, 512, 1024 >= 766
}

TEST(OpenArguments, SizesThatNothingEndsAreAnErrorOfTheKernel) {
  const auto prediction =
      predicted("__kernel void k(__global float* a) { a[-1 - (int)get_global_id(0)] = 1; }", {65536, 1, 1},
                {256, 1, 1});
  ASSERT_FALSE(prediction);
  EXPECT_EQ(prediction.error().code, ErrorCode::kernel_fault);
}

} // namespace
} // namespace forewarp::engine

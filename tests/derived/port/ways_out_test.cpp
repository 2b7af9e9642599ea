// What a region that cannot be parallel is told: the same times as for the code changed by hand.
#include "gpu/gpu_file.h"
#include "port/answer.h"
#include "support/temporary_file.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

PortAnswer answer_of(const std::string& text, const std::vector<std::string>& regions) {
  auto file = TemporaryFile::write(text, ".c");
  EXPECT_TRUE(file.has_value());
  PortRequest request;
  request.program.files = {file->path()};
  request.program.regions = regions;
  request.program.defines = {"N=512"};
  request.program.repetitions = 1;
  request.advice = false;
  auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  EXPECT_TRUE(catalogue.has_value());
  request.gpus = {*catalogue->find("V100"), *catalogue->find("K620")};
  auto answer = port_program(request);
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return *answer;
}

constexpr const char* down = "float a[N][N];\n"
                             "int main(void) {\n"
                             "  for (int i = 1; i < N; ++i)\n"
                             "    for (int j = 0; j < N; ++j)\n"
                             "      a[i][j] += a[i - 1][j] * 0.5f;\n"
                             "  return (int)a[3][4];\n"
                             "}\n";
constexpr const char* down_interchanged = "float a[N][N];\n"
                                          "int main(void) {\n"
                                          "  for (int j = 0; j < N; ++j)\n"
                                          "    for (int i = 1; i < N; ++i)\n"
                                          "      a[i][j] += a[i - 1][j] * 0.5f;\n"
                                          "  return (int)a[3][4];\n"
                                          "}\n";

TEST(WaysOut, InterchangeIsTheCodeAsInterchanged) {
  const PortAnswer answer = answer_of(down, {"3"}), by_hand = answer_of(down_interchanged, {"3"});
  ASSERT_EQ(answer.unanswered.size(), 1U);
  const std::vector<WayOut>& ways = answer.unanswered[0].ways_out;
  ASSERT_EQ(ways.size(), 4U); // two a GPU, the quicker first
  ASSERT_EQ(by_hand.regions.size(), 2U);
  for (std::size_t gpu = 0; gpu < 2; ++gpu) {
    const RegionAnswer& wanted = by_hand.regions[gpu];
    EXPECT_EQ(ways[2 * gpu].kind, "interchange");
    EXPECT_EQ(ways[2 * gpu].gpu, wanted.gpu);
    // The loop's control, now the inner one's, is counted as the outer one's was.
    EXPECT_NEAR(ways[2 * gpu].time_ms, wanted.time_ms + wanted.launch_ms,
                0.25 * (wanted.time_ms + wanted.launch_ms));
  }
}

TEST(WaysOut, InnerLoopsAreWhatTheyAreWhenMarked) {
  const PortAnswer answer = answer_of(down, {"3"}), by_hand = answer_of(down, {"4"});
  ASSERT_EQ(answer.unanswered.size(), 1U);
  ASSERT_EQ(by_hand.regions.size(), 2U);
  for (std::size_t gpu = 0; gpu < 2; ++gpu) {
    const WayOut& way = answer.unanswered[0].ways_out.at(2 * gpu + 1);
    EXPECT_EQ(way.kind, "inner_loops");
    EXPECT_DOUBLE_EQ(way.launches, 511);
    EXPECT_DOUBLE_EQ(way.time_ms, by_hand.regions[gpu].time_ms + by_hand.regions[gpu].launch_ms);
    EXPECT_EQ(answer.regions[gpu].inside, answer.unanswered[0].problem.where);
  }
}

} // namespace
} // namespace forewarp::port

// How a name finds its file, and what is said when it does not.
#include "gpu/gpu_file.h"
#include "test_folders.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <utility>

namespace forewarp::gpu {
namespace {

Result<GpuChoice> find(const std::string& name) {
  return Catalogue::open(test_folders::gpus)->find(name);
}

std::string found(const std::string& name) {
  const auto choice = find(name);
  return choice ? choice->file.name : "error: " + to_string(choice.error());
}

TEST(GpuNames, CaseBlanksDashesAndVendorDoNotMatter) {
  for (const char* name :
       {"NVIDIA Tesla V100 SXM2", "tesla-v100-sxm2", "V100 SXM2 ", "TESLA_V100_SXM2", "v100sxm2"})
    EXPECT_EQ(found(name), "Tesla V100 SXM2") << name;
  for (const char* name : {"NVIDIA Tesla V100", "tesla-v100", "V100 ", "nvidia v100"})
    EXPECT_EQ(found(name), "Tesla V100 SXM2") << name;
  EXPECT_EQ(found("AMD Instinct MI210"), "Instinct MI210");
  EXPECT_EQ(found("NVIDIA GeForce RTX 3090"), "GeForce RTX 3090");
}

TEST(GpuNames, AShortNameSaysWhatItPicked) {
  const auto choice = find("v100");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->requested, "v100");
  EXPECT_TRUE(choice->note.starts_with("v100 means Tesla V100 SXM2; others: Tesla V100 PCIe"))
      << choice->note;
}

TEST(GpuNames, AFullNameNeedsNoNote) {
  EXPECT_EQ(find("Tesla V100 SXM2")->note, "");
  EXPECT_EQ(find("K620")->note, "");
}

TEST(GpuNames, ShortNamesOfTheIssue) {
  for (const char* name :
       {"v100", "a100", "h200", "k620", "p100", "t4", "l4", "h100", "mi210", "mi300x", "k20", "k40"})
    EXPECT_TRUE(find(name)) << name;
}

TEST(GpuNames, ABareNumberPicksThePlainBoard) {
  for (const auto& [number, name] : {std::pair{"980", "GeForce GTX 980"},
                                     {"1080", "GeForce GTX 1080"},
                                     {"1080 Ti", "GeForce GTX 1080 Ti"},
                                     {"1060", "GeForce GTX 1060 6GB"},
                                     {"2080", "GeForce RTX 2080"},
                                     {"2080super", "GeForce RTX 2080 SUPER"},
                                     {"3060", "GeForce RTX 3060"},
                                     {"970", "GeForce GTX 970"},
                                     {"940m", "GeForce 940M"},
                                     {"6900", "Radeon RX 6900 XT"},
                                     {"8800", "GeForce 8800 GTX"},
                                     {"6000", "Quadro RTX 6000"},
                                     {"mi300", "Instinct MI300X"},
                                     {"7970", "Radeon HD 7970"}})
    EXPECT_TRUE(found(number).starts_with(name)) << number << ": " << found(number);
  EXPECT_EQ(find("980")->note, "980 means GeForce GTX 980; others: GeForce GTX 980 Ti");
  EXPECT_EQ(find("970")->note, "970 means GeForce GTX 970");
}

TEST(GpuNames, ANumberThatSeveralBoardsBearIsNoName) {
  for (const char* number : {"480", "7900"}) { // GTX and RX; XT and XTX
    const auto choice = find(number);
    ASSERT_FALSE(choice) << number;
    EXPECT_NE(choice.error().hint.find(number), std::string::npos);
  }
  EXPECT_NE(find("480").error().hint.find("GeForce GTX 480 or Radeon RX 480"), std::string::npos)
      << find("480").error().hint;
}

TEST(GpuNames, ANearMissIsSuggested) {
  const auto choice = find("gtx1061");
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::not_found);
  EXPECT_EQ(choice.error().message, "unknown GPU 'gtx1061'");
  EXPECT_NE(choice.error().hint.find("GeForce GTX 1060 6GB"), std::string::npos) << choice.error().hint;
}

TEST(GpuNames, NothingNearPointsToTheList) {
  const auto choice = find("qqqqqqqqqqqqqqqqqqqq");
  ASSERT_FALSE(choice);
  EXPECT_NE(choice.error().hint.find("forewarp gpus"), std::string::npos);
}

TEST(GpuNames, EmptyAndOddNamesAreErrors) {
  EXPECT_FALSE(find(""));
  EXPECT_FALSE(find("   "));
  EXPECT_FALSE(find("--"));
  EXPECT_FALSE(find(std::string(100000, 'x')));
}

TEST(GpuNames, APathIsReadAsAFile) {
  const auto choice = find((test_folders::gpus / "tesla-v100-sxm2.toml").string());
  ASSERT_TRUE(choice) << to_string(choice.error());
  EXPECT_EQ(choice->file.name, "Tesla V100 SXM2");
  EXPECT_EQ(find("./no/such/file.toml").error().code, ErrorCode::not_found);
}

TEST(GpuNames, ABaseIsNotAGpu) {
  EXPECT_FALSE(find("family-volta"));
  const auto choice = find((test_folders::gpus / "family-volta.toml").string());
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::bad_input);
}

TEST(GpuNames, OpenAndLoadGiveTheSameFile) {
  const auto opened = find("K40")->file;
  const auto loaded = Catalogue::load(test_folders::gpus)->find("K40")->file;
  EXPECT_EQ(opened.values.size(), loaded.values.size());
  EXPECT_EQ(opened.value_sets.size(), loaded.value_sets.size());
}

} // namespace
} // namespace forewarp::gpu

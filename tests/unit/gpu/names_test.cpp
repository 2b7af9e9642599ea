// How a name finds its file, and what is said when it does not.
#include "gpu/gpu_file.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace forewarp::gpu {
namespace {

const std::filesystem::path folder = std::filesystem::path(FOREWARP_SOURCE_DIR) / "data" / "gpus";

Result<GpuChoice> find(const std::string& name) {
  return Catalogue::open(folder)->find(name);
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
  const auto choice = find((folder / "tesla-v100-sxm2.toml").string());
  ASSERT_TRUE(choice) << to_string(choice.error());
  EXPECT_EQ(choice->file.name, "Tesla V100 SXM2");
  EXPECT_EQ(find("./no/such/file.toml").error().code, ErrorCode::not_found);
}

TEST(GpuNames, ABaseIsNotAGpu) {
  EXPECT_FALSE(find("family-volta"));
  const auto choice = find((folder / "family-volta.toml").string());
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::bad_input);
}

TEST(GpuNames, OpenAndLoadGiveTheSameFile) {
  const auto opened = find("K40")->file;
  const auto loaded = Catalogue::load(folder)->find("K40")->file;
  EXPECT_EQ(opened.values.size(), loaded.values.size());
  EXPECT_EQ(opened.value_sets.size(), loaded.value_sets.size());
}

} // namespace
} // namespace forewarp::gpu

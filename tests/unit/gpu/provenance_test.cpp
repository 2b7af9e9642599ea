// What measured rows stand behind a file's values, its own and inherited ones.
#include "gpu/gpu_file.h"
#include "gpu/provenance.h"
#include "test_folders.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace forewarp::gpu {
namespace {

namespace fs = std::filesystem;

const std::string head = "name = \"Mine\"\nextends = \"tesla-v100-sxm2\"\n"; // two lines

std::string barrier(const std::string& rows) {
  return "barrier_latency_cycles = { value = 20, unit = \"cycles\", source = \"derived\", ref = \"x\"" +
         (rows.empty() ? "" : ", derived_from = " + rows) + " }\n";
}

Error error_of(const std::string& rows) {
  const auto file = parse_gpu_text(head + barrier(rows), "my.toml", test_folders::gpus);
  EXPECT_FALSE(file) << "no error for " << rows;
  return file ? Error{} : file.error();
}

TEST(Provenance, NamesSuiteKernelsAndGpus) {
  const auto rows = parse_provenance(head + barrier("[{ suite = \"pmpp\", kernels = [\"a\", \"b\"] }, { "
                                                    "suite = \"ktt\", gpus = [\"Tesla K40\"] }]"),
                                     "my.toml", test_folders::gpus);
  ASSERT_TRUE(rows) << to_string(rows.error());
  EXPECT_EQ(rows->at("barrier_latency_cycles"),
            (std::vector<MeasuredRows>{{"pmpp", {"a", "b"}, {}}, {"ktt", {}, {"Tesla K40"}}}));
}

TEST(Provenance, IsNoPartOfTheValue) {
  const auto with = parse_gpu_text(head + barrier("[{ suite = \"pmpp\" }]"), "my.toml", test_folders::gpus);
  const auto without = parse_gpu_text(head + barrier(""), "my.toml", test_folders::gpus);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(*with, *without);
}

TEST(Provenance, UnknownSuiteIsRefusedWithPlaceAndRemedy) {
  const Error error = error_of("[{ suite = \"pmp\" }]");
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.message,
            "derived_from of 'barrier_latency_cycles' names the suite 'pmp', which nobody knows");
  EXPECT_TRUE(error.where.starts_with("my.toml:3:")) << error.where;
  EXPECT_EQ(error.hint, "did you mean 'pmpp'?");
  EXPECT_NE(error_of("[{ suite = \"nothing like it at all\" }]").hint.find("known suites: "),
            std::string::npos);
}

TEST(Provenance, WrongShapesAreRefused) {
  EXPECT_NE(error_of("\"pmpp\"").message.find("has to be a list of tables"), std::string::npos);
  EXPECT_NE(error_of("[]").message.find("has to be a list of tables"), std::string::npos);
  EXPECT_NE(error_of("[\"pmpp\"]").message.find("an entry without a suite"), std::string::npos);
  EXPECT_NE(error_of("[{ suite = \"pmpp\", kernel = [\"a\"] }]").message.find("a field 'kernel'"),
            std::string::npos);
  EXPECT_NE(error_of("[{ suite = \"pmpp\", kernels = \"a\" }]").message.find("'kernels' in derived_from"),
            std::string::npos);
  EXPECT_NE(error_of("[{ suite = \"pmpp\", gpus = [1] }]").message.find("'gpus' in derived_from"),
            std::string::npos);
}

/// A folder with a family, a GPU of it, and one that has a value of its own.
struct Family : testing::Test {
  fs::path own = fs::temp_directory_path() / ("forewarp_provenance_" + std::to_string(getpid()));
  Family() {
    fs::create_directories(own);
    write("family", "abstract = true\nextends = \"family-volta\"\n" + barrier("[{ suite = \"pmpp\" }]"));
    write("child", "name = \"Child\"\ntarget = \"sm_70\"\nextends = \"family\"\n");
    write("measured", "name = \"Measured\"\nextends = \"child\"\n" + barrier(""));
  }
  ~Family() override { fs::remove_all(own); }
  void write(const std::string& stem, const std::string& text) const {
    std::ofstream(own / (stem + ".toml")) << text;
  }
  Provenance of(const std::string& stem) const {
    const auto rows = read_provenance(own / (stem + ".toml"), test_folders::gpus);
    EXPECT_TRUE(rows) << to_string(rows.error());
    return rows ? *rows : Provenance{};
  }
};

TEST_F(Family, ChildrenInheritRowsWithTheValue) {
  EXPECT_EQ(of("child").at("barrier_latency_cycles"), (std::vector<MeasuredRows>{{"pmpp", {}, {}}}));
  EXPECT_TRUE(of("child").contains("block_refill_cycles")) << "family-volta has it from rows of KTT";
}

TEST_F(Family, AValueOfOnesOwnReplacesTheRowsToo) {
  EXPECT_FALSE(of("measured").contains("barrier_latency_cycles"));
  EXPECT_TRUE(of("measured").contains("block_refill_cycles"));
}

} // namespace
} // namespace forewarp::gpu

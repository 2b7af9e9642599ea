// A row that a value or a rule was made from is told apart from rows that nothing was made from.
#include "gpu/gpu_file.h"
#include "validate/evidence.h"
#include "validate/suite.h"
#include "validate/summary.h"
#include "validate/write.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace forewarp::validate {
namespace {

namespace fs = std::filesystem;
const fs::path source = FOREWARP_SOURCE_DIR;
const fs::path folder = source / "data" / "gpus";

struct Files : testing::Test {
  fs::path own = fs::temp_directory_path() / ("forewarp_evidence_" + std::to_string(getpid()));
  Files() { fs::create_directories(own); }
  ~Files() override { fs::remove_all(own); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(own / name) << text;
    return (own / name).string();
  }
  Evidence evidence(const std::string& stem, const std::vector<Rule>& rules = {},
                    const std::vector<gpu::MeasuredRows>& board = {}) const {
    const auto file = gpu::read_gpu_file(own / (stem + ".toml"), folder);
    const auto values = gpu::read_provenance(own / (stem + ".toml"), folder);
    EXPECT_TRUE(file && values);
    return {*file, *values, rules, board};
  }
  /// A leak: a rate of "Parent" taken from rows of pmpp, and a GPU that inherits it.
  void leak() const {
    write("parent.toml",
          "name = \"Parent\"\nextends = \"tesla-v100-sxm2\"\nbarrier_latency_cycles = { value = 20, unit "
          "= \"cycles\", source = \"derived\", ref = \"x\", derived_from = [{ suite = \"pmpp\", kernels "
          "= [\"mat_mat_mul\"], gpus = [\"Parent\", \"Child\"] }] }\n");
    write("child.toml", "name = \"Child\"\nextends = \"parent\"\n");
    write("stranger.toml", "name = \"Stranger\"\nextends = \"child\"\n");
  }
};

TEST_F(Files, ALeakIsFoundInTheFileAndInItsChildren) {
  leak();
  for (const char* stem : {"parent", "child"}) {
    const Evidence found = evidence(stem);
    EXPECT_EQ(found.standing("pmpp", "mat_mat_mul"), Standing::used) << stem;
    EXPECT_EQ(found.standing("pmpp", "histogram_simple"), Standing::related) << stem;
    EXPECT_EQ(found.standing("hecbench", "mat_mat_mul"), Standing::unseen) << stem;
    EXPECT_EQ(found.used_by("pmpp", "mat_mat_mul"), std::vector<std::string>{"barrier_latency_cycles"});
    EXPECT_TRUE(found.used_by("pmpp", "histogram_simple").empty());
  }
  // It has the value, but none of its own rows were looked at.
  EXPECT_EQ(evidence("stranger").standing("pmpp", "mat_mat_mul"), Standing::related);
}

TEST_F(Files, RulesCountWhereTheyApply) {
  leak();
  Rule rule;
  rule.name = "r";
  rule.generations = {"volta"};
  rule.derived_from = {{"ktt", {"ktt_coulomb"}, {}}};
  EXPECT_EQ(evidence("child", {rule}).standing("ktt", "ktt_coulomb"), Standing::used);
  EXPECT_EQ(evidence("child", {rule}).used_by("ktt", "ktt_coulomb"), std::vector<std::string>{"rule r"});
  rule.generations = {"kepler"};
  EXPECT_EQ(evidence("child", {rule}).standing("uci-sgemm", "gemm_fast"), Standing::unseen);
  rule.derived_from = {{"uci-sgemm", {}, {}}};
  EXPECT_EQ(evidence("child", {rule}).standing("uci-sgemm", "gemm_fast"), Standing::unseen);
  rule.vendors = {"nvidia"};
  EXPECT_EQ(evidence("child", {rule}).standing("uci-sgemm", "gemm_fast"), Standing::used);
}

TEST_F(Files, RulesOfIntervalsSayNothingOfTimes) {
  leak();
  Rule rule;
  rule.affects = Affects::intervals;
  rule.derived_from = {{"uci-sgemm", {}, {}}};
  const Evidence found = evidence("child", {rule});
  EXPECT_EQ(found.standing("uci-sgemm", "gemm_fast"), Standing::unseen);
  EXPECT_EQ(found.interval_standing("uci-sgemm", "gemm_fast"), Standing::used);
  EXPECT_EQ(found.interval_standing("pmpp", "mat_mat_mul"), Standing::used); // its time is, too
  rule.affects = Affects::rankings;
  EXPECT_EQ(evidence("child", {rule}).interval_standing("uci-sgemm", "gemm_fast"), Standing::unseen);
}

TEST_F(Files, AClockTakenFromASuitesRowsCounts) {
  leak();
  const Evidence found = evidence("child", {}, {{"uci-sgemm", {"gemm_fast"}, {}}});
  EXPECT_EQ(found.standing("uci-sgemm", "gemm_fast"), Standing::used);
  EXPECT_EQ(found.standing("uci-sgemm", "other"), Standing::related);
}

TEST_F(Files, WrongRulesAreRefusedWithTheirLine) {
  const std::string good = "[[rule]]\nname = \"n\"\ncode = \"src/a.cpp\"\ntext = \"t\"\nwhat = \"w\"\n";
  const auto error = [&](const std::string& text) {
    const auto rules = read_rules(write("rules.toml", text));
    EXPECT_FALSE(rules) << text;
    return rules ? Error{} : rules.error();
  };
  EXPECT_EQ(error(good + "affects = \"times\"\n").message, "rule 'n' has no derived_from");
  EXPECT_EQ(error(good + "affects = \"all\"\nderived_from = [{ suite = \"pmpp\" }]\n").message,
            "rule 'n' affects 'all'");
  const Error suite = error(good + "affects = \"times\"\nderived_from = [{ suite = \"pmp\" }]\n");
  EXPECT_NE(suite.message.find("names the suite 'pmp'"), std::string::npos);
  EXPECT_NE(suite.where.find("rules.toml:7"), std::string::npos) << suite.where;
  EXPECT_EQ(error(good + "generation = [\"x\"]\n").message, "unknown key 'generation'");
  EXPECT_EQ(error("[[rule]]\nname = \"n\"\n").message, "the rule has no 'code'");
  EXPECT_EQ(error("").message, "the table holds no [[rule]]");
  EXPECT_EQ(read_rules((own / "none.toml").string()).error().code, ErrorCode::not_found);
}

TEST(Evidence, EverySuiteHasANameThatFilesCanSay) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(source / "validation" / "suites")) {
    const auto suite = read_suite(entry.path().string());
    ASSERT_TRUE(suite) << to_string(suite.error());
    names.insert(suite->name);
  }
  EXPECT_EQ(names, std::set<std::string>(gpu::suite_names().begin(), gpu::suite_names().end()));
}

/// A property over all GPU files: what a value was derived from on a board is used for that board, if its
/// file has the value.
TEST(Evidence, NoRowBehindAValueCountsAsUnseen) {
  const auto catalogue = gpu::Catalogue::load(folder);
  const auto rules = read_rules(rules_path(folder.string()));
  ASSERT_TRUE(catalogue && rules);
  std::size_t entries = 0;
  for (const gpu::GpuFile& file : catalogue->files()) {
    const auto values = gpu::read_provenance(file.path, folder);
    ASSERT_TRUE(values);
    const Evidence found(file, *values, *rules, {});
    for (const auto& [key, all] : *values)
      for (const gpu::MeasuredRows& rows : all)
        for (const std::string& kernel : rows.kernels) {
          const bool of_this =
              rows.gpus.empty() || std::ranges::find(rows.gpus, file.name) != rows.gpus.end();
          EXPECT_GE(found.standing(rows.suite, kernel), of_this ? Standing::used : Standing::related) << key;
          ++entries;
        }
  }
  EXPECT_GT(entries, 500U);
}

TEST(Evidence, SummariesSplitByIt) {
  SuiteResult result{"s", "t", {}, {}, {}, {}};
  for (const auto& [standing, predicted] :
       {std::pair{Standing::unseen, 1.5}, {Standing::used, 1.0}, {Standing::used, 1.1}}) {
    RowResult row;
    row.kernel = standing == Standing::used ? "seen" : "new";
    row.gpu = "g";
    row.measured_ms = 1;
    row.predicted_ms = predicted;
    row.standing = standing;
    result.rows.push_back(row);
  }
  const SuiteSummary summary = summarize(result);
  ASSERT_EQ(summary.by_standing.size(), 2U);
  EXPECT_NEAR(summary.total.space.mape_percent, 20, 1e-9);
  EXPECT_NEAR(summary.by_standing.at(Standing::unseen).space.mape_percent, 50, 1e-9);
  EXPECT_NEAR(summary.by_standing.at(Standing::used).space.mape_percent, 5, 1e-9);
  EXPECT_EQ(summary.spaces[0].standing, Standing::unseen); // "new" comes first
  EXPECT_NE(to_text(result, summary).find("never looked at"), std::string::npos);
  EXPECT_EQ(to_json(result, summary)["rows"][1]["standing"], "used");
}

} // namespace
} // namespace forewarp::validate

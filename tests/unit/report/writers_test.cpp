#include "report/report.h"
#include "unit/report/sample.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace forewarp::report {
namespace {

using nlohmann::json;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Json, OneGpuStandsAtTheTopToo) {
  const json whole = json::parse(write_json({sample()}));
  ASSERT_EQ(whole["predictions"].size(), 1U);
  for (const char* key :
       {"schema_version", "kernel", "gpu", "time_ms", "interval_ms", "cycles", "limiter", "valid",
        "assumptions", "registers_per_thread", "instructions_per_warp", "memory"}) {
    ASSERT_TRUE(whole.contains(key)) << key;
    EXPECT_EQ(whole[key], whole["predictions"][0][key]) << key;
  }
  EXPECT_EQ(whole["schema_version"], 1);
  EXPECT_EQ(whole["occupancy"]["active_groups_per_sm"], 8);
  EXPECT_EQ(whole["occupancy"]["limiter"], "warps");
  EXPECT_EQ(whole["memory"][0]["line"], 5);
  EXPECT_EQ(whole["memory"][0]["class"], "coalesced");
  EXPECT_EQ(whole["memory"][0]["transactions_per_request"], 1.0);
  EXPECT_EQ(whole["memory"][0]["file"], "saxpy.cl");
  EXPECT_EQ(whole["assumptions"].size(), 2U); // the loop and one value of the GPU file
}

TEST(Json, SeveralGpusFastestFirst) {
  const json whole = json::parse(write_json({sample("slow", 3), sample("fast", 1)}));
  EXPECT_FALSE(whole.contains("time_ms"));
  EXPECT_EQ(whole["predictions"][0]["gpu"], "fast");
  EXPECT_EQ(whole["predictions"][1]["gpu"], "slow");
}

TEST(Json, NamesThatAreNotUtf8AndNumbersThatAreNone) {
  facts::Prediction p = sample();
  p.files = {"caf\xE9.cl"};
  p.gflops = std::numeric_limits<double>::quiet_NaN();
  const json whole = json::parse(write_json({p}));
  EXPECT_TRUE(whole["rates"]["gflops"].is_null());
}

TEST(Text, OnePage) {
  const std::string text = write_text({sample()});
  EXPECT_TRUE(holds(text, "saxpy on Test GPU"));
  EXPECT_TRUE(holds(text, "1.500 ms  (90 % interval 1.125 .. 1.875 ms)"));
  EXPECT_TRUE(holds(text, "dram_bandwidth 75.0 %, issue 25.0 %"));
  EXPECT_TRUE(holds(text, "line 7: the loop runs 16 times (settle it with --trip-count 7=N)"));
  EXPECT_TRUE(holds(text, "1 values of the GPU file are assumed: l2_latency_cycles"));
  EXPECT_FALSE(holds(text, "/home/somebody"));
  const std::size_t lsu = text.find("  lsu");
  EXPECT_TRUE(holds(text.substr(lsu, text.find('\n', lsu) - lsu), "<- bound"));
}

TEST(Text, NotValidIsSaidWithTheReason) {
  facts::Prediction p = sample();
  p.valid = false;
  p.notes.push_back({facts::Note::Severity::invalid, "inline assembly is not modelled", {0, 9, 1}});
  EXPECT_TRUE(holds(write_text({p}), "Validity: NOT valid\n  line 9: inline assembly is not modelled"));
}

TEST(Text, WhatAllGpusShareIsSaidOnce) {
  const std::string text = write_text({sample("A"), sample("B", 1)});
  EXPECT_LT(text.find("  B"), text.find("  A"));
  EXPECT_EQ(text.find("the loop runs"), text.rfind("the loop runs"));
  EXPECT_TRUE(holds(text, "Assumptions, all GPUs"));
}

TEST(Csv, OneRowAGpuAndQuotedNames) {
  facts::Prediction p = sample("GPU \"X\", 8 GB");
  const std::string text = write_csv({p, sample("fast", 1)});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_TRUE(holds(text, "saxpy,\"GPU \"\"X\"\", 8 GB\",1.5,"));
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  const std::size_t end = text.find('\n');
  EXPECT_EQ(commas(text.substr(0, end)), commas(text.substr(end + 1, text.find('\n', end + 1) - end - 1)));
}

TEST(Order, NotValidOnesLast) {
  facts::Prediction bad = sample("bad", 0.1);
  bad.valid = false;
  EXPECT_EQ(fastest_first({bad, sample("a", 2), sample("b", 1)}), (std::vector<std::size_t>{2, 1, 0}));
}

TEST(Registry, FindsAndSuggests) {
  for (const Report& report : reports())
    EXPECT_EQ((*find_report(report.name))->write, report.write);
  EXPECT_EQ(find_report("jsn").error().hint, "did you mean 'json'?");
}

TEST(Text, CopiesOfOneAccessAreOneRow) {
  facts::Prediction p = sample();
  p.sites.push_back(p.sites[0]);
  facts::SiteProfile copy = p.memory[0];
  copy.site = 1;
  copy.requests = 3000;
  copy.transactions_per_request = 5; // (1000 x 1 + 3000 x 5) / 4000 = 4
  copy.bytes_asked = 3e6;
  p.memory.push_back(copy);
  const std::string text = write_text({p});
  EXPECT_TRUE(holds(text, "global load x2  x       coalesced      4000          4")) << text;
}

} // namespace
} // namespace forewarp::report

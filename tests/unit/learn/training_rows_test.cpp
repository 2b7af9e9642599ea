#include "learn/training_rows.h"

#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

TextTable small() {
  return {"rows.csv",
          {"region", "extractor", "provenance", "cpu", "gpu", "cpu_ms", "gpu_ms", "mem", "ninst"},
          {{"a.c:1", "dynamic-1", "measured", "C", "G", "10", "1", "0.5", "1000"},
           {"a.c:9", "dynamic-1", "predicted", "C", "G", "", "2", "0.25", "4000"},
           {"b.c:1", "static-1", "measured", "C", "G", "10", "1", "", ""},
           {"c.c:1", "dynamic-1", "measured", "C", "H", "10", "4", "0.1", "900"}}};
}

std::string problem(const TextTable& texts, const RowChoice& choice) {
  const auto table = choose_rows(texts, choice);
  return table ? "" : table.error().message;
}

TEST(TrainingRows, OfOneKindAndGpu) {
  const auto table = choose_rows(small(), {.kind = "dynamic", .gpu = "G"});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(table->names, (std::vector<std::string>{"mem", "ninst"}));
  EXPECT_EQ(table->rows[1].provenance, Provenance::predicted);
  EXPECT_EQ(table->rows[1].cpu_ms, 0);
  EXPECT_EQ(table->rows[1].line, 3U);
  EXPECT_EQ(table->rows[1].family, "a.c:9");
}

TEST(TrainingRows, MissingColumnsAreAllNamed) {
  TextTable texts = small();
  texts.columns[4] = "device";
  EXPECT_EQ(problem(texts, {.kind = "dynamic", .features = {"mem", "fp", "dp"}}),
            "columns missing: gpu, fp, dp");
}

TEST(TrainingRows, AbsurdTimesAreNamedByRow) {
  TextTable texts = small();
  texts.rows[0][6] = "-1";
  texts.rows[1][6] = "1e12";
  EXPECT_EQ(
      problem(texts, {.kind = "dynamic", .gpu = "G"}),
      "line 2 ('a.c:1'): gpu_ms '-1' is no time in milliseconds; line 3 ('a.c:9'): gpu_ms '1e12' is no time "
      "in milliseconds");
  texts = small();
  texts.rows[0][5] = "8e8";
  texts.rows[0][6] = "1e-6";
  EXPECT_NE(problem(texts, {.kind = "dynamic", .gpu = "G"}).find("is no measurement"), std::string::npos);
  texts.rows[0][5] = "0";
  EXPECT_NE(problem(texts, {.kind = "dynamic", .gpu = "G"}).find("cpu_ms '0'"), std::string::npos);
}

TEST(TrainingRows, AMissingValueIsNamedByRow) {
  TextTable texts = small();
  texts.rows[1][7] = "";
  EXPECT_EQ(problem(texts, {.kind = "dynamic", .gpu = "G"}), "line 3 ('a.c:9'): 'mem' is missing");
  texts.rows[1][7] = "nan";
  EXPECT_EQ(problem(texts, {.kind = "dynamic", .gpu = "G"}),
            "line 3 ('a.c:9'): 'mem' is 'nan', which is no number");
}

TEST(TrainingRows, IncompleteRowsMayBeLeftOut) {
  TextTable texts = small();
  texts.rows[1][7] = "";
  const auto table = choose_rows(texts, {.kind = "dynamic", .gpu = "G", .complete_only = true});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows.size(), 1U);
  EXPECT_EQ(table->left_out, (std::vector<std::string>{"a.c:9"}));
}

TEST(TrainingRows, WhatThereIsIsSaidWhereNothingFits) {
  EXPECT_EQ(problem(small(), {.kind = "dynamic", .gpu = "K"}),
            "no row of kind 'dynamic' of K; the file has: dynamic-1 measured of G, dynamic-1 measured of H, "
            "dynamic-1 "
            "predicted of G, static-1 measured of G");
}

TEST(TrainingRows, SeveralVersionsGpusOrCpusAreRefused) {
  TextTable texts = small();
  EXPECT_EQ(problem(texts, {.kind = "dynamic"}), "GPU times of several GPUs: G; H");
  texts.rows[1][1] = "dynamic-2";
  EXPECT_EQ(problem(texts, {.kind = "dynamic", .gpu = "G"}),
            "rows of several extractor versions: dynamic-1, dynamic-2");
  texts = small();
  texts.rows[1][3] = "D";
  texts.rows[1][5] = "7";
  EXPECT_EQ(problem(texts, {.kind = "dynamic", .gpu = "G", .need_cpu_time = true}),
            "CPU times of several CPUs: C; D");
}

TEST(TrainingRows, ConstantFeaturesAndPrefixes) {
  auto table = *choose_rows(small(), {.kind = "dynamic", .gpu = "G"});
  EXPECT_TRUE(constant_features(table).empty());
  table.rows[1].features[0] = table.rows[0].features[0];
  EXPECT_EQ(constant_features(table), (std::vector<std::string>{"mem"}));
  EXPECT_EQ(choose_rows(small(), {.kind = "dynamic", .gpu = "G", .without = {"me"}})->names,
            (std::vector<std::string>{"ninst"}));
}

} // namespace
} // namespace forewarp::learn

#include "learn/model/model_file.h"

#include "learn/made_table.h"
#include "learn/train.h"

#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

ModelFile made_model(const std::string& extractor) {
  TrainOptions options;
  options.dynamic.bagging.models = 5;
  options.statics.grow.trees = 20;
  options.statics.cutoffs = {30};
  options.force = true;
  auto model = train(made_table(30, 1, extractor), options);
  EXPECT_TRUE(model) << model.error().message;
  return *model;
}

TEST(ModelFile, TextAndBack) {
  for (const char* extractor : {"dynamic-1", "static-1"}) {
    const std::string text = model_text(made_model(extractor));
    const auto back = parse_model(text, "m.json");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(model_text(*back), text);
    EXPECT_EQ(back->trained_on(), "30 measured rows");
    EXPECT_EQ(back->hash.size(), 16U);
  }
}

TEST(ModelFile, SaysTheSameAfterReading) {
  const TrainingTable table = made_table(30, 1);
  const ModelFile model = made_model("dynamic-1");
  const auto back = parse_model(model_text(model), "m.json");
  ASSERT_TRUE(back);
  for (const TrainingRow& row : table.rows)
    EXPECT_EQ(predict_dynamic(std::get<DynamicModel>(model.model), table.names, row.features)->gpu_ms,
              predict_dynamic(std::get<DynamicModel>(back->model), table.names, row.features)->gpu_ms);
}

TEST(ModelFile, AChangeByHandIsSeen) {
  std::string text = model_text(made_model("dynamic-1"));
  text.replace(text.find("\"seed\": 1"), 9, "\"seed\": 2");
  const auto back = parse_model(text, "m.json");
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().message.find("changed after it was trained"), std::string::npos);
}

TEST(ModelFile, OtherFilesAreRefused) {
  for (const char* text :
       {"", "{", "[]", "{\"format\": \"forewarp-model-0\"}", "{\"format\": \"forewarp-model-1\"}"})
    EXPECT_FALSE(parse_model(text, "m.json")) << text;
}

TEST(ModelFile, WhatDiffersIsNamed) {
  const ModelFile model = made_model("static-1");
  EXPECT_TRUE(check_use(model, {"static", "static-1", "Some CPU", "Some GPU"}, "m.json"));
  EXPECT_TRUE(check_use(model, {}, "m.json"));
  const auto refused = check_use(model, {"static", "static-2", "My CPU", "Other GPU"}, "m.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the model is for features of the extractor 'static-1', here it is 'static-2'; for the GPU 'Some "
            "GPU', here "
            "it is 'Other GPU'; for speed-ups over the CPU 'Some CPU', here it is 'My CPU'");
}

TEST(Train, TooFewRowsAndConstantFeatures) {
  EXPECT_EQ(train(made_table(9, 1), {}).error().message, "9 training rows; 10 is the least");
  TrainingTable table = made_table(20, 1);
  for (TrainingRow& row : table.rows)
    std::fill(row.features.begin(), row.features.end(), 3);
  EXPECT_EQ(train(table, {}).error().message, "no feature differs between the rows");
  TrainingTable one = made_table(30, 1);
  for (TrainingRow& row : one.rows)
    row.features[2] = 1;
  TrainOptions options;
  options.dynamic.bagging.models = 5;
  const auto model = train(one, options);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->constant_features, (std::vector<std::string>{"f2"}));
}

TEST(Train, WorseThanTheMeanIsRefusedUnlessForced) {
  // Times that nothing explains.
  TrainingTable table = made_table(30, 1);
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].gpu_ms = table.rows[i].features[7] * 1e-7 * (1 + made_number(99, i));
  TrainOptions options;
  options.dynamic.bagging.models = 10;
  const auto refused = train(table, options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("worse than the mean"), std::string::npos);
  options.force = true;
  const auto forced = train(table, options);
  ASSERT_TRUE(forced);
  EXPECT_TRUE(forced->forced);
  EXPECT_TRUE(parse_model(model_text(*forced), "m.json")->forced);
}

TEST(Static, AllOfOneRangeIsRefused) {
  TrainOptions options;
  options.statics.cutoffs = {1e5};
  EXPECT_EQ(train(made_table(30, 1, "static-1"), options).error().message,
            "all speed-ups are 100000 or less");
  options.statics.cutoffs = {10, 3};
  EXPECT_NE(train(made_table(30, 1, "static-1"), options).error().message.find("ascending"),
            std::string::npos);
}

TEST(Static, TheMajorityOfTheVectorsDecides) {
  const ModelFile file = made_model("static-1");
  const auto& model = std::get<StaticModel>(file.model);
  const TrainingTable table = made_table(30, 1);
  // Rows of either class.
  std::vector<std::vector<double>> low, high;
  for (const TrainingRow& row : table.rows) {
    const auto one = predict_static(model, table.names, {row.features});
    ASSERT_TRUE(one);
    (one->range == 0 ? low : high).push_back(row.features);
  }
  ASSERT_FALSE(low.empty());
  ASSERT_FALSE(high.empty());
  const auto mixed = predict_static(model, table.names, {low[0], high[0], high[0]});
  EXPECT_EQ(mixed->range, 1);
  EXPECT_NEAR(mixed->agreement, 2.0 / 3, 1e-12);
  // As many of each: the first one's.
  EXPECT_EQ(predict_static(model, table.names, {low[0], high[0]})->range, 0);
  EXPECT_EQ(predict_static(model, table.names, {high[0], low[0]})->range, 1);
  EXPECT_FALSE(predict_static(model, {"f0"}, {{1}}));
}

} // namespace
} // namespace forewarp::learn

// What must hold for any table.
#include "learn/classes/grow.h"
#include "learn/classes/id3.h"
#include "learn/evaluate/cross_validation.h"
#include "learn/made_table.h"
#include "learn/train.h"

#include <cmath>
#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

TEST(Stepwise, FindsTheCoefficientsThatMadeTheTable) {
  RegressionData data;
  for (int feature = 0; feature < 8; ++feature) {
    std::vector<double> column;
    for (int row = 0; row < 60; ++row)
      column.push_back(made_number(static_cast<std::uint64_t>(feature), static_cast<std::uint64_t>(row)));
    data.columns.push_back(column);
  }
  for (std::size_t row = 0; row < 60; ++row)
    data.response.push_back(2 + 5 * data.columns[1][row] - 3 * data.columns[6][row] +
                            4 * data.columns[1][row] * data.columns[6][row]);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 60; ++i)
    rows.push_back(i);
  const LinearModel model = forward_stepwise(data, rows, {});
  for (std::size_t row = 0; row < 60; ++row) {
    std::vector<double> features;
    for (const auto& column : data.columns)
      features.push_back(column[row]);
    EXPECT_NEAR(model.value(features), data.response[row], 1e-6);
  }
  // Nothing but the three terms carries weight.
  for (std::size_t i = 0; i < model.terms.size(); ++i) {
    const Term& term = model.terms[i];
    const bool first = term.second < 0 && term.first == 1, second = term.second < 0 && term.first == 6;
    const bool product = term.first + term.second == 7 && term.first * term.second == 6;
    EXPECT_NEAR(model.coefficients[i], first ? 5 : second ? -3 : product ? 4 : 0, 1e-6);
  }
}

TEST(Stepwise, AdjustedR2NeverFallsByAFeature) {
  const TrainingTable table = made_table(40, 1);
  DynamicOptions options;
  options.bagging.models = 20;
  const auto model = train_dynamic(table, options);
  ASSERT_TRUE(model);
  for (const LinearModel& linear : model->models)
    for (std::size_t i = 1; i < linear.terms.size(); ++i)
      EXPECT_GE(linear.adjusted_r2[i], linear.adjusted_r2[i - 1] - 1e-12);
}

TEST(Bagging, ASampleHasAboutTwoThirdsOfTheRows) {
  double different = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto rows = bootstrap_rows(100, 7, i);
    different += static_cast<double>(std::set<std::size_t>(rows.begin(), rows.end()).size());
  }
  EXPECT_NEAR(different / 100, 63.4, 2); // 1 - 1/e of 100
}

TEST(Dynamic, LearnsATableAndBeatsTheMean) {
  const TrainingTable table = made_table(60, 2);
  for (const Response response : {Response::time, Response::rate, Response::log_rate}) {
    DynamicOptions options;
    options.response = response;
    options.bagging.models = 30;
    const auto tested = test_dynamic(table, leave_families_out(table, 64, 10, 1), options);
    ASSERT_TRUE(tested);
    const TimeScore score = score_times(*tested);
    EXPECT_EQ(score.rows, 60U);
    EXPECT_LT(score.mean_error, score.baseline_error) << to_string(response);
  }
}

TEST(Dynamic, SameSeedSameModelAnotherSeedAnother) {
  const TrainingTable table = made_table(40, 3);
  TrainOptions options;
  options.dynamic.bagging.models = 10;
  const auto one = train(table, options), same = train(table, options);
  options.seed = 2;
  const auto other = train(table, options);
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(model_text(*one), model_text(*same));
  EXPECT_NE(model_text(*one), model_text(*other));
}

TEST(Dynamic, APushIsWhatTheFeatureDid) {
  const TrainingTable table = made_table(60, 4);
  DynamicOptions options;
  options.bagging.models = 30;
  const auto model = train_dynamic(table, options);
  ASSERT_TRUE(model);
  const auto prediction = predict_dynamic(*model, table.names, table.rows[5].features);
  ASSERT_TRUE(prediction);
  ASSERT_FALSE(prediction->pushes.empty());
  for (std::size_t i = 1; i < prediction->pushes.size(); ++i)
    EXPECT_LE(std::abs(std::log(prediction->pushes[i].factor)),
              std::abs(std::log(prediction->pushes[i - 1].factor)) + 1e-12);
  EXPECT_LE(prediction->lowest_ms, prediction->highest_ms);
}

ClassData made_classes(std::size_t rows, int levels) {
  ClassData data;
  data.number_of_classes = 3;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<int> vector;
    for (std::uint64_t feature = 0; feature < 6; ++feature)
      vector.push_back(static_cast<int>(made_number(feature, row) * levels));
    data.classes.push_back((vector[0] > 0) + (vector[2] + vector[3] > 1));
    data.levels.push_back(std::move(vector));
  }
  return data;
}

TEST(Id3, IsRightOnRowsThatItWasGrownFrom) {
  const ClassData data = made_classes(80, 3);
  const Tree tree = id3_tree(data);
  for (std::size_t i = 0; i < data.classes.size(); ++i)
    EXPECT_EQ(tree.classify(data.levels[i]), data.classes[i]);
}

TEST(Id3, GainIsNeverNegativeNorAboveTheEntropy) {
  const ClassData data = made_classes(50, 3);
  for (int feature = 0; feature < 6; ++feature)
    for (int most = 0; most < 2; ++most) {
      EXPECT_GE(information_gain(data, feature, most), -1e-12);
      EXPECT_LE(information_gain(data, feature, most), entropy(data.classes, 3) + 1e-12);
    }
}

TEST(Forest, IsReproducibleBySeed) {
  const ClassData data = made_classes(60, 2);
  const auto texts = [&](std::uint64_t seed) {
    const auto forest = grow_forest(data, {.trees = 50, .seed = seed});
    EXPECT_TRUE(forest);
    std::string text;
    for (const Tree& tree : *forest)
      text += tree_text(tree);
    return text;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST(Forest, KnowsTheRuleThatMadeItsRows) {
  const ClassData data = made_classes(200, 2);
  const auto forest = grow_forest(data, {.trees = 200});
  ASSERT_TRUE(forest);
  EXPECT_EQ(forest->size(), 200U);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.classes.size(); ++i)
    right += winner(votes_of(*forest, data.levels[i], 3)) == data.classes[i];
  EXPECT_GE(right, 196U);
}

TEST(Forest, TheApproximatingTreeIsTheForestWhereItMayGrow) {
  const ClassData data = made_classes(100, 2);
  const auto forest = grow_forest(data, {.trees = 100});
  ASSERT_TRUE(forest);
  const auto whole = approximate(*forest, std::vector<int>(6, 2), 3, 25);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->fidelity, 1);
  for (const auto& vector : all_vectors(std::vector<int>(6, 2)))
    EXPECT_EQ(whole->tree.classify(vector), winner(votes_of(*forest, vector, 3)));
  const auto shallow = approximate(*forest, std::vector<int>(6, 2), 3, 2);
  ASSERT_TRUE(shallow);
  EXPECT_LE(shallow->fidelity, 1);
  EXPECT_LE(shallow->tree.nodes.size(), 7U);
}

TEST(Tree, TextAndBack) {
  const auto forest = grow_forest(made_classes(60, 3), {.trees = 20});
  ASSERT_TRUE(forest);
  for (const Tree& tree : *forest) {
    const auto back = parse_tree(tree_text(tree), 6, 3);
    ASSERT_TRUE(back);
    EXPECT_EQ(tree_text(*back), tree_text(tree));
    for (const auto& vector : all_vectors(std::vector<int>(6, 3)))
      EXPECT_EQ(back->classify(vector), tree.classify(vector));
  }
}

TEST(Space, TenFeaturesOfTwoLevelsAre1024Vectors) {
  EXPECT_EQ(all_vectors(std::vector<int>(10, 2)).size(), 1024U);
}

TEST(Splits, NoRelativeOfATestedRowIsLearnedFrom) {
  TrainingTable table = made_table(40, 1);
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].family = "family" + std::to_string(i / 3);
  for (const auto& splits : {leave_families_out(table, 64, 10, 1), leave_families_out(table, 5, 4, 1),
                             random_sets(table, 20, 5, 1), leave_one_out(table, Relatives::left_out)})
    for (const Split& split : splits)
      for (const std::size_t test : split.test)
        for (const std::size_t train : split.train)
          EXPECT_NE(table.rows[test].family, table.rows[train].family);
  std::size_t tested = 0;
  for (const Split& split : leave_families_out(table, 5, 4, 1))
    tested += split.test.size();
  EXPECT_EQ(tested, 40U);
}

} // namespace
} // namespace forewarp::learn

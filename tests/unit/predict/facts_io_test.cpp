#include "predict/facts_file/facts_io.h"

#include "derived/predict/example_facts.h"

namespace forewarp::models {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

facts::ModelFacts rich() {
  facts::ModelFacts facts = example::kernel(2);
  facts.gpu = "any";
  facts.mix.push_back(
      {.name = "bar", .kind = facts::ModelClassKind::barrier, .subsystem = 0, .count_per_warp = 1});
  facts.graphs.push_back(facts.graphs[0]);
  facts.graphs[0].instructions.push_back({2, 1, 1, {}});
  facts.graphs[1].instructions.push_back({2, 1, 1, {0}});
  facts.warp_graphs = {0, 1};
  facts::FlowNode loop{.kind = facts::FlowNode::Kind::loop, .trips = 12.5, .paths = {{1, facts.flow}}};
  loop.paths[0].nodes[1].id = 7, loop.paths[0].nodes[2].uses = {7}, loop.paths[0].nodes[3].id = 8;
  loop.paths[0].nodes[3].waited = false;
  facts::FlowNode branch{.kind = facts::FlowNode::Kind::branch, .paths = {{0.25, {loop}}, {0.75, {}}}};
  facts.flow.push_back(branch);
  facts.traffic = {.bytes_global = 1e9, .bytes_l2 = 5e8, .bytes_dram = 1.0 / 3, .bank_conflict_degree = 0.5};
  return facts;
}

TEST(FactsIo, RoundTrip) {
  const std::string text = facts_to_json(rich());
  const auto back = facts_from_json(text, "f.json");
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  EXPECT_EQ(facts_to_json(*back), text);
  EXPECT_EQ(back->flow.back().paths[0].nodes[0].trips, 12.5);
  EXPECT_EQ(back->traffic.bytes_dram, 1.0 / 3);
  for (const Model& model : registry()) {
    const auto before = model.predict(rich(), example::machine(), {});
    const auto after = model.predict(*back, example::machine(), {});
    ASSERT_TRUE(before.has_value() && after.has_value()) << model.name;
    EXPECT_EQ(before->cycles, after->cycles) << model.name;
  }
}

struct Bad {
  const char *from, *to, *where, *message;
};
TEST(FactsIo, BadInputIsRefusedWithItsPlace) {
  const std::string good = facts_to_json(rich());
  const std::vector<Bad> all = {
      {"\"groups\":", "\"group\":", "/", "missing"},
      {"\"issue_limit\":", "\"isue_limit\":", "/isue_limit", "unknown key"},
      {"\"lambda_cycles\":2.0", "\"lambda_cycles\":-2.0", "/mix/1/lambda_cycles", "negative"},
      {"\"lambda_cycles\":2.0", "\"lambda_cycles\":\"2\"", "/mix/1/lambda_cycles", "number is expected"},
      {"\"after\":[3]", "\"after\":[4]", "/graphs/0/4/after/0", "cycle"},
      {"\"after\":[3]", "\"after\":[5]", "/graphs/0/4/after/0", "cycle"},
      {"\"class\":1", "\"class\":9", "/graphs/0/2/class", "no row 9"},
      {"\"subsystem\":1", "\"subsystem\":2", "/mix/1/subsystem", "no subsystem"},
      {"\"kind\":\"memory\"", "\"kind\":\"memry\"", "/mix/1/kind", "unknown kind"},
      {"[0,1]", "[0,2]", "/warp_graphs/1", "no graph"},
      {"[0,1]", "[0]", "/warp_graphs", "warps of a group"},
      {"\"schema_version\": 1", "\"schema_version\": 2", "/schema_version", "not 1"},
      {"\"uses\":[1]", "\"uses\":[99]", "/flow/2/uses", "no memory node"},
      {"\"id\":7", "\"id\":1", "/flow/4/paths/0/nodes/0/paths/0/nodes/1/id", "two memory nodes"},
      {"\"ilp\": 1.2", "\"ilp\": 0", "/ilp", "positive"},
      {"{\n", "{,", "byte", "not JSON"},
  };
  for (const Bad& bad : all) {
    const auto read = facts_from_json(replaced(good, bad.from, bad.to), "f.json");
    ASSERT_FALSE(read.has_value()) << bad.to;
    EXPECT_EQ(read.error().code, ErrorCode::bad_input);
    EXPECT_NE(read.error().where.find(std::string("f.json: ") + bad.where), std::string::npos)
        << bad.to << ": " << read.error().where;
    EXPECT_NE(read.error().message.find(bad.message), std::string::npos)
        << bad.to << ": " << read.error().message;
  }
}
TEST(FactsIo, BarrierThatNotAllWarpsReach) {
  facts::ModelFacts facts = rich();
  facts.graphs[1].instructions.pop_back();
  const auto checked = check_facts(facts, "f.json");
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().where, "f.json: /warp_graphs/1");
  EXPECT_NE(checked.error().message.find("barrier"), std::string::npos);
}
TEST(FactsIo, NotAnObject) {
  for (const char* text : {"[]", "3", "null", "{\"mix\": 3, \"schema_version\": 1}",
                           "{\"schema_version\": 1, \"groups\": null}"})
    EXPECT_FALSE(facts_from_json(text, "f.json").has_value()) << text;
}

} // namespace
} // namespace forewarp::models

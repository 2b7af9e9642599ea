// Pointers in structs and buffers: the launch names them by the byte at which they lie.
#include "unit/simt/kernel_runner.h"

namespace forewarp::simt::test {
namespace {

constexpr const char* chained_source = R"(
struct Table { int factor; int* values; int** rows; };
__global__ void k(Table t, int* out) { out[threadIdx.x] = t.factor * t.values[threadIdx.x] + t.rows[1][threadIdx.x]; })";

facts::ScalarValue table_of(std::int32_t factor) {
  facts::ScalarValue value;
  value.bytes.resize(24);
  std::memcpy(value.bytes.data(), &factor, sizeof(factor));
  return value;
}

facts::Launch launch_with(const std::map<std::string, facts::ArgumentValue>& more) {
  auto launch = launch_of({4}, {4}, {{"out", ints(std::vector<std::int32_t>(4))}});
  launch.arguments.emplace("0", table_of(10));
  launch.arguments.insert(more.begin(), more.end());
  return launch;
}

facts::BufferValue two_pointers() {
  facts::BufferValue rows;
  rows.type = facts::ScalarType::u8;
  rows.count = 16;
  return rows;
}

TEST(InnerPointers, LeadToTheirBuffers) {
  const auto module = compile_cu(chained_source);
  const RunResult run = must(run_whole(module, launch_with({{"0+8", ints({1, 2, 3, 4, 5, 6, 7, 8})},
                                                            {"0+16", two_pointers()},
                                                            {"0+16+8", facts::ScalarValue{"&0+8+16", {}}}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{15, 26, 37, 48}));
}

TEST(InnerPointers, AnArgumentMayLeadIntoAnotherOnesBuffer) {
  const auto module =
      compile_cu("__global__ void shift(int* from, int* to) { to[threadIdx.x] = from[threadIdx.x] + 10; }");
  const auto launch = [](const char* to) {
    return launch_of({2}, {2}, {{"from", ints({1, 2, 3, 4, 5})}, {"to", facts::ScalarValue{to, {}}}});
  };
  const RunResult run = must(run_whole(module, launch("&from+8")));
  EXPECT_EQ(result_of<std::int32_t>(run, "from"), (std::vector<std::int32_t>{1, 2, 11, 12, 5}));
  const auto nowhere = run_whole(module, launch("&form"));
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("'to' leads into no buffer"), std::string::npos)
      << nowhere.error().message;
}

TEST(InnerPointers, WhatLeadsNowhereIsNamed) {
  const auto module = compile_cu(chained_source);
  for (const auto& [key, value] : std::map<std::string, facts::ArgumentValue>{
           {"0+24", ints({1})}, {"7+8", ints({1})}, {"0+8", facts::ScalarValue{"&nothing", {}}}}) {
    const auto run = run_whole(module, launch_with({{key, value}}));
    ASSERT_FALSE(run) << key;
    EXPECT_EQ(run.error().code, ErrorCode::launch);
    EXPECT_NE(run.error().message.find(key), std::string::npos) << run.error().message;
  }
}

} // namespace
} // namespace forewarp::simt::test

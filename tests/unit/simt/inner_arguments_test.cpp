// Fields of structs, pointers in structs, and pointers in buffers as arguments of a launch.
#include "unit/simt/kernel_runner.h"

namespace forewarp::simt::test {
namespace {

constexpr const char* scaled =
    "struct Box { int low; int high; };\n"
    "struct Job { float* to; const float* from; Box box; float factor; };\n"
    "__global__ void k(Job job) {\n"
    "  int i = threadIdx.x;\n"
    "  if (i >= job.box.low && i < job.box.high) job.to[i] = job.from[i] * job.factor;\n"
    "}";

std::map<std::string, facts::ArgumentValue> all_fields() {
  return {{"job.to", floats(std::vector<float>(32))},
          {"job.from", floats(std::vector<float>(32, 2))},
          {"job.box.low", scalar("1")},
          {"job.box.high", scalar("3")},
          {"job.factor", scalar("1.5")}};
}

void expect_scaled(ir::TargetFamily family) {
  const auto module = compile_cu(scaled, family);
  const RunResult run = must(run_whole(module, launch_of({32}, {32}, all_fields())));
  const auto to = result_of<float>(run, "job.to");
  ASSERT_EQ(to.size(), 32U);
  EXPECT_EQ((std::vector<float>{to[0], to[1], to[2], to[3]}), (std::vector<float>{0, 3, 3, 0}));
}

TEST(InnerArguments, FieldsAndBuffersOfAStruct) {
  expect_scaled(ir::TargetFamily::nvidia);
}

TEST(InnerArguments, FieldsAndBuffersOfAStructOnAmd) {
  expect_scaled(ir::TargetFamily::amd);
}

TEST(InnerArguments, FieldsThatAreNotGivenAreNamed) {
  const auto module = compile_cu(scaled);
  auto arguments = all_fields();
  arguments.erase("job.factor");
  const auto refused = run_whole(module, launch_of({32}, {32}, arguments));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::launch);
  EXPECT_NE(refused.error().message.find("no value for job.factor"), std::string::npos)
      << refused.error().message;
  arguments["job"] = scalar("{}"); // stands for the rest
  const RunResult run = must(run_whole(module, launch_of({32}, {32}, arguments)));
  EXPECT_EQ(result_of<float>(run, "job.to")[1], 0);
}

TEST(InnerArguments, AWrongFieldIsToldWithItsNeighbour) {
  const auto module = compile_cu(scaled);
  auto arguments = all_fields();
  arguments["job.facto"] = scalar("1");
  const auto refused = run_whole(module, launch_of({32}, {32}, arguments));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("did you mean 'job.factor'"), std::string::npos)
      << refused.error().message;
}

TEST(InnerArguments, PointersInABufferLeadToBuffersOfTheirOwn) {
  const auto module = compile_cu("__global__ void k(int** rows) {\n"
                                 "  for (int r = 0; r < 3; ++r) rows[r][threadIdx.x] += 10 * r;\n"
                                 "}");
  const RunResult run = must(run_whole(
      module,
      launch_of({4}, {4}, {{"rows", unknown(facts::ScalarType::u8, 24)}, {"rows[]", ints({1, 2, 3, 4})}})));
  // Contents are the first buffer's; the others are unknown and come back as zeros.
  const auto rows = result_of<std::int32_t>(run, "rows[]");
  ASSERT_EQ(rows.size(), 12U);
  EXPECT_EQ((std::vector<std::int32_t>(rows.begin(), rows.begin() + 4)),
            (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST(InnerArguments, FieldsOfStructsInABuffer) {
  const auto module = compile_cu("struct Node { int* data; int length; };\n"
                                 "__global__ void k(Node* nodes, int* out) {\n"
                                 "  Node node = nodes[threadIdx.x];\n"
                                 "  node.data[threadIdx.x] = 7;\n"
                                 "  out[threadIdx.x] = node.length;\n"
                                 "}");
  const RunResult run = must(run_whole(module, launch_of({2}, {2},
                                                         {{"nodes", unknown(facts::ScalarType::u8, 32)},
                                                          {"nodes[].data", ints({0, 0})},
                                                          {"nodes[].length", scalar("5")},
                                                          {"out", ints({0, 0})}})));
  EXPECT_EQ(result_of<std::int32_t>(run, "out"), (std::vector<std::int32_t>{5, 5}));
  const auto data = result_of<std::int32_t>(run, "nodes[].data");
  ASSERT_EQ(data.size(), 4U);
  EXPECT_EQ(data[0], 7); // the first node's first element
  EXPECT_EQ(data[3], 7); // the second node's second
}

TEST(InnerArguments, OneElementBehindTheEndOfAnInnerBufferIsAFault) {
  const auto module = compile_cu("struct Job { int* to; };\n"
                                 "__global__ void k(Job job) { job.to[threadIdx.x] = 1; }");
  const auto refused =
      run_whole(module, launch_of({32}, {32}, {{"job.to", unknown(facts::ScalarType::i32, 31)}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kernel_fault);
  EXPECT_NE(refused.error().message.find("'job.to'"), std::string::npos) << refused.error().message;
}

} // namespace
} // namespace forewarp::simt::test

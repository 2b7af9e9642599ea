// Downstream servers, their back-pressure, the bound on outstanding memory operations.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

using Cycles = std::vector<double>;

Instruction load(std::array<float, max_servers> service, float latency = 100,
                 std::uint32_t destination = no_register) {
  Instruction instruction = op(1, 1, latency, destination);
  instruction.server_cycles = service;
  return instruction;
}
Configuration with_servers() {
  Configuration configuration = one_pipe(1);
  configuration.servers = {"l2", "dram"};
  return configuration;
}
Cycles results(const Issues& issues) {
  Cycles cycles;
  for (const IssueEvent& event : issues.events)
    cycles.push_back(event.result_cycle);
  return cycles;
}

TEST(Servers, UnloadedServersDoNotLengthenTheLatency) {
  EXPECT_DOUBLE_EQ(run(with_servers(), {program({load({2, 8})})}).cycles, 100);
}
// Loads issue at 0, 1, 2; the server needs 10 each: they wait 0, 9, 18.
TEST(Servers, QueueingDelaysTheResult) {
  Issues issues;
  const Outcome outcome = run(with_servers(), {program({load({10}), load({10}), load({10})})}, 1, &issues);
  EXPECT_EQ(results(issues), (Cycles{100, 1 + 100 + 9, 2 + 100 + 18}));
  EXPECT_EQ(outcome.server_busy_cycles, (Cycles{30, 0}));
  EXPECT_EQ(outcome.server_wait_cycles, (Cycles{27, 0}));
}
// A transfer longer than the latency ends with its service: 0 + 40 + 120.
TEST(Servers, LongTransfersEndWithTheirService) {
  EXPECT_DOUBLE_EQ(run(with_servers(), {program({load({40, 120})})}).cycles, 160);
}
// Second load: served by L2 from 2 to 4, by DRAM from 10 to 18: waits 1 + 6.
TEST(Servers, OneAfterTheOther) {
  Issues issues;
  run(with_servers(), {program({load({2, 8}), load({2, 8})})}, 1, &issues);
  EXPECT_EQ(results(issues), (Cycles{100, 1 + 100 + 1 + 6}));
}
// The first load finds the server busy for 10 of 1000 cycles, its own: 1 % of 100 cycles. The second one is
// served 10 later: (10 + 10) of 1010 cycles. It waits 9 in the queue and 1.98 behind it.
TEST(Servers, ResultsAreLaterBehindABusyServer) {
  Instruction slow = load({10});
  slow.busy_wait_cycles = 100;
  Issues issues;
  run(with_servers(), {program({slow, slow})}, 1, &issues);
  const Cycles cycles = results(issues);
  ASSERT_EQ(cycles.size(), 2U);
  EXPECT_DOUBLE_EQ(cycles[0], 100 + 1);
  EXPECT_NEAR(cycles[1], 1 + 100 + 9 + 100 * 20.0 / 1010, 1e-9);
}
// Nobody waits for the second server: ready at 0 + 40, while the run lasts until 0 + 40 + 120.
TEST(Servers, AResultMayNotWaitForTheLastOnes) {
  Instruction store = load({40, 120}, 10, 0);
  store.awaited_servers = 1;
  Issues issues;
  const Outcome outcome = run(with_servers(), {program({store, op(0, 1, 1, no_register, {0})})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 40}));
  EXPECT_DOUBLE_EQ(outcome.cycles, 160);
}
TEST(Servers, DoNotBlockIssueByThemselves) {
  Issues issues;
  run(with_servers(), {program({load({50}), load({50}), load({50})})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 1, 2}));
}
// Two loads issued at 0 and 1 keep the server busy until 100: the backlog is at most 60 from 40 on.
TEST(Servers, BacklogBoundHoldsBackIssue) {
  Configuration configuration = with_servers();
  configuration.server_backlog_cycles[0] = 60;
  Issues issues;
  const Outcome outcome =
      run(configuration, {program({load({50}), load({50}), load({50}), op(0, 1, 1)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 1, 40, 41})); // 100 - 60
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<int>(StallCause::memory_queue)], 38);
}
TEST(Servers, BacklogBoundLetsOthersPass) {
  Configuration configuration = with_servers();
  configuration.server_backlog_cycles[0] = 10;
  Issues issues;
  run(configuration, {program({load({50}), load({50})}), program({op(0, 1, 1), op(0, 1, 1)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 40}));
  EXPECT_EQ(issues.cycles_of(0, 1), (Cycles{1, 2}));
}
TEST(Servers, OutstandingBound) {
  Configuration configuration = with_servers();
  configuration.max_outstanding_memory = 2;
  Issues issues;
  run(configuration, {program({load({1}), load({1}), load({1}), load({1})})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 1, 100, 101}));
}
TEST(Servers, ThroughputIsTheServers) {
  Configuration configuration = with_servers();
  configuration.concurrent_groups = 32;
  const Outcome outcome = run(configuration, {program({load({4}, 100, 0), op(0, 1, 4, 1, {0})})}, 1000);
  EXPECT_GE(outcome.cycles, 4000);
  EXPECT_LE(outcome.cycles, 4200);
}

} // namespace
} // namespace forewarp::pipeline::testing

#include "predict/traced/wang2019.h"

#include "gpu/dram_rates.h"
#include "pipeline/simulator.h"
#include "predict/builtin.h"
#include "predict/traced/answer/interval.h"
#include "predict/traced/answer_of.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace forewarp::predict::wang2019 {
namespace {

using facts::OpClass;

// Of ln(predicted / measured). Assumed: this model's times were not held against the measured rows on their
// own.
constexpr double model_sigma = 0.35;

enum Subsystem : std::uint16_t {
  free_running,
  global_memory,
  constant_memory,
  local_memory,
  computation_pipeline
};

struct Latencies {
  double active_warps = 1, max_warps = 1;
  const gpu::Machine* machine = nullptr;
  const TracedFacts* facts = nullptr;
  Reading reading;

  double arithmetic(OpClass op) const { return arithmetic_latency(*facts, op, active_warps); }
  double scaled(double latency_cycles) const { return latency_cycles * max_warps / active_warps; }
};

struct MemoryAccess {
  Subsystem subsystem = global_memory;
  double latency_cycles = 0, delay_cycles = 1;
};

MemoryAccess access_of(OpClass op, const facts::AccessOutcome& outcome, const Latencies& latencies) {
  const gpu::Machine& machine = *latencies.machine;
  const gpu::MemoryTiming& memory = machine.memory;
  const double share_bytes_per_cycle =
      gpu::bytes_per_cycle(machine, memory.dram_read_gbps) / machine.sm_count;
  if (op == OpClass::load_shared || op == OpClass::store_shared || op == OpClass::atomic_shared)
    return {local_memory, latencies.scaled(memory.shared_latency_cycles), outcome.transactions};
  if (op == OpClass::load_constant) {
    const bool miss = outcome.l2_sectors >= 0.5F;
    return {constant_memory,
            latencies.scaled(miss ? memory.constant_miss_latency_cycles : memory.constant_latency_cycles),
            outcome.transactions};
  }
  const double miss = std::min(1.0F, outcome.dram_sectors);
  const double latency =
      memory.l2_latency_cycles + miss * (memory.dram_latency_cycles - memory.l2_latency_cycles);
  const double held =
      latencies.reading.hold == Hold::each_transaction ? std::max(1.0F, outcome.transactions) : 1;
  return {global_memory, latencies.scaled(latency), held * memory.l2.line_bytes / share_bytes_per_cycle};
}

/// One warp's pruned IR instructions, each waiting for the one before.
class PrunedStream final : public pipeline::WarpStream {
public:
  PrunedStream(const TracedFacts& facts, const facts::WarpTrace& warp,
               const std::vector<facts::AccessOutcome>& outcomes, const Latencies& latencies)
      : facts_(facts), warp_(warp), outcomes_(outcomes), latencies_(latencies) {}

  std::uint32_t register_count() const override { return 1; }

  bool next(pipeline::Instruction& out) override {
    if (rest_left_) { // the access itself, after its pre-wait
      rest_left_ = false;
      out = rest_;
      return true;
    }
    while (op_ == ops().size())
      if (!enter())
        return false;
    emit((*current_)[op_++], out);
    return true;
  }

private:
  const std::vector<facts::MachineOp>& ops() const {
    static const std::vector<facts::MachineOp> none;
    return current_ != nullptr ? *current_ : none;
  }
  bool enter() {
    if (step_ == warp_.steps.size())
      return false;
    const facts::BlockStep& step = warp_.steps[step_++];
    current_ = &facts_.program.blocks[step.block].ops;
    event_ = step.first_event;
    op_ = 0;
    return true;
  }
  void emit(const facts::MachineOp& op, pipeline::Instruction& out) {
    out = pipeline::Instruction{};
    out.subsystem = free_running;
    out.lambda_cycles = 0;
    out.source_count = 1;
    out.destination = 0;
    if (op.op == OpClass::barrier) {
      out.kind = pipeline::Instruction::Kind::barrier;
      out.latency_cycles = 0;
      return;
    }
    if (op.site == facts::no_value || op.op == OpClass::move) {
      if (op.site != facts::no_value)
        ++event_;
      const double latency = latencies_.arithmetic(op.op);
      out.latency_cycles = static_cast<float>(latency);
      if (latencies_.reading.computation == Computation::pipeline) {
        out.subsystem = computation_pipeline;
        out.lambda_cycles = static_cast<float>(latency / latencies_.active_warps);
      }
      return;
    }
    const MemoryAccess access = access_of(op.op, outcomes_[event_++], latencies_);
    const double wait = std::max(0.0, access.latency_cycles - access.delay_cycles);
    rest_ = out;
    rest_.subsystem = access.subsystem;
    rest_.lambda_cycles = static_cast<float>(access.delay_cycles);
    rest_.latency_cycles = static_cast<float>(access.delay_cycles + wait / 2);
    rest_.memory = true;
    rest_left_ = true;
    out.latency_cycles = static_cast<float>(wait / 2);
    out.memory = true;
  }

  const TracedFacts& facts_;
  const facts::WarpTrace& warp_;
  const std::vector<facts::AccessOutcome>& outcomes_;
  const Latencies& latencies_;
  const std::vector<facts::MachineOp>* current_ = nullptr;
  std::size_t step_ = 0, op_ = 0, event_ = 0;
  pipeline::Instruction rest_;
  bool rest_left_ = false;
};

/// One round: the sampled groups in turn.
class Round final : public pipeline::GroupSource {
public:
  Round(const TracedFacts& facts, const Latencies& latencies, std::size_t groups)
      : facts_(facts), latencies_(latencies), groups_(groups) {}
  std::unique_ptr<pipeline::GroupStreams> next() override {
    if (made_ == groups_)
      return nullptr;
    const std::size_t sample = made_++ % facts_.trace.groups.size();
    auto group = std::make_unique<pipeline::GroupStreams>();
    const facts::GroupTrace& trace = facts_.trace.groups[sample];
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      group->warps.push_back(std::make_unique<PrunedStream>(facts_, trace.warps[w],
                                                            facts_.memory.outcomes[sample][w], latencies_));
    return group;
  }

private:
  const TracedFacts& facts_;
  const Latencies& latencies_;
  std::size_t groups_, made_ = 0;
};

pipeline::Configuration configuration(double groups) {
  pipeline::Configuration configuration;
  configuration.subsystems = {
      {"free", false}, {"global", false}, {"constant", false}, {"local", false}, {"computation", false}};
  configuration.issue_per_cycle_per_scheduler = 0; // contention is for memory resources alone
  configuration.policy = pipeline::SchedulerPolicy::round_robin;
  configuration.concurrent_groups = static_cast<unsigned>(groups);
  return configuration;
}

double operations_per_warp(const TracedFacts& facts) {
  double operations = 0, warps = 0;
  for (const facts::GroupTrace& group : facts.trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      for (const facts::BlockStep& step : warp.steps)
        operations += static_cast<double>(facts.program.blocks[step.block].ops.size()) / warp.recorded_share;
      ++warps;
    }
  return operations / std::max(warps, 1.0);
}

/// Of the executed instructions, those that the traces hold; the round is extended by the rest.
double recorded_share(const TracedFacts& facts) {
  double recorded = 0, executed = 0;
  for (const facts::GroupTrace& group : facts.trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      executed += static_cast<double>(warp.ir_instructions);
      recorded += static_cast<double>(warp.ir_instructions) * warp.recorded_share;
    }
  return recorded > 0 ? recorded / executed : 1;
}

} // namespace

double arithmetic_latency(const TracedFacts& facts, OpClass op, double active_warps) {
  if (const auto measured = facts.latencies.latency_cycles(op, active_warps))
    return *measured;
  const gpu::Machine& machine = facts.machine;
  const gpu::OpTiming& timing = machine.timing(op);
  const bool per_scheduler = machine.units[static_cast<std::size_t>(timing.unit)].per_scheduler;
  const double instances = per_scheduler ? machine.schedulers_per_sm : 1;
  return std::max(timing.latency_cycles, active_warps * timing.issue_cycles / instances);
}

double kernel_cycles(double round_cycles, double groups, double sm_count, double active_groups) {
  return round_cycles * std::ceil(groups / sm_count) / active_groups;
}

Result<facts::Prediction> predict(const TracedFacts& facts, const Reading& reading) {
  const gpu::Machine& machine = facts.machine;
  const auto total_groups = static_cast<double>(facts.trace.shape.groups.count());
  // Below one full round the groups that exist are simulated.
  const double active =
      std::min<double>(facts.occupancy.active_groups_per_sm, std::ceil(total_groups / machine.sm_count));
  const Latencies latencies{active * facts.occupancy.warps_per_group,
                            static_cast<double>(machine.limits.max_warps_per_sm), &machine, &facts, reading};
  Round round(facts, latencies, static_cast<std::size_t>(active));
  const auto outcome = pipeline::simulate(configuration(active), round);
  FOREWARP_TRY(outcome);

  facts::Prediction prediction;
  prediction.cycles =
      kernel_cycles(outcome->cycles / recorded_share(facts), total_groups, machine.sm_count, active);
  prediction.sm_clock_mhz = machine.sm_clock_mhz;
  prediction.sm_count = machine.sm_count;
  prediction.time_ms = prediction.cycles / (machine.sm_clock_mhz * 1e3);
  prediction.interval_ms = hybrid::interval_ms(prediction.time_ms, model_sigma, facts);
  prediction.launch_overhead_ms = machine.fixed.launch_overhead_us * 1e-3;
  prediction.occupancy = facts.occupancy;
  prediction.achieved_occupancy = latencies.active_warps / latencies.max_warps;
  prediction.waves = total_groups / (machine.sm_count * active);
  prediction.instructions_per_warp = operations_per_warp(facts);
  prediction.ir_instructions_per_warp = prediction.instructions_per_warp;
  prediction.sites = facts.program.sites;
  prediction.memory = facts.memory.sites;
  const double memory_busy = outcome->subsystem_busy_cycles[global_memory] / std::max(outcome->cycles, 1.0);
  const auto& stalls = outcome->stall_cycles;
  const auto waits = [&](pipeline::StallCause cause) { return stalls[static_cast<std::size_t>(cause)]; };
  const bool memory_bound =
      waits(pipeline::StallCause::dependence_memory) > waits(pipeline::StallCause::dependence_arithmetic);
  prediction.limiter = memory_busy > 0.7 ? facts::Limiter::dram_bandwidth
                       : memory_bound    ? facts::Limiter::memory_latency
                                         : facts::Limiter::arithmetic_latency;
  prediction.causes = {{prediction.limiter, 1.0}};
  return prediction;
}

} // namespace forewarp::predict::wang2019

namespace forewarp::predict {

namespace {

Predictor row(const char* name, const char* source,
              Result<Answer> (*predict)(const FactSet&, const Options&)) {
  return {.name = name,
          .source = source,
          .rung = Rung::traced,
          .needs = {.trace = true, .program = ProgramForm::pruned_ir, .machine = MachineForm::without_l1},
          .gives = {.prediction = true},
          .simulates = true,
          .predict = predict};
}

Result<Answer> answer_with(const char* name, const wang2019::Reading& reading, const FactSet& facts) {
  auto prediction = wang2019::predict(*facts.traced, reading);
  FOREWARP_TRY(prediction);
  return answer_of(name, *std::move(prediction), facts);
}

} // namespace

Predictor wang2019_predictor() {
  return row("wang2019", "Wang, Huang, Knoll, Qian, DATE 2019",
             [](const FactSet& facts, const Options&) { return answer_with("wang2019", {}, facts); });
}

Predictor wang2019_transactions_predictor() {
  return row("wang2019_transactions",
             "Wang, Huang, Knoll, Qian, DATE 2019: an access holds its memory once a transaction",
             [](const FactSet& facts, const Options&) {
               return answer_with("wang2019_transactions", {.hold = wang2019::Hold::each_transaction}, facts);
             });
}

Predictor wang2019_pipeline_predictor() {
  return row(
      "wang2019_pipeline",
      "Wang, Huang, Knoll, Qian, DATE 2019: an access holds its memory once a transaction, operations share "
      "a computation pipeline",
      [](const FactSet& facts, const Options&) {
        return answer_with(
            "wang2019_pipeline",
            {.hold = wang2019::Hold::each_transaction, .computation = wang2019::Computation::pipeline},
            facts);
      });
}

} // namespace forewarp::predict

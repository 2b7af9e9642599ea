// Calibration turned round: measurements made by the predictor for a known GPU file, fitted, give that file's
// values again within 3 %. It holds the micro-benchmarks, the fit and the predictor against each other.
//
// The ordinary run takes part of the values on part of the GPUs; FOREWARP_ROUND_TRIP=all all on all (some
// minutes). What a benchmark cannot tell on a GPU is left out there, with the reason.
#include "gpu/dram_rates.h"
#include "synthetic.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string_view>

namespace forewarp::measure {
namespace {

bool everything() {
  const char* wanted = std::getenv("FOREWARP_ROUND_TRIP");
  return wanted && std::string_view(wanted) == "all";
}

const FittedValue* find(const Calibration& calibration, const std::string& key) {
  for (const FittedValue& value : calibration.values)
    if (value.key == key)
      return &value;
  return nullptr;
}

void near(const Calibration& calibration, const std::string& key, double expected, double tolerance = 0.03) {
  const FittedValue* value = find(calibration, key);
  ASSERT_TRUE(value) << key << " was not fitted";
  EXPECT_NEAR(value->value, expected, tolerance * expected) << key << ": " << value->note;
}

/// Results of an SM in a cycle: of all instances of the class's units, at most the issue limit.
double throughput(const gpu::Machine& machine, facts::OpClass op) {
  const gpu::OpTiming& timing = machine.timing(op);
  double instances = 0;
  for (const int unit : {timing.unit, timing.second_unit})
    if (unit >= 0)
      instances +=
          machine.units[static_cast<std::size_t>(unit)].per_scheduler ? machine.schedulers_per_sm : 1;
  const double cycles = timing.issue_cycles * timing.instructions / instances;
  return 32 /
         std::max(cycles, timing.instructions / (machine.schedulers_per_sm * machine.issue_per_scheduler));
}

class RoundTrip : public testing::TestWithParam<const char*> {
protected:
  /// The ordinary run takes the test on these GPUs only.
  bool left_out(std::initializer_list<std::string_view> ordinary) const {
    return !everything() && std::find(ordinary.begin(), ordinary.end(), GetParam()) == ordinary.end();
  }
};

TEST_P(RoundTrip, Operations) {
  if (left_out({"h200", "gtx1060"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  std::vector<std::string> operations = {"fp32_fma", "sfu", "int_shift"};
  const bool pascal = std::string_view(GetParam()) == "gtx1060";
  if (everything())
    operations.insert(operations.end(),
                      {"fp32_add", "fp32_mul", "fp64_add", "fp64_mul", "fp64_fma", "int_add", "int_logic",
                       "int_minmax_cmp", "fp32_minmax_cmp", "shuffle", "vote"});
  // Pascal: several instructions one after the other, which the machine step keeps in order; bytes take
  // another instruction; conversions share the sine's unit; the rate of halves hides their latency.
  if (everything() && !pascal)
    operations.insert(operations.end(),
                      {"int_mul", "int_mul_wide", "int_mul_hi", "int_bitcount", "int_bitfield", "cvt_32",
                       "cvt_64", "fp16_add", "fp16_mul", "fp16_fma"});
  Synthetic synthetic(GetParam());
  if (everything() && synthetic.machine().int_to_fp32_on_alu)
    operations.push_back("cvt_narrow"); // before, no operation is of that class
  for (const std::string& operation : operations)
    synthetic.measure("operation", fmt::format("operation.{}.", operation));
  if (std::find(operations.begin(), operations.end(), "fp32_mul") == operations.end())
    synthetic.measure("operation", "operation.fp32_mul."); // taken off the sine
  const Calibration calibration = synthetic.calibrated();
  for (const std::string& operation : operations) {
    const auto op = *facts::op_class_from_string(operation);
    const gpu::OpTiming& timing = synthetic.machine().timing(op);
    near(calibration, "latency." + operation, timing.latency_cycles * timing.instructions);
    // Where one wave is all that is simulated, how it ends counts in each: steps of two operations, and full
    // issue on Pascal.
    near(calibration, "throughput." + operation, throughput(synthetic.machine(), op),
         operation == "int_mul_wide" || pascal ? 0.04 : 0.03);
  }
}

TEST_P(RoundTrip, Latencies) {
  if (left_out({"v100", "gtx1060"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  Synthetic synthetic(GetParam());
  const gpu::MemoryTiming& memory = synthetic.machine().memory;
  const auto l1 = static_cast<double>(memory.l1.size_bytes), l2 = static_cast<double>(memory.l2.size_bytes);
  double dram = 268435456; // the smallest of the chase's footprints that is four times L2
  for (const double footprint : {67108864.0, 16777216.0})
    dram = footprint >= 4 * l2 ? footprint : dram;
  const auto footprints = [](std::initializer_list<double> wanted) {
    return [wanted = std::vector<double>(wanted)](const Synthetic::Values& values) {
      return std::find(wanted.begin(), wanted.end(), values.at("footprint")) != wanted.end();
    };
  };
  synthetic.measure("chase", "chase.shared");
  synthetic.measure("chase", "chase.constant", footprints({1024, 8192}));
  synthetic.measure("chase", "chase.global", [&](const Synthetic::Values& values) {
    const double footprint = values.at("footprint");
    return footprint == 8192 || (footprint >= 2 * l1 && footprint <= l2 / 4 && footprint < 2e6);
  });
  synthetic.measure("chase", "chase.dram", footprints({dram}));
  const Calibration calibration = synthetic.calibrated();
  near(calibration, "smem_latency_cycles", memory.shared_latency_cycles);
  near(calibration, "const_l1_latency_cycles", memory.constant_latency_cycles);
  near(calibration, "const_l15_latency_cycles", memory.constant_miss_latency_cycles);
  near(calibration, "l1_latency_cycles", memory.l1_latency_cycles);
  near(calibration, "l2_latency_cycles", memory.l2_latency_cycles);
  near(calibration, "dram_latency_cycles", memory.dram_latency_cycles);
}

TEST_P(RoundTrip, Bandwidths) {
  if (left_out({"h200", "v100"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  Synthetic synthetic(GetParam());
  const gpu::Machine& machine = synthetic.machine();
  const gpu::MemoryTiming& memory = machine.memory;
  synthetic.measure("bandwidth", "bandwidth.dram_read");
  synthetic.measure("bandwidth", "bandwidth.dram_write");
  synthetic.measure("bandwidth", "bandwidth.dram_copy");
  if (everything())
    synthetic.measure("bandwidth", "bandwidth.dram_triad");
  const auto l2 = static_cast<double>(memory.l2.size_bytes);
  synthetic.measure("bandwidth", "bandwidth.footprint", [&](const Synthetic::Values& values) {
    return values.at("bytes") <= 0.7 * l2 && values.at("bytes") > 0.3 * l2;
  });
  synthetic.measure("bandwidth", "bandwidth.same",
                    [](const Synthetic::Values& values) { return values.at("groups") == 4; });
  synthetic.measure("bandwidth", "bandwidth.constant",
                    [](const Synthetic::Values& values) { return values.at("mask") == 127; });
  synthetic.measure("shared", "shared.banks", [](const Synthetic::Values& values) {
    return values.at("stride") == 1 || values.at("stride") == 32;
  });
  synthetic.measure("shared", "shared.wide");
  const Calibration calibration = synthetic.calibrated();
  near(calibration, "dram_bw_read_gbps", memory.dram_read_gbps);
  near(calibration, "dram_bw_write_gbps", memory.dram_write_gbps);
  // A copy is no faster than its reads and writes one after the other.
  near(calibration, "dram_bw_copy_gbps",
       std::min(memory.dram_copy_gbps, 2 / (1 / memory.dram_read_gbps + 1 / memory.dram_write_gbps)));
  if (everything()) {
    const auto rates = gpu::dram_rates(memory, 2, 1);
    near(calibration, "dram_bw_triad_gbps", 3 / (2 / rates.read_gbps + 1 / rates.write_gbps));
  }
  // Slots of groups stand empty between one and the next: 3 % of the time of so short a pass.
  near(calibration, "l2_bw_read_gbps",
       std::min(memory.l2_bytes_per_cycle, memory.l2_bytes_per_cycle_per_sm * machine.sm_count) *
           machine.sm_clock_mhz * 1e-3,
       0.04);
  near(calibration, "l1_bw_bytes_per_clk_per_sm", memory.l1_bytes_per_cycle_per_sm);
  near(calibration, "throughput.load_constant", throughput(machine, facts::OpClass::load_constant));
  // Seen only where requests, not banks, are the limit.
  if (const double requests = throughput(machine, facts::OpClass::load_shared);
      requests < 0.8 * memory.shared_bytes_per_cycle_per_sm / 4)
    near(calibration, "throughput.load_shared", requests, 0.04);
  near(calibration, "smem_bw_bytes_per_clk_per_sm", memory.shared_bytes_per_cycle_per_sm);
  near(calibration, "smem_banks", memory.shared_banks);
}

TEST_P(RoundTrip, Control) {
  if (left_out({"h200", "gtx1060"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  Synthetic synthetic(GetParam());
  const gpu::Machine& machine = synthetic.machine();
  synthetic.measure("control", "control.empty",
                    [](const Synthetic::Values& values) { return values.at("size") == 32; });
  synthetic.measure("control", "control.barrier", [](const Synthetic::Values& values) {
    return values.count("size") && values.at("size") == 128;
  });
  synthetic.measure("control", "control.atomics",
                    [](const Synthetic::Values& values) { return values.at("mask") == 0; });
  synthetic.measure("control", "control.atomic_chain");
  synthetic.measure("shared", "shared.atomics", [](const Synthetic::Values& values) {
    return values.at("spread") == 1 || values.at("spread") == 32;
  });
  if (everything())
    synthetic.measure("issue", "issue.");
  const Calibration calibration = synthetic.calibrated();
  near(calibration, "kernel_min_time_us", machine.fixed.kernel_min_time_us);
  near(calibration, "block_dispatch_ns", machine.fixed.group_dispatch_ns);
  near(calibration, "barrier_latency_cycles", machine.fixed.barrier_latency_cycles);
  const gpu::MemoryTiming& memory = machine.memory;
  near(calibration, "atomic_global_same_addr_per_clk", memory.atomic_same_address_per_cycle);
  near(calibration, "atomic_global_latency_cycles",
       memory.atomic_global_latency_cycles > 0 ? memory.atomic_global_latency_cycles
                                               : memory.l2_latency_cycles);
  if (everything())
    near(calibration, "issue_per_scheduler", machine.issue_per_scheduler,
         machine.issue_per_scheduler > 1 ? 0.05 : 0.03); // pairs: some mixes pair better than the mean
  const FittedValue* alone = find(calibration, "atomic_shared_latency_cycles");
  const FittedValue* crowded = find(calibration, "atomic_shared_latency_32way_cycles");
  ASSERT_TRUE(alone && crowded);
  if (std::string_view(GetParam()) == "rtx2080ti") // its atomics hold the pipe longer than their latency
    return;
  EXPECT_NEAR((crowded->value - alone->value) / 31, memory.atomic_shared_same_address_cycles,
              0.03 * memory.atomic_shared_same_address_cycles);
}

TEST_P(RoundTrip, TensorCores) {
  if (left_out({"h200", "v100"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  Synthetic synthetic(GetParam());
  if (synthetic.file().target < "sm_70")
    GTEST_SKIP() << "it has no tensor cores";
  synthetic.measure("tensor", "tensor.");
  const Calibration calibration = synthetic.calibrated();
  const gpu::OpTiming& timing = synthetic.machine().timing(facts::OpClass::tensor_mma);
  near(calibration, "latency.tensor_mma", timing.latency_cycles * timing.instructions);
  near(calibration, "throughput.tensor_mma", throughput(synthetic.machine(), facts::OpClass::tensor_mma));
}

TEST_P(RoundTrip, LinesAndSectors) {
  if (left_out({"v100"}))
    GTEST_SKIP() << "FOREWARP_ROUND_TRIP=all takes it";
  Synthetic synthetic(GetParam());
  const gpu::MemoryTiming& memory = synthetic.machine().memory;
  if (!memory.l1_caches_global)
    GTEST_SKIP() << "its L1 keeps no global loads";
  synthetic.measure("chase", "chase.capacity",
                    [](const Synthetic::Values& values) { return values.at("footprint") >= 65536; });
  synthetic.measure("chase", "chase.sector",
                    [](const Synthetic::Values& values) { return values.at("words") >= 4; });
  synthetic.measure("chase", "chase.line");
  const Calibration calibration = synthetic.calibrated();
  near(calibration, "l1_sector_bytes", memory.l1.sector_bytes);
  near(calibration, "l1_line_bytes", memory.l1.line_bytes);
}

INSTANTIATE_TEST_SUITE_P(Gpus, RoundTrip, testing::Values("h200", "v100", "a100", "rtx2080ti", "gtx1060"),
                         [](const auto& gpu) { return std::string(gpu.param); });

} // namespace
} // namespace forewarp::measure

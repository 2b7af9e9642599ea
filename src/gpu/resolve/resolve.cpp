#include "gpu/machine.h"
#include "gpu/resolve/parts.h"
#include "support/suggest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::gpu {
namespace {

/// Boards run above the boost clock of the data sheet where power allows.
double fastest_ghz(const Machine& machine) {
  return std::max(machine.sm_clock_boost_mhz, machine.sm_clock_mhz) * 1e-3;
}

void resolve_counts(FactReader& facts, Machine& machine) {
  machine.compute_capability = facts.or_none("compute_capability", 0);
  machine.compiler.cuda = facts.text("cuda_compiler").value_or("turing");
  machine.compiler.driver = facts.text("driver_compiler").value_or("turing");
  machine.compiler.closed = facts.text("opencl_compiler").value_or("llvm") == "closed";
  machine.compiler.llvm_release = static_cast<unsigned>(facts.or_none("llvm_release", 19));
  machine.compiler.hoists_reciprocals = facts.or_none("hoists_reciprocals", 1) != 0;
  machine.compiler.adds_on_lighter_pipe = facts.text("integer_addition").value_or("own") == "lighter";
  machine.warpgroup_product_rate = facts.or_none("warpgroup_product_rate", 1);
  machine.compiler.three_input_alu = facts.or_none("three_input_alu", 1) != 0;
  machine.compiler.shared_loads_in_flight =
      static_cast<unsigned>(facts.or_none("shared_loads_in_flight", 16));
  machine.compiler.half_conversions = half_conversions(facts.text("half_conversions").value_or(""));
  machine.tensor_multiply_adds = tensor_multiply_adds(facts.text("tensor_shape").value_or(""));
  machine.tensor_memory_product_rate = facts.or_none("tensor_memory_product_rate", 1);
  machine.wide_integer_passes = static_cast<unsigned>(facts.or_none("wide_integer_passes", 1));
  MatrixRates& rates = machine.matrix_rates;
  rates.bits_8 = facts.or_none("matrix_8bit_rate", rates.bits_8);
  rates.bf16 = facts.or_none("matrix_bf16_rate", rates.bf16);
  rates.xf32 = facts.or_none("matrix_xf32_rate", rates.xf32);
  rates.f32 = facts.or_none("matrix_f32_rate", rates.f32);
  rates.f64 = facts.or_none("matrix_f64_rate", rates.f64);
  rates.float_sums = facts.or_none("matrix_float_sum_rate", rates.float_sums);
  machine.warp_width = static_cast<unsigned>(facts.required("warp_size"));
  machine.sm_count = static_cast<unsigned>(facts.required("sm_count"));
  machine.schedulers_per_sm = static_cast<unsigned>(facts.required("warp_schedulers_per_sm"));
  machine.dual_issue_share = facts.or_none("dual_issue_share", 0);
  machine.int_to_fp32_on_alu = facts.or_none("int_to_fp32_on_alu", 0) != 0;
  machine.short_to_fp32_on_alu = facts.or_none("short_to_fp32_on_alu", 0) != 0;
  machine.issue_per_scheduler = facts.required("issue_per_scheduler");
  if (machine.dual_issue_share > 0) // the second slot takes only what pairs with the first
    machine.issue_per_scheduler = std::min(machine.issue_per_scheduler, 1 + machine.dual_issue_share);
  machine.sm_clock_mhz = facts.required("sm_clock_mhz");
  machine.sm_clock_base_mhz = facts.or_none("sm_clock_base_mhz", machine.sm_clock_mhz);
  machine.sm_clock_boost_mhz = facts.or_none("sm_clock_boost_mhz", machine.sm_clock_mhz);
  machine.fp32_peak_gflops =
      2 * facts.required("fp32_lanes_per_sm") * machine.sm_count * fastest_ghz(machine);
}

double tensor_peak_per_ns(const Machine& machine) {
  const OpTiming& product = machine.ops[static_cast<std::size_t>(facts::OpClass::tensor_mma)];
  const bool of_schedulers = machine.units[static_cast<std::size_t>(product.unit)].per_scheduler;
  return machine.sm_count * (of_schedulers ? machine.schedulers_per_sm : 1U) / product.issue_cycles *
         fastest_ghz(machine);
}

Result<const std::map<std::string, Value>*> overlay_of(const GpuFile& file, const std::string& value_set) {
  if (value_set.empty())
    return nullptr;
  const auto it = file.value_sets.find(value_set);
  if (it != file.value_sets.end())
    return &it->second;
  std::vector<std::string> names;
  for (const auto& [name, set] : file.value_sets)
    names.push_back(name);
  return fail(ErrorCode::not_found, fmt::format("{} has no value set '{}'", file.name, value_set), {},
              names.empty() ? "this file has no value sets"
                            : fmt::format("its value sets: {}", fmt::join(names, ", ")));
}

Result<void> check_consistent(const Machine& machine, const std::string& path) {
  if (machine.warp_width != 32 && machine.warp_width != 64)
    return fail(ErrorCode::bad_input, fmt::format("warp_size is {}", machine.warp_width), path,
                "warps of 32 and wavefronts of 64 lanes are modelled");
  const OccupancyLimits& limits = machine.limits;
  if (limits.max_threads_per_group > limits.max_threads_per_sm)
    return fail(ErrorCode::bad_input,
                fmt::format("max_threads_per_block {} exceeds max_threads_per_sm {}",
                            limits.max_threads_per_group, limits.max_threads_per_sm),
                path, "a group has to fit on an SM");
  if (limits.shared_per_group_max_bytes > limits.shared_per_sm_bytes)
    return fail(ErrorCode::bad_input,
                fmt::format("smem_per_block_max_bytes {} exceeds smem_per_sm_bytes {}",
                            limits.shared_per_group_max_bytes, limits.shared_per_sm_bytes),
                path, "a group's shared memory has to fit on an SM");
  return {};
}

} // namespace

int Machine::unit_index(const std::string& unit) const {
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].name == unit)
      return static_cast<int>(i);
  return -1;
}

Result<Machine> resolve(const GpuFile& file, const std::string& value_set) {
  if (file.abstract)
    return fail(ErrorCode::bad_input, "this file is a base for other files, not a GPU", file.path,
                "extend it in a file with name, sm_count, clocks and bandwidth");
  auto overlay = overlay_of(file, value_set);
  FOREWARP_TRY(overlay);
  FactReader facts(file, *overlay);
  Machine machine;
  machine.name = file.name;
  machine.vendor = file.vendor;
  machine.target = file.target;
  machine.generation = file.generation;
  machine.value_set = value_set;
  resolve_counts(facts, machine);
  resolve_limits(facts, machine);
  resolve_memory(facts, machine);
  resolve_fixed_costs(facts, machine);
  resolve_instruction_cache(facts, machine);
  if (!facts.missing().empty())
    return fail(ErrorCode::bad_input, fmt::format("the GPU file lacks {}", fmt::join(facts.missing(), ", ")),
                file.path, "give the values, or extend a file that has them");
  FOREWARP_TRY(resolve_operations(facts, file, machine));
  FOREWARP_TRY(check_consistent(machine, file.path));
  machine.tensor_peak_per_ns = tensor_peak_per_ns(machine);
  machine.assumed = facts.assumed();
  return machine;
}

} // namespace forewarp::gpu

#include "gpu/resolve/parts.h"
#include "gpu/schema/schema.h"

#include <fmt/format.h>
#include <map>

namespace forewarp::gpu {
namespace {

using facts::OpClass;

/// Lanes of one instance of a unit.
struct UnitFacts {
  double lanes = 0;
};

/// Units in the order of their names: the same file gives the same machine.
Result<std::map<std::string, UnitFacts>> resolve_units(FactReader& facts, const GpuFile& file,
                                                       Machine& machine) {
  std::map<std::string, UnitFacts> units;
  for (const auto& [key, value] : file.values) {
    if (!key.starts_with("unit.") || !key.ends_with(".scope"))
      continue;
    const std::string name = key.substr(5, key.size() - 11);
    const std::string scope = facts.text(key).value_or("");
    if (scope != "scheduler" && scope != "sm")
      return fail(ErrorCode::bad_input, fmt::format("scope of unit '{}' is '{}'", name, scope), file.path,
                  "one of 'scheduler' and 'sm'");
    machine.units.push_back({name, scope == "scheduler"});
    units[name].lanes = facts.or_none(fmt::format("unit.{}.lanes", name), 0);
  }
  return units;
}

double instances(const Machine& machine, int unit) {
  return machine.units[static_cast<std::size_t>(unit)].per_scheduler ? machine.schedulers_per_sm : 1;
}

/// Index of the unit that `key` names; -1 where the key is not there or says "none".
Result<int> unit_of(FactReader& facts, const GpuFile& file, const Machine& machine, const std::string& key) {
  const auto name = facts.text(key);
  if (!name || *name == "none")
    return -1;
  const int index = machine.unit_index(*name);
  if (index < 0)
    return fail(ErrorCode::bad_input,
                fmt::format("'{}' names the unit '{}', which the file does not describe", key, *name),
                file.path, fmt::format("add unit.{}.scope and unit.{}.lanes", *name, *name));
  return index;
}

/// Cycles per warp instruction and SM. A value set's word counts before the main values'.
std::optional<double> cycles_per_sm(FactReader& facts, const Machine& machine, OpClass op) {
  const std::string issue = op_key("issue_cycles.", op), throughput = op_key("throughput.", op);
  const bool prefer_throughput =
      facts.overlaid(throughput) || !facts.has(issue) || (facts.has(throughput) && !facts.overlaid(issue));
  if (prefer_throughput)
    if (const auto results = facts.optional(throughput))
      return machine.warp_width / *results;
  return facts.optional(issue);
}

/// Load-to-use latency of memory operations, where nothing is known of the hit level.
double default_latency(const Machine& machine, OpClass op) {
  const MemoryTiming& memory = machine.memory;
  switch (op) {
  case OpClass::load_global:
    return memory.l1_caches_global ? memory.l1_latency_cycles : memory.l2_latency_cycles;
  case OpClass::atomic_global:
    return memory.atomic_global_latency_cycles > 0 ? memory.atomic_global_latency_cycles
                                                   : memory.l2_latency_cycles;
  case OpClass::load_shared:
  case OpClass::atomic_shared:
    return memory.shared_latency_cycles;
  case OpClass::load_local:
    return memory.l1_latency_cycles;
  case OpClass::load_constant:
  case OpClass::scalar_load:
    return memory.constant_latency_cycles;
  case OpClass::load_texture:
    return memory.texture_latency_cycles;
  case OpClass::barrier:
    return machine.fixed.barrier_latency_cycles;
  default:
    return -1;
  }
}

Result<void> resolve_operation(FactReader& facts, const GpuFile& file,
                               const std::map<std::string, UnitFacts>& units, OpClass op, Machine& machine) {
  OpTiming& timing = machine.ops[static_cast<std::size_t>(op)];
  auto unit = unit_of(facts, file, machine, op_key("op_unit.", op));
  FOREWARP_TRY(unit);
  if (*unit < 0)
    return fail(ErrorCode::bad_input, fmt::format("the GPU file lacks {}", op_key("op_unit.", op)), file.path,
                "extend a family file (data/gpus/family-*.toml): it says which unit runs which operation");
  auto second = unit_of(facts, file, machine, op_key("op_second_unit.", op));
  FOREWARP_TRY(second);
  timing.unit = *unit;
  timing.second_unit = *second;
  const double pipes = instances(machine, *unit) + (*second >= 0 ? instances(machine, *second) : 0);
  if (const auto cycles = cycles_per_sm(facts, machine, op)) {
    timing.issue_cycles = *cycles * pipes;
  } else {
    const double lanes = units.at(machine.units[static_cast<std::size_t>(*unit)].name).lanes;
    if (!(lanes > 0))
      return fail(ErrorCode::bad_input,
                  fmt::format("neither {} nor the lanes of its unit are given", op_key("throughput.", op)),
                  file.path, "give the one or the other");
    timing.issue_cycles = machine.warp_width / lanes;
  }
  const double fallback = default_latency(machine, op);
  if (const auto latency = facts.optional(op_key("latency.", op)))
    timing.latency_cycles = *latency;
  else if (fallback >= 0)
    timing.latency_cycles = fallback;
  else if (is_memory(op)) // stores: nobody waits for them
    timing.latency_cycles = timing.issue_cycles;
  else
    timing.latency_cycles = facts.or_assume(op_key("latency.", op), *facts.optional("latency.fp32_add"));
  timing.instructions = static_cast<unsigned>(facts.or_none(op_key("instructions.", op), 1));
  timing.issue_cycles /= timing.instructions;
  timing.latency_cycles /= timing.instructions;
  return {};
}

} // namespace

Result<void> resolve_operations(FactReader& facts, const GpuFile& file, Machine& machine) {
  auto units = resolve_units(facts, file, machine);
  FOREWARP_TRY(units);
  if (!facts.has("latency.fp32_add"))
    return fail(ErrorCode::bad_input, "the GPU file lacks latency.fp32_add", file.path,
                "give the latency of a dependent fp32 addition");
  for (int op = 0; op < facts::op_class_count; ++op)
    FOREWARP_TRY(resolve_operation(facts, file, *units, static_cast<OpClass>(op), machine));
  MemoryTiming& memory = machine.memory;
  memory.lsu_cycles_per_sub_word = facts.or_none("lsu_cycles_per_sub_word", 0);
  memory.lsu_cycles_per_transaction = facts.or_none("lsu_cycles_per_transaction", 1);
  return {};
}

} // namespace forewarp::gpu

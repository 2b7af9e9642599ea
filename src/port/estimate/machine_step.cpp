#include "port/estimate/machine_step.h"

#include "codegen/markers/expansions.h"
#include "codegen/nvidia/registers/registers.h"
#include "codegen/nvidia/registers/schedule.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace forewarp::port {
namespace {

using facts::OpClass;
using facts::RegionInstruction;
using facts::RegionOp;
using facts::RegionRole;

class Step {
public:
  Step(const facts::RegionTrace& trace, const std::vector<facts::MemorySite>& sites,
       const gpu::Machine& machine)
      : trace_(trace), is_address_(trace.value_count, false), sizes_(trace.value_count, 1) {
    program_.kernel = trace.name;
    program_.target = machine.target;
    program_.warp_width = machine.warp_width;
    program_.sites = sites;
    program_.files = trace.files;
    program_.value_count = trace.value_count;
    for (const RegionInstruction& instruction : trace.instructions)
      if (instruction.value != facts::no_region_index) {
        is_address_[instruction.value] = instruction.op == RegionOp::address;
        if (instruction.op == RegionOp::address ||
            (instruction.bits > 32 && instruction.role == RegionRole::compute))
          sizes_[instruction.value] = 2;
      }
  }

  facts::MachineProgram run(const gpu::Machine& machine) {
    find_aliases();
    for (const facts::RegionBlock& block : trace_.blocks) {
      facts::MachineBlock& out = program_.blocks.emplace_back();
      block_ = &out;
      out.memory_sites = block.site_count;
      for (const facts::RegionPhi& phi : block.phis)
        out.phis.push_back({phi.previous_block, phi.destination,
                            phi.source == facts::no_region_index ? facts::no_value : resolved(phi.source)});
      for (std::uint32_t i = 0; i < block.instruction_count; ++i)
        select(trace_.instructions[block.first_instruction + i]);
    }
    sizes_.resize(program_.value_count, 1);
    place(machine);
    return std::move(program_);
  }

private:
  bool is_alias(const RegionInstruction& from) const {
    return from.op == RegionOp::convert ? from.role != RegionRole::compute
                                        : from.op == RegionOp::address && is_folded(from);
  }
  /// Values that are their operand's: no operation makes them.
  void find_aliases() {
    alias_.assign(trace_.value_count, self);
    for (const RegionInstruction& from : trace_.instructions)
      if (from.value != facts::no_region_index && is_alias(from))
        alias_[from.value] = from.operands[0] == facts::no_region_index ? facts::no_value : from.operands[0];
  }
  std::uint32_t resolved(std::uint32_t value) const {
    for (unsigned steps = 0; value < alias_.size() && alias_[value] != self && steps < 64; ++steps)
      value = alias_[value];
    return value;
  }

  /// An address of an address: base and index are the other's, the rest is a constant in the access.
  bool is_folded(const RegionInstruction& instruction) const {
    bool from_address = false;
    for (const std::uint32_t operand : instruction.operands)
      if (operand != facts::no_region_index) {
        if (operand >= is_address_.size() || !is_address_[operand])
          return false;
        from_address = true;
      }
    return from_address;
  }

  void emit(OpClass op, const RegionInstruction& from, std::uint32_t destination, std::uint32_t chained) {
    facts::MachineOp out;
    out.op = op;
    out.location = from.location;
    const auto add = [&](std::uint32_t source) {
      const std::uint32_t value = source == facts::no_region_index ? facts::no_value : resolved(source);
      if (value != facts::no_value && out.source_count < out.sources.size())
        out.sources[out.source_count++] = value;
    };
    if (chained != facts::no_value)
      add(chained);
    else
      std::for_each(from.operands.begin(), from.operands.end(), add);
    out.destination = destination;
    if (facts::is_memory(op)) {
      out.site = from.site;
      out.width_bytes = static_cast<std::uint16_t>(trace_.sites[from.site].width_bytes);
    }
    block_->ops.push_back(out);
  }
  /// Every operation reads the one before; the last one makes the value.
  void emit_chain(const std::vector<OpClass>& ops, const RegionInstruction& from) {
    std::uint32_t before = facts::no_value;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const bool last = i + 1 == ops.size();
      const std::uint32_t value = last ? (from.value == facts::no_region_index ? facts::no_value : from.value)
                                       : program_.value_count++;
      emit(ops[i], from, value, before);
      before = value;
    }
  }

  void emit_function(std::string_view function, std::string_view type, OpClass otherwise,
                     const RegionInstruction& from) {
    const std::vector<OpClass> ops = codegen::expansion(function, type);
    emit_chain(ops.empty() ? std::vector<OpClass>{otherwise} : ops, from);
  }

  void select(const RegionInstruction& from);

  /// Registers, then loads early within them, as predict's machine step does.
  void place(const gpu::Machine& machine) {
    codegen::Flow flow;
    std::vector<std::set<std::uint32_t>> next(trace_.blocks.size());
    for (const facts::RegionThread& thread : trace_.threads)
      for (std::uint64_t s = 1; s < thread.step_count; ++s)
        next[trace_.steps[thread.first_step + s - 1]].insert(trace_.steps[thread.first_step + s]);
    for (const auto& successors : next)
      flow.successors.emplace_back(successors.begin(), successors.end());
    ir::KernelSignature kernel;
    kernel.name = trace_.name;
    const unsigned threads = static_cast<unsigned>(
        std::min<std::uint64_t>(1024, trace_.block[0] * trace_.block[1] * trace_.block[2]));
    const unsigned cap = codegen::register_cap(machine, kernel, threads);
    const codegen::Liveness live = codegen::liveness(program_, flow);
    const codegen::RegisterEstimate estimate = codegen::estimate_registers(
        program_, codegen::order_of_least_pressure(program_, live, sizes_), live, sizes_, machine, cap);
    codegen::schedule(program_, live, sizes_, codegen::schedule_budget(machine, estimate, cap));
    program_.resources.registers_per_thread = estimate.registers;
  }

  static constexpr std::uint32_t self = facts::no_value - 1;

  const facts::RegionTrace& trace_;
  std::vector<bool> is_address_;
  std::vector<std::uint32_t> alias_; ///< value -> the value it is; self: its own
  std::vector<std::uint8_t> sizes_;
  facts::MachineProgram program_;
  facts::MachineBlock* block_ = nullptr;
};

void Step::select(const RegionInstruction& from) {
  const bool wide = from.bits > 32 && from.role == RegionRole::compute;
  const auto one = [&](OpClass op) { emit_chain({op}, from); };
  switch (from.op) {
  case RegionOp::fp32_add:
    return one(OpClass::fp32_add);
  case RegionOp::fp32_mul:
    return one(OpClass::fp32_mul);
  case RegionOp::fp32_fma:
    return one(OpClass::fp32_fma);
  case RegionOp::fp32_div:
    return emit_function("div", "f32", OpClass::sfu, from);
  case RegionOp::fp32_sqrt:
    return emit_function("sqrt", "f32", OpClass::sfu, from);
  case RegionOp::fp32_special:
    return emit_function("exp", "f32", OpClass::sfu, from);
  case RegionOp::fp32_compare:
    return one(OpClass::fp32_minmax_cmp);
  case RegionOp::fp64_add:
    return one(OpClass::fp64_add);
  case RegionOp::fp64_mul:
    return one(OpClass::fp64_mul);
  case RegionOp::fp64_fma:
    return one(OpClass::fp64_fma);
  case RegionOp::fp64_div:
    return emit_function("div", "f64", OpClass::fp64_fma, from);
  case RegionOp::fp64_sqrt:
    return emit_function("sqrt", "f64", OpClass::fp64_fma, from);
  case RegionOp::fp64_special:
    return emit_function("exp", "f64", OpClass::fp64_fma, from);
  case RegionOp::fp64_compare:
    return one(OpClass::fp64_minmax_cmp);
  case RegionOp::int_add:
    return emit_chain(std::vector<OpClass>(wide ? 2 : 1, OpClass::int_add), from);
  case RegionOp::int_mul:
    return emit_chain(std::vector<OpClass>(wide ? 3 : 1, wide ? OpClass::int_mul_wide : OpClass::int_mul),
                      from);
  case RegionOp::int_div:
    return emit_function("div", wide ? "i64" : "i32", OpClass::int_mul_hi, from);
  case RegionOp::int_logic:
    return emit_chain(std::vector<OpClass>(wide ? 2 : 1, OpClass::int_logic), from);
  case RegionOp::int_shift:
    return emit_chain(std::vector<OpClass>(wide ? 2 : 1, OpClass::int_shift), from);
  case RegionOp::int_compare:
  case RegionOp::select:
    return emit_chain(std::vector<OpClass>(wide ? 2 : 1, OpClass::int_minmax_cmp), from);
  case RegionOp::convert:
    return is_alias(from) ? void() : one(wide ? OpClass::cvt_64 : OpClass::cvt_32);
  case RegionOp::address:
    return is_alias(from) ? void() : one(OpClass::int_mul_wide);
  case RegionOp::load:
    return one(OpClass::load_global);
  case RegionOp::store:
    return one(OpClass::store_global);
  case RegionOp::branch:
    return one(OpClass::branch);
  case RegionOp::call:
  case RegionOp::other:
    return one(OpClass::move);
  }
}

} // namespace

facts::MachineProgram machine_step(const facts::RegionTrace& trace,
                                   const std::vector<facts::MemorySite>& sites, const gpu::Machine& machine) {
  return Step(trace, sites, machine).run(machine);
}

std::vector<Table2Count> table2_counts(const facts::RegionTrace& trace) {
  std::vector<Table2Count> counts(trace.blocks.size());
  for (const RegionInstruction& from : trace.instructions) {
    Table2Count& count = counts[from.block];
    if (from.op == RegionOp::load || from.op == RegionOp::store)
      ++count.memory;
    else if (from.op == RegionOp::convert && from.role == RegionRole::address_only)
      continue;
    else if (from.role == RegionRole::loop_control && from.op == RegionOp::int_compare)
      continue; // a loop is one add and one branch
    else
      ++count.compute;
  }
  return counts;
}

std::vector<Table2Count> machine_counts(const facts::MachineProgram& program) {
  std::vector<Table2Count> counts;
  for (const facts::MachineBlock& block : program.blocks) {
    Table2Count& count = counts.emplace_back();
    for (const facts::MachineOp& op : block.ops)
      if (facts::is_memory(op.op))
        ++count.memory;
      else
        ++count.compute;
  }
  return counts;
}

} // namespace forewarp::port

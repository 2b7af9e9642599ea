#include "port/estimate/parameters.h"

#include "gpu/dram_rates.h"

#include "port/access/classes.h"

#include <algorithm>
#include <optional>

namespace forewarp::port {
namespace {

std::optional<double> number(const std::map<std::string, gpu::Value>& values, const std::string& key) {
  const auto found = values.find(key);
  if (found == values.end())
    return std::nullopt;
  const double* value = std::get_if<double>(&found->second.value);
  return value ? std::optional<double>(*value) : std::nullopt;
}

class Reader {
public:
  Reader(const gpu::GpuFile& file, const std::string& value_set, std::vector<std::string>& derived)
      : file_(file), set_(file.value_sets.find(value_set)), derived_(derived) {}

  double get(const std::string& key, double otherwise) {
    if (set_ != file_.value_sets.end())
      if (const auto value = number(set_->second, key))
        return *value;
    if (const auto value = number(file_.values, key))
      return *value;
    derived_.push_back(key);
    return otherwise;
  }

private:
  const gpu::GpuFile& file_;
  std::map<std::string, std::map<std::string, gpu::Value>>::const_iterator set_;
  std::vector<std::string>& derived_;
};

double dram_bytes_per_cycle_per_sm(const gpu::Machine& machine) {
  return gpu::bytes_per_cycle(machine, machine.memory.dram_read_gbps) / machine.sm_count;
}

} // namespace

CgParameters cg_parameters(const gpu::GpuFile& file, const std::string& value_set,
                           const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  CgParameters out;
  Reader reader(file, value_set, out.derived);
  out.l2 = {memory.l2.size_bytes, std::max(1U, memory.l2.line_bytes), std::max(1U, memory.l2.ways)};
  const double line = out.l2.line_bytes;
  const double l2_rate =
      std::min(memory.l2_bytes_per_cycle_per_sm, memory.l2_bytes_per_cycle / machine.sm_count);
  out.inst_cycle = reader.get("inst_cycle", 1 / (machine.schedulers_per_sm * machine.issue_per_scheduler));
  out.mem_ld_l2 = memory.l2_latency_cycles;
  out.mem_ld_dram =
      reader.get("dram_extra_latency", std::max(0.0, memory.dram_latency_cycles - memory.l2_latency_cycles));
  out.mem_ld_smem = memory.shared_latency_cycles;
  out.dd_l2 = reader.get("departure_delay_l2", line / l2_rate);
  out.dd_dram = reader.get("departure_delay_dram", line / dram_bytes_per_cycle_per_sm(machine));
  out.smem_load_const = reader.get("smem_load_const", out.mem_ld_l2 + out.mem_ld_dram + out.dd_dram);
  const auto transactions = [&](AccessPattern pattern, const char* key, double otherwise) {
    out.l2_transactions[static_cast<std::size_t>(pattern)] = reader.get(key, otherwise);
  };
  transactions(AccessPattern::uncoalesced, "l2_transactions_uncoalesced", machine.warp_width);
  transactions(AccessPattern::coalesced, "l2_transactions_coalesced",
               std::max(1.0, machine.warp_width * 4 / line));
  transactions(AccessPattern::constant, "l2_transactions_constant", 1);
  return out;
}

} // namespace forewarp::port

#include "program/devices.h"

#include <fmt/format.h>

namespace forewarp::program {
namespace {

double value_or(const gpu::GpuFile& file, const char* key, double otherwise) {
  const auto found = file.values.find(key);
  if (found == file.values.end())
    return otherwise;
  const auto* number = std::get_if<double>(&found->second.value);
  return number ? *number : otherwise;
}

} // namespace

Result<Device> make_device(const gpu::GpuChoice& choice, const std::string& value_set) {
  auto machine = gpu::resolve(choice.file, value_set);
  FOREWARP_TRY(machine);
  Device device{choice, *std::move(machine)};
  const gpu::FixedCosts& fixed = device.machine.fixed;
  device.launch_delay_ns = fixed.launch_overhead_us * 1e3;
  device.copy_delay_ns = device.launch_delay_ns;
  device.launch_call_ns = value_or(choice.file, "launch_queued_us", 0) * 1e3;
  device.to_device_gbps = fixed.pcie_h2d_gbps;
  device.from_device_gbps = fixed.pcie_d2h_gbps;
  const gpu::MemoryTiming& memory = device.machine.memory;
  device.on_device_gbps = memory.dram_copy_gbps > 0 ? memory.dram_copy_gbps : memory.dram_peak_gbps;
  if (device.launch_call_ns <= 0)
    device.assumed.push_back(
        "its file has no launch_queued_us: the host's calls that launch kernels are taken to cost nothing");
  if (device.to_device_gbps <= 0)
    device.assumed.push_back("its file has no pcie_h2d_pinned_gbps: copies over the host link take no time");
  return device;
}

nlohmann::json device_words(const Device& device) {
  const gpu::Machine& machine = device.machine;
  nlohmann::json facts = {
      {"name", machine.name},
      {"vendor", machine.vendor == "nvidia" ? "NVIDIA Corporation" : "Advanced Micro Devices, Inc."},
      {"compute_units", machine.sm_count},
      {"clock_mhz", machine.sm_clock_boost_mhz > 0 ? machine.sm_clock_boost_mhz : machine.sm_clock_mhz},
      {"compute_capability", machine.compute_capability},
      {"max_group_size", machine.limits.max_threads_per_group},
      {"registers_per_sm", machine.limits.registers_per_sm},
      {"local_bytes", machine.limits.shared_per_group_default_bytes},
      {"memory_bytes", value_or(device.choice.file, "dram_size_gb", 4) * (1ULL << 30)},
      {"l2_bytes", machine.memory.l2.size_bytes},
      {"line_bytes", machine.memory.l2.line_bytes},
      {"warp_width", machine.warp_width},
      {"most_local_bytes", machine.limits.shared_per_group_max_bytes},
      {"local_bytes_per_unit", machine.limits.shared_per_sm_bytes},
      {"threads_per_unit", machine.limits.max_threads_per_sm},
      {"groups_per_unit", machine.limits.max_groups_per_sm},
      {"memory_bus_bits", value_or(device.choice.file, "dram_bus_bits", 0)}};
  return {{"device", facts},
          {"launch_delay_ns", static_cast<std::int64_t>(device.launch_delay_ns)},
          {"launch_call_ns", static_cast<std::int64_t>(device.launch_call_ns)},
          {"copy_delay_ns", static_cast<std::int64_t>(device.copy_delay_ns)},
          {"to_device_gbps", device.to_device_gbps},
          {"from_device_gbps", device.from_device_gbps},
          {"on_device_gbps", device.on_device_gbps}};
}

} // namespace forewarp::program

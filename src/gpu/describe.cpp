#include "gpu/describe.h"

#include "gpu/machine.h"
#include "gpu/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

namespace forewarp::gpu {
namespace {

/// Place of a key in the schema; keys of one family stay together, free keys come last.
std::size_t order_of(const std::string& key) {
  const auto& rules = key_rules();
  const auto rule = rule_of(key);
  if (!rule)
    return rules.size();
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].key == rule->key)
      return i;
  return rules.size();
}

void add_rows(const std::map<std::string, Value>& values, const std::string& set,
              std::vector<ValueRow>& rows) {
  const std::size_t first = rows.size();
  for (const auto& [key, value] : values) {
    const auto rule = rule_of(key);
    rows.push_back({key, value_text(value), value.unit, std::string(to_string(value.source)), value.ref,
                    value.inherited_from, rule ? std::string(rule->meaning) : std::string(), set});
  }
  std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                   [](const ValueRow& a, const ValueRow& b) { return order_of(a.key) < order_of(b.key); });
}

void add_warnings(const Machine& machine, std::vector<std::string>& warnings) {
  const MemoryTiming& memory = machine.memory;
  const auto above_peak = [&](const char* what, double gbps) {
    if (gbps > memory.dram_peak_gbps)
      warnings.push_back(fmt::format("{} bandwidth {} GB/s is above the peak of {} GB/s", what, gbps,
                                     memory.dram_peak_gbps));
  };
  above_peak("read", memory.dram_read_gbps);
  above_peak("write", memory.dram_write_gbps);
  above_peak("copy", memory.dram_copy_gbps);
  if (machine.sm_clock_mhz > 1.25 * machine.sm_clock_boost_mhz)
    warnings.push_back(fmt::format("sm_clock_mhz {} is far above the boost clock {}", machine.sm_clock_mhz,
                                   machine.sm_clock_boost_mhz));
  if (memory.l2.present && memory.l2_latency_cycles >= memory.dram_latency_cycles)
    warnings.push_back(fmt::format("L2 latency {} is not below DRAM latency {}", memory.l2_latency_cycles,
                                   memory.dram_latency_cycles));
}

} // namespace

std::string value_text(const Value& value) {
  if (const double* real = std::get_if<double>(&value.value))
    return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value.value))
    return *text;
  return fmt::format("{}", fmt::join(std::get<std::vector<double>>(value.value), " "));
}

GpuSummary summarise(const GpuFile& file) {
  GpuSummary summary;
  summary.name = file.name;
  summary.vendor = file.vendor;
  summary.generation = file.generation;
  summary.target = file.target;
  summary.short_names = file.default_for;
  summary.short_names.insert(summary.short_names.end(), file.aliases.begin(), file.aliases.end());
  for (const auto& [name, set] : file.value_sets)
    summary.value_sets.push_back(name);
  summary.values = file.values.size();
  summary.path = file.path;
  if (const auto machine = resolve(file)) {
    summary.sm_count = machine->sm_count;
    summary.sm_clock_mhz = machine->sm_clock_mhz;
    summary.fp32_peak_gflops = machine->fp32_peak_gflops;
    summary.dram_peak_gbps = machine->memory.dram_peak_gbps;
    summary.dram_read_gbps = machine->memory.dram_read_gbps;
    summary.l2_size_bytes = static_cast<double>(machine->memory.l2.size_bytes);
    summary.assumed = machine->assumed.size();
  }
  return summary;
}

std::vector<GpuSummary> list(const Catalogue& catalogue) {
  using Key = std::tuple<std::string, double, std::string, std::string>;
  std::vector<std::pair<Key, GpuSummary>> rows;
  for (const GpuFile& file : catalogue.files()) {
    const auto it = file.values.find("compute_capability");
    const double* age = it == file.values.end() ? nullptr : std::get_if<double>(&it->second.value);
    rows.push_back(
        {Key{file.vendor == "nvidia" ? "" : file.vendor, age ? *age : 0, file.generation, file.name},
         summarise(file)});
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<GpuSummary> sorted;
  for (auto& [key, summary] : rows)
    sorted.push_back(std::move(summary));
  return sorted;
}

std::vector<ValueRow> describe(const GpuFile& file) {
  std::vector<ValueRow> rows;
  add_rows(file.values, "", rows);
  for (const auto& [name, set] : file.value_sets)
    add_rows(set, name, rows);
  return rows;
}

std::vector<DiffRow> diff(const GpuFile& left, const GpuFile& right) {
  std::map<std::string, DiffRow> rows;
  for (const auto& [key, value] : left.values)
    rows[key] = {key, value.unit, value_text(value), {}};
  for (const auto& [key, value] : right.values) {
    DiffRow& row = rows[key];
    row.key = key;
    row.unit = value.unit;
    row.right = value_text(value);
  }
  std::vector<DiffRow> different;
  for (auto& [key, row] : rows)
    if (row.left != row.right)
      different.push_back(std::move(row));
  std::stable_sort(different.begin(), different.end(),
                   [](const DiffRow& a, const DiffRow& b) { return order_of(a.key) < order_of(b.key); });
  return different;
}

Result<CheckReport> check(const GpuFile& file) {
  auto machine = resolve(file);
  FOREWARP_TRY(machine);
  for (const auto& [name, set] : file.value_sets)
    FOREWARP_TRY(resolve(file, name));
  CheckReport report;
  report.summary = summarise(file);
  report.assumed = machine->assumed;
  add_warnings(*machine, report.warnings);
  return report;
}

} // namespace forewarp::gpu

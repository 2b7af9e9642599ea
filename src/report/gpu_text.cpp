#include "report/gpu_text.h"

#include "report/numbers.h"
#include "report/table.h"

#include <fmt/format.h>

namespace forewarp::report {
namespace {

std::string or_dash(double value, const std::string& text) {
  return value > 0 ? text : "-";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string origin(const gpu::ValueRow& row) {
  return row.inherited_from.empty() ? row.ref : fmt::format("{} (from {})", row.ref, row.inherited_from);
}

Table value_table(const std::vector<gpu::ValueRow>& rows, const std::string& value_set) {
  Table table({{"key", Align::left},
               {"value"},
               {"unit", Align::left},
               {"source", Align::left},
               {"reference", Align::left}});
  for (const gpu::ValueRow& row : rows)
    if (row.value_set == value_set)
      table.add_row({row.key, row.value, row.unit, row.source, origin(row)});
  return table;
}

} // namespace

std::string gpu_list_text(const std::vector<gpu::GpuSummary>& gpus) {
  Table table({{"GPU", Align::left},
               {"target", Align::left},
               {"SMs"},
               {"clock MHz"},
               {"fp32 GFLOP/s"},
               {"DRAM GB/s"},
               {"L2"},
               {"assumed"},
               {"also called", Align::left}});
  for (const gpu::GpuSummary& gpu : gpus)
    table.add_row({gpu.name, gpu.target, or_dash(gpu.sm_count, number(gpu.sm_count)),
                   or_dash(gpu.sm_clock_mhz, number(gpu.sm_clock_mhz)),
                   or_dash(gpu.fp32_peak_gflops, number(gpu.fp32_peak_gflops)),
                   or_dash(gpu.dram_peak_gbps, number(gpu.dram_peak_gbps)),
                   or_dash(gpu.l2_size_bytes, bytes(gpu.l2_size_bytes)), std::to_string(gpu.assumed),
                   joined(gpu.short_names)});
  return table.to_string(0);
}

std::string gpu_file_text(const gpu::GpuFile& file, const std::string& note) {
  const gpu::GpuSummary summary = gpu::summarise(file);
  std::string text = note.empty() ? "" : note + "\n";
  text += fmt::format("{}\n  vendor {}, generation {}, target {}\n", summary.name, summary.vendor,
                      summary.generation, summary.target);
  if (!summary.short_names.empty())
    text += fmt::format("  also called {}\n", joined(summary.short_names));
  text += fmt::format("  {} values; a prediction assumes {}\n\n", summary.values, summary.assumed);
  const auto rows = gpu::describe(file);
  text += value_table(rows, "").to_string(0);
  for (const std::string& set : summary.value_sets)
    text +=
        fmt::format("\nvalue set '{}' (--value-set {})\n{}", set, set, value_table(rows, set).to_string(0));
  return text;
}

std::string gpu_diff_text(const std::string& left, const std::string& right,
                          const std::vector<gpu::DiffRow>& rows) {
  if (rows.empty())
    return fmt::format("{} and {} have the same values\n", left, right);
  Table table({{"key", Align::left}, {left}, {right}, {"unit", Align::left}});
  for (const gpu::DiffRow& row : rows)
    table.add_row(
        {row.key, row.left.empty() ? "-" : row.left, row.right.empty() ? "-" : row.right, row.unit});
  return table.to_string(0);
}

std::string gpu_check_text(const std::string& path, const gpu::CheckReport& check) {
  std::string text = fmt::format("{}: good: {}, {} values, {} assumed\n", path, check.summary.name,
                                 check.summary.values, check.assumed.size());
  for (const std::string& warning : check.warnings)
    text += fmt::format("  warning: {}\n", warning);
  if (!check.assumed.empty())
    text += fmt::format("  assumed: {}\n", joined(check.assumed));
  return text;
}

} // namespace forewarp::report

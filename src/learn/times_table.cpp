#include "learn/times_table.h"

#include <fmt/format.h>
#include <map>

namespace forewarp::learn {
namespace {

int column_of(const TextTable& table, const std::string& name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i] == name)
      return static_cast<int>(i);
  return -1;
}

Result<std::size_t> need(const TextTable& table, const std::string& name) {
  const int column = column_of(table, name);
  if (column < 0)
    return fail(ErrorCode::bad_input, fmt::format("column missing: {}", name), table.source);
  return static_cast<std::size_t>(column);
}

Result<std::size_t> column_of_gpu(const TextTable& times, const std::string& gpu,
                                  const std::function<std::string(const std::string&)>& gpu_name) {
  for (std::size_t i = 0; i < times.columns.size(); ++i)
    if (times.columns[i] == gpu || gpu_name(times.columns[i]) == gpu)
      return i;
  return fail(ErrorCode::bad_input, fmt::format("no column of times for {}", gpu), times.source,
              "a GPU's column has its name in the catalogue: forewarp gpus");
}

/// Where the joined values go; columns that the rows lack are added.
std::size_t place(TextTable& table, const std::string& name) {
  if (const int column = column_of(table, name); column >= 0)
    return static_cast<std::size_t>(column);
  table.columns.push_back(name);
  for (auto& row : table.rows)
    row.emplace_back();
  return table.columns.size() - 1;
}

} // namespace

Result<TextTable> join_times(const TextTable& rows, const TextTable& times, const std::string& gpu,
                             const std::string& cpu,
                             const std::function<std::string(const std::string&)>& gpu_name) {
  if (gpu.empty())
    return fail(ErrorCode::bad_input, "no GPU was named, and the times are of several", times.source,
                "--gpu NAME");
  const auto region = need(rows, "region");
  FOREWARP_TRY(region);
  const auto times_region = need(times, "region");
  FOREWARP_TRY(times_region);
  const auto provenance = need(times, "provenance");
  FOREWARP_TRY(provenance);
  const auto column = column_of_gpu(times, gpu, gpu_name);
  FOREWARP_TRY(column);
  std::map<std::string, const std::vector<std::string>*> by_region;
  for (const auto& row : times.rows)
    if (!by_region.emplace(row[*times_region], &row).second)
      return fail(ErrorCode::bad_input, fmt::format("region '{}' stands twice", row[*times_region]),
                  times.source);
  const int cpu_column = cpu.empty() ? -1 : column_of(times, cpu);
  TextTable joined = rows;
  const std::size_t to_gpu = place(joined, "gpu"), to_ms = place(joined, "gpu_ms"),
                    to_provenance = place(joined, "provenance"), to_cpu = place(joined, "cpu"),
                    to_cpu_ms = place(joined, "cpu_ms");
  std::vector<std::vector<std::string>> kept;
  for (auto& row : joined.rows) {
    if (row[to_ms].empty()) {
      const auto found = by_region.find(row[*region]);
      if (found == by_region.end() || (*found->second)[*column].empty())
        continue;
      row[to_gpu] = gpu;
      row[to_ms] = (*found->second)[*column];
      row[to_provenance] = (*found->second)[*provenance];
      if (cpu_column >= 0) {
        row[to_cpu] = cpu;
        row[to_cpu_ms] = (*found->second)[static_cast<std::size_t>(cpu_column)];
      }
    }
    kept.push_back(std::move(row));
  }
  joined.rows = std::move(kept);
  return joined;
}

} // namespace forewarp::learn

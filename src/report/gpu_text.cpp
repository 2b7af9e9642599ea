#include "report/gpu_text.h"

#include "report/table.h"

#include <fmt/format.h>
#include <set>

namespace forewarp::report {
namespace {

std::string names_of(const gpu::GpuFile& file) {
  std::vector<std::string> names = file.default_for;
  names.insert(names.end(), file.aliases.begin(), file.aliases.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string cell(const gpu::GpuFile& file, const std::string& key) {
  const auto found = file.values.find(key);
  return found == file.values.end() ? "-" : value_text(found->second);
}

std::size_t assumed_count(const gpu::GpuFile& file) {
  std::size_t count = 0;
  for (const auto& [key, value] : file.values)
    count += value.source == gpu::ValueSource::assumed ? 1 : 0;
  return count;
}

} // namespace

const char* source_name(gpu::ValueSource source) {
  switch (source) {
  case gpu::ValueSource::datasheet:
    return "datasheet";
  case gpu::ValueSource::whitepaper:
    return "whitepaper";
  case gpu::ValueSource::microbenchmark:
    return "microbenchmark";
  case gpu::ValueSource::paper:
    return "paper";
  case gpu::ValueSource::derived:
    return "derived";
  case gpu::ValueSource::proxy:
    return "proxy";
  case gpu::ValueSource::assumed:
    return "assumed";
  }
  return "assumed";
}

std::string value_text(const gpu::Value& value) {
  if (const auto* number = std::get_if<double>(&value.value))
    return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value.value))
    return *text;
  return fmt::format("[{}]", fmt::join(std::get<std::vector<double>>(value.value), ", "));
}

std::string gpu_list_text(const std::vector<gpu::GpuFile>& files) {
  Table table({{"GPU", Align::left},
               {"vendor", Align::left},
               {"generation", Align::left},
               {"target", Align::left},
               {"values"},
               {"assumed"},
               {"also called", Align::left}});
  for (const gpu::GpuFile& file : files)
    if (!file.abstract)
      table.add_row({file.name, file.vendor, file.generation, file.target, std::to_string(file.values.size()),
                     std::to_string(assumed_count(file)), names_of(file)});
  return table.to_string(0);
}

std::string gpu_file_text(const gpu::GpuFile& file) {
  Table table({{"key", Align::left},
               {"value"},
               {"unit", Align::left},
               {"source", Align::left},
               {"reference", Align::left}});
  for (const auto& [key, value] : file.values)
    table.add_row({key, value_text(value), value.unit, source_name(value.source), value.ref});
  std::string text = fmt::format("{}\n  vendor {}, generation {}, target {}\n", file.name, file.vendor,
                                 file.generation, file.target);
  if (const std::string names = names_of(file); !names.empty())
    text += fmt::format("  also called {}\n", names);
  if (!file.value_sets.empty()) {
    std::vector<std::string> sets;
    for (const auto& [name, values] : file.value_sets)
      sets.push_back(fmt::format("{} ({} values)", name, values.size()));
    text += fmt::format("  value sets: {}\n", fmt::join(sets, ", "));
  }
  text += fmt::format("  {} values, {} of them assumed\n\n", file.values.size(), assumed_count(file));
  return text + table.to_string();
}

std::string gpu_diff_text(const gpu::GpuFile& one, const gpu::GpuFile& other) {
  std::set<std::string> keys;
  for (const auto* file : {&one, &other})
    for (const auto& [key, value] : file->values)
      keys.insert(key);
  Table table({{"key", Align::left}, {one.name}, {other.name}});
  for (const std::string& key : keys)
    if (const std::string a = cell(one, key), b = cell(other, key); a != b)
      table.add_row({key, a, b});
  return table.empty() ? fmt::format("{} and {} have the same values\n", one.name, other.name)
                       : table.to_string(0);
}

} // namespace forewarp::report

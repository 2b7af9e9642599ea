#include "explore/space/read_tuner.h"

#include "support/text_file.h"
#include "validate/csv_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::explore {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30;
constexpr const char* kinds = "taken are Kernel Tuner's cache, T4 results and KTT's CSV";

/// Defines have no booleans.
Value value_of(const Json& json) {
  if (json.is_boolean())
    return number_value(json.get<bool>() ? 1 : 0);
  if (json.is_number())
    return number_value(json.get<double>());
  return {json.is_string() ? json.get<std::string>() : json.dump()};
}

Result<void> add_row(Table& table, const Json& configuration, const std::string& path) {
  std::vector<Value> row;
  for (const std::string& name : table.names) {
    if (!configuration.contains(name))
      return fail(ErrorCode::bad_input, fmt::format("a configuration has no '{}'", name), path, kinds);
    row.push_back(value_of(configuration[name]));
  }
  table.rows.push_back(std::move(row));
  return {};
}

Result<TunerFile> from_cache(const Json& json, const std::string& path) {
  TunerFile file;
  file.table.names = json["tune_params_keys"].get<std::vector<std::string>>();
  if (json.contains("kernel_name") && json["kernel_name"].is_string())
    file.kernel = json["kernel_name"];
  if (json.contains("problem_size")) {
    const Json& size = json["problem_size"];
    for (const Json& item : size.is_array() ? size : Json::array({size}))
      if (item.is_number())
        file.problem_size.push_back(item.get<std::uint64_t>());
  }
  for (const auto& [key, entry] : json["cache"].items())
    FOREWARP_TRY(add_row(file.table, entry, path));
  return file;
}

Result<TunerFile> from_t4(const Json& json, const std::string& path) {
  TunerFile file;
  for (const Json& result : json["results"]) {
    if (!result.contains("configuration"))
      return fail(ErrorCode::bad_input, "a result has no 'configuration'", path, kinds);
    const Json& configuration = result["configuration"];
    if (file.table.names.empty())
      for (const auto& [name, value] : configuration.items())
        file.table.names.push_back(name);
    FOREWARP_TRY(add_row(file.table, configuration, path));
  }
  return file;
}

/// Kernel Tuner leaves the last two braces out while it writes.
Json parse_closed(std::string text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded())
    return json;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.ends_with(','))
    text.pop_back();
  return Json::parse(text + "}}", nullptr, false);
}

Result<TunerFile> from_json(const std::string& text, const std::string& path) {
  const Json json = parse_closed(text);
  if (json.is_discarded())
    return fail(ErrorCode::bad_input, "the file is not JSON", path, kinds);
  try {
    if (json.contains("cache") && json.contains("tune_params_keys"))
      return from_cache(json, path);
    if (json.contains("results") && json["results"].is_array())
      return from_t4(json, path);
  } catch (const Json::exception& error) {
    return fail(ErrorCode::bad_input, fmt::format("not as it has to be: {}", error.what()), path, kinds);
  }
  return fail(ErrorCode::bad_input, "neither 'cache' with 'tune_params_keys' nor 'results'", path, kinds);
}

/// Columns of KTT's CSV that are no parameters, and performance counters ("dram__sectors_read.sum").
bool is_parameter(const std::string& column) {
  static const std::array<const char*, 12> others = {"Kernel name",
                                                     "Computation duration (us)",
                                                     "Computation duration (ns)",
                                                     "Global size",
                                                     "Local size",
                                                     "Maximum work-group size",
                                                     "Local memory size",
                                                     "Private memory size",
                                                     "Constant memory size",
                                                     "Registers count",
                                                     "Power",
                                                     "Energy"};
  return std::find(others.begin(), others.end(), column) == others.end() &&
         column.find("__") == std::string::npos;
}

Result<TunerFile> from_csv(const std::string& path) {
  const auto csv = validate::read_csv(path);
  FOREWARP_TRY(csv);
  const int kernel = csv->column("Kernel name");
  if (kernel < 0 || csv->column("Local size") < 0)
    return fail(ErrorCode::bad_input, "no columns 'Kernel name' and 'Local size'", path, kinds);
  TunerFile file;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < csv->columns.size(); ++c)
    if (is_parameter(csv->columns[c])) {
      columns.push_back(c);
      file.table.names.push_back(csv->columns[c]);
    }
  for (const auto& line : csv->rows) {
    std::vector<Value> row;
    for (const std::size_t c : columns) {
      const Json json = Json::parse(line[c], nullptr, false);
      row.push_back(json.is_number() ? value_of(json) : Value{line[c]});
    }
    file.table.rows.push_back(std::move(row));
    file.kernel = line[static_cast<std::size_t>(kernel)];
  }
  return file;
}

bool sets(const std::vector<std::string>& given, const std::string& name) {
  return std::any_of(given.begin(), given.end(), [&](const std::string& text) {
    return text.starts_with(name + "=") || text.starts_with(name + ".");
  });
}

} // namespace

Result<TunerFile> read_tuner_file(const std::string& path) {
  const auto text = read_text_file(path, "file of an auto-tuner", max_bytes);
  FOREWARP_TRY(text);
  const std::size_t first = text->find_first_not_of(" \t\r\n");
  auto file = first != std::string::npos && (*text)[first] == '{' ? from_json(*text, path) : from_csv(path);
  FOREWARP_TRY(file);
  if (file->table.rows.empty() || file->table.names.empty())
    return fail(ErrorCode::bad_input, "the file holds no configuration", path, kinds);
  return file;
}

std::vector<std::string> tuner_conventions(const TunerFile& file, const std::vector<std::string>& given) {
  std::vector<std::string> spaces;
  const auto has = [&](const std::string& name) {
    return std::find(file.table.names.begin(), file.table.names.end(), name) != file.table.names.end();
  };
  if (sets(given, "local") || sets(given, "block"))
    return spaces;
  constexpr std::array<char, 3> letters = {'x', 'y', 'z'};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::string block = fmt::format("block_size_{}", letters[i]);
    if (!has(block))
      continue;
    spaces.push_back(fmt::format("local.{}={}", letters[i], block));
    if (!sets(given, "grid") && !sets(given, "global") && i < file.problem_size.size())
      spaces.push_back(fmt::format("grid.{}=ceildiv({}, {})", letters[i], file.problem_size[i], block));
  }
  return spaces;
}

} // namespace forewarp::explore

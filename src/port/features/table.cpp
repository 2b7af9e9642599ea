#include "port/features/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace forewarp::port {
namespace {

/// RFC 4180.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::optional<double> value_of(const facts::FeatureRow& row, const std::string& name) {
  for (const facts::Feature& feature : row.features)
    if (feature.name == name)
      return feature.value;
  return {};
}

std::vector<std::string> columns_of(const std::vector<TableRow>& rows) {
  std::vector<std::string> names;
  for (const TableRow& row : rows)
    for (const facts::Feature& feature : row.features.features)
      if (std::find(names.begin(), names.end(), feature.name) == names.end())
        names.push_back(feature.name);
  return names;
}

} // namespace

std::string features_csv(const std::vector<TableRow>& rows, const std::string& cpu) {
  const std::vector<std::string> names = columns_of(rows);
  std::string text = "region,extractor,provenance,cpu,gpu,cpu_ms,gpu_ms";
  for (const std::string& name : names)
    text += "," + name;
  text += "\n";
  for (const TableRow& row : rows) {
    if (!row.problem.empty())
      continue;
    const bool timed = row.cpu_ms > 0;
    text += fmt::format("{},{},,{},,{},", cell(row.features.region), row.features.extractor,
                        timed ? cell(cpu) : "", timed ? fmt::format("{:.6g}", row.cpu_ms) : "");
    for (const std::string& name : names) {
      const auto value = value_of(row.features, name);
      text += value ? fmt::format(",{:.6g}", *value) : ",";
    }
    text += "\n";
  }
  return text;
}

std::string features_json(const std::vector<TableRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TableRow& row : rows) {
    nlohmann::ordered_json entry;
    entry["region"] = row.features.region;
    entry["extractor"] = row.features.extractor;
    entry["cpu_ms"] = row.cpu_ms > 0 ? nlohmann::ordered_json(row.cpu_ms) : nlohmann::ordered_json();
    entry["problem"] = row.problem;
    nlohmann::ordered_json features = nlohmann::ordered_json::object();
    for (const facts::Feature& feature : row.features.features)
      features[feature.name] = feature.value;
    entry["features"] = std::move(features);
    entry["assumed"] = row.features.assumed;
    entry["notes"] = row.notes;
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"rows", std::move(list)}}.dump(2) + "\n";
}

std::string features_text(const std::vector<TableRow>& rows) {
  constexpr std::size_t across = 4;
  std::string text;
  for (const TableRow& row : rows) {
    text += fmt::format("{}{}  {}\n", text.empty() ? "" : "\n", row.features.region, row.features.extractor);
    if (!row.problem.empty()) {
      text += "  no features: " + row.problem + "\n";
      continue;
    }
    for (std::size_t i = 0; i < row.features.features.size(); ++i) {
      const facts::Feature& feature = row.features.features[i];
      const bool last = i % across == across - 1 || i + 1 == row.features.features.size();
      const std::string pair = fmt::format("{:<20}{:.4g}", feature.name, feature.value);
      text += last ? "  " + pair + "\n" : fmt::format("  {:<30}", pair);
    }
    if (row.cpu_ms > 0)
      text += fmt::format("  CPU {:.4g} ms\n", row.cpu_ms);
    for (const std::string& words : row.features.assumed)
      text += "  assumed: " + words + "\n";
    for (const std::string& words : row.notes)
      text += "  note: " + words + "\n";
  }
  return text;
}

} // namespace forewarp::port

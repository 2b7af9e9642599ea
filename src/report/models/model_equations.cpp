// A model's equations in order with the numbers put in, and what each model takes into account.
#include "report/models/model_tables.h"
#include "report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::report {
namespace {

using Json = nlohmann::ordered_json;
constexpr int equations_schema_version = 1;

} // namespace

std::string equations_text(const std::vector<Equations>& answers) {
  std::string text;
  for (const Equations& answer : answers) {
    text += fmt::format("{}{} ({}): {} on {}\n\n", text.empty() ? "" : "\n", answer.model, answer.source,
                        answer.kernel, answer.gpu);
    Table table({{"equation", Align::left},
                 {"quantity", Align::left},
                 {"value"},
                 {"unit", Align::left},
                 {"from", Align::left}});
    for (const EquationLine& line : answer.lines)
      table.add_row({line.equation, line.symbol, fmt::format("{:.6g}", line.value), line.unit, line.formula});
    text += table.to_string();
  }
  return text;
}

std::string equations_json(const std::vector<Equations>& answers) {
  Json list = Json::array();
  for (const Equations& answer : answers) {
    Json lines = Json::array();
    for (const EquationLine& line : answer.lines)
      lines.push_back({{"equation", line.equation},
                       {"symbol", line.symbol},
                       {"value", line.value},
                       {"unit", line.unit},
                       {"formula", line.formula}});
    list.push_back({{"kernel", answer.kernel},
                    {"gpu", answer.gpu},
                    {"model", answer.model},
                    {"source", answer.source},
                    {"equations", lines}});
  }
  return Json{{"schema_version", equations_schema_version}, {"explanations", list}}.dump(2) + "\n";
}

std::string aspects_text(const AspectTable& table) {
  std::vector<Table::Column> columns = {{"model", Align::left}};
  for (const std::string& aspect : table.aspects)
    columns.push_back({aspect, Align::left});
  Table rows(columns);
  for (const AspectTable::Row& row : table.rows) {
    std::vector<std::string> cells = {row.model};
    for (const bool taken : row.taken)
      cells.emplace_back(taken ? "yes" : "-");
    rows.add_row(std::move(cells));
  }
  std::string text =
      "What each model takes into account (Lemeire et al., Table 7)\n\n" + rows.to_string() + "\n";
  for (const AspectTable::Row& row : table.rows)
    text += fmt::format("  {}: {}\n", row.model, row.source);
  return text;
}

std::string aspects_json(const AspectTable& table) {
  Json rows = Json::array();
  for (const AspectTable::Row& row : table.rows) {
    Json aspects = Json::object();
    for (std::size_t i = 0; i < table.aspects.size(); ++i)
      aspects[table.aspects[i]] = static_cast<bool>(row.taken[i]);
    rows.push_back({{"name", row.model}, {"source", row.source}, {"aspects", aspects}});
  }
  return Json{{"schema_version", equations_schema_version}, {"models", rows}}.dump(2) + "\n";
}

} // namespace forewarp::report

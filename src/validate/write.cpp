#include "validate/write.h"

#include "support/csv_field.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace forewarp::validate {
namespace {

/// "-" where there is no value.
std::string some(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}
template <typename T> nlohmann::json some_json(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json basis_json(const Basis& basis) {
  return {{"registers", basis.registers}, {"spilled_bytes", basis.spilled_bytes},
          {"occupancy", basis.occupancy}, {"amd_board", basis.amd_board},
          {"policies", basis.policies},   {"assumed", basis.assumed}};
}

nlohmann::json stages_json(const RowResult& row) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [stage, pair] : row.stages)
    json[stage] = {{"measured", pair.measured}, {"predicted", pair.predicted}};
  return json;
}

nlohmann::json standing_json(const std::optional<Standing>& standing) {
  return standing ? nlohmann::json(to_string(*standing)) : nlohmann::json();
}

/// Of a value that only rows of 20 us and more make.
std::optional<double> of_long_rows(const SpaceSummary& space, double value) {
  return space.long_rows > 0 ? std::optional(value) : std::nullopt;
}

std::string space_line(const SpaceSummary& space) {
  return fmt::format(
      "{:<32} {:<22} {:>5} {:>8.1f} {:>8.1f} {:>8.1f} {:>8} {:>7} {:>6} {:>6} {:>5} {:>6.0f}{}\n",
      space.kernel, space.gpu, space.rows, space.mape_percent, space.median_percent, space.bias_percent,
      some(of_long_rows(space, space.long_mape_percent), 1), some(space.shape_percent, 1), some(space.tau, 2),
      some(space.best_slowdown, 2), space.best_rank ? std::to_string(*space.best_rank) : "-",
      100 * space.covered_share, space.standing ? fmt::format("  {}", to_string(*space.standing)) : "");
}

nlohmann::json space_json(const SpaceSummary& space) {
  nlohmann::json json = {
      {"kernel", space.kernel},
      {"gpu", space.gpu},
      {"standing", standing_json(space.standing)},
      {"rows", space.rows},
      {"left_out", space.left_out},
      {"mape_percent", space.mape_percent},
      {"median_percent", space.median_percent},
      {"bias_percent", space.bias_percent},
      {"rows_of_20us_and_more", space.long_rows},
      {"mape_percent_of_20us_and_more", some_json(of_long_rows(space, space.long_mape_percent))},
      {"median_percent_of_20us_and_more", some_json(of_long_rows(space, space.long_median_percent))},
      {"mape_shape_percent", some_json(space.shape_percent)},
      {"kendall_tau", some_json(space.tau)},
      {"best_slowdown", some_json(space.best_slowdown)},
      {"best_rank", some_json(space.best_rank)},
      {"covered_share", space.covered_share}};
  for (const StageSummary& stage : space.stages)
    json["stages"][stage.stage] = {{"rows", stage.rows},
                                   {"median_error_percent", stage.median_error_percent},
                                   {"bias_percent", stage.bias_percent}};
  for (const MethodSummary& method : space.methods)
    json["methods"][method.method] = {{"rows", method.rows},
                                      {"mape_percent", method.mape_percent},
                                      {"median_percent", method.median_percent},
                                      {"bias_percent", method.bias_percent},
                                      {"mape_shape_percent", some_json(method.shape_percent)},
                                      {"kendall_tau", some_json(method.tau)},
                                      {"best_slowdown", some_json(method.best_slowdown)}};
  return json;
}

/// Stages and methods of some rows; `which` says of which.
std::string tables_text(const SpaceSummary& total, const std::string& which) {
  std::string text;
  if (!total.stages.empty())
    text += fmt::format("\n{:<38} {:>6} {:>15} {:>8}\n", "stage" + which, "rows", "median error %", "bias %");
  for (const StageSummary& stage : total.stages)
    text += fmt::format("{:<38} {:>6} {:>15.1f} {:>8.1f}\n", stage.stage, stage.rows,
                        stage.median_error_percent, stage.bias_percent);
  text += fmt::format("\n{:<22} {:>7} {:>8} {:>9} {:>8} {:>8} {:>6} {:>6}\n", "method" + which, "rows",
                      "MAPE %", "median %", "bias %", "shape %", "tau", "slow");
  for (const MethodSummary& method : total.methods)
    text += fmt::format("{:<22} {:>7} {:>8.1f} {:>9.1f} {:>8.1f} {:>8} {:>6} {:>6}\n", method.method,
                        method.rows, method.mape_percent, method.median_percent, method.bias_percent,
                        some(method.shape_percent, 1), some(method.tau, 2), some(method.best_slowdown, 2));
  return text;
}

/// Totals, stages and methods of the suite, and of each standing where its rows have several.
std::string total_text(const SuiteSummary& summary) {
  std::string text = space_line(summary.total.space);
  for (const auto& [standing, own] : summary.by_standing)
    text += space_line(own.space);
  const auto& within = summary.total.best_within_10_percent_share;
  text += within ? fmt::format("predicted best within 10 % of the true best: {:.0f} % of the spaces\n",
                               100 * *within)
                 : "no space has enough rows to be ranked\n";
  text += tables_text(summary.total.space, "");
  if (summary.by_standing.size() > 1)
    for (const auto& [standing, own] : summary.by_standing)
      text += tables_text(own.space, fmt::format(", {}", to_string(standing)));
  return text;
}

std::string left_out_text(const SuiteResult& result) {
  std::map<std::string, std::size_t> reasons;
  for (const LeftOutRow& row : result.left_out)
    ++reasons[row.reason];
  std::string text = reasons.empty() ? "" : fmt::format("\nleft out: {} rows\n", result.left_out.size());
  for (const auto& [reason, count] : reasons)
    text += fmt::format("  {} x {}\n", count, reason);
  return text;
}

} // namespace

std::string to_text(const SuiteResult& result, const SuiteSummary& summary) {
  std::string text = fmt::format("{}: {}\n\n", summary.name, summary.title);
  text += fmt::format("{:<32} {:<22} {:>5} {:>8} {:>8} {:>8} {:>8} {:>7} {:>6} {:>6} {:>5} {:>6}  {}\n",
                      "kernel", "GPU", "rows", "MAPE %", "median %", "bias %", ">=20us %", "shape %", "tau",
                      "slow", "rank", "cover", summary.by_standing.empty() ? "" : "  standing");
  for (const SpaceSummary& space : summary.spaces)
    text += space_line(space);
  text += result.rows.empty() ? "no row was predicted\n" : total_text(summary);
  return text + left_out_text(result);
}

nlohmann::json to_json(const SuiteResult& result, const SuiteSummary& summary) {
  nlohmann::json json = {
      {"schema_version", 1},
      {"suite", summary.name},
      {"total", space_json(summary.total.space)},
      {"best_within_10_percent_share", some_json(summary.total.best_within_10_percent_share)},
      {"by_standing", nlohmann::json::object()},
      {"used_by", nlohmann::json::array()},
      {"spaces", nlohmann::json::array()},
      {"rows", nlohmann::json::array()},
      {"left_out", nlohmann::json::array()}};
  for (const auto& [standing, total] : summary.by_standing) {
    json["by_standing"][std::string(to_string(standing))] = space_json(total.space);
    json["by_standing"][std::string(to_string(standing))]["best_within_10_percent_share"] =
        some_json(total.best_within_10_percent_share);
  }
  for (const UsedRows& used : result.used)
    json["used_by"].push_back({{"kernel", used.kernel}, {"gpu", used.gpu}, {"by", used.by}});
  for (const SpaceSummary& space : summary.spaces)
    json["spaces"].push_back(space_json(space));
  for (const RowResult& row : result.rows)
    json["rows"].push_back({{"kernel", row.kernel},
                            {"gpu", row.gpu},
                            {"row", row.row},
                            {"standing", standing_json(row.standing)},
                            {"interval_standing", standing_json(row.interval_standing)},
                            {"measured_ms", row.measured_ms},
                            {"predicted_ms", row.predicted_ms},
                            {"interval_ms", {row.low_ms, row.high_ms}},
                            {"limiter", row.limiter},
                            {"stages", stages_json(row)},
                            {"basis", basis_json(row.basis)}});
  for (const LeftOutRow& row : result.left_out)
    json["left_out"].push_back(
        {{"kernel", row.kernel}, {"gpu", row.gpu}, {"row", row.row}, {"reason", row.reason}});
  return json;
}

std::string to_timing_text(const SuiteResult& result, bool header) {
  const engine::StageSeconds& s = result.seconds;
  const std::size_t rows = result.rows.size() + result.left_out.size();
  return (header ? fmt::format("{:<28} {:>6} {:>8} {:>8} {:>8} {:>8} {:>10} {:>8}\n", "suite", "rows",
                               "cpu s", "compile", "run", "memory", "simulation", "models")
                 : "") +
         fmt::format("{:<28} {:>6} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>10.1f} {:>8.1f}\n", result.name,
                     rows, s.compile + s.run + s.memory + s.simulation + s.models, s.compile, s.run, s.memory,
                     s.simulation, s.models);
}

std::string to_csv(const SuiteResult& result, bool header) {
  std::string csv = header ? "suite,kernel,gpu,row,standing,measured_ms,predicted_ms,low_ms,high_ms,limiter,"
                             "stage,measured,predicted\n"
                           : "";
  for (const RowResult& row : result.rows) {
    const std::string head = fmt::format(
        "{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{}", csv_field(result.name), csv_field(row.kernel),
        csv_field(row.gpu), row.row, row.standing ? to_string(*row.standing) : "", row.measured_ms,
        row.predicted_ms, row.low_ms, row.high_ms, row.limiter);
    csv += fmt::format("{},time_ms,{:.6g},{:.6g}\n", head, row.measured_ms, row.predicted_ms);
    for (const auto& [stage, pair] : row.stages)
      csv += fmt::format("{},{},{:.6g},{:.6g}\n", head, stage, pair.measured, pair.predicted);
  }
  return csv;
}

} // namespace forewarp::validate

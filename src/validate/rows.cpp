#include "validate/rows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace forewarp::validate {
namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// "Num Rows 1" -> "Num_Rows_1": what is no letter or digit becomes one underscore.
std::string expression_name(std::string_view text) {
  std::string name;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  return name;
}

/// Adds the numbers of "NAME=VALUE;NAME=VALUE".
void unpack(std::string_view text, Values& values) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      continue;
    if (const auto value = number_in(pair.substr(equals + 1)))
      values.emplace(expression_name(pair.substr(0, equals)), *value);
  }
}

Values numbers_of(const Suite& suite, const CsvTable& table, const std::vector<std::string>& row) {
  Values values;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (const auto value = number_in(row[c]))
      values.emplace(table.columns[c], *value);
    if (table.columns[c] == suite.packed_column)
      unpack(row[c], values);
  }
  return values;
}

/// A name of the expression that is a column, but holds no number in this row.
std::optional<std::string> missing_value(const Expression& expression, const CsvTable& table,
                                         const Values& values) {
  for (const std::string& name : expression.names())
    if (!values.contains(name) && table.column(name) >= 0)
      return name;
  return std::nullopt;
}

/// Does the row belong to the kernel? `missing`: a column that has to say so and holds no number.
struct Claim {
  bool mine = false;
  std::optional<std::string> missing;
};

Result<Claim> claim(const SuiteKernel& kernel, const CsvTable& table, const std::vector<std::string>& row,
                    Values& values) {
  for (const auto& [column, text] : kernel.where) {
    const int index = table.column(column);
    if (index < 0)
      return fail(ErrorCode::bad_input, fmt::format("no column '{}'", column), kernel.name,
                  "check [kernel.where]");
    if (row[static_cast<std::size_t>(index)] != text)
      return Claim{};
  }
  for (const auto& [name, expression] : kernel.derived) {
    if (const auto missing = missing_value(expression, table, values))
      return Claim{true, missing};
    const auto value = expression.evaluate(values);
    FOREWARP_TRY(value);
    values[name] = *value;
  }
  if (!kernel.condition)
    return Claim{true, std::nullopt};
  if (const auto missing = missing_value(*kernel.condition, table, values))
    return Claim{true, missing};
  const auto holds = kernel.condition->evaluate(values);
  FOREWARP_TRY(holds);
  return Claim{*holds != 0, std::nullopt};
}

bool is_column(const std::vector<DataTable>& tables, const std::string& name) {
  return std::ranges::any_of(tables, [&](const DataTable& each) { return each.table.column(name) >= 0; });
}

/// A name that is neither a column nor derived is an error of the suite, not of a row.
Result<void> check_names(const Suite& suite, const SuiteKernel& kernel, const CsvTable& table,
                         const std::vector<DataTable>& tables, const Values& values) {
  std::vector<const Expression*> all = {kernel.time_ms ? &*kernel.time_ms : &suite.time_ms};
  for (const auto* sizes : {&kernel.grid, &kernel.block})
    for (const Expression& expression : *sizes)
      all.push_back(&expression);
  for (const auto* texts : {&kernel.defines, &kernel.arguments})
    for (const auto& [name, text] : *texts)
      for (const Expression& hole : text.holes)
        all.push_back(&hole);
  if (kernel.dynamic_shared)
    all.push_back(&*kernel.dynamic_shared);
  for (const Expression* expression : all)
    for (const std::string& name : expression->names())
      if (!values.contains(name) && table.column(name) < 0)
        return tl::unexpected<Error>(expression->evaluate(values).error());
  for (const auto& [stage, expression] : kernel.stages)
    for (const std::string& name : expression.names())
      if (!values.contains(name) && !is_column(tables, name))
        return tl::unexpected<Error>(expression.evaluate(values).error());
  return {};
}

/// One row of a table, on the data's GPU of this name.
struct DataRow {
  const CsvTable& table;
  std::size_t index;
  std::string gpu;
};

Result<void> collect_row(const Suite& suite, const std::vector<DataTable>& tables, const DataRow& row,
                         Spaces& spaces, std::vector<LeftOutRow>& left_out) {
  const auto& [table, r, gpu] = row;
  for (const SuiteKernel& kernel : suite.kernels) {
    if (!kernel.data.empty() && std::ranges::find(kernel.data, gpu) == kernel.data.end())
      continue;
    Values values = numbers_of(suite, table, table.rows[r]);
    const auto claimed = claim(kernel, table, table.rows[r], values);
    FOREWARP_TRY(claimed);
    if (claimed->missing) {
      left_out.push_back({kernel.name, suite.gpus.at(gpu).name,
                          fmt::format("column '{}' holds no number", *claimed->missing), r});
    } else if (claimed->mine) {
      std::vector<Row>& rows = spaces[{kernel.name, gpu}];
      if (rows.empty())
        FOREWARP_TRY(check_names(suite, kernel, table, tables, values));
      rows.push_back({r, &kernel, gpu, std::move(values)});
    }
  }
  return {};
}

Result<void> collect_table(const Suite& suite, const std::vector<DataTable>& tables, const DataTable& data,
                           Spaces& spaces, std::vector<LeftOutRow>& left_out) {
  const auto& [file, table] = data;
  const int gpu_column = suite.gpu_column.empty() ? -1 : table.column(suite.gpu_column);
  if (!suite.gpu_column.empty() && gpu_column < 0)
    return fail(ErrorCode::bad_input, fmt::format("no column '{}'", suite.gpu_column), file,
                "check gpu_column");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string gpu =
        gpu_column >= 0 ? table.rows[r][static_cast<std::size_t>(gpu_column)] : suite.gpu_of_file.at(file);
    if (!suite.gpus.contains(gpu))
      continue;
    auto collected = collect_row(suite, tables, {table, r, gpu}, spaces, left_out);
    if (!collected) {
      collected.error().where = fmt::format("{}, row {}: {}", file, r + 1, collected.error().where);
      return collected;
    }
  }
  return {};
}

} // namespace

Result<void> collect(const Suite& suite, const std::vector<DataTable>& tables, Spaces& spaces,
                     std::vector<LeftOutRow>& left_out) {
  for (const DataTable& data : tables)
    FOREWARP_TRY(collect_table(suite, tables, data, spaces, left_out));
  return {};
}

} // namespace forewarp::validate

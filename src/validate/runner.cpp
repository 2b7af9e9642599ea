#include "validate/runner.h"

#include "engine/session.h"
#include "launch/parse.h"
#include "support/counter_random.h"
#include "support/temporary_file.h"
#include "validate/csv_table.h"
#include "validate/number_table.h"
#include "validate/stages.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace forewarp::validate {
namespace {

using Values = std::map<std::string, double>;

/// A row of data that a kernel of the suite claims.
struct Row {
  std::size_t index = 0;
  const SuiteKernel* kernel = nullptr;
  std::string data_gpu;
  Values values;
};

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
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

/// A name that is neither a column nor derived is an error of the suite, not of a row.
Result<void> check_names(const Suite& suite, const SuiteKernel& kernel, const CsvTable& table,
                         const Values& values) {
  std::vector<const Expression*> all = {kernel.time_ms ? &*kernel.time_ms : &suite.time_ms};
  for (const auto* sizes : {&kernel.grid, &kernel.block})
    for (const Expression& expression : *sizes)
      all.push_back(&expression);
  for (const auto* texts : {&kernel.defines, &kernel.arguments})
    for (const auto& [name, text] : *texts)
      for (const Expression& hole : text.holes)
        all.push_back(&hole);
  for (const auto& [stage, expression] : kernel.stages)
    all.push_back(&expression);
  if (kernel.dynamic_shared)
    all.push_back(&*kernel.dynamic_shared);
  for (const Expression* expression : all)
    for (const std::string& name : expression->names())
      if (!values.contains(name) && table.column(name) < 0)
        return tl::unexpected<Error>(expression->evaluate(values).error());
  return {};
}

/// Rows by (kernel, GPU), in the data's order.
using Spaces = std::map<std::pair<std::string, std::string>, std::vector<Row>>;

Result<void> collect_row(const Suite& suite, const CsvTable& table, std::size_t r, const std::string& gpu,
                         Spaces& spaces, std::vector<LeftOutRow>& left_out) {
  for (const SuiteKernel& kernel : suite.kernels) {
    if (!kernel.data.empty() && kernel.data != gpu)
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
        FOREWARP_TRY(check_names(suite, kernel, table, values));
      rows.push_back({r, &kernel, gpu, std::move(values)});
    }
  }
  return {};
}

Result<void> collect(const Suite& suite, const CsvTable& table, const std::string& file, Spaces& spaces,
                     std::vector<LeftOutRow>& left_out) {
  const int gpu_column = suite.gpu_column.empty() ? -1 : table.column(suite.gpu_column);
  if (!suite.gpu_column.empty() && gpu_column < 0)
    return fail(ErrorCode::bad_input, fmt::format("no column '{}'", suite.gpu_column), file,
                "check gpu_column");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string gpu =
        gpu_column >= 0 ? table.rows[r][static_cast<std::size_t>(gpu_column)] : suite.gpu_of_file.at(file);
    if (!suite.gpus.contains(gpu))
      continue;
    auto collected = collect_row(suite, table, r, gpu, spaces, left_out);
    if (!collected) {
      collected.error().where = fmt::format("{}, row {}: {}", file, r + 1, collected.error().where);
      return collected;
    }
  }
  return {};
}

/// `sample` rows of a space, chosen by seed and row, in the data's order.
std::vector<Row> chosen(std::vector<Row> rows, std::size_t sample, std::uint64_t seed) {
  if (sample == 0 || rows.size() <= sample)
    return rows;
  const auto earlier = [&](const Row& a, const Row& b) {
    return counter_random(seed, a.index) < counter_random(seed, b.index);
  };
  std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(sample), rows.end(), earlier);
  rows.resize(sample);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.index < b.index; });
  return rows;
}

/// A file's text without the lines that hold one of `unwanted`.
std::string text_without(const std::filesystem::path& path, const std::vector<std::string>& unwanted) {
  std::ifstream file(path);
  std::string text, line;
  while (std::getline(file, line))
    if (std::none_of(unwanted.begin(), unwanted.end(),
                     [&](const std::string& part) { return line.find(part) != std::string::npos; }))
      text += line + "\n";
  return text;
}

Result<facts::Dim3> sizes(const std::vector<Expression>& expressions, const Values& values) {
  std::array<std::uint64_t, 3> size = {1, 1, 1};
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const auto value = expressions[i].evaluate(values);
    FOREWARP_TRY(value);
    if (*value < 1 || *value != std::floor(*value))
      return fail(ErrorCode::bad_input,
                  fmt::format("'{}' gives {}, which is no size", expressions[i].text(), *value));
    size[i] = static_cast<std::uint64_t>(*value);
  }
  return facts::Dim3{size[0], size[1], size[2]};
}

class SuiteRunner {
public:
  SuiteRunner(const Suite& suite, const gpu::Catalogue& catalogue, const RunOptions& options)
      : suite_(suite), catalogue_(catalogue), options_(options) {}

  Result<RowResult> run(const Row& row) {
    auto request = request_of(row);
    FOREWARP_TRY(request);
    auto answers = session_.predict_with_models(*request);
    FOREWARP_TRY(answers);
    auto result = compare(row, answers->front().prediction);
    if (result)
      result->baselines_ms.merge(answers->front().model_ms);
    return result;
  }

  /// The same text in every run: without the name of a temporary file.
  std::string reason(const Row& row, const Error& error) const {
    std::string text = to_string(error);
    const auto joined = joined_.find(row.kernel);
    if (joined == joined_.end() || !joined->second)
      return text;
    const std::string& path = joined->second->path();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
      text.replace(at, path.size(), row.kernel->sources.empty() ? suite_.name : row.kernel->sources.front());
    return text;
  }

private:
  Result<engine::PredictRequest> request_of(const Row& row) {
    const SuiteKernel& kernel = *row.kernel;
    const std::filesystem::path root = std::filesystem::path(options_.sources_directory) / suite_.directory;
    engine::PredictRequest request;
    auto source = source_of(kernel);
    FOREWARP_TRY(source);
    request.compile.path = *source;
    request.compile.standard = kernel.standard;
    request.compile.extra_options = kernel.options;
    for (const std::string& directory : kernel.include_directories)
      request.compile.include_directories.push_back((root / directory).string());
    for (const auto& [name, value] : kernel.defines) {
      const auto text = value.fill(row.values);
      FOREWARP_TRY(text);
      request.compile.defines.push_back(name + "=" + *text);
    }
    auto symbol = kernel.kernel.fill(row.values);
    FOREWARP_TRY(symbol);
    request.kernel = std::move(*symbol);
    request.run.unknown.trip_counts = kernel.trip_counts;
    if (kernel.warm_cache)
      request.cache = memory::ProfileOptions::CacheState::warm;
    FOREWARP_TRY(fill_launch(row, request.launch));
    const SuiteGpu& gpu = suite_.gpus.at(row.data_gpu);
    auto choice = catalogue_.find(gpu.name);
    FOREWARP_TRY(choice);
    request.gpus.push_back(std::move(*choice));
    request.sm_clock_mhz_given = gpu.sm_clock_mhz;
    return request;
  }

  /// The kernel's source file; where it is made of several, or of another ending than its language's, a file
  /// that includes them or, without some lines, holds them.
  Result<std::string> source_of(const SuiteKernel& kernel) {
    const std::filesystem::path root =
        std::filesystem::absolute(options_.sources_directory) / suite_.directory;
    if (kernel.sources.size() == 1 && kernel.language.empty() && kernel.before.empty() &&
        kernel.after.empty() && kernel.without.empty())
      return (root / kernel.sources.front()).string();
    auto& joined = joined_[&kernel];
    if (!joined) {
      std::string text = kernel.before + "\n";
      for (const std::string& source : kernel.sources)
        text += kernel.without.empty() ? fmt::format("#include \"{}\"\n", (root / source).string())
                                       : text_without(root / source, kernel.without);
      const bool cuda =
          kernel.language.empty() ? kernel.sources.front().ends_with(".cu") : kernel.language == "cuda";
      auto file = TemporaryFile::write(text + kernel.after + "\n", cuda ? ".cu" : ".cl");
      FOREWARP_TRY(file);
      joined = std::move(*file);
    }
    return joined->path();
  }

  Result<void> fill_launch(const Row& row, facts::Launch& launch) {
    const SuiteKernel& kernel = *row.kernel;
    const auto grid = sizes(kernel.grid, row.values), block = sizes(kernel.block, row.values);
    FOREWARP_TRY(grid);
    FOREWARP_TRY(block);
    launch.groups = *grid;
    launch.group_size = *block;
    if (kernel.dynamic_shared) {
      const auto bytes = kernel.dynamic_shared->evaluate(row.values);
      FOREWARP_TRY(bytes);
      launch.dynamic_shared_bytes = static_cast<std::uint64_t>(*bytes);
    }
    for (const auto& [name, value] : kernel.arguments) {
      const auto text = value.fill(row.values);
      FOREWARP_TRY(text);
      auto argument = launch::parse_argument(name + "=" + *text, options_.data_directory);
      FOREWARP_TRY(argument);
      launch.arguments.insert(std::move(*argument));
    }
    return {};
  }

  Result<RowResult> compare(const Row& row, const facts::Prediction& prediction) {
    RowResult result;
    result.kernel = row.kernel->name;
    result.gpu = prediction.gpu;
    result.row = row.index;
    const auto measured = (row.kernel->time_ms ? *row.kernel->time_ms : suite_.time_ms).evaluate(row.values);
    FOREWARP_TRY(measured);
    result.measured_ms = *measured - suite_.gpus.at(row.data_gpu).host_ms;
    if (result.measured_ms <= 0)
      return fail(ErrorCode::bad_input, fmt::format("measured time {} ms", *measured));
    result.predicted_ms = prediction.time_ms;
    result.low_ms = prediction.interval_ms[0];
    result.high_ms = prediction.interval_ms[1];
    result.resident_warps =
        static_cast<double>(prediction.occupancy.active_groups_per_sm) * prediction.occupancy.warps_per_group;
    result.limiter = facts::to_string(prediction.limiter);
    result.baselines_ms = {{"plain_roofline", roofline_ms(prediction)},
                           {"bandwidth", achieved_bandwidth_ms(prediction)}};
    for (const auto& [stage, expression] : row.kernel->stages) {
      const auto value = expression.evaluate(row.values);
      const auto predicted = predicted_stage(prediction, stage);
      if (value && predicted) // a counter that this row lacks (a 0 / 0 of no requests) is no error
        result.stages[stage] = {*value, *predicted};
    }
    return result;
  }

  const Suite& suite_;
  const gpu::Catalogue& catalogue_;
  const RunOptions& options_;
  engine::Session session_;
  std::map<const SuiteKernel*, std::optional<TemporaryFile>> joined_;
};

Result<void> check_sources(const Suite& suite, const RunOptions& options) {
  for (const SuiteKernel& kernel : suite.kernels)
    for (const std::string& source : kernel.sources) {
      const auto path = std::filesystem::path(options.sources_directory) / suite.directory / source;
      if (!std::filesystem::exists(path))
        return fail(ErrorCode::not_found, fmt::format("kernel '{}' needs {}", kernel.name, source),
                    path.string(),
                    fmt::format("check out {} at commit {} as {} below the directory given by --sources",
                                suite.repository, suite.commit, suite.directory));
    }
  return {};
}

bool wanted(const RunOptions& options, const gpu::Catalogue& catalogue, const std::string& gpu) {
  if (options.gpus.empty())
    return true;
  const auto name = catalogue.find(gpu);
  return name && std::any_of(options.gpus.begin(), options.gpus.end(), [&](const std::string& asked) {
           const auto choice = catalogue.find(asked);
           return choice && choice->file.name == name->file.name;
         });
}

} // namespace

Result<SuiteResult> run_suite(const Suite& suite, const gpu::Catalogue& catalogue,
                              const RunOptions& options) {
  FOREWARP_TRY(check_sources(suite, options));
  Spaces spaces;
  SuiteResult result{suite.name, suite.title, {}, {}};
  for (const std::string& file : suite.data_files) {
    const std::string path = (std::filesystem::path(options.data_directory) / file).string();
    const auto table =
        suite.number_columns.empty() ? read_csv(path) : read_numbers(path, suite.number_columns);
    FOREWARP_TRY(table);
    FOREWARP_TRY(collect(suite, *table, file, spaces, result.left_out));
  }
  SuiteRunner runner(suite, catalogue, options);
  for (auto& [key, rows] : spaces) {
    const std::string& gpu = suite.gpus.at(key.second).name;
    if (!wanted(options, catalogue, gpu))
      continue;
    if (options.progress)
      options.progress(fmt::format("{}: {} on {}", suite.name, key.first, key.second));
    for (const Row& row : chosen(std::move(rows), options.sample, options.seed)) {
      auto compared = runner.run(row);
      if (compared)
        result.rows.push_back(std::move(*compared));
      else
        result.left_out.push_back({key.first, gpu, runner.reason(row, compared.error()), row.index});
    }
  }
  return result;
}

} // namespace forewarp::validate

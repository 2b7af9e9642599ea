#include "learn/training_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace forewarp::learn {
namespace {

const std::vector<std::string> fixed_columns = {"region", "family", "extractor", "provenance",
                                                "cpu",    "gpu",    "cpu_ms",    "gpu_ms"};

struct Columns {
  int region, family, extractor, provenance, cpu, gpu, cpu_ms, gpu_ms;
  std::vector<int> features;
};

int find_column(const TextTable& texts, const std::string& name) {
  const auto found = std::find(texts.columns.begin(), texts.columns.end(), name);
  return found == texts.columns.end() ? -1 : static_cast<int>(found - texts.columns.begin());
}

Result<Columns> find_columns(const TextTable& texts, const RowChoice& choice) {
  std::vector<std::string> missing;
  const auto need = [&](const std::string& name) {
    const int column = find_column(texts, name);
    if (column < 0)
      missing.push_back(name);
    return column;
  };
  Columns found{};
  found.family = find_column(texts, "family");
  found.region = need("region");
  found.extractor = need("extractor");
  found.provenance = need("provenance");
  found.cpu = need("cpu");
  found.gpu = need("gpu");
  found.cpu_ms = need("cpu_ms");
  found.gpu_ms = need("gpu_ms");
  for (const std::string& name : choice.features)
    need(name);
  if (!missing.empty())
    return fail(ErrorCode::bad_input,
                fmt::format("column{} missing: {}", missing.size() == 1 ? "" : "s", fmt::join(missing, ", ")),
                texts.source, "docs/guide/learn.md lists the columns of training rows");
  return found;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// Collects what is wrong with single rows, so that all are seen at once.
struct RowProblems {
  std::string source;
  std::vector<std::string> texts;
  void add(const TrainingRow& row, const std::string& what) {
    texts.push_back(fmt::format("line {} ('{}'): {}", row.line, row.region, what));
  }
  Result<void> result() const {
    if (texts.empty())
      return {};
    constexpr std::size_t shown = 5;
    const std::vector<std::string> first(texts.begin(),
                                         texts.begin() + static_cast<long>(std::min(shown, texts.size())));
    std::string message = fmt::format("{}", fmt::join(first, "; "));
    if (texts.size() > shown)
      message += fmt::format("; and {} more", texts.size() - shown);
    return fail(ErrorCode::bad_input, message, source, "correct these rows or take them out");
  }
};

void read_times(TrainingRow& row, const std::string& cpu_ms, const std::string& gpu_ms,
                RowProblems& problems) {
  const auto gpu = number(gpu_ms);
  const auto cpu = cpu_ms.empty() ? std::optional<double>(0) : number(cpu_ms);
  if (!gpu || *gpu <= 0 || *gpu > longest_time_ms)
    return problems.add(row, fmt::format("gpu_ms '{}' is no time in milliseconds", gpu_ms));
  if (!cpu || *cpu < 0 || *cpu > longest_time_ms || (!cpu_ms.empty() && *cpu == 0))
    return problems.add(row, fmt::format("cpu_ms '{}' is no time in milliseconds", cpu_ms));
  row.gpu_ms = *gpu;
  row.cpu_ms = *cpu;
  if (*cpu > 0 && (row.speedup() > largest_speedup || row.speedup() < 1 / largest_speedup))
    problems.add(row, fmt::format("a speed-up of {:.3g} (cpu_ms {}, gpu_ms {}) is no measurement",
                                  row.speedup(), cpu_ms, gpu_ms));
}

bool begins_with_one_of(const std::string& name, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return name.starts_with(prefix); });
}

void read_features(TrainingRow& row, const std::vector<std::string>& texts, const TextTable& table,
                   const std::vector<int>& columns, const RowChoice& choice, RowProblems& problems) {
  for (const int column : columns) {
    const std::string& text = texts[static_cast<std::size_t>(column)];
    const std::string& name = table.columns[static_cast<std::size_t>(column)];
    const auto value = number(text);
    if (!value && !(text.empty() && begins_with_one_of(name, choice.may_lack)))
      problems.add(row, text.empty() ? fmt::format("'{}' is missing", name)
                                     : fmt::format("'{}' is '{}', which is no number", name, text));
    row.features.push_back(value.value_or(0));
  }
}

bool wanted(const std::vector<std::string>& texts, const Columns& columns, const RowChoice& choice) {
  const auto text = [&](int column) -> const std::string& { return texts[static_cast<std::size_t>(column)]; };
  if (kind_of(text(columns.extractor)) != choice.kind)
    return false;
  if (choice.provenance && text(columns.provenance) != to_string(*choice.provenance))
    return false;
  if (choice.need_cpu_time && text(columns.cpu_ms).empty())
    return false;
  const std::string& gpu = text(columns.gpu);
  return choice.gpu.empty() || (choice.gpu_name ? choice.gpu_name(gpu) : gpu) == choice.gpu;
}

/// Columns that hold a feature of the chosen rows: the named ones, else all that some chosen row has a value
/// in.
std::vector<int> feature_columns(const TextTable& texts, const RowChoice& choice,
                                 const std::vector<std::size_t>& chosen) {
  std::vector<int> columns;
  for (std::size_t i = 0; i < texts.columns.size(); ++i) {
    const std::string& name = texts.columns[i];
    if (std::find(fixed_columns.begin(), fixed_columns.end(), name) != fixed_columns.end() ||
        begins_with_one_of(name, choice.without))
      continue;
    const bool named =
        std::find(choice.features.begin(), choice.features.end(), name) != choice.features.end();
    if (named || std::any_of(chosen.begin(), chosen.end(),
                             [&](std::size_t row) { return !texts.rows[row][i].empty(); }))
      columns.push_back(static_cast<int>(i));
  }
  return columns;
}

Result<std::vector<std::size_t>> choose(const TextTable& texts, const Columns& columns,
                                        const RowChoice& choice) {
  std::vector<std::size_t> chosen;
  std::set<std::string> there;
  for (std::size_t i = 0; i < texts.rows.size(); ++i) {
    const auto& row = texts.rows[i];
    if (wanted(row, columns, choice))
      chosen.push_back(i);
    there.insert(fmt::format("{} {} of {}", row[static_cast<std::size_t>(columns.extractor)],
                             row[static_cast<std::size_t>(columns.provenance)],
                             row[static_cast<std::size_t>(columns.gpu)]));
  }
  if (chosen.empty())
    return fail(ErrorCode::bad_input,
                fmt::format("no {}row of kind '{}'{}{}; the file has: {}",
                            choice.provenance ? std::string(to_string(*choice.provenance)) + " " : "",
                            choice.kind, choice.gpu.empty() ? "" : " of " + choice.gpu,
                            choice.need_cpu_time ? " with a CPU time" : "", fmt::join(there, ", ")),
                texts.source, "name another GPU, or measure some rows for this one");
  return chosen;
}

/// All rows must be of one extractor version; of one CPU where its time is what is learned from.
Result<void> check_one_origin(const TrainingTable& table, const std::set<std::string>& extractors,
                              bool need_cpu_time) {
  if (extractors.size() > 1)
    return fail(ErrorCode::bad_input,
                fmt::format("rows of several extractor versions: {}", fmt::join(extractors, ", ")),
                table.source, "make all rows with one version");
  std::set<std::string> cpus, gpus;
  for (const TrainingRow& row : table.rows) {
    if (row.cpu_ms > 0)
      cpus.insert(row.cpu);
    gpus.insert(row.gpu);
  }
  if (need_cpu_time && cpus.size() > 1)
    return fail(ErrorCode::bad_input, fmt::format("CPU times of several CPUs: {}", fmt::join(cpus, "; ")),
                table.source, "a speed-up is over one CPU: choose one with --cpu");
  if (gpus.size() > 1)
    return fail(ErrorCode::bad_input, fmt::format("GPU times of several GPUs: {}", fmt::join(gpus, "; ")),
                table.source, "choose one with --gpu");
  return {};
}

} // namespace

const char* to_string(Provenance provenance) {
  return provenance == Provenance::measured ? "measured" : "predicted";
}

std::string kind_of(const std::string& extractor) {
  return extractor.ends_with("-counted") ? "counted" : extractor.substr(0, extractor.find('-'));
}

int TrainingTable::feature(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

Result<TrainingTable> choose_rows(const TextTable& texts, const RowChoice& choice) {
  const auto columns = find_columns(texts, choice);
  FOREWARP_TRY(columns);
  const auto chosen = choose(texts, *columns, choice);
  FOREWARP_TRY(chosen);
  TrainingTable table;
  table.source = texts.source;
  const std::vector<int> features = feature_columns(texts, choice, *chosen);
  for (const int column : features)
    table.names.push_back(texts.columns[static_cast<std::size_t>(column)]);
  RowProblems problems{texts.source, {}};
  std::set<std::string> extractors;
  for (const std::size_t i : *chosen) {
    const auto text = [&](int column) { return texts.rows[i][static_cast<std::size_t>(column)]; };
    if (choice.complete_only &&
        std::any_of(features.begin(), features.end(), [&](int column) { return text(column).empty(); })) {
      table.left_out.push_back(text(columns->region));
      continue;
    }
    TrainingRow row;
    row.line = i + 2;
    row.region = text(columns->region);
    row.family = columns->family < 0 || text(columns->family).empty() ? row.region : text(columns->family);
    row.cpu = text(columns->cpu);
    row.gpu = choice.gpu_name ? choice.gpu_name(text(columns->gpu)) : text(columns->gpu);
    const std::string provenance = text(columns->provenance);
    row.provenance = provenance == "measured" ? Provenance::measured : Provenance::predicted;
    if (provenance != to_string(row.provenance))
      problems.add(row, fmt::format("provenance '{}' is neither measured nor predicted", provenance));
    read_times(row, text(columns->cpu_ms), text(columns->gpu_ms), problems);
    read_features(row, texts.rows[i], texts, features, choice, problems);
    extractors.insert(text(columns->extractor));
    table.rows.push_back(std::move(row));
  }
  FOREWARP_TRY(problems.result());
  if (table.rows.empty())
    return fail(ErrorCode::bad_input, "every row lacks a feature", texts.source);
  table.extractor = *extractors.begin();
  FOREWARP_TRY(check_one_origin(table, extractors, choice.need_cpu_time));
  return table;
}

std::vector<std::string> constant_features(const TrainingTable& table) {
  std::vector<std::string> constant;
  for (std::size_t i = 0; i < table.names.size(); ++i)
    if (std::all_of(table.rows.begin(), table.rows.end(), [&](const TrainingRow& row) {
          return row.features[i] == table.rows.front().features[i];
        }))
      constant.push_back(table.names[i]);
  return constant;
}

} // namespace forewarp::learn

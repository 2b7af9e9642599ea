#include "cli/commands/learn/learn_rows.h"

#include "learn/times_table.h"
#include "validate/csv_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace forewarp::cli {
namespace {

Result<learn::TextTable> read_texts(const std::string& path) {
  auto csv = validate::read_csv(path);
  FOREWARP_TRY(csv);
  if (csv->malformed_rows > 0)
    return fail(ErrorCode::bad_input,
                fmt::format("{} row(s) have another number of fields than the header", csv->malformed_rows),
                path, "every row needs a field for each column; a value that is not there stays empty");
  return learn::TextTable{path, std::move(csv->columns), std::move(csv->rows)};
}

/// Rows of another CPU stay, without its times: their GPU times are as good.
void keep_times_of(const std::string& cpu, learn::TextTable& texts) {
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(texts.columns.begin(), texts.columns.end(), name) -
                                    texts.columns.begin());
  };
  const std::size_t named = column("cpu"), times = column("cpu_ms");
  if (cpu.empty() || named == texts.columns.size() || times == texts.columns.size())
    return;
  for (auto& row : texts.rows)
    if (row[named] != cpu)
      row[times].clear();
}

/// "dynamic" or "static"; the only one that the file has, unless it is named.
Result<std::string> method_of(const RowWords& words, const learn::TextTable& texts) {
  for (const char* known : {"dynamic", "static", "counted", "workload"})
    if (words.method == known)
      return words.method;
  if (!words.method.empty())
    return fail(ErrorCode::usage, "no method '" + words.method + "'", "--method",
                "dynamic, static, counted or workload");
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < texts.columns.size(); ++i)
    if (texts.columns[i] == "extractor")
      for (const auto& row : texts.rows)
        kinds.insert(learn::kind_of(row[i]));
  if (kinds.size() == 1)
    return *kinds.begin();
  if (kinds.empty())
    return std::string("dynamic");
  return fail(ErrorCode::usage, "the file has rows of several extractors", words.data,
              "--method dynamic, static or counted");
}

} // namespace

Result<learn::TrainingTable> read_training_rows(const RowWords& words) {
  auto texts = read_texts(words.data);
  FOREWARP_TRY(texts);
  const auto method = method_of(words, *texts);
  FOREWARP_TRY(method);
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  learn::RowChoice choice;
  choice.kind = *method;
  choice.need_cpu_time = *method == "static" || *method == "counted";
  if (!words.gpu.empty()) {
    const auto gpu = catalogue->find(words.gpu);
    FOREWARP_TRY(gpu);
    choice.gpu = gpu->file.name;
  }
  std::map<std::string, std::string> names;
  choice.gpu_name = [&](const std::string& name) {
    auto known = names.find(name);
    if (known == names.end()) {
      // A GPU that the catalogue does not know keeps its name.
      const auto found = catalogue->find(name);
      known = names.emplace(name, found ? found->file.name : name).first;
    }
    return known->second;
  };
  if (!words.times.empty()) {
    const auto times = read_texts(words.times);
    FOREWARP_TRY(times);
    auto joined = learn::join_times(*texts, *times, choice.gpu, words.cpu, choice.gpu_name);
    FOREWARP_TRY(joined);
    *texts = *std::move(joined);
  }
  keep_times_of(words.cpu, *texts);
  if (!words.provenance.empty()) {
    if (words.provenance != "measured" && words.provenance != "predicted")
      return fail(ErrorCode::usage, "no provenance '" + words.provenance + "'", "--provenance",
                  "measured or predicted");
    choice.provenance =
        words.provenance == "measured" ? learn::Provenance::measured : learn::Provenance::predicted;
  }
  if (*method == "dynamic" || *method == "workload")
    choice.features = {"ninst"};
  choice.without = words.without;
  choice.may_lack = words.may_lack;
  choice.complete_only = words.complete_only;
  return learn::choose_rows(*texts, choice);
}

} // namespace forewarp::cli

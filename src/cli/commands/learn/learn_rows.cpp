#include "cli/commands/learn/learn_rows.h"

#include "validate/csv_table.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace forewarp::cli {
namespace {

Result<learn::TextTable> read_texts(const RowWords& words) {
  auto csv = validate::read_csv(words.data);
  FOREWARP_TRY(csv);
  if (csv->malformed_rows > 0)
    return fail(ErrorCode::bad_input,
                fmt::format("{} row(s) have another number of fields than the header", csv->malformed_rows),
                words.data, "every row needs a field for each column; a value that is not there stays empty");
  const int cpu = csv->column("cpu"), times = csv->column("cpu_ms");
  learn::TextTable texts{words.data, std::move(csv->columns), std::move(csv->rows)};
  // Rows of another CPU stay, without its times: their GPU times are as good.
  if (!words.cpu.empty() && cpu >= 0 && times >= 0)
    for (auto& row : texts.rows)
      if (row[static_cast<std::size_t>(cpu)] != words.cpu)
        row[static_cast<std::size_t>(times)].clear();
  return texts;
}

/// "dynamic" or "static"; the only one that the file has, unless it is named.
Result<std::string> method_of(const RowWords& words, const learn::TextTable& texts) {
  if (words.method == "dynamic" || words.method == "static" || words.method == "counted")
    return words.method;
  if (!words.method.empty())
    return fail(ErrorCode::usage, "no method '" + words.method + "'", "--method",
                "dynamic, static or counted");
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
  const auto texts = read_texts(words);
  FOREWARP_TRY(texts);
  const auto method = method_of(words, *texts);
  FOREWARP_TRY(method);
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  learn::RowChoice choice;
  choice.kind = *method;
  choice.need_cpu_time = *method != "dynamic";
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
  if (!words.provenance.empty()) {
    if (words.provenance != "measured" && words.provenance != "predicted")
      return fail(ErrorCode::usage, "no provenance '" + words.provenance + "'", "--provenance",
                  "measured or predicted");
    choice.provenance =
        words.provenance == "measured" ? learn::Provenance::measured : learn::Provenance::predicted;
  }
  if (*method == "dynamic")
    choice.features = {"ninst"};
  choice.without = words.without;
  choice.complete_only = words.complete_only;
  return learn::choose_rows(*texts, choice);
}

} // namespace forewarp::cli

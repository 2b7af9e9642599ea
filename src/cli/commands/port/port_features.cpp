#include "cli/commands/port/port_features.h"

#include "cli/output.h"
#include "port/features/dynamic_features.h"
#include "port/features/table.h"
#include "port/features/text/static_features.h"

#include <fmt/format.h>

#include <fstream>

namespace forewarp::cli {
namespace {

Result<std::vector<port::TableRow>> static_rows(const FeatureWords& words,
                                                const port::ProgramRequest& program) {
  auto answer = port::static_features(source_tree(words, program));
  FOREWARP_TRY(answer);
  for (const port::SkippedFile& file : answer->skipped)
    print_warning(file.file + ": passed over: " + file.why);
  std::vector<port::TableRow> rows;
  for (port::StaticLoop& loop : answer->loops)
    rows.push_back({std::move(loop.row), 0, "", std::move(loop.concerns)});
  return rows;
}

Result<std::vector<port::TableRow>> dynamic_rows(const FeatureWords& words,
                                                 const port::ProgramRequest& program) {
  Progress progress;
  progress.say("runs the program for its features");
  auto answer = port::dynamic_features(
      {program, words.full ? port::FeatureDetail::full : port::FeatureDetail::sampled, words.warps});
  FOREWARP_TRY(answer);
  for (const std::string& warning : answer->warnings)
    print_warning(warning);
  std::vector<port::TableRow> rows;
  for (port::DynamicRow& row : answer->rows) {
    std::vector<std::string> notes;
    if (row.cpu_ms > 0 && row.problem.message.empty())
      notes.push_back(fmt::format("recorded in {:.4g} ms, {:.1f} times the region's time", row.recorded_ms,
                                  row.recorded_ms / row.cpu_ms));
    rows.push_back({std::move(row.row), row.cpu_ms, row.problem.message, std::move(notes)});
    if (words.counted && rows.back().problem.empty())
      rows.push_back({std::move(row.counted), row.cpu_ms, "", {}});
  }
  return rows;
}

} // namespace

port::SourceTree source_tree(const FeatureWords& words, const port::ProgramRequest& program) {
  port::SourceTree tree{program.files, program.defines, program.include_directories, program.standard,
                        words.compile_commands};
  if (words.trip_count > 0)
    tree.assume.trip_count = words.trip_count;
  if (words.branch >= 0)
    tree.assume.branch_taken = words.branch;
  tree.assume.as_published = words.as_published;
  return tree;
}

std::string name_of_cpu() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const std::size_t colon = line.find(": ");
        line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "this machine";
}

void add_feature_options(CLI::App& app, FeatureWords& words) {
  app.add_option(
      "--features", words.kind,
      "Print what learned predictors see of the loops: dynamic (one run) or static (the text alone)");
  app.add_option("-p", words.compile_commands,
                 "compile_commands.json, or its folder: how the files are compiled")
      ->allow_extra_args(false);
  app.add_option("--trip-count", words.trip_count,
                 "static: iterations of loops inside whose number the text does not tell")
      ->check(CLI::PositiveNumber);
  app.add_option("--branch", words.branch, "static: how often a branch is taken, 0 to 1")
      ->check(CLI::Range(0.0, 1.0));
  app.add_flag("--as-published", words.as_published,
               "static: coalesced(s) by the letter of the dissertation");
  app.add_flag("--full", words.full, "dynamic: look at every instruction, not at a sample of windows");
  app.add_flag("--with-warps", words.warps, "dynamic: add features of the pseudo-warps of parallel loops");
  app.add_flag("--counted", words.counted, "dynamic: the static features too, with counted frequencies");
}

Result<void> print_features(const FeatureWords& words, const port::ProgramRequest& program,
                            const std::string& format, const std::string& output) {
  if (words.kind != "dynamic" && words.kind != "static")
    return fail(ErrorCode::usage, "no features '" + words.kind + "'", "--features", "dynamic or static");
  if (format != "text" && format != "json" && format != "csv")
    return fail(ErrorCode::usage, "unknown format '" + format + "'", "--format", "text, json or csv");
  if (program.files.empty() && (words.kind == "dynamic" || words.compile_commands.empty()))
    return fail(ErrorCode::usage, "no source file was named", "",
                "forewarp port --features dynamic program.c");
  auto rows = words.kind == "static" ? static_rows(words, program) : dynamic_rows(words, program);
  FOREWARP_TRY(rows);
  return write_output(format == "csv"    ? port::features_csv(*rows, name_of_cpu())
                      : format == "json" ? port::features_json(*rows)
                                         : port::features_text(*rows),
                      output);
}

} // namespace forewarp::cli

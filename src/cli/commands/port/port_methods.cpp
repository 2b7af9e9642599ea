#include "cli/commands/port/port_methods.h"

#include "cli/output.h"
#include "report/numbers.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

Result<port::MethodsRequest> make_request(const MethodWords& words, port::PortRequest port,
                                          port::SourceTree tree) {
  port::MethodsRequest request;
  auto methods = port::parse_methods(words.methods);
  FOREWARP_TRY(methods);
  request.methods = *std::move(methods);
  request.port = std::move(port);
  request.tree = std::move(tree);
  request.models_named = !words.trained.empty();
  for (const std::string& path : words.trained) {
    auto model = learn::read_model(path);
    FOREWARP_TRY(model);
    request.models.push_back({path, *std::move(model)});
  }
  if (words.trained.empty()) {
    auto models = port::shipped_models(request.port.gpus);
    FOREWARP_TRY(models);
    request.models = *std::move(models);
  }
  if (!words.profile.empty()) {
    auto profile = port::read_profile(words.profile);
    FOREWARP_TRY(profile);
    request.profile = *std::move(profile);
  }
  request.cpu = words.cpu;
  return request;
}

bool any_share(const port::MethodsAnswer& answer) {
  for (const port::ComparedRegion& region : answer.regions)
    if (region.share >= 0)
      return true;
  return false;
}

std::string table_text(const port::MethodsAnswer& answer) {
  std::vector<report::Table::Column> columns = {{"Region", report::Align::left},
                                                {"Line", report::Align::left},
                                                {"GPU", report::Align::left},
                                                {"CPU ms"}};
  const bool shares = any_share(answer);
  if (shares)
    columns.push_back({"Share"});
  for (const port::MethodAnswer& method : answer.regions.front().answers)
    columns.push_back({to_string(method.method)});
  report::Table table(columns);
  for (const port::ComparedRegion& region : answer.regions) {
    std::vector<std::string> cells = {region.name, fmt::format("{}:{}", region.file, region.line), region.gpu,
                                      region.cpu_ms > 0 ? report::number(region.cpu_ms) : "-"};
    if (shares)
      cells.push_back(region.share >= 0 ? report::percent(region.share) + " %" : "-");
    for (const port::MethodAnswer& method : region.answers)
      cells.push_back(method.problem.empty() ? method.says : "-");
    table.add_row(cells);
  }
  return table.to_string(0);
}

std::string region_text(const port::ComparedRegion& region) {
  std::string text = fmt::format("\n{} ({}:{}) on {}\n", region.name, region.file, region.line, region.gpu);
  for (const port::MethodAnswer& method : region.answers) {
    if (!method.problem.empty())
      text += fmt::format("  {}: no answer: {}{}\n", to_string(method.method), method.problem,
                          method.remedy.empty() ? "" : " (" + method.remedy + ")");
    else
      text += fmt::format("  {}: {}{}{}\n", to_string(method.method), method.says,
                          method.why.empty() ? "" : ": ", fmt::join(method.why, "; "));
  }
  for (const std::string& disagreement : region.disagreements)
    text += "  disagree: " + disagreement + "\n";
  for (const std::string& hint : region.hints)
    text += "  hint: " + hint + "\n";
  for (const std::string& concern : region.concerns)
    text += "  may not be parallel: " + concern + "\n";
  return text;
}

std::string methods_text(const port::MethodsAnswer& answer) {
  if (answer.regions.empty())
    return "no loop was found\n";
  std::string text;
  for (const std::string& used : answer.used)
    text += used + "\n";
  text += (text.empty() ? "" : "\n") + table_text(answer);
  for (const port::ComparedRegion& region : answer.regions)
    text += region_text(region);
  return text;
}

Json optional_number(double value, double unknown) {
  return value == unknown ? Json(nullptr) : Json(value);
}

Json answer_json(const port::MethodAnswer& answer) {
  if (!answer.problem.empty())
    return {{"method", to_string(answer.method)}, {"problem", answer.problem}, {"hint", answer.remedy}};
  return {{"method", to_string(answer.method)},
          {"says", answer.says},
          {"speedup", optional_number(answer.speedup, 0)},
          {"lowest", answer.lowest},
          {"highest", optional_number(answer.highest, 0)},
          {"gpu_ms", optional_number(answer.gpu_ms, 0)},
          {"why", answer.why}};
}

std::string methods_json(const port::MethodsAnswer& answer) {
  Json json = {{"trained_models", answer.used}, {"regions", Json::array()}, {"passed_over", Json::array()}};
  for (const port::ComparedRegion& region : answer.regions) {
    Json answers = Json::array();
    for (const port::MethodAnswer& method : region.answers)
      answers.push_back(answer_json(method));
    json["regions"].push_back({{"name", region.name},
                               {"file", region.file},
                               {"line", region.line},
                               {"gpu", region.gpu},
                               {"cpu_time_ms", optional_number(region.cpu_ms, 0)},
                               {"share", optional_number(region.share, -1)},
                               {"answers", answers},
                               {"disagreements", region.disagreements},
                               {"hints", region.hints},
                               {"concerns", region.concerns}});
  }
  for (const port::SkippedFile& file : answer.skipped)
    json["passed_over"].push_back({{"file", file.file}, {"why", file.why}});
  return json.dump(1) + "\n";
}

} // namespace

void add_method_options(CLI::App& app, MethodWords& words) {
  app.add_option("--method", words.methods,
                 "Predictors beside each other: cgpredict, hybrid, dynamic (learned, one run), static "
                 "(learned, the text "
                 "alone), or all");
  app.add_option("--trained", words.trained,
                 "Model of forewarp train, for dynamic or static; default: the shipped ones")
      ->allow_extra_args(false);
  app.add_option("--profile", words.profile,
                 "static: where the time goes: perf script, gprof or callgrind.out");
  app.add_option("--cpu", words.cpu, "static: CPU over which speed-ups are asked for; default: this one");
}

Result<void> print_methods(const MethodWords& words, port::PortRequest port, port::SourceTree tree,
                           const std::string& format, const std::string& output) {
  auto request = make_request(words, std::move(port), std::move(tree));
  FOREWARP_TRY(request);
  port::MethodsAnswer answer;
  {
    Progress progress;
    request->progress = [&progress](const std::string& what) { progress.say(what); };
    request->port.progress = request->progress;
    auto done = port::compare_methods(*request);
    FOREWARP_TRY(done);
    answer = *std::move(done);
  }
  for (const port::SkippedFile& file : answer.skipped)
    print_warning(file.file + ": passed over: " + file.why);
  for (const std::string& warning : answer.warnings)
    print_warning(warning);
  return write_output(format == "json" ? methods_json(answer) : methods_text(answer), output);
}

} // namespace forewarp::cli

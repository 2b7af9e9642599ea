// forewarp-measure: runs a bundle on the device of this machine. Needs the driver and a C library, nothing
// else.
#include "measure/run/plan.h"
#include "measure/run/supervise.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace {

using namespace forewarp;

/// Beside the codes of support/result.h.
constexpr int no_device_exit = 10, some_failed_exit = 11;

int report_error(const Error& error, bool device) {
  fmt::print(stderr, "forewarp-measure: error: {}{}\n", error.where.empty() ? "" : error.where + ": ",
             error.message);
  if (!error.hint.empty() && !device)
    fmt::print(stderr, "hint: {}\n", error.hint);
  return device ? no_device_exit : exit_code(error.code);
}

bool write_result(const nlohmann::json& json, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}\n", json.dump(1));
    return true;
  }
  std::ofstream file(path);
  file << json.dump(1) << '\n';
  return static_cast<bool>(file.flush());
}

/// "300", "300s" or "5m" -> seconds; below 0: neither.
double seconds_of(const std::string& text) {
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    return -1;
  }
  const std::string unit = text.substr(end);
  return unit.empty() || unit == "s" ? value : unit == "m" ? value * 60 : -1;
}

/// Order and seconds, without a device.
int print_plan(const std::string& folder, const measure::MeasureOptions& options) {
  const auto bundle = measure::read_bundle(folder);
  if (!bundle)
    return report_error(bundle.error(), false);
  constexpr double start = 3; // driver, warm-up
  double usual = start, longest = start;
  std::size_t left = 0;
  fmt::print("   usual s  at most s  stage  task (sums so far; times {})\n",
             bundle->times_for.empty() ? "of half a millisecond" : "predicted for " + bundle->times_for);
  for (const measure::Task& task : measure::plan_tasks(*bundle, options.wanted)) {
    const measure::TaskSeconds seconds = measure::seconds_of(*bundle, task);
    if (usual + seconds.usual > options.budget_s) {
      fmt::print("      left for want of time  {}\n", task.name);
      ++left;
      continue;
    }
    usual += seconds.usual;
    longest += seconds.longest;
    fmt::print("{:10.1f} {:10.1f}  {:5}  {}\n", usual, longest, task.stage, task.name);
  }
  fmt::print("{:.0f} s of {:.0f}, {} left for want of time\n", usual, options.budget_s, left);
  return 0;
}

int run(const std::string& folder, measure::MeasureOptions& options, const std::string& output, bool quiet) {
  const auto bundle = measure::read_bundle(folder);
  if (!bundle)
    return report_error(bundle.error(), false);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!quiet)
    options.progress = [terminal](const std::string& text) {
      fmt::print(stderr, "{}{}{}", terminal ? "\r\033[K" : "", text, terminal ? "" : "\n");
    };
  const auto report = measure::measure_bundle(*bundle, options);
  if (!quiet && terminal)
    fmt::print(stderr, "\r\033[K");
  if (!report)
    return report_error(report.error(), report.error().code == ErrorCode::not_found);
  if (!write_result(report->json, output))
    return report_error({ErrorCode::not_found, "cannot be written", output, "is the disk full?"}, false);
  for (const auto& failure : report->json["failures"])
    fmt::print(stderr, "forewarp-measure: {}: {}\n", failure["task"].get<std::string>(),
               failure["reason"].get<std::string>());
  fmt::print(stderr, "forewarp-measure: {} measured, {} failed, {} left for want of time\n", report->done,
             report->failed, report->skipped);
  return report->failed ? some_failed_exit : 0;
}

} // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here is a fault of this program
int main(int argc, char** argv) {
  CLI::App app("Runs a bundle of 'forewarp bundle' on this machine's device (docs/guide/measure.md).",
               "forewarp-measure");
  std::string folder, output, budget = "600s", timeout = "30s";
  measure::MeasureOptions options;
  bool quiet = false, plan = false;
  app.add_option("BUNDLE", folder, "folder made by forewarp bundle")->required();
  app.add_option("--backend", options.backend, "cuda or opencl")->check(CLI::IsMember({"cuda", "opencl"}));
  app.add_option("--device", options.device, "index of the device");
  app.add_option("--budget", budget, "wall-clock time for everything, e.g. 300s or 5m");
  app.add_option("--timeout", timeout, "wall-clock time for one measurement");
  app.add_option("-o,--output", output, "result file; default: standard output");
  app.add_option("--only", options.wanted, "only kernels whose name holds one of these")->delimiter(',');
  app.add_option("--keep-outputs", options.keep,
                 "existing folder that the checked output buffers are written to")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--plan", plan, "print the order and the time that it takes, and stop; needs no device");
  app.add_flag("--once", options.once, "each timed kernel of the corpus a single time, for a profiler");
  app.add_flag("--quiet", quiet, "no progress");
  app.footer(
      "Exit codes: 0 all measured, 2 usage, 3 and 4 bundle missing or broken, 7 bundle for another device,\n"
      "10 no device, 11 something failed or gave a wrong result (the rest is in the result file).");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.budget_s = seconds_of(budget);
  options.timeout_s = seconds_of(timeout);
  if (!(options.budget_s > 0) || !(options.timeout_s > 0))
    return report_error({ErrorCode::usage, "is no time", options.budget_s > 0 ? "--timeout" : "--budget",
                         "write seconds (300s) or minutes (5m)"},
                        false);
  return plan ? print_plan(folder, options) : run(folder, options, output, quiet);
}

// forewarp calibrate: values of a GPU file from measured micro-benchmarks.
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "measure/calibrate/fit.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

struct CalibrateOptions {
  std::string measured, base, output;
};

Result<void> calibrate(const CalibrateOptions& words) {
  const auto measured = measure::read_measured(words.measured);
  FOREWARP_TRY(measured);
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto base = catalogue->find(words.base.empty() ? measured->device_name : words.base);
  if (!base && words.base.empty())
    return fail(ErrorCode::not_found, fmt::format("the catalogue has no GPU '{}'", measured->device_name),
                words.measured,
                "name the file to start from: --base NAME (a sibling, or a family-*.toml's child)");
  FOREWARP_TRY(base);
  const auto calibration = measure::fit(*measured, base->file);
  FOREWARP_TRY(calibration);
  const auto text =
      measure::overlay_text(*measured, *calibration, std::filesystem::path(base->file.path).stem().string());
  FOREWARP_TRY(text);
  for (const std::string& note : calibration->notes)
    print_warning(note);
  return write_output(*text, words.output);
}

} // namespace

void add_calibrate(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<CalibrateOptions>();
  CLI::App* app =
      root.add_subcommand("calibrate", "A GPU file from measured micro-benchmarks (docs/guide/measure.md)");
  app->allow_extras();
  app->footer("Example:\n  forewarp calibrate measured.json --output data/calibrations/my-h200.toml");
  app->add_option("MEASURED", words->measured, "result of forewarp-measure")->required();
  app->add_option("--base", words->base, "GPU whose file is extended; default: the one of the device's name");
  app->add_option("-o,--output", words->output, "file to write instead of standard output");
  actions.push_back({app, [words] { return calibrate(*words); }});
}

} // namespace forewarp::cli

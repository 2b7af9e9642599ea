// forewarp compare: measured kernels of the corpus beside their predictions.
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "engine/session.h"
#include "measure/compare/launches.h"
#include "support/temporary_file.h"
#include "validate/stages.h"
#include "validate/write.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <map>
#include <memory>

namespace forewarp::cli {
namespace {

struct CompareOptions {
  std::string measured, gpu, l2 = "warm", format = "text", output;
  bool sweeps = false, file_clock = false;
};

/// Sources of the result, written out once each.
class Sources {
public:
  Result<std::string> path_of(const measure::BundleKernel& kernel) {
    const auto found = files_.find(kernel.name);
    if (found != files_.end())
      return found->second.path();
    auto file = TemporaryFile::write(kernel.source, kernel.source_suffix);
    FOREWARP_TRY(file);
    return files_.emplace(kernel.name, std::move(*file)).first->second.path();
  }

private:
  std::map<std::string, TemporaryFile> files_;
};

class Comparison {
public:
  Comparison(const CompareOptions& words, const measure::Measured& measured, const gpu::GpuChoice& gpu)
      : words_(words), measured_(measured), gpu_(gpu) {
    result_.name = measured.device_name;
    result_.title = fmt::format("{}, {} (driver {}), measured {}", measured.device_name, words.l2 + " L2",
                                measured.driver, measured.date);
  }

  Result<validate::SuiteResult> run(const std::vector<measure::ComparedPoint>& points) {
    Progress progress;
    std::size_t row = 0;
    for (const measure::ComparedPoint& point : points) {
      progress.say(point.kernel->name + '/' + point.launch->name);
      if (auto added = add(point, row); !added)
        result_.left_out.push_back({point.kernel->name, gpu_.file.name, to_string(added.error()), row});
      ++row;
    }
    return result_;
  }

private:
  Result<engine::PredictRequest> request_of(const measure::ComparedPoint& point) {
    engine::PredictRequest request;
    const auto path = sources_.path_of(*point.kernel);
    FOREWARP_TRY(path);
    const auto sms = measured_.attributes.find("sm_count");
    request.compile.path = *path;
    request.compile.standard = point.kernel->standard;
    request.kernel = point.kernel->symbol;
    request.launch = measure::predicted_launch(
        *point.launch, sms == measured_.attributes.end() ? 1 : static_cast<unsigned>(sms->second),
        point.time->unused_shared_bytes);
    request.gpus = {gpu_};
    request.cache = words_.l2 == "warm" ? engine::CacheState::warm : engine::CacheState::cold;
    if (!words_.file_clock && point.time->sm_mhz > 0)
      request.sm_clock_mhz_given = point.time->sm_mhz;
    return request;
  }

  Result<void> add(const measure::ComparedPoint& point, std::size_t row_number) {
    const auto request = request_of(point);
    FOREWARP_TRY(request);
    const auto predicted = session_.predict(*request);
    FOREWARP_TRY(predicted);
    const facts::Prediction& prediction = predicted->front();
    validate::RowResult row;
    row.kernel = point.kernel->name;
    row.gpu = gpu_.file.name;
    row.row = row_number;
    row.measured_ms = point.time->median_us * 1e-3;
    row.predicted_ms = prediction.time_ms;
    row.low_ms = prediction.interval_ms[0];
    row.high_ms = prediction.interval_ms[1];
    row.resident_warps =
        static_cast<double>(prediction.occupancy.active_groups_per_sm) * prediction.occupancy.warps_per_group;
    row.limiter = facts::to_string(prediction.limiter);
    row.baselines_ms = {{"plain_roofline", validate::roofline_ms(prediction)},
                        {"bandwidth", validate::achieved_bandwidth_ms(prediction)}};
    result_.rows.push_back(std::move(row));
    return {};
  }

  const CompareOptions& words_;
  const measure::Measured& measured_;
  const gpu::GpuChoice& gpu_;
  engine::Session session_;
  Sources sources_;
  validate::SuiteResult result_;
};

Result<void> compare(const CompareOptions& words) {
  const auto measured = measure::read_measured(words.measured);
  FOREWARP_TRY(measured);
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto gpu = catalogue->find(words.gpu.empty() ? measured->device_name : words.gpu);
  FOREWARP_TRY(gpu);
  const auto points = measure::compared_points(*measured, words.l2, words.sweeps);
  if (points.empty())
    return fail(ErrorCode::bad_input, fmt::format("holds no times of the corpus with {} L2", words.l2),
                words.measured, "measure a bundle of the corpus");
  const auto result = Comparison(words, *measured, *gpu).run(points);
  FOREWARP_TRY(result);
  const validate::SuiteSummary summary = validate::summarize(*result);
  const std::string text = words.format == "json"  ? validate::to_json(*result, summary).dump(2) + "\n"
                           : words.format == "csv" ? validate::to_csv(*result, true)
                                                   : validate::to_text(*result, summary);
  return write_output(text, words.output);
}

} // namespace

void add_compare(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<CompareOptions>();
  CLI::App* app = root.add_subcommand(
      "compare", "Measured kernels of the corpus beside predictions (docs/guide/measure.md)");
  app->allow_extras();
  app->footer("Example:\n  forewarp compare measured.json --gpu h200");
  app->add_option("MEASURED", words->measured, "result of forewarp-measure")->required();
  app->add_option("--gpu", words->gpu, "name or .toml file; default: the one of the device's name");
  app->add_option("--l2", words->l2, "warm or cold: which times")->check(CLI::IsMember({"warm", "cold"}));
  app->add_flag("--sweeps", words->sweeps, "the occupancy sweeps too (warm)");
  app->add_flag("--file-clock", words->file_clock,
                "predict at the GPU file's clock, not at the measured one");
  app->add_option("--format", words->format, "text, json or csv")
      ->check(CLI::IsMember({"text", "json", "csv"}));
  app->add_option("--output", words->output, "file to write instead of standard output");
  actions.push_back({app, [words] { return compare(*words); }});
}

} // namespace forewarp::cli

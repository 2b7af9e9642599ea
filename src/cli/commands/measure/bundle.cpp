// forewarp bundle: kernels and micro-benchmarks for a machine that has a device and nothing else.
#include "bundle/build.h"

#include "bundle/corpus_folder.h"
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "cli/version.h"
#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "launch/run_index.h"
#include "launch/words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

struct BundleOptions {
  std::vector<std::string> what;
  std::string times_for, from_run, kernel;
  std::vector<std::string> launches;
  bundle::BuildRequest request;
};

/// The corpus lies beside data/ in the source tree and below the data folder where it is installed.
Result<std::vector<std::string>> corpus_folders(const fs::path& data) {
  for (const fs::path& place : {data / "corpus", data.parent_path() / "corpus"})
    if (fs::is_directory(place))
      return bundle::list_corpus(place.string());
  return fail(ErrorCode::not_found, "the corpus was not found", data.string(),
              "name kernel.toml files instead");
}

Result<std::vector<std::string>> benchmark_files(const fs::path& data) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(data / "microbenchmarks", error))
    if (entry.path().extension() == ".toml")
      files.push_back(entry.path().string());
  if (files.empty())
    return fail(ErrorCode::not_found, "the micro-benchmarks were not found", data.string());
  std::sort(files.begin(), files.end());
  return files;
}

Result<void> gather(const std::vector<std::string>& what, bundle::BuildRequest& request) {
  const auto gpus = gpu::default_gpu_folder();
  FOREWARP_TRY(gpus);
  const fs::path data = gpus->parent_path();
  for (const std::string& word : what) {
    const bool shipped = word == "corpus" || word == "micro";
    if (!shipped && word.ends_with(".toml") && fs::path(word).filename() != "kernel.toml") {
      request.benchmarks.push_back(word);
    } else if (!shipped) {
      request.kernels.push_back(word);
    } else {
      auto found = word == "corpus" ? corpus_folders(data) : benchmark_files(data);
      FOREWARP_TRY(found);
      auto& list = word == "corpus" ? request.kernels : request.benchmarks;
      list.insert(list.end(), found->begin(), found->end());
    }
  }
  return {};
}

/// Launch files as they are given, or by their numbers in a run.
Result<void> gather_launches(const BundleOptions& words, bundle::BuildRequest& request) {
  if (words.from_run.empty()) {
    request.launches = words.launches;
    return {};
  }
  for (const std::string& text : words.launches.empty() ? std::vector<std::string>{"1"} : words.launches) {
    const auto number = launch::whole_number(text);
    if (!number || *number == 0)
      return fail(ErrorCode::usage, fmt::format("'{}' is no number of a launch", text), "--launch",
                  "with --from-run, --launch counts the kernel's launches in the run, from 1");
    auto file = launch::launch_of_run(words.from_run, words.kernel, *number);
    FOREWARP_TRY(file);
    request.launches.push_back(*std::move(file));
  }
  return {};
}

/// Predicted times of launches with what they need in L2, as most are measured.
Result<bundle::TimesFor> times_for(const std::string& name, engine::Session& session) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto gpu = catalogue->find(name);
  FOREWARP_TRY(gpu);
  const auto machine = gpu::resolve(gpu->file);
  FOREWARP_TRY(machine);
  bundle::TimesFor times;
  times.gpu = gpu->file.name;
  times.sm_count = machine->sm_count;
  times.us = [&session, gpu = *gpu](const bundle::SourceBuild& build, const std::string& kernel,
                                    const facts::Launch& launch) -> Result<double> {
    engine::PredictRequest request;
    request.compile.path = build.path;
    request.compile.standard = build.standard;
    request.compile.defines = build.defines;
    request.compile.include_directories = build.include_directories;
    request.compile.extra_options = build.options;
    request.kernel = kernel;
    request.launch = launch;
    request.gpus = {gpu};
    request.cache = engine::CacheState::warm;
    const auto predictions = session.predict(request);
    FOREWARP_TRY(predictions);
    return predictions->front().time_ms * 1e3;
  };
  return times;
}

Result<void> make_bundle(const BundleOptions& words) {
  bundle::BuildRequest request = words.request;
  request.made_by = fmt::format("forewarp {}", version);
  FOREWARP_TRY(gather_launches(words, request));
  const bool all = words.what.empty() && request.launches.empty();
  FOREWARP_TRY(gather(all ? std::vector<std::string>{"corpus", "micro"} : words.what, request));
  engine::Session session;
  if (!words.times_for.empty()) {
    auto times = times_for(words.times_for, session);
    FOREWARP_TRY(times);
    request.times = std::move(*times);
  }
  Progress progress;
  request.progress = [&](const std::string& what) { progress.say(what); };
  const auto report = bundle::build(request);
  FOREWARP_TRY(report);
  for (const std::string& line : report->left_out)
    print_warning("left out: " + line);
  const std::string predicted =
      request.times.us ? fmt::format(", {} with times predicted for {}", report->predicted, request.times.gpu)
                       : "";
  return write_output(fmt::format("{}: {} kernels, {} launches, {} with results of the C reference{}\n",
                                  request.output, report->kernels, report->launches, report->checked,
                                  predicted));
}

} // namespace

void add_bundle(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<BundleOptions>();
  CLI::App* app = root.add_subcommand(
      "bundle", "Kernels and micro-benchmarks for forewarp-measure (docs/guide/measure.md)");
  app->allow_extras();
  app->footer("Example:\n  forewarp bundle --target sm_90 --output h200-bundle");
  app->add_option(
      "WHAT", words->what,
      "corpus, micro, folders or kernel.toml files, micro-benchmark files; default: corpus micro");
  app->add_option("--launch", words->launches,
                  "a launch file, or with --from-run a launch's number from 1 (repeatable)")
      ->allow_extra_args(false);
  app->add_option("--from-run", words->from_run,
                  "folder of `forewarp run --keep FOLDER` (docs/guide/run.md)");
  app->add_option("-k,--kernel", words->kernel, "with --from-run: the kernel whose launches are counted");
  app->add_option("--target", words->request.target, "sm_50 ... sm_90 (PTX), or opencl (OpenCL C)")
      ->required();
  app->add_option("-o,--output", words->request.output, "folder to write")->required();
  app->add_option(
      "--times-for", words->times_for,
      "GPU whose predicted times go into the manifest: forewarp-measure plans its budget with them");
  app->add_flag("--check-only", words->request.check_only, "only the small launches that check results");
  actions.push_back({app, [words] { return make_bundle(*words); }});
}

} // namespace forewarp::cli

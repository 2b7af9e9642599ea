// forewarp run: a program, unchanged, on GPUs that are not there.
#include "cli/commands/commands.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "program/report/summary.h"
#include "program/run_program.h"
#include "support/named.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

struct RunWords {
  std::vector<std::string> gpus, program, sources, defines, includes, options, libraries, library_folders;
  std::string value_set, standard, engine = "implementation", execute = "needed", format = "text", output,
                                   keep;
  unsigned look_again = 0, build_seconds = program::BuildLimits().seconds;
  bool unchecked = false, keep_data = false, as_devices = false;
};

struct Format {
  const char* name;
  std::string (*write)(const program::RunLog&);
};
constexpr Format formats[] = {
    {"text", program::text_report}, {"json", program::json_report}, {"trace", program::trace_report}};

Result<const Format*> format_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Format& format : formats) {
    if (format.name == name)
      return &format;
    names.emplace_back(format.name);
  }
  return refuse_name({"unknown value", "--format"}, name, names);
}

Result<void> check_word(const char* option, const std::string& word,
                        const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), word) != choices.end())
    return {};
  return refuse_name({"unknown value", option}, word, choices);
}

/// The report stands; the exit code tells what the program did.
Result<void> ending(const program::RunLog& log) {
  if (log.exit_code == 0)
    return {};
  const std::string how =
      log.exit_code ? "exit code " + std::to_string(*log.exit_code) : "signal " + std::to_string(log.signal);
  const bool crashed = !log.exit_code && !log.built;
  return fail(ErrorCode::kernel_fault, "the program failed (" + how + ")", log.program.front(),
              crashed ? "run it without forewarp to see whether it does so by itself; with --engine own its "
                        "kernels are executed without the OpenCL implementation, which may be what crashed"
                      : "run it without forewarp to see whether it does so by itself");
}

std::optional<program::BuildRequest> build_of(const RunWords& words) {
  if (words.sources.empty())
    return std::nullopt;
  program::BuildRequest build{words.sources, {}, words.libraries, words.library_folders, !words.unchecked};
  build.compile.standard = words.standard;
  build.compile.defines = words.defines;
  build.compile.include_directories = words.includes;
  build.compile.extra_options = words.options;
  build.compile.cache_folder = engine::default_cache_folder();
  return build;
}

bool is_plain_file(const std::string& path) {
  std::error_code error;
  return !path.empty() && (!fs::exists(path, error) || fs::is_regular_file(path, error));
}

/// The report so far, whole at each moment: what ends this process leaves it there. That it cannot be written
/// is said at the end.
void write_beside(const std::string& text, const std::string& path) {
  std::error_code ignored;
  if (write_output(text, path + ".new"))
    fs::rename(path + ".new", path, ignored);
}

Result<void> run(const RunWords& words) {
  const auto format = format_of(words.format);
  FOREWARP_TRY(format);
  FOREWARP_TRY(check_word("--execute", words.execute, {"needed", "all", "none"}));
  FOREWARP_TRY(check_word("--engine", words.engine, {"implementation", "own"}));
  if (words.program.empty() && words.sources.empty())
    return fail(ErrorCode::usage, "no program is given", "forewarp run",
                "write it and its words behind --: forewarp run --gpu v100 -- ./program arguments");
  if (words.keep_data && words.keep.empty())
    return fail(ErrorCode::usage, "--keep-data has no folder", "--keep-data", "name it: --keep FOLDER");
  if (words.as_devices && !words.sources.empty())
    return fail(ErrorCode::usage, "CUDA and HIP sources see one GPU", "--devices",
                "leave it out; --gpu A,B gives B's times from the same run");
  auto gpus = choose_gpus(words.gpus);
  FOREWARP_TRY(gpus);
  program::RunRequest request{words.program,
                              build_of(words),
                              *std::move(gpus),
                              words.value_set,
                              {words.execute,
                               {words.keep, words.keep_data},
                               words.look_again,
                               words.engine == "own",
                               words.as_devices}};
  request.limits.seconds = words.build_seconds;
  if (is_plain_file(words.output))
    request.progress = [&](const program::RunLog& so_far) {
      write_beside((*format)->write(so_far), words.output);
    };
  const auto log = program::run_program(request);
  FOREWARP_TRY(log);
  FOREWARP_TRY(write_output((*format)->write(*log), words.output));
  return ending(*log);
}

} // namespace

void add_run(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<RunWords>();
  CLI::App* app = root.add_subcommand("run", "Runs an OpenCL program, or CUDA or HIP sources, as on GPUs "
                                             "that are not there, and tells where the time goes");
  app->add_option("sources", words->sources,
                  "CUDA, HIP, C++ and C sources (and objects) that the program is made of");
  app->add_option("-I,--include", words->includes, "a folder of headers")->allow_extra_args(false);
  app->add_option("-D,--define", words->defines, "NAME or NAME=VALUE")->allow_extra_args(false);
  app->add_option("--std", words->standard, "the sources' language: c++17, c++14, ...");
  app->add_option("--option", words->options, "option for the compiler (repeatable)")
      ->allow_extra_args(false);
  app->add_option("--library", words->libraries, "a library that the machine has, as after -l")
      ->allow_extra_args(false);
  app->add_option("-L,--library-folder", words->library_folders, "where it lies")->allow_extra_args(false);
  app->add_option("--build-seconds", words->build_seconds,
                  "of sources: processor time that compiling may take (0: no limit)");
  app->add_flag("--unchecked", words->unchecked,
                "do not look whether kernels access memory outside of their buffers");
  app->add_option("--gpu", words->gpus, "GPUs, by name; the program sees the first")->delimiter(',');
  app->add_flag("--devices", words->as_devices,
                "an OpenCL program sees all the GPUs, as devices of one platform");
  app->add_option("--value-set", words->value_set, "a named set of values of the GPU files");
  app->add_option("--execute", words->execute,
                  "launches that this machine executes: needed (their results are read), all, none");
  app->add_option("--engine", words->engine,
                  "who executes kernels of OpenCL programs: implementation (of OpenCL, here; what it cannot "
                  "build, forewarp executes) or own (forewarp, slower; faults are named)");
  app->add_option("--look-again", words->look_again,
                  "look at the data again after so many launches of one kind, where it decides the time "
                  "(0: at the 2nd, 4th, 8th, ...)");
  app->add_option("--keep", words->keep,
                  "folder for launch files of the run's launches, with the data where it decides the time");
  app->add_flag("--keep-data", words->keep_data,
                "with --keep: the data of all buffers, also where they do not decide the time");
  app->add_option("--format", words->format, "text, json, trace (for ui.perfetto.dev)");
  app->add_option("-o,--output", words->output, "the report goes to this file");
  app->add_option("--run-arg", words->program, "")->group("");
  app->footer("Example:\n  forewarp run --gpu v100,a100 -- ./program 1024\n"
              "         forewarp run app.cu util.cpp --gpu h100 -- 1024\n"
              "The program's own output comes as it is; the report follows when it has ended.");
  actions.push_back({app, [words] { return run(*words); }});
}

} // namespace forewarp::cli

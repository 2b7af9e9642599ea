// forewarp port: a single-threaded C or C++ program, its loops, one or more GPUs.
#include "cli/commands/commands.h"
#include "cli/commands/port/port_features.h"
#include "cli/commands/port/port_methods.h"
#include "cli/commands/port/port_text.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "launch/words.h"
#include "port/answer_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace forewarp::cli {
namespace {

struct PortWords {
  std::vector<std::string> files, defines, include_directories, libraries, arguments, regions, sizes, gpus;
  std::string standard, input, model = predict::default_predictor, value_set, format = "text", block,
                               operations = "machine", output, cache = "cold", loads = "merged";
  bool all_loops = false, no_advice = false;
  unsigned repetitions = 3;
  double max_seconds = 60, cpu_seconds = 20;
  std::uint64_t max_memory_mb = 4096, max_trace_mb = 512, threads = 4096;
  FeatureWords features;
  MethodWords method;
};

/// "32,32" or "32x32": x first.
Result<std::vector<std::uint64_t>> parse_block(const std::string& text) {
  std::vector<std::uint64_t> block;
  std::size_t at = 0;
  while (!text.empty() && at <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(",x", at), text.size());
    const auto side = launch::whole_number(std::string_view(text).substr(at, end - at));
    if (!side || *side == 0 || block.size() == 3)
      return fail(ErrorCode::usage, "'" + text + "' is no block of threads", "--block",
                  "write 256, 32,32 or 32,4,4");
    block.push_back(*side);
    at = end + 1;
  }
  std::uint64_t threads = 1;
  for (const std::uint64_t side : block)
    threads *= side;
  if (threads > 1024)
    return fail(ErrorCode::usage, fmt::format("a block of {} threads", threads), "--block",
                "GPUs hold at most 1024 threads a block");
  return block;
}

Result<void> check_words(const PortWords& words) {
  const bool tree = words.method.methods == "static" && !words.features.compile_commands.empty();
  if (words.files.empty() && !tree)
    return fail(ErrorCode::usage, "no source file was named", "", "forewarp port program.c --gpu v100");
  if (words.format != "text" && words.format != "json")
    return fail(ErrorCode::usage, "unknown format '" + words.format + "'", "--format", "text or json");
  if (words.operations != "machine" && words.operations != "table2")
    return fail(ErrorCode::usage, "unknown way to count operations '" + words.operations + "'",
                "--operations", "machine or table2");
  if (words.cache != "cold" && words.cache != "warm")
    return fail(ErrorCode::usage, "unknown cache state '" + words.cache + "'", "--cache", "cold or warm");
  if (words.loads != "merged" && words.loads != "written")
    return fail(ErrorCode::usage, "unknown way to count loads '" + words.loads + "'", "--loads",
                "merged or written");
  if (words.loads == "written" && port::port_model_is_traced(words.model))
    return fail(ErrorCode::usage, "the default predictor counts the loads that a GPU runs", "--loads written",
                "it is a choice of --model cgpredict");
  if (!words.input.empty() && access(words.input.c_str(), R_OK) != 0)
    return fail(ErrorCode::not_found, "the program's input cannot be read", words.input,
                "check the name and the rights of the file");
  const auto& models = port::port_models();
  if (std::find(models.begin(), models.end(), words.model) == models.end()) {
    std::string known;
    for (const std::string& model : models)
      known += (known.empty() ? "" : ", ") + model;
    return fail(ErrorCode::usage, "no model '" + words.model + "' for programs", "--model",
                "one of: " + known);
  }
  return {};
}

Result<port::ProgramRequest> program_request(const PortWords& words) {
  auto block = parse_block(words.block);
  FOREWARP_TRY(block);
  port::ProgramRequest program;
  program.files = words.files;
  program.defines = words.defines;
  program.include_directories = words.include_directories;
  program.libraries = words.libraries;
  program.arguments = words.arguments;
  program.input = words.input;
  program.standard = words.standard;
  program.regions = words.regions;
  program.all_loops = words.all_loops;
  program.block = *std::move(block);
  program.detail_threads = words.threads;
  program.repetitions = words.repetitions;
  program.budget.seconds = words.max_seconds;
  program.budget.memory_bytes = words.max_memory_mb << 20;
  program.budget.detail_words = (words.max_trace_mb << 20) / sizeof(std::uint64_t);
  return program;
}

Result<port::PortRequest> make_port_request(const PortWords& words) {
  FOREWARP_TRY(check_words(words));
  auto gpus = choose_gpus(words.gpus);
  FOREWARP_TRY(gpus);
  auto program = program_request(words);
  FOREWARP_TRY(program);
  port::PortRequest request;
  request.program = *std::move(program);
  request.sizes = words.sizes;
  request.gpus = *std::move(gpus);
  request.model = words.model;
  request.value_set = words.value_set;
  request.table2 = words.operations == "table2";
  request.written_loads = words.loads == "written";
  request.warm_cache = words.cache == "warm";
  request.advice = !words.no_advice;
  request.cpu_seconds = words.cpu_seconds;
  return request;
}

Result<void> methods_command(const PortWords& words) {
  auto request = make_port_request(words);
  FOREWARP_TRY(request);
  port::SourceTree tree = source_tree(words.features, request->program);
  tree.all_loops = words.all_loops || words.method.methods == "static";
  MethodWords method = words.method;
  if (method.cpu.empty())
    method.cpu = name_of_cpu();
  return print_methods(method, *std::move(request), std::move(tree), words.format, words.output);
}

Result<void> port_command(const PortWords& words) {
  if (!words.features.kind.empty()) {
    auto program = program_request(words);
    FOREWARP_TRY(program);
    return print_features(words.features, *program, words.format, words.output);
  }
  if (!words.method.methods.empty())
    return methods_command(words);
  auto request = make_port_request(words);
  FOREWARP_TRY(request);
  port::PortAnswer answer;
  {
    Progress progress;
    request->progress = [&progress](const std::string& what) { progress.say(what); };
    auto done = port::port_program(*request);
    FOREWARP_TRY(done);
    answer = *std::move(done);
  }
  for (const std::string& warning : answer.warnings)
    print_warning(warning);
  return write_output(words.format == "json" ? port::answer_json(answer) : port_text(answer), words.output);
}

void add_source_options(CLI::App& app, PortWords& words) {
  app.add_option("FILES", words.files, "C and C++ files of the program");
  app.add_option("-D,--define", words.defines, "Macro, NAME or NAME=VALUE")->allow_extra_args(false);
  app.add_option("-I,--include", words.include_directories, "Folder of headers")->allow_extra_args(false);
  app.add_option("-l,--library", words.libraries, "Library of the program, as after a linker's -l")
      ->allow_extra_args(false);
  app.add_option("--std", words.standard, "Language standard: c11, c++17, ...");
  app.add_option("--run-arg", words.arguments,
                 "Argument of the program's main; may be given more than once; or all of them after --")
      ->allow_extra_args(false);
  app.add_option("--run-input", words.input, "File that the program reads as its standard input");
  app.add_option("--region", words.regions, "Loop that begins at FILE:LINE, beside those with a pragma")
      ->allow_extra_args(false);
  app.add_flag("--all-loops", words.all_loops, "Every loop; those inside one that is not parallel");
  app.add_option("--block", words.block, "Threads of a block, x first: 256 or 32,32; overrides the pragmas");
}

void add_answer_options(CLI::App& app, PortWords& words) {
  app.add_option("--size", words.sizes,
                 "Size asked about, NAME=VALUE of a -D; the -D's value is the one traced")
      ->allow_extra_args(false);
  app.add_option("-g,--gpu", words.gpus, "Names, short names or .toml files, with commas or repeated")
      ->allow_extra_args(false)
      ->delimiter(',');
  app.add_option("--model", words.model, "hybrid (default), cgpredict, cgpredict_simple_cache");
  app.add_option("--value-set", words.value_set, "Named set of values of the GPU's file");
  app.add_option("--operations", words.operations, "machine: the machine step; table2: CGPredict's Table 2");
  app.add_option(
      "--loads", words.loads,
      "cgpredict: merged: equal loads of a block count once; written: as often as the source has them");
  app.add_option("--cache", words.cache, "L2 before a launch: cold, or warm (an earlier launch ran)");
  app.add_flag("--no-advice", words.no_advice, "Leave out what changing the code would gain");
  app.add_option("--format", words.format, "text or json; features also csv");
  app.add_option("-o,--output", words.output, "File for the answer");
}

void add_budget_options(CLI::App& app, PortWords& words) {
  app.add_option("--repetitions", words.repetitions, "Timed runs of the program (median)")
      ->check(CLI::Range(1U, 1000U));
  app.add_option("--max-seconds", words.max_seconds, "Longest run of the program")
      ->check(CLI::PositiveNumber);
  app.add_option("--cpu-seconds", words.cpu_seconds,
                 "Longest expected run at --size that is measured, not scaled")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--max-memory-mb", words.max_memory_mb, "Memory of the program")->check(CLI::PositiveNumber);
  app.add_option("--max-trace-mb", words.max_trace_mb, "Memory of the recorded events")
      ->check(CLI::PositiveNumber);
  app.add_option("--trace-threads", words.threads,
                 "Threads recorded in detail: two batches of a multiprocessor")
      ->check(CLI::PositiveNumber);
}

} // namespace

void add_port(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<PortWords>();
  CLI::App* app =
      root.add_subcommand("port", "Predicts what a GPU would gain on the loops of a C or C++ program");
  app->allow_extras();
  app->footer("Example:\n  forewarp port gemm.c -D N=128 --size N=1024 --gpu jetson_tk1,v100");
  add_source_options(*app, *words);
  add_answer_options(*app, *words);
  add_budget_options(*app, *words);
  add_feature_options(*app, words->features);
  add_method_options(*app, words->method);
  actions.push_back({app, [words] { return port_command(*words); }});
}

} // namespace forewarp::cli

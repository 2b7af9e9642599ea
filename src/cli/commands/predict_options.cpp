#include "cli/commands/predict_options.h"

#include "launch/run_index.h"
#include "launch/words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace forewarp::cli {
namespace {

/// CLI11 takes "-1" and numbers beyond 64 bits for unsigned options; this does not.
std::string whole(const std::string& text) {
  return launch::whole_number(text) ? "" : "'" + text + "' is not a whole number";
}

/// The predictors that can be shown, with their papers.
std::string model_words() {
  std::string text;
  for (const predict::Predictor& predictor : predict::predictors())
    if (predict::gives_prediction(predictor))
      text += (text.empty() ? "" : "; ") + predictor.name + " (" + predictor.source + ")";
  return text;
}

std::string shortcut_words() {
  std::string text = "Take the long way in place of these shortcuts: all";
  for (const facts::ShortcutRow& row : facts::shortcut_table())
    text += ", " + std::string(row.name);
  return text + " (docs/reference/shortcuts.md)";
}

void add_source(CLI::App& app, PredictWords& w) {
  const char* group = "Kernel";
  app.add_option("SOURCE", w.source,
                 "OpenCL C (.cl, .opencl), CUDA and HIP (.cu, .cuh, .hip, .cpp, .hpp), LLVM IR (.ll, .bc)");
  app.add_option("-k,--kernel", w.kernel, "Name of the kernel; may be left out when there is one")
      ->group(group);
  app.add_option("-D,--define", w.defines, "NAME or NAME=VALUE for the preprocessor (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("-I,--include", w.include_directories, "Folder of headers (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--std", w.standard, "Language version: CL1.2, CL2.0, CL3.0, c++17, ...")->group(group);
  app.add_option("--cache-dir", w.cache_folder,
                 "Folder where compiled kernels are kept between runs (default: XDG_CACHE_HOME/forewarp)")
      ->group(group);
  app.add_flag("--no-cache", w.no_cache, "Compile anew, and keep nothing for the next run")->group(group);
  app.add_option("--option", w.options,
                 "Option for the compiler, e.g. --option=-cl-fast-relaxed-math (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
}

void add_launch(CLI::App& app, PredictWords& w) {
  const char* group = "Launch (docs/reference/launch_file.md)";
  app.add_option(
         "--launch", w.launch_file,
         "Launch file (.toml); the command line goes before it. With --from-run: the launch's number, "
         "from 1")
      ->group(group);
  app.add_option("--from-run", w.from_run,
                 "Folder of `forewarp run --keep FOLDER`: a launch of --kernel in it (docs/guide/run.md)")
      ->group(group);
  app.add_option("--global", w.global, "Work-items: X,Y,Z or XxYxZ")->group(group);
  app.add_option("--grid", w.grid, "Groups: X,Y,Z or XxYxZ; instead of --global")->group(group);
  app.add_option("--local,--block", w.local, "Work-items of a group: X,Y,Z or XxYxZ")->group(group);
  app.add_option("--cluster", w.cluster, "Groups of a cluster: X,Y,Z or XxYxZ (CUDA, from 9.0 on)")
      ->group(group);
  app.add_option("--dynamic-shared", w.dynamic_shared, "Bytes of dynamic shared memory of a group")
      ->check(whole)
      ->group(group)
      ->each([&w](const std::string&) { w.dynamic_shared_given = true; });
  app.add_option(
         "--arg", w.arguments,
         "NAME=VALUE or NAME=buffer:TYPE[COUNT][:zeros|iota|random(SEED)|@file.npy|@file.bin] (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
}

/// --from-run, --kernel and --launch N to the launch file.
Result<void> choose_launch_of_run(PredictWords& w) {
  const auto number = launch::whole_number(w.launch_file.empty() ? "1" : w.launch_file);
  if (!number || *number == 0)
    return fail(ErrorCode::usage, fmt::format("'{}' is no number of a launch", w.launch_file), "--launch",
                "with --from-run, --launch counts the kernel's launches in the run, from 1");
  auto file = launch::launch_of_run(w.from_run, w.kernel, *number);
  FOREWARP_TRY(file);
  w.launch_file = *std::move(file);
  w.kernel.clear(); // the file has it
  return {};
}

void add_machine(CLI::App& app, PredictWords& w) {
  const char* group = "GPU";
  app.add_option("-g,--gpu", w.gpus,
                 "Names, short names or .toml files, with commas or repeated; `forewarp gpus` lists them")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group(group);
  app.add_option("--value-set", w.value_set, "A named second set of values of the GPU file")->group(group);
  app.add_option("--clock", w.clock_mhz, "SM clock in MHz instead of the file's")->group(group);
  app.add_option(
         "--code", w.code,
         "Machine code: imitated, sass (what the vendor's compiler makes, found on PATH), or auto (sass "
         "where it can be had)")
      ->check(CLI::IsMember({"imitated", "sass", "auto"}))
      ->group(group);
  app.add_flag("--ignore-control-words", w.ignore_control_words,
               "Time machine code by its registers' dependences, as imitated code is")
      ->group(group);
  app.add_option("--registers", w.registers,
                 "Registers per thread: a number (64, with the stack frame's bytes 64,80), estimate, ptxas, "
                 "or those of an "
                 "AMD code object (FILE.hsaco)")
      ->group(group);
  app.add_option("--cache", w.cache,
                 "L2 before the kernel: cold, warm, or dirty (full of others' written lines)")
      ->group(group);
  app.add_option("--model", w.model, model_words())->group(group);
  app.add_option("--trace", w.trace,
                 "run (default), or static: what warps do from source-level analysis alone")
      ->group(group);
}

constexpr const char* unknowns_group = "What cannot be known, and how much is run";

void add_unknowns(CLI::App& app, PredictWords& w) {
  const char* group = unknowns_group;
  app.add_option("--trip-count", w.trip_counts, "LINE=N: iterations of the loop at a line (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--branch", w.branches, "LINE=P: share of lanes that take the branch at a line (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--default-trip-count", w.default_trip_count,
                 "Iterations of every other loop of unknown length")
      ->check(whole)
      ->group(group);
  app.add_option(
         "--out-of-bounds", w.out_of_bounds,
         "An access outside of every buffer: fault (default), or read-zero (it reads zero, writes nothing)")
      ->check(CLI::IsMember({"fault", "read-zero"}))
      ->group(group);
  app.add_flag("--whole-grid", w.whole_grid, "Run every group instead of a sample")->group(group);
  app.add_option("--max-instructions", w.max_instructions, "Budget: warp instructions to run")
      ->check(whole)
      ->group(group);
  app.add_option("--max-seconds", w.max_seconds, "Budget: seconds of processor time to run")->group(group);
  app.add_option("--exact", w.exact, shortcut_words())->allow_extra_args(false)->delimiter(',')->group(group);
  app.add_option("--max-trace-mb", w.max_trace_mb, "Budget: megabytes of trace")->check(whole)->group(group);
}

} // namespace

void add_request_options(CLI::App& app, PredictWords& w) {
  add_source(app, w);
  add_launch(app, w);
  add_machine(app, w);
  add_unknowns(app, w);
  app.parse_complete_callback([&w] {
    if (w.from_run.empty())
      return;
    if (auto chosen = choose_launch_of_run(w); !chosen) {
      w.run_problem = std::move(chosen.error());
      w.launch_file.clear();
    }
  });
}

void add_host_options(CLI::App& app, PredictWords& w) {
  const char* group = "Host code, where no size is given (docs/guide/first_answer.md)";
  app.add_option("--host", w.host_file, "File that starts the kernel (default: the kernel's own)")
      ->group(group);
  app.add_option("--host-args", w.host_arguments, "Arguments of the program, as one text: \"1024 10\"")
      ->group(group)
      ->each([&w](const std::string&) { w.host_arguments_given = true; });
  app.add_option("--host-var", w.host_variables, "NAME=VALUE: a variable of the host code (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--launch-site", w.launch_site,
                 "N: the place that starts the kernel, where there are several")
      ->check(whole)
      ->group(group);
}

void add_predict_options(CLI::App& app, PredictWords& w) {
  add_request_options(app, w);
  add_host_options(app, w);
  app.add_flag("--list-kernels", w.list_kernels, "List the kernels with their parameters and stop")
      ->group("Kernel");
  app.add_option("--sample", w.sample, "Number of groups to run")->check(whole)->group(unknowns_group);
  app.add_option("--seed", w.seed, "Seed of the sample (default 1)")->check(whole)->group(unknowns_group);
  app.add_option("--format", w.format, "text (default), json or csv")->group("Answer");
  app.add_option("-o,--output", w.output, "File for the answer instead of standard output")->group("Answer");
}

} // namespace forewarp::cli

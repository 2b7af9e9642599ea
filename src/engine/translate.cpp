#include "engine/translate.h"

#include "frontend/languages/source_language.h"
#include "frontend/store/module_store.h"

#include <algorithm>

namespace forewarp::engine {

std::optional<Code> code_from_string(std::string_view word) {
  if (word == "imitated")
    return Code::imitated;
  if (word == "sass")
    return Code::vendor;
  if (word == "auto")
    return Code::automatic;
  return std::nullopt;
}

// Structured bindings: a member that is added has to be looked at here.

frontend::CompileRequest compile_request(const SourceRequest& source) {
  const auto& [path, standard, defines, include_directories, extra_options, only_kernel, cache_folder,
               made_of, broken_kernels_apart, code] = source; // code: CompileCache
  frontend::CompileRequest compile;
  compile.path = path;
  compile.standard = standard;
  compile.defines = defines;
  compile.include_directories = include_directories;
  compile.extra_options = extra_options;
  compile.only_kernel = only_kernel;
  compile.cache_folder = cache_folder;
  compile.made_of = made_of;
  compile.broken_kernels_apart = broken_kernels_apart;
  return compile;
}

simt::RunOptions run_options(const RunRequest& run) {
  const auto& [whole_grid, sample_groups, seed, unknown, max_instructions, max_seconds, max_trace_bytes,
               shortcuts, open_number, outside_reads_zero] = run;
  simt::RunOptions options;
  options.whole_grid = whole_grid;
  options.sample_groups = sample_groups;
  options.seed = seed;
  options.unknown = {unknown.trip_counts, unknown.branch_probabilities, unknown.default_trip_count};
  options.max_instructions = max_instructions;
  options.max_seconds = max_seconds;
  options.max_trace_bytes = max_trace_bytes;
  options.outside_reads_zero = outside_reads_zero;
  static_cast<void>(open_number); // of arguments, which are given here
  using enum facts::Shortcut;
  options.whole_grid |= !shortcuts.takes(sampled_groups);
  options.replay_loops = shortcuts.takes(loop_replay);
  options.asked_values_only = shortcuts.takes(asked_values);
  if (!shortcuts.takes(trace_budget)) // still bounded: the trace is held in memory
    options.max_trace_bytes = std::max<std::uint64_t>(max_trace_bytes, 4'000'000'000);
  return options;
}

memory::ProfileOptions::CacheState cache_state(CacheState state) {
  using State = memory::ProfileOptions::CacheState;
  return state == CacheState::warm ? State::warm : state == CacheState::dirty ? State::dirty : State::cold;
}

bool is_cuda_source(const std::string& path) {
  return frontend::is_cuda_source(path);
}

std::string default_cache_folder() {
  return frontend::default_cache_folder();
}

} // namespace forewarp::engine

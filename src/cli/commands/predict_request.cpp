// From the words of `forewarp predict` to the engine's request.
#include "cli/commands/predict_options.h"
#include "engine/code_object.h"
#include "engine/triton_metadata.h"
#include "launch/words.h"
#include "support/named.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace forewarp::cli {
namespace {

template <class T> void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Sizes of the command line take the place of the file's, whichever way the file gave them.
Result<void> read_sizes(const PredictWords& words, facts::Launch& launch) {
  if (!words.global.empty() && !words.grid.empty())
    return fail(ErrorCode::usage, "--global and --grid are both given", "",
                "--global counts work-items, --grid groups: keep one");
  if (!words.global.empty()) {
    const auto size = launch::parse_dim3(words.global, "--global");
    FOREWARP_TRY(size);
    launch.groups.reset();
    launch.global_items = *size;
  }
  if (!words.grid.empty()) {
    const auto size = launch::parse_dim3(words.grid, "--grid");
    FOREWARP_TRY(size);
    launch.global_items.reset();
    launch.groups = *size;
  }
  if (!words.local.empty()) {
    const auto size = launch::parse_dim3(words.local, "--local");
    FOREWARP_TRY(size);
    launch.group_size = *size;
  }
  if (!words.cluster.empty()) {
    const auto size = launch::parse_dim3(words.cluster, "--cluster");
    FOREWARP_TRY(size);
    launch.cluster = *size;
  }
  if (words.dynamic_shared_given)
    launch.dynamic_shared_bytes = words.dynamic_shared;
  return {};
}

Result<void> read_arguments(const PredictWords& words, facts::Launch& launch) {
  std::map<std::string, facts::ArgumentValue> given;
  for (const std::string& text : words.arguments) {
    auto argument = launch::parse_argument(text);
    FOREWARP_TRY(argument);
    if (!given.emplace(argument->first, std::move(argument->second)).second)
      return fail(ErrorCode::usage, fmt::format("argument '{}' is given twice", argument->first), "--arg",
                  "keep one");
  }
  for (auto& [name, value] : given)
    launch.arguments.insert_or_assign(name, std::move(value));
  return {};
}

Result<std::pair<std::uint32_t, std::string>> line_and_value(const std::string& text,
                                                             const std::string& option) {
  const std::size_t equals = text.find('=');
  const auto line = launch::whole_number(std::string_view(text).substr(0, equals));
  if (equals == std::string::npos || !line || *line == 0 || *line > UINT32_MAX)
    return fail(ErrorCode::usage, fmt::format("'{}' is not LINE=VALUE", text), option,
                "write the source line first: 14=100");
  return std::pair{static_cast<std::uint32_t>(*line), text.substr(equals + 1)};
}

Result<void> read_unknowns(const PredictWords& words, engine::UnknownValues& policy) {
  for (const std::string& text : words.trip_counts) {
    const auto pair = line_and_value(text, "--trip-count");
    FOREWARP_TRY(pair);
    const auto count = launch::whole_number(pair->second);
    if (!count)
      return fail(ErrorCode::usage, fmt::format("'{}' is not a number of iterations", pair->second),
                  "--trip-count", "write LINE=N with a whole number");
    policy.trip_counts[pair->first] = *count;
  }
  for (const std::string& text : words.branches) {
    const auto pair = line_and_value(text, "--branch");
    FOREWARP_TRY(pair);
    char* end = nullptr;
    const double share = std::strtod(pair->second.c_str(), &end);
    if (pair->second.empty() || *end != '\0' || !(share >= 0 && share <= 1))
      return fail(ErrorCode::usage, fmt::format("'{}' is not a share between 0 and 1", pair->second),
                  "--branch", "write LINE=P, for example 14=0.5");
    policy.branch_probabilities[pair->first] = share;
  }
  if (words.default_trip_count > 0)
    policy.default_trip_count = words.default_trip_count;
  return {};
}

Result<void> read_registers(const std::string& text, engine::PredictRequest& request) {
  constexpr std::uint64_t most = 1024;
  if (text == "ptxas") {
    request.registers_from_ptxas = true;
  } else if (text.find('.') != std::string::npos) {
    const auto kernel = engine::code_object_kernel(text, request.kernel);
    FOREWARP_TRY(kernel);
    request.registers_given = kernel->resources().registers_per_thread;
  } else if (text != "estimate") {
    const std::size_t comma = text.find(',');
    const auto count = launch::whole_number(text.substr(0, comma));
    const auto frame =
        comma == std::string::npos ? std::nullopt : launch::whole_number(text.substr(comma + 1));
    if (!count || *count == 0 || *count > most || (comma != std::string::npos && !frame))
      return fail(ErrorCode::usage, fmt::format("'{}' is not a number of registers", text), "--registers",
                  "write a number from 1 to 1024 (with the bytes of the stack frame: 64,80), estimate, "
                  "ptxas, or an AMD "
                  "code object (FILE.hsaco)");
    request.registers_given = static_cast<double>(*count);
    if (frame)
      request.frame_bytes_given = static_cast<double>(*frame);
  }
  return {};
}

Result<std::string> one_of(const std::string& word, const std::vector<std::string>& choices,
                           const std::string& option) {
  if (std::find(choices.begin(), choices.end(), word) != choices.end())
    return word;
  return refuse_name({"unknown value", option}, word, choices);
}

Result<void> read_choices(const PredictWords& words, engine::PredictRequest& request) {
  const auto cache = one_of(words.cache, {"cold", "warm", "dirty"}, "--cache");
  FOREWARP_TRY(cache);
  request.cache = *cache == "warm"    ? engine::CacheState::warm
                  : *cache == "dirty" ? engine::CacheState::dirty
                                      : engine::CacheState::cold;
  const auto model = one_of(words.model, predict::predictor_names(predict::gives_prediction), "--model");
  FOREWARP_TRY(model);
  request.model = *model;
  const auto trace = one_of(words.trace, {"run", "static"}, "--trace");
  FOREWARP_TRY(trace);
  request.static_trace = *trace == "static";
  request.value_set = words.value_set;
  constexpr double most_mhz = 100'000;
  if (words.clock_mhz != 0 && !(words.clock_mhz > 0 && words.clock_mhz <= most_mhz))
    return fail(ErrorCode::usage, fmt::format("{} MHz is no clock", words.clock_mhz), "--clock",
                "give it in MHz, e.g. 1380");
  request.sm_clock_mhz_given = words.clock_mhz;
  return read_registers(words.registers, request);
}

Result<void> read_budget(const PredictWords& words, engine::RunRequest& run) {
  if (words.whole_grid && words.sample > 0)
    return fail(ErrorCode::usage, "--whole-grid and --sample are both given", "", "keep one");
  constexpr std::uint64_t most_groups = 1'000'000;
  if (words.sample > most_groups)
    return fail(ErrorCode::usage, fmt::format("a sample of {} groups", words.sample), "--sample",
                "1000000 is the most");
  if (words.max_seconds < 0 || !std::isfinite(words.max_seconds))
    return fail(ErrorCode::usage, fmt::format("{} is no number of seconds", words.max_seconds),
                "--max-seconds");
  const auto shortcuts = facts::shortcuts_without(words.exact, "--exact");
  FOREWARP_TRY(shortcuts);
  run.shortcuts = *shortcuts;
  if (!words.out_of_bounds.empty()) // else as the launch file says
    run.outside_reads_zero = words.out_of_bounds == "read-zero";
  run.whole_grid = words.whole_grid;
  run.sample_groups = static_cast<unsigned>(words.sample);
  run.seed = words.seed;
  if (words.max_instructions > 0)
    run.max_instructions = words.max_instructions;
  if (words.max_seconds > 0)
    run.max_seconds = words.max_seconds;
  if (words.max_trace_mb > 0)
    run.max_trace_bytes = std::min<std::uint64_t>(words.max_trace_mb, 1'000'000) * 1'000'000;
  return {};
}

Result<void> read_source(const PredictWords& words, launch::LaunchFile file,
                         engine::PredictRequest& request) {
  request.compile.path = words.source.empty() ? file.source : words.source;
  if (request.compile.path.empty())
    return fail(ErrorCode::usage, "no source file was given", "",
                "forewarp predict SOURCE --gpu NAME --global X --local X ...");
  request.kernel = words.kernel.empty() ? file.kernel : words.kernel;
  if (request.kernel.find('<') != std::string::npos) // an instance, which may have to be made
    request.compile.only_kernel = request.kernel;
  request.compile.standard = words.standard.empty() ? file.standard : words.standard;
  request.compile.defines = std::move(file.defines);
  append(request.compile.defines, words.defines);
  request.compile.include_directories = words.include_directories;
  append(request.compile.include_directories, file.include_directories);
  request.compile.extra_options = std::move(file.options);
  append(request.compile.extra_options, words.options);
  request.compile.code = *engine::code_from_string(words.code); // CLI11 has checked the word
  request.ignore_control_words = words.ignore_control_words;
  return {};
}

Result<void> read_cache(const PredictWords& words, engine::SourceRequest& compile) {
  if (words.no_cache && !words.cache_folder.empty())
    return fail(ErrorCode::usage, "--cache-dir and --no-cache are both given", "", "keep one");
  if (!words.no_cache)
    compile.cache_folder = words.cache_folder.empty() ? engine::default_cache_folder() : words.cache_folder;
  return {};
}

} // namespace

Result<engine::HostSource> make_host_source(const PredictWords& words) {
  engine::HostSource host;
  host.path = words.host_file;
  host.launch_site = words.launch_site;
  if (words.host_arguments_given) {
    host.program_arguments.emplace();
    for (const std::string_view word : launch::split(words.host_arguments, ' '))
      if (!word.empty())
        host.program_arguments->emplace_back(word);
  }
  for (const std::string& text : words.host_variables) {
    const std::size_t equals = text.find('=');
    const auto number =
        launch::normal_number(std::string_view(text).substr(std::min(equals, text.size() - 1) + 1));
    if (equals == std::string::npos || equals == 0 || !number)
      return fail(ErrorCode::usage, fmt::format("'{}' is not NAME=VALUE", text), "--host-var",
                  "write a variable and a number: n=4096");
    host.variables[text.substr(0, equals)] = std::stod(*number);
  }
  return host;
}

Result<std::vector<gpu::GpuChoice>> choose_gpus(const std::vector<std::string>& names,
                                                const gpu::Catalogue& catalogue) {
  if (names.empty())
    return fail(ErrorCode::usage, "no GPU was named", "",
                "add --gpu NAME (or a list a,b,c); `forewarp gpus` lists them");
  std::vector<gpu::GpuChoice> choices;
  for (const std::string& name : names) {
    auto choice = catalogue.find(std::string(launch::strip(name)));
    FOREWARP_TRY(choice);
    choices.push_back(*std::move(choice));
  }
  return choices;
}

Result<std::vector<gpu::GpuChoice>> choose_gpus(const std::vector<std::string>& names) {
  if (names.empty())
    return choose_gpus(names, gpu::Catalogue());
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  return choose_gpus(names, *catalogue);
}

Result<engine::PredictRequest> make_request(const PredictWords& words) {
  if (words.launch_file.empty())
    return make_request(words, launch::LaunchFile());
  auto file = launch::read_launch_file(words.launch_file);
  FOREWARP_TRY(file);
  return make_request(words, *std::move(file));
}

Result<engine::PredictRequest> make_request(const PredictWords& words, launch::LaunchFile file) {
  if (words.run_problem)
    return tl::unexpected<Error>(*words.run_problem);
  engine::PredictRequest request;
  request.launch = std::move(file.launch);
  request.run.outside_reads_zero = file.outside_reads_zero;
  FOREWARP_TRY(read_source(words, std::move(file), request));
  FOREWARP_TRY(read_cache(words, request.compile));
  FOREWARP_TRY(read_sizes(words, request.launch));
  FOREWARP_TRY(engine::take_triton_metadata(request, words.dynamic_shared_given ||
                                                         request.launch.dynamic_shared_bytes > 0));
  FOREWARP_TRY(read_arguments(words, request.launch));
  FOREWARP_TRY(read_unknowns(words, request.run.unknown));
  FOREWARP_TRY(read_choices(words, request));
  FOREWARP_TRY(read_budget(words, request.run));
  return request;
}

} // namespace forewarp::cli

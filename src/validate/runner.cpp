#include "validate/runner.h"

#include "engine/session.h"
#include "launch/parse.h"
#include "support/memory_file.h"
#include "validate/draw.h"
#include "validate/number_table.h"
#include "validate/rows.h"
#include "validate/stages.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace forewarp::validate {
namespace {

Basis basis_of(const facts::Prediction& prediction) {
  Basis basis;
  basis.registers = prediction.resources.registers_per_thread;
  basis.spilled_bytes = prediction.resources.spill_bytes_per_thread;
  basis.occupancy = prediction.occupancy.limiter == "grid" ? 1 : prediction.occupancy.fraction;
  basis.amd_board = prediction.resources.source == "amdgpu backend";
  basis.policies =
      static_cast<std::size_t>(std::ranges::count_if(prediction.notes, [](const facts::Note& note) {
        return note.severity == facts::Note::Severity::assumption;
      }));
  basis.assumed = prediction.assumed_gpu_values.size();
  return basis;
}

/// A file's text without the lines that hold one of `unwanted`.
std::string text_without(const std::filesystem::path& path, const std::vector<std::string>& unwanted) {
  std::ifstream file(path);
  std::string text, line;
  while (std::getline(file, line))
    if (std::none_of(unwanted.begin(), unwanted.end(),
                     [&](const std::string& part) { return line.find(part) != std::string::npos; }))
      text += line + "\n";
  return text;
}

Result<facts::Dim3> sizes(const std::vector<Expression>& expressions, const Values& values) {
  std::array<std::uint64_t, 3> size = {1, 1, 1};
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const auto value = expressions[i].evaluate(values);
    FOREWARP_TRY(value);
    if (*value < 1 || *value != std::floor(*value))
      return fail(ErrorCode::bad_input,
                  fmt::format("'{}' gives {}, which is no size", expressions[i].text(), *value));
    size[i] = static_cast<std::uint64_t>(*value);
  }
  return facts::Dim3{size[0], size[1], size[2]};
}

/// By the data's names of the GPUs.
using EvidenceOfGpus = std::map<std::string, Evidence>;

class SuiteRunner {
public:
  SuiteRunner(const Suite& suite, const gpu::Catalogue& catalogue, const RunOptions& options,
              const EvidenceOfGpus& evidence, engine::SharedSimulations simulations)
      : suite_(suite), catalogue_(catalogue), options_(options), evidence_(evidence),
        session_(std::move(simulations), code_families) {}

  Result<RowResult> run(const Row& row) {
    auto request = request_of(row);
    FOREWARP_TRY(request);
    auto answers = session_.predict_with_models(*request);
    FOREWARP_TRY(answers);
    auto result = compare(row, answers->front().prediction);
    if (result)
      result->baselines_ms.merge(answers->front().model_ms);
    return result;
  }

  /// The same text in every run: without the name of a temporary file.
  std::string reason(const Row& row, const Error& error) const {
    std::string text = to_string(error);
    const auto joined = joined_.find(row.kernel);
    if (joined == joined_.end() || !joined->second)
      return text;
    const std::string& path = joined->second->path();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
      text.replace(at, path.size(), row.kernel->sources.empty() ? suite_.name : row.kernel->sources.front());
    return text;
  }

  const engine::StageSeconds& stage_seconds() const { return session_.stage_seconds(); }

private:
  /// A configuration's rows follow each other, GPUs of different code among them.
  static constexpr std::size_t code_families = 2;

  Result<engine::PredictRequest> request_of(const Row& row) {
    const SuiteKernel& kernel = *row.kernel;
    const std::filesystem::path root = std::filesystem::path(options_.sources_directory) / suite_.directory;
    engine::PredictRequest request;
    auto source = source_of(kernel);
    FOREWARP_TRY(source);
    request.compile.path = *source;
    if (!kernel.sources.empty())
      request.compile.made_of = (root / kernel.sources.front()).string();
    request.compile.standard = kernel.standard;
    request.compile.extra_options = kernel.options;
    request.compile.code = options_.code;
    request.ignore_control_words = options_.ignore_control_words;
    for (const std::string& directory : kernel.include_directories)
      request.compile.include_directories.push_back((root / directory).string());
    for (const auto& [name, value] : kernel.defines) {
      const auto text = value.fill(row.values);
      FOREWARP_TRY(text);
      request.compile.defines.push_back(name + "=" + *text);
    }
    auto symbol = kernel.kernel.fill(row.values);
    FOREWARP_TRY(symbol);
    request.compile.only_kernel = *symbol; // whose notes nobody sees
    request.kernel = std::move(*symbol);
    request.run.unknown.trip_counts = kernel.trip_counts;
    if (kernel.warm_cache)
      request.cache = engine::CacheState::warm;
    FOREWARP_TRY(fill_launch(row, request.launch));
    const SuiteGpu& gpu = suite_.gpus.at(row.data_gpu);
    auto choice = catalogue_.find(gpu.name);
    FOREWARP_TRY(choice);
    request.gpus.push_back(std::move(*choice));
    request.sm_clock_mhz_given = gpu.sm_clock_mhz;
    request.cuda_compiler_given = gpu.cuda_compiler;
    return request;
  }

  /// The kernel's source file; where it is made of several, or of another ending than its language's, a file
  /// that includes them or, without some lines, holds them.
  Result<std::string> source_of(const SuiteKernel& kernel) {
    const std::filesystem::path root =
        std::filesystem::absolute(options_.sources_directory) / suite_.directory;
    if (kernel.sources.size() == 1 && kernel.language.empty() && kernel.before.empty() &&
        kernel.after.empty() && kernel.without.empty())
      return (root / kernel.sources.front()).string();
    auto& joined = joined_[&kernel];
    if (!joined) {
      std::string text = kernel.before + "\n";
      for (const std::string& source : kernel.sources)
        text += kernel.without.empty() ? fmt::format("#include \"{}\"\n", (root / source).string())
                                       : text_without(root / source, kernel.without);
      const bool cuda = kernel.language.empty() ? engine::is_cuda_source(kernel.sources.front())
                                                : kernel.language == "cuda";
      auto file = MemoryFile::write(text + kernel.after + "\n", cuda ? "kernel.cu" : "kernel.cl");
      FOREWARP_TRY(file);
      joined = std::move(*file);
    }
    return joined->path();
  }

  Result<void> fill_launch(const Row& row, facts::Launch& launch) {
    const SuiteKernel& kernel = *row.kernel;
    const auto grid = sizes(kernel.grid, row.values), block = sizes(kernel.block, row.values);
    FOREWARP_TRY(grid);
    FOREWARP_TRY(block);
    launch.groups = *grid;
    launch.group_size = *block;
    if (kernel.dynamic_shared) {
      const auto bytes = kernel.dynamic_shared->evaluate(row.values);
      FOREWARP_TRY(bytes);
      launch.dynamic_shared_bytes = static_cast<std::uint64_t>(*bytes);
    }
    for (const auto& [name, value] : kernel.arguments) {
      const auto text = value.fill(row.values);
      FOREWARP_TRY(text);
      auto argument = launch::parse_argument(name + "=" + *text, options_.data_directory);
      FOREWARP_TRY(argument);
      launch.arguments.insert(std::move(*argument));
    }
    return {};
  }

  /// Without the host's part. What lasts longer than an hour stands for a failure or has another unit.
  Result<double> measured_ms(const Row& row) const {
    constexpr double longest_ms = 3.6e6;
    const auto measured = (row.kernel->time_ms ? *row.kernel->time_ms : suite_.time_ms).evaluate(row.values);
    FOREWARP_TRY(measured);
    const double kernel_ms = *measured - suite_.gpus.at(row.data_gpu).host_ms;
    if (kernel_ms <= 0 || kernel_ms > longest_ms)
      return fail(ErrorCode::bad_input, fmt::format("measured time {} ms", *measured));
    return kernel_ms;
  }

  Result<RowResult> compare(const Row& row, const facts::Prediction& prediction) {
    RowResult result;
    result.kernel = row.kernel->name;
    result.gpu = prediction.gpu;
    result.row = row.index;
    const Evidence& evidence = evidence_.at(row.data_gpu);
    result.standing = evidence.standing(suite_.name, result.kernel);
    result.interval_standing = evidence.interval_standing(suite_.name, result.kernel);
    const auto measured = measured_ms(row);
    FOREWARP_TRY(measured);
    result.measured_ms = *measured;
    result.predicted_ms = prediction.time_ms;
    result.low_ms = prediction.interval_ms[0];
    result.high_ms = prediction.interval_ms[1];
    result.resident_warps =
        static_cast<double>(prediction.occupancy.active_groups_per_sm) * prediction.occupancy.warps_per_group;
    result.limiter = facts::to_string(prediction.limiter);
    result.basis = basis_of(prediction);
    result.baselines_ms = {{"plain_roofline", roofline_ms(prediction)},
                           {"bandwidth", achieved_bandwidth_ms(prediction)}};
    for (const auto& [stage, expression] : row.kernel->stages) {
      const auto value = expression.evaluate(row.values);
      const auto predicted = predicted_stage(prediction, stage);
      if (value && *value < 0)
        return fail(ErrorCode::bad_input, fmt::format("measured {} {}", stage, *value));
      if (value && predicted) // a counter that this row lacks (a 0 / 0 of no requests) is no error
        result.stages[stage] = {*value, *predicted};
    }
    return result;
  }

  const Suite& suite_;
  const gpu::Catalogue& catalogue_;
  const RunOptions& options_;
  const EvidenceOfGpus& evidence_;
  engine::Session session_;
  std::map<const SuiteKernel*, std::optional<MemoryFile>> joined_;
};

Result<void> check_sources(const Suite& suite, const RunOptions& options) {
  for (const SuiteKernel& kernel : suite.kernels)
    for (const std::string& source : kernel.sources) {
      const auto path = std::filesystem::path(options.sources_directory) / suite.directory / source;
      if (!std::filesystem::exists(path))
        return fail(ErrorCode::not_found, fmt::format("kernel '{}' needs {}", kernel.name, source),
                    path.string(),
                    fmt::format("check out {} at commit {} as {} below the directory given by --sources",
                                suite.repository, suite.commit, suite.directory));
    }
  return {};
}

/// The catalogue's names of the GPUs that are asked for; none: all.
Result<std::set<std::string>> asked_gpus(const RunOptions& options, const gpu::Catalogue& catalogue) {
  std::set<std::string> names;
  for (const std::string& asked : options.gpus) {
    const auto choice = catalogue.find(asked);
    FOREWARP_TRY(choice);
    names.insert(choice->file.name);
  }
  return names;
}

bool wanted(const std::set<std::string>& asked, const gpu::Catalogue& catalogue, const std::string& gpu) {
  if (asked.empty())
    return true;
  const auto choice = catalogue.find(gpu);
  return choice && asked.contains(choice->file.name);
}

Result<EvidenceOfGpus> evidence_of(const Suite& suite, const Spaces& spaces, const gpu::Catalogue& catalogue,
                                   const RunOptions& options) {
  EvidenceOfGpus all;
  for (const auto& [space, rows] : spaces) {
    const std::string& name = space.second;
    if (all.contains(name))
      continue;
    const SuiteGpu& board = suite.gpus.at(name);
    const auto choice = catalogue.find(board.name);
    FOREWARP_TRY(choice);
    const auto values = gpu::read_provenance(choice->file.path, options.gpu_directory);
    FOREWARP_TRY(values);
    all.emplace(name, Evidence(choice->file, *values, options.rules, board.derived_from));
  }
  return all;
}

/// Of spaces that something was derived from: by what.
std::vector<UsedRows> used_rows(const Suite& suite, const Spaces& spaces, const EvidenceOfGpus& evidence) {
  std::vector<UsedRows> all;
  for (const auto& [space, rows] : spaces) {
    auto by = evidence.at(space.second).used_by(suite.name, space.first);
    if (!by.empty())
      all.push_back({space.first, suite.gpus.at(space.second).name, std::move(by)});
  }
  return all;
}

/// What came of the rows, with their places.
struct Outcomes {
  std::vector<std::pair<std::size_t, RowResult>> results;
  std::vector<std::pair<std::size_t, LeftOutRow>> left_out;
};

void run_part(const Suite& suite, SuiteRunner& runner, const Part& part, Outcomes& outcomes) {
  for (const auto& [row, place, code, configuration] : part) {
    auto compared = runner.run(row);
    if (compared)
      outcomes.results.emplace_back(place, std::move(*compared));
    else
      outcomes.left_out.emplace_back(place, LeftOutRow{row.kernel->name, suite.gpus.at(row.data_gpu).name,
                                                       runner.reason(row, compared.error()), row.index});
  }
}

/// Appends in the order of the places.
template <class T> void append(std::vector<std::pair<std::size_t, T>> placed, std::vector<T>& all) {
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [place, one] : placed)
    all.push_back(std::move(one));
}

void add(const engine::StageSeconds& some, engine::StageSeconds& sum) {
  sum.compile += some.compile;
  sum.run += some.run;
  sum.memory += some.memory;
  sum.simulation += some.simulation;
  sum.models += some.models;
}

std::string progress_line(const Suite& suite, const Part& part) {
  return fmt::format("{}: {} on {}", suite.name, part.front().row.kernel->name, part.front().row.data_gpu);
}

/// Threads with a session each, which share simulations; what they find does not depend on their number.
void run_parts(const Suite& suite, const gpu::Catalogue& catalogue, const RunOptions& options,
               const EvidenceOfGpus& evidence, const std::vector<Part>& parts, SuiteResult& result) {
  const auto simulations = engine::shared_simulations();
  std::atomic<std::size_t> next{0};
  std::mutex speaking, adding;
  Outcomes all;
  const auto work = [&] {
    SuiteRunner runner(suite, catalogue, options, evidence, simulations);
    Outcomes own;
    for (std::size_t i = next++; i < parts.size(); i = next++) {
      if (options.progress) {
        const std::lock_guard lock(speaking);
        options.progress(progress_line(suite, parts[i]));
      }
      run_part(suite, runner, parts[i], own);
    }
    const std::lock_guard lock(adding);
    add(runner.stage_seconds(), result.seconds);
    std::ranges::move(own.results, std::back_inserter(all.results));
    std::ranges::move(own.left_out, std::back_inserter(all.left_out));
  };
  const std::size_t jobs =
      options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (std::size_t job = 1; job < std::min(jobs, parts.size()); ++job)
    others.emplace_back(work);
  work();
  for (std::thread& thread : others)
    thread.join();
  append(std::move(all.results), result.rows);
  append(std::move(all.left_out), result.left_out);
}

} // namespace

Result<SuiteResult> run_suite(const Suite& suite, const gpu::Catalogue& catalogue,
                              const RunOptions& options) {
  FOREWARP_TRY(check_sources(suite, options));
  const auto asked = asked_gpus(options, catalogue);
  FOREWARP_TRY(asked);
  Spaces spaces;
  SuiteResult result{suite.name, suite.title, {}, {}, {}, {}};
  std::vector<DataTable> tables;
  for (const std::string& file : suite.data_files) {
    const std::string path = (std::filesystem::path(options.data_directory) / file).string();
    auto table = suite.number_columns.empty() ? read_csv(path) : read_numbers(path, suite.number_columns);
    FOREWARP_TRY(table);
    tables.push_back({file, std::move(*table)});
  }
  FOREWARP_TRY(collect(suite, tables, spaces, result.left_out));
  std::erase_if(spaces, [&](const auto& space) {
    return !wanted(*asked, catalogue, suite.gpus.at(space.first.second).name);
  });
  std::erase_if(result.left_out, [&](const LeftOutRow& row) { return !wanted(*asked, catalogue, row.gpu); });
  const auto evidence = evidence_of(suite, spaces, catalogue, options);
  FOREWARP_TRY(evidence);
  result.used = used_rows(suite, spaces, *evidence);
  run_parts(suite, catalogue, options, *evidence, draw(std::move(spaces), options.sample, options.seed),
            result);
  return result;
}

} // namespace forewarp::validate

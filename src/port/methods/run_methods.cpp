#include "port/features/dynamic_features.h"
#include "port/methods/explain.h"
#include "port/methods/methods.h"

#include "learn/region_order.h"
#include "support/suggest.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::port {
namespace {

struct Place {
  std::string file, name;
  std::uint32_t line = 0;
};

/// "FILE:LINE NAME", as rows of features are called.
Place place_of_row(const std::string& region) {
  for (std::size_t colon = region.find(':'); colon != std::string::npos;
       colon = region.find(':', colon + 1)) {
    std::size_t end = colon + 1;
    std::uint32_t line = 0;
    for (; end < region.size() && std::isdigit(static_cast<unsigned char>(region[end])) != 0; ++end)
      line = line * 10 + static_cast<std::uint32_t>(region[end] - '0');
    if (end > colon + 1 && (end == region.size() || region[end] == ' '))
      return {region.substr(0, colon), end < region.size() ? region.substr(end + 1) : "", line};
  }
  return {region, region, 0};
}

/// Regions as the methods name them, each with one answer a method.
class Board {
public:
  explicit Board(const MethodsRequest& request) : request_(request) {}

  ComparedRegion& region(const std::string& gpu, const Place& place) {
    for (ComparedRegion& known : regions_)
      if (known.gpu == gpu && known.file == place.file && known.line == place.line)
        return known;
    ComparedRegion& added = regions_.emplace_back();
    added.gpu = gpu;
    added.file = place.file;
    added.line = place.line;
    added.name = place.name;
    for (const Method method : request_.methods)
      added.answers.push_back({.method = method, .problem = "the method did not look at this loop"});
    return added;
  }

  void set(ComparedRegion& region, MethodAnswer answer) const {
    const auto slot = std::ranges::find(region.answers, answer.method, &MethodAnswer::method);
    if (slot != region.answers.end())
      *slot = std::move(answer);
  }

  /// The method has no answer for any loop of this GPU.
  void set_problem(const std::string& gpu, Method method, const Error& problem) {
    problems_.push_back({gpu, method, problem});
  }

  Result<std::vector<ComparedRegion>> finish() {
    if (regions_.empty() && !problems_.empty())
      return tl::unexpected<Error>(problems_.front().problem);
    for (const Problem& problem : problems_)
      for (ComparedRegion& region : regions_)
        if (problem.gpu.empty() || region.gpu == problem.gpu)
          set(region, {.method = problem.method,
                       .problem = to_one_line(problem.problem),
                       .remedy = problem.problem.hint});
    return std::move(regions_);
  }

private:
  struct Problem {
    std::string gpu;
    Method method;
    Error problem;
  };
  static std::string to_one_line(const Error& error) {
    return error.where.empty() ? error.message : error.where + ": " + error.message;
  }

  const MethodsRequest& request_;
  std::vector<ComparedRegion> regions_;
  std::vector<Problem> problems_;
};

std::vector<std::string> strongest_causes(const RegionAnswer& region) {
  std::vector<std::string> causes;
  for (const auto& [cause, share] : region.estimate.kernel.causes)
    if (share >= 0.1 && causes.size() < 3)
      causes.push_back(fmt::format("{} {:.0f} %", cause, 100 * share));
  if (causes.empty())
    return {};
  return {fmt::format("time goes to {}", fmt::join(causes, ", "))};
}

void run_traced(const MethodsRequest& request, Method method, Board& board, MethodsAnswer& answer) {
  PortRequest port = request.port;
  port.model = to_string(method);
  port.advice = false;
  const auto done = port_program(port);
  if (!done)
    return board.set_problem("", method, done.error());
  for (const RegionAnswer& region : done->regions) {
    ComparedRegion& compared = board.region(region.gpu, {region.file, region.name, region.line});
    compared.cpu_ms = region.cpu_time_ms;
    if (done->program_ms > 0 && region.cpu_time_ms > 0 && compared.share < 0)
      compared.share = region.cpu_time_ms / done->program_ms;
    MethodAnswer said{.method = method, .speedup = region.speedup};
    said.lowest = said.highest = region.speedup;
    said.gpu_ms = region.time_ms + region.launch_ms;
    said.says =
        region.speedup > 0 ? fmt::format("{:.3g}x", region.speedup) : fmt::format("{:.4g} ms", said.gpu_ms);
    said.why = strongest_causes(region);
    board.set(compared, std::move(said));
  }
  for (const UnansweredRegion& region : done->unanswered)
    for (const gpu::GpuChoice& gpu : request.port.gpus) {
      ComparedRegion& compared = board.region(gpu.file.name, {region.file, region.name, region.line});
      compared.cpu_ms = region.cpu_time_ms;
      board.set(compared,
                {.method = method, .problem = region.problem.message, .remedy = region.problem.hint});
    }
  for (const std::string& warning : done->warnings)
    if (std::find(answer.warnings.begin(), answer.warnings.end(), warning) == answer.warnings.end())
      answer.warnings.push_back(warning);
}

/// The first model of the kind for the GPU; where the user named them, why none fits.
Result<const NamedModel*> choose_model(const MethodsRequest& request, const learn::ModelUse& use) {
  Error problem{
      ErrorCode::not_found, fmt::format("no trained {} model for {}", use.kind, use.gpu), "",
      fmt::format(
          "train one: forewarp train rows.csv --gpu '{}' --method {} -o model.json (docs/guide/learn.md)",
          use.gpu, use.kind)};
  for (const NamedModel& model : request.models) {
    if (model.file.kind() != use.kind)
      continue;
    const auto fits = learn::check_use(model.file, use, model.path);
    if (fits)
      return &model;
    // A shipped model of another GPU is not what the user speaks of.
    if (request.models_named || model.file.gpu == use.gpu)
      problem = fits.error();
  }
  return tl::unexpected<Error>(problem);
}

std::vector<double> values_of(const facts::FeatureRow& row) {
  std::vector<double> values;
  for (const facts::Feature& feature : row.features)
    values.push_back(feature.value);
  return values;
}

std::vector<std::string> names_of(const facts::FeatureRow& row) {
  std::vector<std::string> names;
  for (const facts::Feature& feature : row.features)
    names.push_back(feature.name);
  return names;
}

void set_dynamic(const DynamicRow& row, const NamedModel& model, const std::string& gpu, Board& board) {
  const Place place = place_of_row(row.row.region);
  ComparedRegion& compared = board.region(gpu, place);
  if (compared.cpu_ms == 0)
    compared.cpu_ms = row.cpu_ms;
  if (!row.problem.message.empty())
    return board.set(compared,
                     {.method = Method::dynamic, .problem = row.problem.message, .remedy = row.problem.hint});
  const auto prediction = learn::predict_dynamic(std::get<learn::DynamicModel>(model.file.model),
                                                 names_of(row.row), values_of(row.row));
  if (!prediction)
    return board.set(compared, {.method = Method::dynamic,
                                .problem = prediction.error().message,
                                .remedy = prediction.error().hint});
  board.set(compared, dynamic_answer(*prediction, row.cpu_ms));
}

bool wants_warps(const std::vector<std::pair<std::string, const NamedModel*>>& models) {
  for (const auto& [gpu, model] : models) {
    const auto& dynamic = std::get<learn::DynamicModel>(model->file.model);
    if (dynamic.multiplier == learn::bound_column)
      return true;
    for (const learn::ModelFeature& feature : dynamic.features)
      if (feature.name.starts_with("warp_") || feature.name.starts_with("phys_"))
        return true;
  }
  return false;
}

void note_use(const NamedModel& model, MethodsAnswer& answer) {
  answer.used.push_back(describe(model));
  if (model.file.forced)
    answer.warnings.push_back(
        fmt::format("{}: written with --force: worse than the simplest answer", model.path));
}

void run_dynamic(const MethodsRequest& request, Board& board, MethodsAnswer& answer) {
  std::vector<std::pair<std::string, const NamedModel*>> models;
  for (const gpu::GpuChoice& gpu : request.port.gpus) {
    const auto model = choose_model(request, {"dynamic", dynamic_extractor, "", gpu.file.name});
    if (model)
      models.emplace_back(gpu.file.name, *model);
    else
      board.set_problem(gpu.file.name, Method::dynamic, model.error());
  }
  if (models.empty())
    return;
  DynamicRequest dynamic{request.port.program};
  dynamic.warps = wants_warps(models);
  const auto rows = dynamic_features(dynamic);
  if (!rows)
    return board.set_problem("", Method::dynamic, rows.error());
  answer.warnings.insert(answer.warnings.end(), rows->warnings.begin(), rows->warnings.end());
  for (const auto& [gpu, model] : models) {
    note_use(*model, answer);
    for (const DynamicRow& row : rows->rows)
      set_dynamic(row, *model, gpu, board);
  }
}

void set_static(const StaticLoop& loop, const NamedModel& model, const std::string& gpu, Board& board) {
  const Place place{loop.mark.file,
                    loop.mark.name.empty() ? fmt::format("{}:{}", loop.mark.function, loop.mark.line)
                                           : loop.mark.name,
                    loop.mark.line};
  ComparedRegion& compared = board.region(gpu, place);
  compared.function = loop.mark.function;
  compared.concerns = loop.concerns;
  const auto& statics = std::get<learn::StaticModel>(model.file.model);
  std::vector<std::vector<double>> vectors = {values_of(loop.row)};
  for (const auto& variant : loop.variants)
    vectors.emplace_back(variant.begin(), variant.end());
  const auto prediction = learn::predict_static(statics, names_of(loop.row), vectors);
  if (!prediction)
    return board.set(
        compared,
        {.method = Method::text, .problem = prediction.error().message, .remedy = prediction.error().hint});
  board.set(compared, static_answer(statics, *prediction));
  compared.hints = optimisation_hints(statics, *prediction);
}

void run_static(const MethodsRequest& request, Board& board, MethodsAnswer& answer) {
  const auto loops = static_features(request.tree);
  if (!loops)
    return board.set_problem("", Method::text, loops.error());
  answer.skipped = loops->skipped;
  for (const gpu::GpuChoice& gpu : request.port.gpus) {
    const auto model = choose_model(request, {"static", static_extractor, request.cpu, gpu.file.name});
    if (!model) {
      board.set_problem(gpu.file.name, Method::text, model.error());
      continue;
    }
    note_use(**model, answer);
    for (const StaticLoop& loop : loops->loops)
      set_static(loop, **model, gpu.file.name, board);
  }
}

/// The answer that the order goes by: a point before a range.
const MethodAnswer* best_answer(const ComparedRegion& region) {
  const MethodAnswer* best = nullptr;
  for (const MethodAnswer& answer : region.answers)
    if (answer.problem.empty() && answer.speedup > 0 &&
        (best == nullptr || best->method == Method::cgpredict || (answer.method == Method::hybrid)))
      best = &answer;
  return best;
}

/// What porting would take from the program's time; without shares, the speed-up alone.
double promise(const ComparedRegion& region) {
  const MethodAnswer* answer = best_answer(region);
  const double kept = answer == nullptr ? 1 : 1 / answer->speedup;
  return (region.share >= 0 ? region.share : 1) * (1 - kept);
}

void finish_regions(const MethodsRequest& request, std::vector<ComparedRegion>& regions) {
  for (ComparedRegion& region : regions) {
    if (!request.profile.empty() && !region.function.empty())
      region.share = std::max(0.0, share_of(request.profile, region.function));
    region.disagreements = disagreements(region.answers);
  }
  const auto gpu_index = [&](const std::string& name) {
    const auto& gpus = request.port.gpus;
    return std::find_if(gpus.begin(), gpus.end(),
                        [&](const gpu::GpuChoice& gpu) { return gpu.file.name == name; }) -
           gpus.begin();
  };
  std::stable_sort(regions.begin(), regions.end(), [&](const ComparedRegion& a, const ComparedRegion& b) {
    const auto left = gpu_index(a.gpu), right = gpu_index(b.gpu);
    return left != right ? left < right : promise(a) > promise(b);
  });
}

/// "tesla_v100_sxm2" of "Tesla V100 SXM2".
std::string in_file_names(const std::string& name) {
  std::string text;
  for (const char letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (!text.empty() && text.back() != '_')
      text += '_';
  while (!text.empty() && text.back() == '_')
    text.pop_back();
  return text;
}

bool is_of_one_of(const std::string& stem, const std::vector<gpu::GpuChoice>& gpus) {
  return std::any_of(gpus.begin(), gpus.end(), [&](const gpu::GpuChoice& gpu) {
    return stem.find("_" + in_file_names(gpu.file.name) + "_") != std::string::npos;
  });
}

} // namespace

const char* to_string(Method method) {
  switch (method) {
  case Method::cgpredict:
    return "cgpredict";
  case Method::hybrid:
    return "hybrid";
  case Method::dynamic:
    return "dynamic";
  case Method::text:
    return "static";
  }
  return "";
}

Result<std::vector<Method>> parse_methods(const std::string& words) {
  std::vector<Method> all = {Method::cgpredict, Method::hybrid, Method::dynamic, Method::text};
  if (words == "all")
    return all;
  std::vector<Method> methods;
  std::size_t at = 0;
  while (at <= words.size()) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](Method one) { return word == to_string(one); });
    if (found == all.end())
      return fail(ErrorCode::usage, fmt::format("no method '{}'", word), "--method",
                  "cgpredict, hybrid, dynamic, static, with commas; or all");
    if (std::find(methods.begin(), methods.end(), *found) == methods.end())
      methods.push_back(*found);
    at = end + 1;
  }
  return methods;
}

Result<MethodsAnswer> compare_methods(const MethodsRequest& request) {
  Board board(request);
  MethodsAnswer answer;
  for (const Method method : request.methods) {
    if (request.progress)
      request.progress(fmt::format("method {}", to_string(method)));
    if (method == Method::dynamic)
      run_dynamic(request, board, answer);
    else if (method == Method::text)
      run_static(request, board, answer);
    else
      run_traced(request, method, board, answer);
  }
  auto regions = board.finish();
  FOREWARP_TRY(regions);
  answer.regions = *std::move(regions);
  finish_regions(request, answer.regions);
  return answer;
}

Result<std::vector<NamedModel>> shipped_models(const std::vector<gpu::GpuChoice>& gpus) {
  const auto folder = gpu::default_gpu_folder();
  FOREWARP_TRY(folder);
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder->parent_path() / "models", error))
    if (entry.path().extension() == ".json" && is_of_one_of(entry.path().stem().string(), gpus))
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<NamedModel> models;
  for (const std::string& path : paths) {
    auto model = learn::read_model(path);
    FOREWARP_TRY(model);
    models.push_back({path, *std::move(model)});
  }
  // Measured rows before predicted ones.
  std::stable_partition(models.begin(), models.end(), [](const NamedModel& model) {
    return std::any_of(model.file.rows.begin(), model.file.rows.end(), [](const learn::TrainedFrom& row) {
      return row.provenance == learn::Provenance::measured;
    });
  });
  return models;
}

} // namespace forewarp::port

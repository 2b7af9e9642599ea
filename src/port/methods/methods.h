// One question, several ways to answer it: what would these loops gain on a GPU, by trace and model (hybrid,
// cgpredict), by learning from a run (dynamic) and from the text alone (static)?
#pragma once

#include "learn/model/model_file.h"
#include "port/answer.h"
#include "port/features/text/static_features.h"
#include "port/methods/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::port {

enum class Method : std::uint8_t { cgpredict, hybrid, dynamic, text };

/// "cgpredict", "hybrid", "dynamic", "static".
const char* to_string(Method method);
/// "all", or names with commas. Errors: usage.
Result<std::vector<Method>> parse_methods(const std::string& words);

struct NamedModel {
  std::string path;
  learn::ModelFile file;
};

struct MethodsRequest {
  std::vector<Method> methods;
  PortRequest port;               ///< program and GPUs; `model` is set by the methods
  SourceTree tree;                ///< of the static method
  std::vector<NamedModel> models; ///< to choose from, by kind and GPU; the first that fits
  bool models_named = false;      ///< by the user: one that does not fit is refused, not passed over
  std::string cpu;                ///< over which the static method's speed-ups are
  std::vector<FunctionShare> profile;
  std::function<void(const std::string&)> progress = {};
};

struct MethodAnswer {
  Method method = Method::hybrid;
  std::string problem; ///< why there is no answer; "": there is one
  std::string remedy;
  double speedup = 0; ///< without copies; of a range: what stands for it (its middle, as X's section 6.3.2)
  double lowest = 0,
         highest = 0;           ///< a range of it; equal where the method gives none; highest 0: no upper end
  double gpu_ms = 0;            ///< 0: not said
  std::string says;             ///< "12.3x", "above 3"
  std::vector<std::string> why; ///< what pushed the answer there, the strongest first
};

struct ComparedRegion {
  std::string file, name, function, gpu;
  std::uint32_t line = 0;
  double cpu_ms = 0; ///< 0: not measured
  double share = -1; ///< of the program's time: of its function where a profile was given; -1: not known
  std::vector<MethodAnswer> answers;      ///< in the order of the methods
  std::vector<std::string> disagreements; ///< who differs from whom, and what made each say so
  std::vector<std::string> hints;         ///< changes that would put the loop into a better range
  std::vector<std::string> concerns;      ///< why it may not run in parallel
};

struct MethodsAnswer {
  std::vector<ComparedRegion> regions; ///< by GPU as asked, then those that deserve a closer look first
  std::vector<SkippedFile> skipped;
  std::vector<std::string> used; ///< the trained models: what from, how good
  std::vector<std::string> warnings;
};

/// Errors: of the methods as a whole where none has an answer: the first one's.
Result<MethodsAnswer> compare_methods(const MethodsRequest& request);

/// The shipped models of these GPUs: *.json of the folder `models` beside the GPU catalogue, those whose name
/// holds the GPU's ("dynamic_tesla_v100_sxm2_measured.json"); from measured rows first. Errors: a file that
/// is no model.
Result<std::vector<NamedModel>> shipped_models(const std::vector<gpu::GpuChoice>& gpus);

} // namespace forewarp::port

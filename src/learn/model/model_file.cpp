#include "learn/model/model_file.h"

#include "support/text_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace forewarp::learn {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "forewarp-model-1";
constexpr std::uint64_t max_model_bytes = 64 << 20;

/// FNV-1a, 64 bits: against changes by hand and broken copies, not against an adversary.
std::string hash_of(const Json& json) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : json.dump()) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3ULL;
  }
  return fmt::format("{:016x}", hash);
}

Json linear_json(const LinearModel& model) {
  Json terms = Json::array();
  for (std::size_t i = 0; i < model.terms.size(); ++i)
    terms.push_back(
        {model.terms[i].first, model.terms[i].second, model.coefficients[i], model.adjusted_r2[i]});
  return {{"constant", model.constant}, {"terms", terms}};
}

/// Names in the file, in one order for writing and reading.
constexpr std::pair<const char*, double BoundRates::*> rate_names[] = {
    {"dram_bytes_per_ms", &BoundRates::dram_bytes_per_ms},
    {"cache_bytes_per_ms", &BoundRates::cache_bytes_per_ms},
    {"single_per_ms", &BoundRates::single_per_ms},
    {"twice_per_ms", &BoundRates::twice_per_ms},
    {"instructions_per_ms", &BoundRates::instructions_per_ms},
    {"load_ms", &BoundRates::load_ms},
    {"host_ms", &BoundRates::host_ms},
    {"threads", &BoundRates::threads}};

Json rates_json(const BoundRates& rates) {
  Json json = Json::object();
  for (const auto& [name, rate] : rate_names)
    json[name] = rates.*rate;
  return json;
}

Json body_json(const DynamicModel& model) {
  Json features = Json::array(), models = Json::array();
  for (const ModelFeature& feature : model.features)
    features.push_back({{"name", feature.name},
                        {"logarithm", feature.logarithm},
                        {"lowest", feature.lowest},
                        {"highest", feature.highest},
                        {"mean", feature.mean}});
  for (const LinearModel& linear : model.models)
    models.push_back(linear_json(linear));
  Json json = {{"response", to_string(model.response)}, {"multiplier", model.multiplier}};
  if (model.rates.known())
    json["rates"] = rates_json(model.rates);
  json.update({{"inclusion", model.inclusion},
               {"lowest_rate", model.lowest_rate},
               {"highest_rate", model.highest_rate},
               {"features", features},
               {"models", models}});
  return json;
}

Json body_json(const StaticModel& model) {
  Json features = Json::array(), forest = Json::array();
  for (const LevelledFeature& feature : model.features)
    features.push_back({{"name", feature.name}, {"cuts", feature.cuts}});
  for (const Tree& tree : model.forest)
    forest.push_back(tree_text(tree));
  return {{"cutoffs", model.cutoffs},
          {"features", features},
          {"explanation", tree_text(model.explanation.tree)},
          {"fidelity", model.explanation.fidelity},
          {"forest", forest}};
}

Json model_json(const ModelFile& model) {
  Json rows = Json::array();
  for (const TrainedFrom& row : model.rows)
    rows.push_back(
        {{"region", row.region}, {"family", row.family}, {"provenance", to_string(row.provenance)}});
  Json json = {{"format", format_name},
               {"kind", model.kind()},
               {"extractor", model.extractor},
               {"gpu", model.gpu},
               {"cpu", model.cpu},
               {"trained_on", model.trained_on()},
               {"cross_validation",
                {{"protocol", model.validation.protocol},
                 {"rows", model.validation.rows},
                 {"score", model.validation.score},
                 {"baseline", model.validation.baseline},
                 {"balanced", model.validation.balanced},
                 {"worse_than_baseline", model.validation.worse_than_baseline}}},
               {"forced", model.forced},
               {"seed", model.seed},
               {"constant_features", model.constant_features}};
  json["model"] = std::visit([](const auto& body) { return body_json(body); }, model.model);
  json["rows"] = rows;
  return json;
}

DynamicModel read_dynamic(const Json& json) {
  DynamicModel model;
  const auto response = json.at("response").get<std::string>();
  for (const Response known : {Response::time, Response::rate, Response::log_rate})
    if (response == to_string(known))
      model.response = known;
  model.multiplier = json.at("multiplier").get<std::string>();
  if (model.multiplier == bound_column)
    for (const auto& [name, rate] : rate_names)
      model.rates.*rate = json.at("rates").at(name).get<double>();
  model.inclusion = json.at("inclusion").get<double>();
  model.lowest_rate = json.at("lowest_rate").get<double>();
  model.highest_rate = json.at("highest_rate").get<double>();
  for (const Json& feature : json.at("features"))
    model.features.push_back({feature.at("name").get<std::string>(), feature.at("logarithm").get<bool>(),
                              feature.at("lowest").get<double>(), feature.at("highest").get<double>(),
                              feature.at("mean").get<double>()});
  for (const Json& one : json.at("models")) {
    LinearModel linear;
    linear.constant = one.at("constant").get<double>();
    for (const Json& term : one.at("terms")) {
      linear.terms.push_back({term.at(0).get<int>(), term.at(1).get<int>()});
      linear.coefficients.push_back(term.at(2).get<double>());
      linear.adjusted_r2.push_back(term.at(3).get<double>());
    }
    model.models.push_back(std::move(linear));
  }
  return model;
}

Result<void> check_dynamic(const DynamicModel& model) {
  const auto features = static_cast<int>(model.features.size());
  for (const LinearModel& linear : model.models)
    for (const Term& term : linear.terms)
      if (term.first < 0 || term.first >= features || term.second < -1 || term.second >= features)
        return fail(ErrorCode::bad_input, "a term names a feature that the model does not have");
  if (model.models.empty() || model.inclusion < 0 || model.inclusion > 1 || !(model.lowest_rate > 0) ||
      model.highest_rate < model.lowest_rate)
    return fail(ErrorCode::bad_input, "no regressions, or senseless limits");
  return {};
}

Result<StaticModel> read_static(const Json& json) {
  StaticModel model;
  model.cutoffs = json.at("cutoffs").get<std::vector<double>>();
  FOREWARP_TRY(check_static_options({.cutoffs = model.cutoffs}));
  for (const Json& feature : json.at("features"))
    model.features.push_back(
        {feature.at("name").get<std::string>(), feature.at("cuts").get<std::vector<double>>()});
  const auto read_tree = [&](const Json& text) {
    return parse_tree(text.get<std::string>(), model.features.size(), model.classes());
  };
  auto explanation = read_tree(json.at("explanation"));
  FOREWARP_TRY(explanation);
  model.explanation = {*std::move(explanation), json.at("fidelity").get<double>()};
  for (const Json& text : json.at("forest")) {
    auto tree = read_tree(text);
    FOREWARP_TRY(tree);
    model.forest.push_back(*std::move(tree));
  }
  if (model.forest.empty())
    return fail(ErrorCode::bad_input, "the forest has no tree");
  return model;
}

Result<ModelFile> from_json(const Json& json) {
  ModelFile model;
  model.extractor = json.at("extractor").get<std::string>();
  model.gpu = json.at("gpu").get<std::string>();
  model.cpu = json.at("cpu").get<std::string>();
  const Json& validation = json.at("cross_validation");
  model.validation = {
      validation.at("protocol").get<std::string>(), validation.at("rows").get<std::size_t>(),
      validation.at("score").get<double>(),         validation.at("baseline").get<double>(),
      validation.at("balanced").get<double>(),      validation.at("worse_than_baseline").get<bool>()};
  model.forced = json.at("forced").get<bool>();
  model.seed = json.at("seed").get<std::uint64_t>();
  model.constant_features = json.at("constant_features").get<std::vector<std::string>>();
  for (const Json& row : json.at("rows"))
    model.rows.push_back({row.at("region").get<std::string>(), row.at("family").get<std::string>(),
                          row.at("provenance").get<std::string>() == "measured" ? Provenance::measured
                                                                                : Provenance::predicted});
  if (json.at("kind").get<std::string>() == "static") {
    auto body = read_static(json.at("model"));
    FOREWARP_TRY(body);
    model.model = *std::move(body);
  } else {
    DynamicModel body = read_dynamic(json.at("model"));
    FOREWARP_TRY(check_dynamic(body));
    model.model = std::move(body);
  }
  return model;
}

/// Arrays of the model's parts one element a line: files that a person can look through and compare.
std::string pretty(const Json& json, const std::string& indent) {
  if (!json.is_structured() || json.empty())
    return json.dump();
  const bool deeper = json.is_object() || (json.front().is_structured() && !json.front().is_array()) ||
                      (json.front().is_string() && json.size() > 8);
  if (!deeper || json.dump().size() < 80)
    return json.dump();
  std::string text = json.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    text += (first ? "\n" : ",\n") + indent + "  ";
    if (json.is_object())
      text += Json(key).dump() + ": " + pretty(value, indent + "  ");
    else
      text += value.dump();
    first = false;
  }
  return text + "\n" + indent + (json.is_object() ? "}" : "]");
}

} // namespace

std::string ModelFile::trained_on() const {
  const auto measured = std::count_if(rows.begin(), rows.end(), [](const TrainedFrom& row) {
    return row.provenance == Provenance::measured;
  });
  const auto predicted = static_cast<long>(rows.size()) - measured;
  if (predicted == 0)
    return fmt::format("{} measured rows", measured);
  if (measured == 0)
    return fmt::format("{} predicted rows", predicted);
  return fmt::format("{} measured and {} predicted rows", measured, predicted);
}

std::string model_text(const ModelFile& model) {
  Json json = model_json(model);
  json["hash"] = hash_of(json);
  return pretty(json, "") + "\n";
}

Result<ModelFile> parse_model(const std::string& text, const std::string& path) {
  try {
    Json json = Json::parse(text);
    if (!json.is_object() || json.value("format", "") != format_name)
      return fail(ErrorCode::bad_input, fmt::format("no model of the format {}", format_name), path,
                  "forewarp train writes one");
    const auto hash = json.at("hash").get<std::string>();
    json.erase("hash");
    if (const std::string expected = hash_of(json); hash != expected)
      return fail(
          ErrorCode::bad_input,
          fmt::format("the model was changed after it was trained (hash {}, contents {})", hash, expected),
          path, "train it again");
    auto model = from_json(json);
    if (!model)
      return fail(ErrorCode::bad_input, model.error().message, path, "train it again");
    model->hash = hash;
    return model;
  } catch (const Json::exception& problem) {
    return fail(ErrorCode::bad_input, fmt::format("no model: {}", problem.what()), path,
                "forewarp train writes one");
  }
}

Result<ModelFile> read_model(const std::string& path) {
  const auto text = read_text_file(path, "model", max_model_bytes);
  FOREWARP_TRY(text);
  return parse_model(*text, path);
}

Result<void> check_use(const ModelFile& model, const ModelUse& use, const std::string& path) {
  std::vector<std::string> differ;
  const auto compare = [&](const char* what, const std::string& has, const std::string& wanted) {
    if (!wanted.empty() && has != wanted)
      differ.push_back(fmt::format("{} '{}', here it is '{}'", what, has, wanted));
  };
  compare("of kind", model.kind(), use.kind);
  // Counted frequencies and those of the text are two ways to the same features (section 4.1).
  const bool counted = kind_of(model.extractor) == "counted";
  compare("for features of the extractor",
          counted ? model.extractor.substr(0, model.extractor.rfind('-')) : model.extractor, use.extractor);
  compare("for the GPU", model.gpu, use.gpu);
  compare("for speed-ups over the CPU", model.cpu, use.cpu);
  if (differ.empty())
    return {};
  const bool other_cpu = !use.cpu.empty() && model.cpu != use.cpu;
  return fail(ErrorCode::bad_input, fmt::format("the model is {}", fmt::join(differ, "; ")), path,
              (other_cpu ? fmt::format("--cpu '{}' asks about that CPU; or ", model.cpu) : "") +
                  "train one for this case: forewarp train (docs/guide/learn.md)");
}

} // namespace forewarp::learn

// Files of auto-tuners: Kernel Tuner's cache, T4 results, CSV as KTT's scripts write it. One GPU each.
#include "explore/space/tuner_parameters.h"
#include "explore/write/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::explore {
namespace {

using Json = nlohmann::ordered_json;

// No time of day: the same sweep gives the same bytes.
constexpr const char* timestamp = "1970-01-01 00:00:00+00:00";

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json configuration_json(const TunerParameters& parameters, const std::vector<std::string>& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i)
    json[parameters.names()[i]] = Json::parse(json_value(values[i]));
  return json;
}

bool did_not_compile(const Outcome& outcome) {
  return outcome.reason.starts_with(to_string(ErrorCode::compile));
}

/// Each parameter's values, in the order in which they occur.
std::vector<std::vector<std::string>> distinct_values(const Findings& f, const TunerParameters& parameters,
                                                      Result<void>& result) {
  std::vector<std::vector<std::string>> lists(parameters.names().size());
  std::vector<std::set<std::string>> seen(lists.size());
  result = f.store.for_each([&](const Row& row) -> Result<void> {
    const std::vector<std::string> values = parameters.values(row.values);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (seen[i].insert(values[i]).second)
        lists[i].push_back(values[i]);
    return {};
  });
  return lists;
}

/// Work-items of the base launch, as Kernel Tuner writes its problem size; empty where the space decides.
Json problem_size(const facts::Launch& launch) {
  Json size = Json::array();
  if (!launch.global_items)
    return size;
  for (const std::uint64_t count : {launch.global_items->x, launch.global_items->y, launch.global_items->z})
    size.push_back(count);
  while (size.size() > 1 && size.back() == 1)
    size.erase(size.size() - 1);
  return size;
}

std::string kernel_name(const Findings& f) {
  return f.setup.base.kernel.empty() ? f.setup.base.compile.path : f.setup.base.kernel;
}

} // namespace

Result<void> write_kernel_tuner(const Findings& f, const Sink& sink) {
  const TunerParameters parameters(f.space);
  Result<void> read;
  const auto lists = distinct_values(f, parameters, read);
  FOREWARP_TRY(read);
  Json values = Json::object();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    values[parameters.names()[i]] = Json::array();
    for (const std::string& text : lists[i])
      values[parameters.names()[i]].push_back(Json::parse(json_value(text)));
  }
  std::string head = dump({{"schema_version", "1.0.0"}, // asked for by its development version
                           {"device_name", f.store.gpus().front()},
                           {"kernel_name", kernel_name(f)},
                           {"problem_size", problem_size(f.setup.base.launch)},
                           {"tune_params_keys", parameters.names()},
                           {"tune_params", values},
                           {"objective", "time"}});
  head.pop_back();
  FOREWARP_TRY(sink(head + ",\n\"cache\": {"));
  bool first = true;
  FOREWARP_TRY(f.store.for_each([&](const Row& row) -> Result<void> {
    const std::vector<std::string> texts = parameters.values(row.values);
    const Outcome& o = row.outcomes.front();
    Json entry = configuration_json(parameters, texts);
    if (o.valid) {
      entry["time"] = o.time_ms;
      entry["times"] = {o.time_ms};
    } else {
      entry["time"] = did_not_compile(o) ? "CompilationFailedConfig" : "RuntimeFailedConfig";
    }
    for (const char* none :
         {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"})
      entry[none] = 0;
    entry["timestamp"] = timestamp;
    const std::string lead = first ? "\n" : ",\n";
    first = false;
    return sink(fmt::format("{}{}: {}", lead, dump(fmt::format("{}", fmt::join(texts, ","))), dump(entry)));
  }));
  return sink("}\n}"); // Kernel Tuner looks for exactly these last bytes
}

Result<void> write_t4(const Findings& f, const Sink& sink) {
  const TunerParameters parameters(f.space);
  FOREWARP_TRY(sink("{\"results\": ["));
  bool first = true;
  FOREWARP_TRY(f.store.for_each([&](const Row& row) -> Result<void> {
    const Outcome& o = row.outcomes.front();
    Json runtimes = Json::array(), measurements = Json::array();
    if (o.valid) {
      runtimes.push_back(o.time_ms);
      measurements.push_back({{"name", "time"}, {"value", o.time_ms}, {"unit", "ms"}});
      measurements.push_back({{"name", "registers"}, {"value", o.registers}, {"unit", ""}});
    }
    const Json result = {{"timestamp", timestamp},
                         {"configuration", configuration_json(parameters, parameters.values(row.values))},
                         {"times",
                          {{"compilation_time", 0},
                           {"runtimes", runtimes},
                           {"framework", 0},
                           {"search_algorithm", 0},
                           {"validation", 0}}},
                         {"invalidity", o.valid              ? "correct"
                                        : did_not_compile(o) ? "compile"
                                                             : "runtime"},
                         {"correctness", 1},
                         {"measurements", measurements},
                         {"objectives", {"time"}}};
    const std::string lead = first ? "\n" : ",\n";
    first = false;
    return sink(lead + dump(result));
  }));
  return sink("\n], \"schema_version\": \"1.0.0\", \"metadata\": {\"timeunit\": \"milliseconds\"}}\n");
}

Result<void> write_ktt_csv(const Findings& f, const Sink& sink) {
  const std::vector<Parameter>& parameters = f.space.parameters();
  std::string head = "Kernel name,Computation duration (us),Global size,Local size";
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (!f.space.is_derived(p))
      head += "," + csv_field(parameters[p].name);
  FOREWARP_TRY(sink(head + ",Local memory size,Registers count\n"));
  return f.store.for_each([&](const Row& row) -> Result<void> {
    const Outcome& o = row.outcomes.front();
    const auto configuration = f.space.at(row.id);
    FOREWARP_TRY(configuration);
    const auto request = apply_configuration(f.setup, parameters, *configuration);
    if (!o.valid || !request)
      return {}; // as KTT's script: only what ran
    const facts::Launch& launch = request->launch;
    const std::uint64_t local = launch.group_size ? launch.group_size->count() : 1;
    const std::uint64_t global = launch.global_items ? launch.global_items->count()
                                 : launch.groups     ? launch.groups->count() * local
                                                     : local;
    std::string line = fmt::format("{},{},{},{}", csv_field(kernel_name(f)), o.time_ms * 1000, global, local);
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (!f.space.is_derived(p))
        line += "," + csv_field(row.values[p]);
    return sink(line + fmt::format(",{},{}\n", o.shared_bytes, o.registers));
  });
}

} // namespace forewarp::explore

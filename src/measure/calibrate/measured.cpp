#include "measure/calibrate/measured.h"

#include "support/text_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

constexpr std::uint64_t max_result_bytes = std::uint64_t{1} << 30;

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The kernel's own reading of the clock counts before the management library's.
double clock_of(const nlohmann::json& entry) {
  const nlohmann::json clocks = entry.value("clocks_after", nlohmann::json::object());
  const double in_kernel = clocks.value("sm_mhz_in_kernel", 0.0);
  return in_kernel > 0 ? in_kernel : clocks.value("sm_mhz", 0.0);
}

void add_micro(const BundleLaunch& launch, MeasuredTime& time) {
  time.warps_per_group = static_cast<double>((launch.group_size.count() + 31) / 32);
  const nlohmann::json& micro = launch.micro;
  if (!micro.is_object())
    return;
  time.benchmark = micro.value("benchmark", "");
  time.mode = micro.value("mode", "");
  time.operation = micro.value("operation", "");
  time.type = micro.value("type", "");
  time.level = micro.value("level", "");
  time.access = micro.value("access", "");
  time.work = micro.value("work", 0.0);
  time.operations = micro.value("operations", 1.0);
  time.values = micro.value("values", std::map<std::string, double>());
  for (const auto& [name, value] : micro.items()) // of the variant: "beta"
    if (value.is_number() && name != "work" && name != "operations")
      time.values[name] = value;
  time.minus = micro.value("minus", std::map<std::string, double>());
}

const BundleLaunch* launch_of(const Measured& measured, const std::string& kernel,
                              const std::string& launch) {
  for (const BundleKernel& each : measured.kernels)
    if (each.name == kernel)
      for (const BundleLaunch& one : each.launches)
        if (one.name == launch)
          return &one;
  return nullptr;
}

void add_time(const nlohmann::json& entry, Measured& measured) {
  MeasuredTime time;
  time.kernel = entry.at("kernel");
  time.launch = entry.at("launch");
  time.what = entry.at("what");
  time.l2 = entry.value("l2", "");
  time.median_us = entry.at("median_us");
  time.minimum_us = entry.at("minimum_us");
  time.spread = entry.at("spread");
  time.batched_us = entry.value("batched_us", 0.0);
  time.sm_mhz = clock_of(entry);
  time.unused_shared_bytes = entry.value("unused_shared_bytes", std::uint64_t{0});
  time.concurrent_groups = entry.value("concurrent_groups", 0U);
  time.full_concurrent_groups = entry.value("full_concurrent_groups", 0U);
  if (const BundleLaunch* launch = launch_of(measured, time.kernel, time.launch))
    add_micro(*launch, time);
  measured.times.push_back(std::move(time));
}

void read_all(const nlohmann::json& json, Measured& measured) {
  const nlohmann::json& device = json.at("device");
  measured.date = json.at("date");
  measured.device_name = device.at("name");
  measured.driver = device.at("driver");
  measured.target = device.at("target");
  measured.backend = device.at("backend");
  measured.attributes = device.at("attributes").get<std::map<std::string, double>>();
  std::vector<double> clocks, memory_clocks;
  for (const nlohmann::json& entry : json.at("measurements")) {
    const std::string what = entry.at("what");
    if (what == "copy")
      measured.copies.push_back(entry);
    if (what != "time" && what != "sweep")
      continue;
    add_time(entry, measured);
    if (measured.times.back().sm_mhz > 0)
      clocks.push_back(measured.times.back().sm_mhz);
    if (const double memory = entry.value("clocks_after", nlohmann::json::object()).value("memory_mhz", 0.0);
        memory > 0)
      memory_clocks.push_back(memory);
  }
  measured.sm_mhz = median(clocks);
  measured.memory_mhz = median(memory_clocks);
}

} // namespace

Result<Measured> measured_from_json(const nlohmann::json& json, const std::string& where) {
  Measured measured;
  measured.path = where;
  try {
    if (json.at("format") != "forewarp-measured")
      return fail(ErrorCode::bad_input, "this is no result of forewarp-measure", where,
                  "name the file that forewarp-measure wrote");
    for (const nlohmann::json& kernel : json.at("kernels")) {
      auto read = kernel_from_json(kernel, where);
      FOREWARP_TRY(read);
      measured.kernels.push_back(std::move(*read));
    }
    read_all(json, measured);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::bad_input, error.what(), where, "is it a result of forewarp-measure?");
  }
  return measured;
}

Result<Measured> read_measured(const std::string& path) {
  const auto text = read_text_file(path, "result of forewarp-measure", max_result_bytes);
  FOREWARP_TRY(text);
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (json.is_discarded())
    return fail(ErrorCode::bad_input, "is not JSON", path, "is it a result of forewarp-measure?");
  return measured_from_json(json, path);
}

} // namespace forewarp::measure

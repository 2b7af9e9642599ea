#include "measure/calibrate/fit.h"

#include "gpu/schema/schema.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace forewarp::measure {
namespace {

/// "a \"b\"" as a TOML string.
std::string toml_string(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

/// Four digits: more would be noise.
std::string rounded(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{:.4g}", value);
}

/// Where a value comes from: date, points, driver, clock, spread.
std::string reference(const Measured& measured, const std::string& note, double spread) {
  std::string ref =
      fmt::format("forewarp-measure {}, {}, driver {}", measured.date.substr(0, 10), note, measured.driver);
  if (measured.sm_mhz > 0)
    ref += fmt::format(", SM {:.0f} MHz", measured.sm_mhz);
  if (spread > 0)
    ref += fmt::format(", spread {:.2g} %", spread * 100);
  return ref;
}

std::string list_text(const std::vector<double>& values) {
  std::vector<std::string> numbers;
  for (const double value : values)
    numbers.push_back(rounded(value));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string line_of(const Measured& measured, const StatedFact& fact) {
  const std::string value = fact.values.size() == 1 ? rounded(fact.values.front()) : list_text(fact.values);
  return fmt::format("{} = {{ value = {}, unit = \"{}\", source = \"microbenchmark\", ref = {} }}\n",
                     fact.name, value, fact.unit, toml_string(reference(measured, fact.note, 0)));
}

Result<std::string> line_of(const Measured& measured, const FittedValue& value) {
  const auto rule = gpu::rule_of(value.key);
  if (!rule)
    return fail(ErrorCode::internal, fmt::format("no GPU file has the key '{}'", value.key));
  const std::string ref = reference(measured, value.note, value.spread);
  const std::size_t dot = value.key.find('.');
  return fmt::format("{} = {{ value = {}, unit = \"{}\", source = \"microbenchmark\", ref = {} }}\n",
                     dot == std::string::npos ? value.key : value.key.substr(dot + 1),
                     value.list.empty() ? rounded(value.value) : list_text(value.list), rule->unit,
                     toml_string(ref));
}

/// Without a clock, cycles are unknown, not zero.
void leave_out_cycles(Calibration& calibration) {
  const auto in_cycles = [](std::string_view unit) {
    return unit.find("cycle") != unit.npos || unit.find("clk") != unit.npos;
  };
  std::erase_if(calibration.values, [&](const FittedValue& value) {
    const auto rule = gpu::rule_of(value.key);
    return rule && in_cycles(rule->unit);
  });
  std::erase_if(calibration.facts, [&](const StatedFact& fact) { return in_cycles(fact.unit); });
}

} // namespace

Result<Calibration> fit(const Measured& measured, const gpu::GpuFile& base) {
  if (measured.times.empty())
    return fail(ErrorCode::bad_input, "holds no times", measured.path,
                "measure a bundle with micro-benchmarks");
  Calibration calibration;
  if (measured.sm_mhz > 0) {
    fit_operations(measured, base, calibration);
    fit_types(measured, calibration);
  } else {
    calibration.notes.push_back("no reading of the SM clock: nothing that is in cycles could be fitted");
  }
  fit_memory(measured, base, calibration);
  fit_geometry(measured, base, calibration);
  fit_shared(measured, calibration);
  fit_atomics(measured, base, calibration);
  fit_control(measured, base, calibration);
  fit_fixed_costs(measured, calibration);
  if (calibration.values.empty())
    return fail(ErrorCode::bad_input, "holds no micro-benchmark that a GPU file has a value for",
                measured.path, "bundle with 'micro'");
  if (!(measured.sm_mhz > 0))
    leave_out_cycles(calibration);
  // Outside of what a GPU file may say: a failed measurement, not a value.
  const auto wrong = [&](const FittedValue& value) {
    const auto rule = gpu::rule_of(value.key);
    const auto outside = [&](double number) { return !(number >= rule->least) || !(number <= rule->most); };
    const bool bad = !rule || outside(value.value) || std::ranges::any_of(value.list, outside);
    if (bad)
      calibration.notes.push_back(
          fmt::format("{} = {:.4g} is out of range and left out", value.key, value.value));
    return bad;
  };
  std::erase_if(calibration.values, wrong);
  return calibration;
}

Result<std::string> overlay_text(const Measured& measured, const Calibration& calibration,
                                 const std::string& base_name) {
  std::string text = fmt::format("# Made by 'forewarp calibrate' from measurements of {} on {}.\n",
                                 measured.device_name, measured.date.substr(0, 10));
  for (const std::string& note : calibration.notes)
    text += fmt::format("# {}\n", note);
  text += fmt::format("name = {}\nextends = {}\n", toml_string(measured.device_name + " (calibrated)"),
                      toml_string(base_name));
  if (!measured.target.empty())
    text += fmt::format("target = {}\n", toml_string(measured.target));
  text += '\n';
  std::map<std::string, std::string> tables; // "" first: plain keys before any table
  for (const FittedValue& value : calibration.values) {
    const auto line = line_of(measured, value);
    FOREWARP_TRY(line);
    const std::size_t dot = value.key.find('.');
    tables[dot == std::string::npos ? "" : value.key.substr(0, dot)] += *line;
  }
  for (const auto& [name, lines] : tables)
    text += name.empty() ? lines : fmt::format("\n[{}]\n{}", name, lines);
  if (!calibration.facts.empty())
    text += "\n# Measured, not used by the default model.\n[value_sets.measured]\n";
  for (const StatedFact& fact : calibration.facts)
    text += line_of(measured, fact);
  return text;
}

} // namespace forewarp::measure

#include "predict/facts_file/json_reader.h"

#include "support/suggest.h"

#include <fmt/format.h>

#include <cmath>

namespace forewarp::models {

JsonReader::JsonReader(const nlohmann::json& json, std::string pointer, Report& report)
    : json_(json), pointer_(std::move(pointer)), report_(report) {
  if (!json_.is_object())
    report_.fail(pointer_, "an object is expected");
}

const nlohmann::json* JsonReader::find(const char* key, bool required) {
  asked_.insert(key);
  if (!json_.is_object())
    return nullptr;
  const auto found = json_.find(key);
  if (found != json_.end())
    return &*found;
  if (required)
    report_.fail(pointer_, fmt::format("key '{}' is missing", key));
  return nullptr;
}

void JsonReader::number(const char* key, double& out, bool required) {
  const nlohmann::json* found = find(key, required);
  if (!found)
    return;
  if (!found->is_number())
    return report_.fail(at(key), "a number is expected");
  out = found->get<double>();
  if (!(out >= 0) || !std::isfinite(out))
    report_.fail(at(key), fmt::format("{} is {}; it must not be negative", key, out));
}

void JsonReader::count(const char* key, std::uint32_t& out, bool required) {
  const nlohmann::json* found = find(key, required);
  if (!found)
    return;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() >= UINT32_MAX)
    return report_.fail(at(key), "a whole number from 0 is expected");
  out = found->get<std::uint32_t>();
}

void JsonReader::flag(const char* key, bool& out) {
  if (const nlohmann::json* found = find(key, false)) {
    if (!found->is_boolean())
      return report_.fail(at(key), "true or false is expected");
    out = found->get<bool>();
  }
}

void JsonReader::text(const char* key, std::string& out, bool required) {
  if (const nlohmann::json* found = find(key, required)) {
    if (!found->is_string())
      return report_.fail(at(key), "a string is expected");
    out = found->get<std::string>();
  }
}

void JsonReader::texts(const char* key, std::vector<std::string>& out) {
  array(key, [&](const nlohmann::json& element, const std::string& pointer) {
    if (!element.is_string())
      return report_.fail(pointer, "a string is expected");
    out.push_back(element.get<std::string>());
  });
}

void JsonReader::counts(const char* key, std::vector<std::uint32_t>& out) {
  array(key, [&](const nlohmann::json& element, const std::string& pointer) {
    if (!element.is_number_unsigned() || element.get<std::uint64_t>() >= UINT32_MAX)
      return report_.fail(pointer, "a whole number from 0 is expected");
    out.push_back(element.get<std::uint32_t>());
  });
}

void JsonReader::done() {
  if (!json_.is_object())
    return;
  for (const auto& [key, value] : json_.items()) {
    if (asked_.contains(key))
      continue;
    const auto near = nearest_names(key, {asked_.begin(), asked_.end()}, 1);
    report_.fail(at(key), fmt::format("unknown key '{}'", key),
                 near.empty() ? "" : fmt::format("did you mean '{}'?", near.front()));
  }
}

} // namespace forewarp::models

#include "explore/write/write.h"
#include "support/named.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::explore {

const std::vector<Format>& formats() {
  static const std::vector<Format> table = {
      {"text", "best and worst, effects, what to measure", false, write_text},
      {"json", "all of that and every configuration", false, write_json},
      {"csv", "a line for each configuration and GPU", false, write_csv},
      {"kernel-tuner", "Kernel Tuner's cache file", true, write_kernel_tuner},
      {"t4", "T4 results (open auto-tuning results schema)", true, write_t4},
      {"ktt-csv", "CSV as KTT's scripts write it", true, write_ktt_csv}};
  return table;
}

Result<const Format*> find_format(const std::string& name) {
  return find_named(formats(), name, {"unknown format", "--format"});
}

std::string json_value(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() &&
                         (std::isdigit(static_cast<unsigned char>(text.back())) != 0) &&
                         nlohmann::json::accept(text);
  return is_number ? text
                   : nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string field = "\"";
  for (const char c : text)
    field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

} // namespace forewarp::explore

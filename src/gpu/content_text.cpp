#include "gpu/content_text.h"

#include <fmt/format.h>

namespace forewarp::gpu {
namespace {

void add(const std::map<std::string, Value>& values, std::string& text) {
  for (const auto& [key, value] : values) {
    text += key + '=';
    if (const auto* number = std::get_if<double>(&value.value))
      text += fmt::format("{}", *number);
    else if (const auto* word = std::get_if<std::string>(&value.value))
      text += *word;
    else
      for (const double item : std::get<std::vector<double>>(value.value))
        text += fmt::format("{},", item);
    text += '\n';
  }
}

} // namespace

std::string content_text(const GpuFile& file) {
  std::string text;
  for (const std::string* word : {&file.name, &file.vendor, &file.target, &file.generation})
    text += *word + '\n';
  add(file.values, text);
  for (const auto& [name, values] : file.value_sets) {
    text += '[' + name + "]\n";
    add(values, text);
  }
  return text;
}

} // namespace forewarp::gpu

#include "gpu/resolve/fact_reader.h"

namespace forewarp::gpu {

const Value* FactReader::find(const std::string& key) const {
  if (overlay_)
    if (const auto it = overlay_->find(key); it != overlay_->end())
      return &it->second;
  const auto it = file_.values.find(key);
  return it == file_.values.end() ? nullptr : &it->second;
}

const Value* FactReader::read(const std::string& key) {
  const Value* value = find(key);
  if (value && value->source == ValueSource::assumed)
    assumed_.insert(key);
  return value;
}

std::optional<double> FactReader::optional(const std::string& key) {
  const Value* value = read(key);
  const double* number = value ? std::get_if<double>(&value->value) : nullptr;
  return number ? std::optional<double>(*number) : std::nullopt;
}

double FactReader::required(const std::string& key) {
  if (const auto number = optional(key))
    return *number;
  missing_.push_back(key);
  return 1;
}

double FactReader::or_assume(const std::string& key, double fallback) {
  if (const auto number = optional(key))
    return *number;
  assumed_.insert(key);
  return fallback;
}

std::optional<std::string> FactReader::text(const std::string& key) {
  const Value* value = read(key);
  const std::string* word = value ? std::get_if<std::string>(&value->value) : nullptr;
  return word ? std::optional<std::string>(*word) : std::nullopt;
}

std::vector<double> FactReader::list(const std::string& key) {
  const Value* value = read(key);
  const auto* all = value ? std::get_if<std::vector<double>>(&value->value) : nullptr;
  return all ? *all : std::vector<double>{};
}

} // namespace forewarp::gpu

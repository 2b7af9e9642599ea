#include "measure/check/expected.h"

#include "support/counter_random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace forewarp::measure {
namespace {

using facts::ScalarType;

template <class T> double load(const std::uint8_t* bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof value, sizeof value);
  return static_cast<double>(value);
}

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? std::numeric_limits<double>::quiet_NaN()
                                              : std::numeric_limits<double>::infinity())
                                  : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) ? -value : value;
}

struct Norms {
  double largest = 0, sum = 0, norm1 = 0, norm2 = 0, projection = 0, weights = 0;
  bool finite = true;
};

constexpr std::uint64_t weight_stream = 0x57454947, sample_stream = 0x53414D50;

Norms norms_of(ScalarType type, const std::uint8_t* bytes, std::uint64_t count) {
  Norms norms;
  double squares = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = element_as_double(type, bytes, i), size = std::fabs(value);
    const double weight = counter_random_unit(weight_stream, i);
    norms.finite = norms.finite && std::isfinite(value);
    norms.largest = std::max(norms.largest, size);
    norms.sum += value;
    norms.norm1 += size;
    squares += value * value;
    norms.projection += value * weight;
    norms.weights += weight;
  }
  norms.norm2 = std::sqrt(squares);
  return norms;
}

std::set<std::uint64_t> sampled(std::uint64_t count) {
  std::set<std::uint64_t> indices;
  if (count <= most_samples) {
    for (std::uint64_t i = 0; i < count; ++i)
      indices.insert(i);
    return indices;
  }
  indices = {0, count - 1};
  for (std::uint64_t draw = 0; indices.size() < most_samples; ++draw)
    indices.insert(counter_random(sample_stream, draw) % count);
  return indices;
}

/// By value; equal elements are alike.
void sort_elements(std::vector<std::uint8_t>& bytes, ScalarType type) {
  const std::size_t size = facts::size_bytes(type);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < bytes.size() / size; ++i)
    order.emplace_back(element_as_double(type, bytes.data(), i), i);
  std::sort(order.begin(), order.end());
  const std::vector<std::uint8_t> before = bytes;
  for (std::size_t i = 0; i < order.size(); ++i)
    std::memcpy(bytes.data() + i * size, before.data() + order[i].second * size, size);
}

/// Summation in another order or of rounded elements: this much of the sum of magnitudes is no difference.
constexpr double rounding = 1e-12;

std::string outside(const char* what, double actual, double expected, double bound) {
  const double off = std::fabs(actual - expected);
  if (off <= bound || (std::isnan(actual) && std::isnan(expected)))
    return "";
  return fmt::format("{} is {:.9g}, expected {:.9g} (may differ by {:.3g})", what, actual, expected, bound);
}

} // namespace

double element_as_double(ScalarType type, const std::uint8_t* bytes, std::uint64_t index) {
  switch (type) {
  case ScalarType::i8:
    return load<std::int8_t>(bytes, index);
  case ScalarType::u8:
    return load<std::uint8_t>(bytes, index);
  case ScalarType::i16:
    return load<std::int16_t>(bytes, index);
  case ScalarType::u16:
    return load<std::uint16_t>(bytes, index);
  case ScalarType::i32:
    return load<std::int32_t>(bytes, index);
  case ScalarType::u32:
    return load<std::uint32_t>(bytes, index);
  case ScalarType::i64:
    return load<std::int64_t>(bytes, index);
  case ScalarType::u64:
    return load<std::uint64_t>(bytes, index);
  case ScalarType::f16: {
    std::uint16_t bits;
    std::memcpy(&bits, bytes + 2 * index, 2);
    return half_value(bits);
  }
  case ScalarType::f32:
    return load<float>(bytes, index);
  case ScalarType::f64:
    return load<double>(bytes, index);
  }
  return 0;
}

Expected summarise(const std::string& buffer, ScalarType type, std::vector<std::uint8_t> bytes,
                   double tolerance, bool unordered) {
  if (unordered)
    sort_elements(bytes, type);
  Expected expected;
  expected.buffer = buffer;
  expected.type = type;
  expected.count = bytes.size() / facts::size_bytes(type);
  expected.tolerance = tolerance;
  expected.unordered = unordered;
  const Norms norms = norms_of(type, bytes.data(), expected.count);
  expected.largest = norms.largest;
  expected.sum = norms.sum;
  expected.norm1 = norms.norm1;
  expected.norm2 = norms.norm2;
  expected.projection = norms.projection;
  for (std::uint64_t index : sampled(expected.count))
    expected.samples.emplace_back(index, element_as_double(type, bytes.data(), index));
  return expected;
}

std::string difference(const Expected& expected, std::vector<std::uint8_t> actual) {
  if (actual.size() != expected.count * facts::size_bytes(expected.type))
    return fmt::format("{} has {} bytes, expected {} elements", expected.buffer, actual.size(),
                       expected.count);
  if (expected.unordered)
    sort_elements(actual, expected.type);
  const double each = expected.tolerance * expected.largest;
  for (const auto& [index, value] : expected.samples) {
    const double found = element_as_double(expected.type, actual.data(), index);
    if (!(std::fabs(found - value) <= each))
      return fmt::format("{}[{}] is {:.9g}, expected {:.9g} (may differ by {:.3g})", expected.buffer, index,
                         found, value, each);
  }
  const Norms norms = norms_of(expected.type, actual.data(), expected.count);
  if (!norms.finite && std::isfinite(expected.sum))
    return fmt::format("{} holds elements that are not finite", expected.buffer);
  const double count = static_cast<double>(expected.count), slack = rounding * expected.norm1;
  // From |a - e| <= each for every element.
  const std::pair<std::string, std::string> results[] = {
      {"largest magnitude", outside("largest magnitude", norms.largest, expected.largest, each)},
      {"norm", outside("root of the sum of squares", norms.norm2, expected.norm2,
                       std::sqrt(count) * each + rounding * expected.norm2)},
      {"norm1", outside("sum of magnitudes", norms.norm1, expected.norm1, count * each + slack)},
      {"sum", outside("sum", norms.sum, expected.sum, count * each + slack)},
      {"projection",
       outside("weighted sum", norms.projection, expected.projection, norms.weights * each + slack)},
  };
  for (const auto& [name, text] : results)
    if (!text.empty())
      return expected.buffer + ": " + text;
  return "";
}

nlohmann::json to_json(const Expected& expected) {
  nlohmann::json indices = nlohmann::json::array(), values = nlohmann::json::array();
  for (const auto& [index, value] : expected.samples) {
    indices.push_back(index);
    values.push_back(value);
  }
  nlohmann::json json = {{"buffer", expected.buffer},         {"type", facts::to_string(expected.type)},
                         {"count", expected.count},           {"tolerance", expected.tolerance},
                         {"largest", expected.largest},       {"sum", expected.sum},
                         {"norm1", expected.norm1},           {"norm2", expected.norm2},
                         {"projection", expected.projection}, {"values", values}};
  if (expected.samples.size() != expected.count) // else every element, in order
    json["indices"] = indices;
  if (expected.unordered)
    json["unordered"] = true;
  return json;
}

Expected expected_from_json(const nlohmann::json& json) {
  Expected expected;
  expected.buffer = json.at("buffer");
  expected.type = facts::scalar_type_from_string(json.at("type").get<std::string>()).value();
  expected.count = json.at("count");
  expected.tolerance = json.at("tolerance");
  expected.unordered = json.value("unordered", false);
  expected.largest = json.at("largest");
  expected.sum = json.at("sum");
  expected.norm1 = json.at("norm1");
  expected.norm2 = json.at("norm2");
  expected.projection = json.at("projection");
  const auto& values = json.at("values");
  for (std::size_t i = 0; i < values.size(); ++i)
    expected.samples.emplace_back(json.contains("indices") ? json.at("indices").at(i).get<std::uint64_t>()
                                                           : i,
                                  values.at(i).get<double>());
  return expected;
}

} // namespace forewarp::measure

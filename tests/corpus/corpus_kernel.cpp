#include "corpus/corpus_kernel.h"

#include "launch/parse.h"
#include "support/toml.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace forewarp::corpus {
namespace {

#include "references.inc"

template <class T>
double difference_as(const std::vector<std::uint8_t>& actual, const std::vector<std::uint8_t>& expected) {
  double worst = 0, largest = 0;
  for (std::size_t at = 0; at + sizeof(T) <= expected.size(); at += sizeof(T)) {
    T a, e;
    std::memcpy(&a, actual.data() + at, sizeof a);
    std::memcpy(&e, expected.data() + at, sizeof e);
    const double difference = std::abs(static_cast<double>(a) - static_cast<double>(e));
    if (!std::isfinite(difference))
      return std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference);
    largest = std::max(largest, std::abs(static_cast<double>(e)));
  }
  // Other bits, yet equal as numbers (-0): still a difference where the tolerance is 0.
  constexpr double least = std::numeric_limits<double>::min();
  return std::max(worst / std::max(largest, least), least);
}

template <class T> std::vector<std::uint8_t> bytes_of(T value) {
  std::vector<std::uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::vector<std::string> texts_of(const toml::table& table, std::string_view key) {
  std::vector<std::string> texts;
  if (const toml::array* list = table[key].as_array())
    for (const toml::node& text : *list)
      texts.push_back(text.value_or(std::string()));
  return texts;
}

} // namespace

std::span<const Reference> references() {
  return reference_table;
}

Result<CorpusKernel> read_corpus_kernel(const std::string& name) {
  CorpusKernel kernel;
  kernel.folder = std::string(FOREWARP_SOURCE_DIR) + "/corpus/" + name;
  const std::string path = kernel.folder + "/kernel.toml";
  const toml::parse_result file = toml::parse_file(path);
  if (!file)
    return fail(ErrorCode::bad_input, std::string(file.error().description()), path);
  const toml::table& table = file.table();
  kernel.opencl = kernel.folder + '/' + table["opencl"].value_or(std::string());
  if (table.contains("cuda"))
    kernel.cuda = kernel.folder + '/' + table["cuda"].value_or(std::string());
  kernel.outputs = texts_of(table, "outputs");
  kernel.unordered = texts_of(table, "unordered");
  const auto tolerance = table["tolerance"].value<double>();
  if (kernel.outputs.empty() || !tolerance)
    return fail(ErrorCode::bad_input, "outputs or tolerance is missing", path);
  for (const std::string& name_of_output : kernel.unordered)
    if (std::count(kernel.outputs.begin(), kernel.outputs.end(), name_of_output) == 0)
      return fail(ErrorCode::bad_input, "unordered names '" + name_of_output + "', which is no output", path);
  kernel.tolerance = *tolerance;
  return kernel;
}

std::vector<std::uint8_t> contents_of(const facts::BufferValue& buffer) {
  std::vector<std::uint8_t> bytes(buffer.size_in_bytes());
  launch::generate_elements(buffer, 0, buffer.count, bytes.data());
  return bytes;
}

Result<std::vector<std::uint8_t>> scalar_bytes(const facts::ScalarValue& value, facts::ScalarType type) {
  switch (type) {
  case facts::ScalarType::i32:
    return bytes_of(static_cast<std::int32_t>(std::stol(value.text)));
  case facts::ScalarType::u32:
    return bytes_of(static_cast<std::uint32_t>(std::stoul(value.text)));
  case facts::ScalarType::f32:
    return bytes_of(std::stof(value.text));
  default:
    return fail(ErrorCode::unsupported,
                "scalar of type " + std::string(facts::to_string(type)) + " in a corpus kernel");
  }
}

std::vector<std::uint8_t> sorted_elements(const std::vector<std::uint8_t>& bytes, std::size_t element_bytes) {
  std::vector<std::vector<std::uint8_t>> elements;
  for (std::size_t at = 0; at + element_bytes <= bytes.size(); at += element_bytes)
    elements.emplace_back(bytes.begin() + at, bytes.begin() + at + element_bytes);
  std::sort(elements.begin(), elements.end());
  std::vector<std::uint8_t> sorted;
  for (const std::vector<std::uint8_t>& element : elements)
    sorted.insert(sorted.end(), element.begin(), element.end());
  return sorted;
}

double relative_difference(const std::vector<std::uint8_t>& actual, const std::vector<std::uint8_t>& expected,
                           facts::ScalarType type) {
  if (actual == expected)
    return 0;
  if (actual.size() != expected.size())
    return std::numeric_limits<double>::infinity();
  switch (type) {
  case facts::ScalarType::f32:
    return difference_as<float>(actual, expected);
  case facts::ScalarType::f64:
    return difference_as<double>(actual, expected);
  case facts::ScalarType::i32:
    return difference_as<std::int32_t>(actual, expected);
  case facts::ScalarType::u32:
    return difference_as<std::uint32_t>(actual, expected);
  default:
    return difference_as<std::uint8_t>(actual, expected);
  }
}

} // namespace forewarp::corpus

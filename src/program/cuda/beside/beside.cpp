#include "program/cuda/beside/beside.h"

#include "program/cuda/beside/contents.h"
#include "program/cuda/beside/question.h"

#include <algorithm>
#include <cstring>

namespace forewarp::program {
namespace {

/// A stretch of one allocation that arguments lead into; `argument` begins it.
struct Part {
  std::uint64_t allocation = 0, begin = 0, end = 0;
  std::uint32_t argument = 0;
};

std::vector<Part> parts_of(const NativeLaunch& launch) {
  std::vector<Part> parts;
  for (std::uint32_t k = 0; k < launch.kernel->parameter_count; ++k) {
    const native::Span span = behind(launch, k);
    if (span.bytes == 0)
      continue;
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& each) {
      return each.allocation == launch.spans[k].begin;
    });
    if (same == parts.end())
      parts.push_back({launch.spans[k].begin, span.begin, span.begin + span.bytes, k});
    else if (span.begin < same->begin)
      same->begin = span.begin, same->argument = k;
  }
  return parts;
}

/// Arguments that lead into another one's buffer say so; it is sent once.
void join_arguments(const NativeLaunch& launch, const std::vector<Part>& parts, nlohmann::json& arguments) {
  for (std::uint32_t k = 0; k < launch.kernel->parameter_count; ++k) {
    const native::Span span = behind(launch, k);
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& each) {
      return span.bytes > 0 && each.allocation == launch.spans[k].begin;
    });
    if (part != parts.end() && part->argument != k)
      arguments[k] = {
          {"as", "&" + std::to_string(part->argument) + "+" + std::to_string(span.begin - part->begin)}};
  }
}

void* place_of(const std::vector<Part>& parts, const std::string& key, std::uint64_t& bytes) {
  for (const Part& part : parts)
    if (std::to_string(part.argument) == key) {
      bytes = std::min(bytes, part.end - part.begin);
      return reinterpret_cast<void*>(part.begin);
    }
  for (const auto& [shadow, variable] : state().variables)
    if (":" + variable.name == key) {
      bytes = std::min(bytes, variable.bytes);
      return reinterpret_cast<void*>(variable.begin);
    }
  return nullptr;
}

} // namespace

std::string execute_beside(const KernelEntry& kernel, const NativeLaunch& launch) {
  Message question{words_of(kernel, launch)};
  question.text["op"] = "execute";
  const std::vector<Part> parts = parts_of(launch);
  add_contents(launch, question);
  if (question.text.contains("inner") && !question.text["inner"].empty())
    return "it follows pointers that lie in memory";
  join_arguments(launch, parts, question.text["arguments"]);
  const auto answer = ask(question);
  if (!answer)
    return "the process beside has gone";
  if (answer->text.contains("problem"))
    return answer->text["problem"].get<std::string>();
  for (const nlohmann::json& written : answer->text.at("contents")) {
    const auto at = written.at("at").get<std::size_t>();
    auto bytes = written.at("bytes").get<std::uint64_t>();
    void* const place = place_of(parts, written.at("key").get<std::string>(), bytes);
    if (place && at + bytes <= answer->bytes.size())
      std::memcpy(place, answer->bytes.data() + at, bytes);
  }
  return "";
}

} // namespace forewarp::program

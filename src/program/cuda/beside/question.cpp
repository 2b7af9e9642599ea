#include "program/cuda/beside/question.h"

#include "program/cuda/beside/contents.h"

#include <algorithm>
#include <cstring>

namespace forewarp::program {
namespace {

struct Known {
  LaunchAnswer answer;
  bool data_decide = false; ///< they are looked at again
  std::uint64_t launches = 1, look_at = 2;
};

std::unordered_map<std::string, Known>& known() {
  static auto* only = new std::unordered_map<std::string, Known>;
  return *only;
}

/// Pointers in a struct go into `inner`.
std::string scalar_words(const native::ParameterFacts& parameter, std::uint32_t place, const void* value,
                         nlohmann::json& inner) {
  const auto* from = static_cast<const unsigned char*>(value);
  std::vector<unsigned char> bytes(from, from + parameter.bytes);
  if (parameter.is_pointer == 0)
    for (nlohmann::json& each : pointers_in_struct(place, bytes))
      inner.push_back(std::move(each));
  return hex(bytes.data(), bytes.size());
}

LaunchAnswer read_answer(const Message& message) {
  constexpr int cl_out_of_resources = -5, cl_invalid_work_group_size = -54;
  const int status = message.text.value("status", 0);
  LaunchAnswer answer;
  answer.error = status == cl_invalid_work_group_size ? cudaErrorInvalidConfiguration
                 : status == cl_out_of_resources      ? cudaErrorLaunchOutOfResources
                                                      : cudaSuccess;
  answer.duration_ns = message.text.value("duration_ns", std::int64_t{0});
  answer.number = message.text.value("number", std::uint64_t{0});
  return answer;
}

/// Where data decide, they are looked at at the 2nd, 4th, 8th, ... launch, or after every `look_again`.
bool looks_again(Known& before) {
  const unsigned every = state().look_again;
  ++before.launches;
  if (!before.data_decide || before.launches < before.look_at)
    return false;
  before.look_at = every > 0 ? before.launches + every : 2 * before.launches;
  return true;
}

} // namespace

nlohmann::json words_of(const KernelEntry& kernel, const NativeLaunch& launch) {
  nlohmann::json arguments = nlohmann::json::array(), inner = nlohmann::json::array();
  for (std::uint32_t k = 0; k < kernel.facts->parameter_count; ++k) {
    if (const native::Span span = behind(launch, k); span.bytes > 0)
      arguments.push_back({{"buffer", span.bytes}});
    else
      arguments.push_back(
          {{"bytes", scalar_words(kernel.facts->parameters[k], k, launch.arguments[k], inner)}});
  }
  const auto items = [](unsigned groups, unsigned size) { return std::uint64_t{groups} * size; };
  return {{"op", "launch"},
          {"program", kernel.module},
          {"kernel", kernel.facts->symbol},
          {"global",
           {items(launch.groups.x, launch.size.x), items(launch.groups.y, launch.size.y),
            items(launch.groups.z, launch.size.z)}},
          {"local", {launch.size.x, launch.size.y, launch.size.z}},
          {"offset", {0, 0, 0}},
          {"shared", launch.dynamic_shared_bytes},
          {"shared_limit", kernel.shared_limit},
          {"arguments", arguments},
          {"inner", inner}};
}

LaunchAnswer ask_about(const KernelEntry& kernel, const NativeLaunch& launch) {
  Message question{words_of(kernel, launch)};
  const std::string words = question.text.dump();
  // Buffers of one size are alike for the prediction, not for what has been executed.
  std::string key = words;
  for (std::uint32_t k = 0; k < kernel.facts->parameter_count; ++k)
    key += hex(launch.arguments[k], kernel.facts->parameters[k].bytes) + " ";
  const auto found = known().find(words);
  if (found != known().end() && !looks_again(found->second)) {
    LaunchAnswer answer = found->second.answer;
    answer.key = std::move(key);
    return answer;
  }
  Known now;
  bool with_contents = found != known().end();
  if (!with_contents) {
    const auto answer = ask(question);
    if (!answer)
      return {cudaSuccess, 0, 0, std::move(key)};
    now.answer = read_answer(*answer);
    now.data_decide = answer->text.value("data_decide", false) && state().execute != "none";
    with_contents = answer->text.value("wants_contents", false) && state().execute != "none";
    now.look_at = state().look_again > 0 ? 1 + state().look_again : 2;
  }
  if (with_contents) {
    add_contents(launch, question);
    if (const auto answer = ask(question))
      now.answer = read_answer(*answer);
  }
  LaunchAnswer answer = now.answer;
  if (found != known().end())
    found->second.answer = now.answer;
  else
    known().emplace(words, std::move(now));
  answer.key = std::move(key);
  return answer;
}

KernelResources ask_resources(const KernelEntry& kernel) {
  const auto answer = ask({{{"op", "resources"},
                            {"program", kernel.module},
                            {"kernel", kernel.facts->symbol},
                            {"size", 256},
                            {"shared", 0}}});
  return {answer ? answer->text.value("registers", 0) : 0};
}

int ask_occupancy(const KernelEntry& kernel, std::uint64_t size, std::uint64_t shared) {
  const auto answer = ask({{{"op", "resources"},
                            {"program", kernel.module},
                            {"kernel", kernel.facts->symbol},
                            {"size", size},
                            {"shared", shared}}});
  return answer ? answer->text.value("groups_per_unit", 0) : 0;
}

} // namespace forewarp::program

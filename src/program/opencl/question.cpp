#include "program/opencl/question.h"

#include <cstring>
#include <unordered_map>

namespace forewarp::program {
namespace {

struct Known {
  LaunchAnswer answer;
  bool data_decide = false; ///< they are looked at again
  std::uint64_t launches = 1, look_at = 2;
};

struct KnownLaunches {
  std::mutex lock;
  std::unordered_map<std::string, Known> of;
};

KnownLaunches& known() {
  static auto* only = new KnownLaunches;
  return *only;
}

/// The text of a program is told once.
std::string key_of(const std::shared_ptr<ProgramFacts>& source) {
  if (!source || !source->has_source)
    return {};
  State& s = state();
  {
    const std::lock_guard lock(s.lock);
    if (!source->key.empty())
      return source->key;
    source->key = std::to_string(++s.programs);
  }
  tell({{"op", "program"}, {"key", source->key}, {"source", source->source}, {"options", source->options}});
  return source->key;
}

std::size_t bytes_of(const KernelArgument& argument) {
  State& s = state();
  if (argument.is_svm) {
    void* pointer = nullptr;
    std::memcpy(&pointer, argument.bytes.data(), sizeof(pointer));
    const std::lock_guard lock(s.lock);
    const auto found = s.svm.find(pointer);
    return found == s.svm.end() ? 0 : found->second;
  }
  const cl_mem memory = buffer_of(argument);
  if (!memory)
    return 0;
  const std::lock_guard lock(s.lock);
  return s.memory.at(memory).bytes;
}

nlohmann::json words_of(const PendingLaunch& launch, const std::string& program) {
  nlohmann::json arguments = nlohmann::json::array();
  for (const KernelArgument& argument : launch.arguments) {
    if (argument.local_bytes > 0)
      arguments.push_back({{"local", argument.local_bytes}});
    else if (const std::size_t bytes = bytes_of(argument))
      arguments.push_back({{"buffer", bytes}});
    else
      arguments.push_back({{"bytes", hex(argument.bytes.data(), argument.bytes.size())}});
  }
  nlohmann::json words = {{"op", "launch"},          {"program", program},      {"kernel", launch.kernel},
                          {"global", launch.global}, {"offset", launch.offset}, {"arguments", arguments}};
  if (launch.has_local)
    words["local"] = launch.local;
  return words;
}

/// What the buffers hold when this launch begins. Executes what is pending.
void add_contents(const PendingLaunch& launch, Message& question) {
  run_pending();
  State& s = state();
  for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
    const KernelArgument& argument = launch.arguments[k];
    const cl_mem memory = buffer_of(argument);
    const std::size_t bytes = memory ? bytes_of(argument) : 0;
    if (bytes == 0 || question.bytes.size() + bytes > most_content_bytes)
      continue;
    const std::size_t at = question.bytes.size();
    question.bytes.resize(at + bytes);
    if (s.target->clEnqueueReadBuffer(launch.queue, memory, CL_TRUE, 0, bytes, question.bytes.data() + at, 0,
                                      nullptr, nullptr) != CL_SUCCESS) {
      question.bytes.resize(at);
      continue;
    }
    question.text["contents"].push_back({{"key", std::to_string(k)}, {"at", at}, {"bytes", bytes}});
  }
}

LaunchAnswer read_answer(const Message& message) {
  return {message.text.value("status", CL_SUCCESS), message.text.value("duration_ns", std::int64_t{0}),
          message.text.value("number", std::uint64_t{0})};
}

} // namespace

LaunchAnswer ask_about(const PendingLaunch& launch, const KernelFacts& kernel) {
  State& s = state();
  Message question{words_of(launch, key_of(kernel.source))};
  const std::string words = question.text.dump();
  bool with_contents = false;
  {
    const std::lock_guard lock(known().lock);
    if (const auto found = known().of.find(words); found != known().of.end()) {
      Known& before = found->second;
      ++before.launches;
      with_contents = before.data_decide && before.launches >= before.look_at;
      if (!with_contents)
        return before.answer;
      before.look_at = s.look_again > 0 ? before.launches + s.look_again : 2 * before.launches;
    }
  }
  Known now;
  if (!with_contents) {
    const auto answer = ask(question);
    if (!answer)
      return {};
    now.answer = read_answer(*answer);
    now.data_decide = answer->text.value("data_decide", false) && s.execute != Execute::none;
    with_contents = answer->text.value("wants_contents", false) && s.execute != Execute::none;
  }
  if (with_contents) {
    add_contents(launch, question);
    if (const auto answer = ask(question))
      now.answer = read_answer(*answer);
  }
  const std::lock_guard lock(known().lock);
  const auto [found, is_new] = known().of.emplace(words, now);
  if (!is_new)
    found->second.answer = now.answer;
  if (is_new && s.look_again > 0)
    found->second.look_at = 1 + s.look_again;
  return now.answer;
}

} // namespace forewarp::program

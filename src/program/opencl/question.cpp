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

unsigned queue_device(cl_command_queue queue) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  return s.queue(queue).device;
}

/// From where the argument leads to the end of its memory.
Stretch svm_behind(const KernelArgument& argument) {
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, argument.bytes.data(), sizeof(pointer));
  const Stretch all = svm_at(pointer);
  return all.bytes == 0 ? Stretch{} : Stretch{pointer, all.begin + all.bytes - pointer};
}

std::size_t bytes_of(const KernelArgument& argument) {
  State& s = state();
  if (argument.is_svm)
    return svm_behind(argument).bytes;
  const cl_mem memory = buffer_of(argument);
  if (!memory)
    return 0;
  const std::lock_guard lock(s.lock);
  return s.memory.at(memory).bytes;
}

/// An image's size and format, or what a sampler does, as launch files write it; "": neither.
std::string image_words(const KernelArgument& argument) {
  State& s = state();
  if (const cl_mem memory = memory_of(argument)) {
    const std::lock_guard lock(s.lock);
    const auto& image = s.memory.at(memory).image;
    return image ? "image:" + std::to_string(image->width) + "x" + std::to_string(image->height) + "x" +
                       std::to_string(image->depth) + ":" + image->format + (image->in_rows ? ":rows" : "")
                 : std::string();
  }
  cl_sampler sampler = nullptr;
  if (argument.bytes.size() != sizeof(sampler))
    return {};
  std::memcpy(static_cast<void*>(&sampler), argument.bytes.data(), sizeof(sampler));
  const std::lock_guard lock(s.lock);
  const auto found = s.samplers.find(sampler);
  return found == s.samplers.end() ? std::string() : "sampler:" + found->second;
}

/// Pointers in a struct go into `inner`.
std::string value_words(const KernelArgument& argument, std::size_t place, nlohmann::json& inner) {
  std::vector<unsigned char> bytes(argument.bytes.begin(), argument.bytes.end());
  for (nlohmann::json& each : pointers_in_struct(place, bytes, svm_at))
    inner.push_back(std::move(each));
  return hex(bytes.data(), bytes.size());
}

/// Shared virtual memory, and what pointers in it and in structs lead to.
void add_svm(const PendingLaunch& launch, Message& question) {
  ContentsSender sender(question, svm_at);
  for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
    const KernelArgument& argument = launch.arguments[k];
    if (!argument.is_svm)
      sender.add_struct(k, argument.bytes.data(), argument.bytes.size());
    else if (const Stretch stretch = svm_behind(argument); stretch.bytes > 0)
      sender.add(std::to_string(k), stretch);
  }
  sender.send();
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
  if (uses_svm(launch)) {
    s.target->clFinish(launch.queue);
    add_svm(launch, question);
  }
}

LaunchAnswer read_answer(const Message& message) {
  return {message.text.value("status", CL_SUCCESS), message.text.value("duration_ns", std::int64_t{0}),
          message.text.value("number", std::uint64_t{0})};
}

} // namespace

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

nlohmann::json words_of(const PendingLaunch& launch, const std::string& program) {
  nlohmann::json arguments = nlohmann::json::array(), inner = nlohmann::json::array();
  for (const KernelArgument& argument : launch.arguments) {
    if (argument.local_bytes > 0)
      arguments.push_back({{"local", argument.local_bytes}});
    else if (const std::size_t bytes = bytes_of(argument))
      arguments.push_back({{"buffer", bytes}});
    else if (const std::string image = image_words(argument); !image.empty())
      arguments.push_back({{"image", image}});
    else
      arguments.push_back({{"bytes", value_words(argument, arguments.size(), inner)}});
  }
  nlohmann::json words = {{"op", "launch"},          {"program", program},      {"kernel", launch.kernel},
                          {"global", launch.global}, {"offset", launch.offset}, {"arguments", arguments}};
  if (!inner.empty())
    words["inner"] = std::move(inner);
  if (launch.has_local)
    words["local"] = launch.local;
  if (const unsigned device = queue_device(launch.queue); device > 0)
    words["device"] = device;
  return words;
}

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

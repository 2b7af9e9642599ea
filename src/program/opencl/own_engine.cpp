#include "program/opencl/own_engine.h"

#include "program/opencl/question.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace forewarp::program {
namespace {

/// Where an argument leads to in memory of the implementation's own: a buffer, or shared virtual memory.
struct Place {
  std::size_t argument = 0;
  cl_mem root = nullptr;
  unsigned char* shared = nullptr; ///< then the buffer is null
  std::size_t begin = 0, end = 0;

  bool is_in(const Place& other) const { return root == other.root && shared == other.shared; }
};

Place place_of(std::size_t argument, cl_mem memory) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  Place place{argument, memory, nullptr, 0, s.memory.at(memory).bytes};
  for (auto found = s.memory.find(memory); found != s.memory.end() && found->second.parent;
       found = s.memory.find(place.root)) {
    place.root = found->second.parent;
    place.begin += found->second.origin;
    place.end += found->second.origin;
  }
  return place;
}

Place place_of_shared(std::size_t argument, std::uint64_t pointer) {
  const Stretch all = svm_at(pointer);
  return {argument, nullptr, reinterpret_cast<unsigned char*>(all.begin), pointer - all.begin, all.bytes};
}

/// A stretch of one memory that arguments lead into; `all.argument` begins it.
struct Part {
  Place all;
  std::vector<Place> arguments;
};

void add(std::vector<Part>& parts, const Place& place) {
  const auto same =
      std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return place.is_in(each.all); });
  if (same == parts.end()) {
    parts.push_back({place, {place}});
    return;
  }
  same->arguments.push_back(place);
  same->all.end = std::max(same->all.end, place.end);
  if (place.begin < same->all.begin) {
    same->all.begin = place.begin;
    same->all.argument = place.argument;
  }
}

std::vector<Part> parts_of(const PendingLaunch& launch) {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
    const KernelArgument& argument = launch.arguments[k];
    if (const cl_mem memory = buffer_of(argument)) {
      add(parts, place_of(k, memory));
    } else if (argument.is_svm) {
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, argument.bytes.data(), sizeof(pointer));
      if (svm_at(pointer).bytes > 0)
        add(parts, place_of_shared(k, pointer));
    }
  }
  return parts;
}

cl_int read(cl_command_queue queue, const Place& from, unsigned char* to) {
  const std::size_t bytes = from.end - from.begin;
  if (!from.shared)
    return state().target->clEnqueueReadBuffer(queue, from.root, CL_TRUE, from.begin, bytes, to, 0, nullptr,
                                               nullptr);
  std::memcpy(to, from.shared + from.begin, bytes);
  return CL_SUCCESS;
}

cl_int write(cl_command_queue queue, const Place& to, const unsigned char* from, std::size_t bytes) {
  if (!to.shared)
    return state().target->clEnqueueWriteBuffer(queue, to.root, CL_TRUE, to.begin, bytes, from, 0, nullptr,
                                                nullptr);
  std::memcpy(to.shared + to.begin, from, bytes);
  return CL_SUCCESS;
}

/// Pointers that lie in shared virtual memory, or in structs, mean nothing to the process beside.
bool follows_pointers(const PendingLaunch& launch, const std::vector<Part>& parts) {
  for (const KernelArgument& argument : launch.arguments) {
    std::vector<unsigned char> bytes(argument.bytes.begin(), argument.bytes.end());
    if (!argument.is_svm && !pointers_in_struct(0, bytes, svm_at).empty())
      return true;
  }
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) {
    const Place& all = part.all;
    if (!all.shared)
      return false;
    std::vector<unsigned char> bytes(all.shared + all.begin, all.shared + all.end);
    return !pointers_in_struct(0, bytes, svm_at).empty();
  });
}

/// Arguments that lead into another one's memory say so; it is sent once.
cl_int add_buffers(const PendingLaunch& launch, const std::vector<Part>& parts, Message& question) {
  nlohmann::json& arguments = question.text["arguments"];
  for (const Part& part : parts) {
    const Place& all = part.all;
    const std::string key = std::to_string(all.argument);
    for (const Place& place : part.arguments)
      arguments[place.argument] = {{"as", "&" + key + "+" + std::to_string(place.begin - all.begin)}};
    const std::size_t bytes = all.end - all.begin, at = question.bytes.size();
    arguments[all.argument] = {{"buffer", bytes}};
    question.bytes.resize(at + bytes);
    const cl_int status = read(launch.queue, all, question.bytes.data() + at);
    if (status != CL_SUCCESS)
      return status;
    question.text["contents"].push_back({{"key", key}, {"at", at}, {"bytes", bytes}});
  }
  return CL_SUCCESS;
}

const Part* part_of(const std::vector<Part>& parts, const std::string& key) {
  for (const Part& part : parts)
    if (std::to_string(part.all.argument) == key)
      return &part;
  return nullptr;
}

cl_int write_back(const PendingLaunch& launch, const std::vector<Part>& parts, const Message& answer) {
  for (const nlohmann::json& written : answer.text.at("contents")) {
    const Part* part = part_of(parts, written.at("key").get<std::string>());
    const auto at = written.at("at").get<std::size_t>(), sent = written.at("bytes").get<std::size_t>();
    if (!part || at + sent > answer.bytes.size())
      continue;
    const std::size_t bytes = std::min(sent, part->all.end - part->all.begin);
    const cl_int status = write(launch.queue, part->all, answer.bytes.data() + at, bytes);
    if (status != CL_SUCCESS)
      return status;
  }
  return CL_SUCCESS;
}

/// Built for the devices of the program's own context.
cl_program built(cl_program program, const std::string& text) {
  const cl_icd_dispatch& target = *state().target;
  cl_context context = nullptr;
  if (target.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context), static_cast<void*>(&context),
                              nullptr) != CL_SUCCESS)
    return nullptr;
  const char* words = text.c_str();
  const cl_program made = target.clCreateProgramWithSource(context, 1, &words, nullptr, nullptr);
  if (made && target.clBuildProgram(made, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS)
    return made;
  if (made)
    target.clReleaseProgram(made);
  return nullptr;
}

} // namespace

bool take_over(cl_program program, const std::shared_ptr<ProgramFacts>& facts) {
  const std::string key = key_of(facts);
  const auto answer =
      key.empty() ? std::nullopt : ask({nlohmann::json{{"op", "stand_in"}, {"program", key}}});
  if (!answer || !answer->text.contains("text"))
    return false;
  const cl_program made = built(program, answer->text["text"].get<std::string>());
  if (!made)
    return false;
  facts->stand_in = made;
  facts->own_engine = true;
  return true;
}

cl_program executable_of(cl_program program, const std::shared_ptr<ProgramFacts>& facts) {
  return facts && facts->stand_in ? facts->stand_in : program;
}

std::string execute_ourselves(const PendingLaunch& launch) {
  const std::string key = key_of(launch.source);
  if (key.empty())
    return "its program was not made of source";
  Message question{words_of(launch, key)};
  question.text["op"] = "execute";
  state().target->clFinish(launch.queue);
  const std::vector<Part> parts = parts_of(launch);
  if (follows_pointers(launch, parts))
    return "pointers in shared virtual memory and in structs are not followed by forewarp's own engine";
  cl_int status = add_buffers(launch, parts, question);
  const auto answer = status == CL_SUCCESS ? ask(question) : std::nullopt;
  if (!answer)
    return "its buffers could not be read";
  if (answer->text.contains("problem"))
    return answer->text["problem"].get<std::string>();
  if (answer->text.contains("fault"))
    tell({{"op", "fault"}, {"what", launch.kernel + ": " + answer->text["fault"].get<std::string>()}});
  status = write_back(launch, parts, *answer);
  return status == CL_SUCCESS ? "" : "its buffers could not be written";
}

} // namespace forewarp::program

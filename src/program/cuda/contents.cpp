#include "program/cuda/contents.h"

#include "program/cuda/state.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace forewarp::program {
namespace {

constexpr std::size_t pointer_bytes = 8, most_inner = 20'000;
constexpr std::uint64_t largest_variable = 1 << 20;

/// The buffer that a word leads into; null: it is no pointer.
const Allocation* led_to(const unsigned char* at, std::uint64_t& word) {
  std::memcpy(&word, at, sizeof(word));
  if (word < 4096)
    return nullptr;
  const Allocation* found = allocation_at(reinterpret_cast<const void*>(word));
  return found && found->kind != MemoryKind::variable ? found : nullptr;
}

std::string inner_key(const std::string& key, std::size_t offset) {
  return key + "+" + std::to_string(offset);
}

class Sender {
public:
  explicit Sender(Message& question) : question_(question) {}

  /// A buffer that has a key already.
  void add(const std::string& key, const native::Span& span) {
    if (const Allocation* found = allocation_at(reinterpret_cast<const void*>(span.begin)))
      keys_.try_emplace(found->begin, key, span.begin);
    waiting_.push_back({key, span});
  }

  void send() {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const auto& [key, span] = waiting_.front();
      if (question_.bytes.size() + span.bytes > most_content_bytes)
        continue;
      const std::size_t at = question_.bytes.size();
      const auto* from = reinterpret_cast<const unsigned char*>(span.begin);
      question_.bytes.insert(question_.bytes.end(), from, from + span.bytes);
      question_.text["contents"].push_back({{"key", key}, {"at", at}, {"bytes", span.bytes}});
      find_pointers(key, from, span.bytes);
    }
  }

private:
  void find_pointers(const std::string& key, const unsigned char* from, std::uint64_t bytes) {
    const std::size_t skip =
        (pointer_bytes - reinterpret_cast<std::uintptr_t>(from) % pointer_bytes) % pointer_bytes;
    for (std::size_t at = skip; at + pointer_bytes <= bytes && inner_ < most_inner; at += pointer_bytes) {
      std::uint64_t word = 0;
      if (const Allocation* found = led_to(from + at, word))
        add_pointer(inner_key(key, at), word, *found);
    }
  }

  /// The first pointer into a buffer gives it a key; others lead into it from there.
  void add_pointer(const std::string& key, std::uint64_t word, const Allocation& found) {
    ++inner_;
    nlohmann::json& list = question_.text["inner"];
    const auto known = keys_.find(found.begin);
    if (known != keys_.end() && word >= known->second.second) {
      list.push_back(
          {{"key", key}, {"as", "&" + inner_key(known->second.first, word - known->second.second)}});
      return;
    }
    const native::Span rest{word, found.begin + found.bytes - word};
    list.push_back({{"key", key}, {"buffer", rest.bytes}});
    add(key, rest);
  }

  Message& question_;
  std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> keys_; ///< allocation -> key, its first byte
  std::deque<std::pair<std::string, native::Span>> waiting_;
  std::size_t inner_ = 0;
};

} // namespace

native::Span behind(const NativeLaunch& launch, std::uint32_t parameter) {
  const native::Span span = launch.spans[parameter];
  if (span.bytes == 0)
    return {};
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, launch.arguments[parameter], sizeof(pointer));
  return {pointer, span.begin + span.bytes - pointer};
}

nlohmann::json pointers_in_struct(std::uint32_t parameter, std::vector<unsigned char>& bytes) {
  nlohmann::json inner = nlohmann::json::array();
  for (std::size_t at = 0; at + pointer_bytes <= bytes.size(); at += pointer_bytes) {
    std::uint64_t word = 0;
    const Allocation* found = led_to(bytes.data() + at, word);
    if (!found)
      continue;
    inner.push_back(
        {{"key", inner_key(std::to_string(parameter), at)}, {"buffer", found->begin + found->bytes - word}});
    std::memset(bytes.data() + at, 0, pointer_bytes);
  }
  return inner;
}

void add_contents(const NativeLaunch& launch, Message& question) {
  Sender sender(question);
  const native::KernelFacts& kernel = *launch.kernel;
  for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
    const auto* argument = static_cast<const unsigned char*>(launch.arguments[k]);
    if (const native::Span span = behind(launch, k); span.bytes > 0) {
      sender.add(std::to_string(k), span);
    } else if (kernel.parameters[k].is_pointer == 0) {
      for (std::size_t at = 0; at + pointer_bytes <= kernel.parameters[k].bytes; at += pointer_bytes) {
        std::uint64_t word = 0;
        if (const Allocation* found = led_to(argument + at, word))
          sender.add(inner_key(std::to_string(k), at), {word, found->begin + found->bytes - word});
      }
    }
  }
  for (const auto& [shadow, variable] : state().variables)
    if (!variable.name.empty() && variable.bytes <= largest_variable)
      sender.add(":" + variable.name, {variable.begin, variable.bytes});
  sender.send();
}

} // namespace forewarp::program

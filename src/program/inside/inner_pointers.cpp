#include "program/inside/inner_pointers.h"

#include <cstring>

namespace forewarp::program {
namespace {

constexpr std::size_t pointer_bytes = 8, most_inner = 20'000;
constexpr std::uint64_t first_page = 4096;

/// The memory that a word leads into; bytes 0: it is no pointer.
Stretch led_to(const unsigned char* at, AllocationAt allocation_at, std::uint64_t& word) {
  std::memcpy(&word, at, sizeof(word));
  return word < first_page ? Stretch{} : allocation_at(word);
}

Stretch rest_of(const Stretch& found, std::uint64_t word) {
  return {word, found.begin + found.bytes - word};
}

std::string inner_key(const std::string& key, std::size_t offset) {
  return key + "+" + std::to_string(offset);
}

} // namespace

nlohmann::json pointers_in_struct(std::size_t parameter, std::vector<unsigned char>& bytes,
                                  AllocationAt allocation_at) {
  nlohmann::json inner = nlohmann::json::array();
  for (std::size_t at = 0; at + pointer_bytes <= bytes.size(); at += pointer_bytes) {
    std::uint64_t word = 0;
    const Stretch found = led_to(bytes.data() + at, allocation_at, word);
    if (found.bytes == 0)
      continue;
    inner.push_back(
        {{"key", inner_key(std::to_string(parameter), at)}, {"buffer", rest_of(found, word).bytes}});
    std::memset(bytes.data() + at, 0, pointer_bytes);
  }
  return inner;
}

void ContentsSender::add(const std::string& key, const Stretch& stretch) {
  if (const Stretch found = allocation_at_(stretch.begin); found.bytes > 0)
    keys_.try_emplace(found.begin, key, stretch.begin);
  waiting_.push_back({key, stretch});
}

void ContentsSender::add_struct(std::size_t parameter, const unsigned char* bytes, std::size_t size) {
  for (std::size_t at = 0; at + pointer_bytes <= size; at += pointer_bytes) {
    std::uint64_t word = 0;
    if (const Stretch found = led_to(bytes + at, allocation_at_, word); found.bytes > 0)
      add(inner_key(std::to_string(parameter), at), rest_of(found, word));
  }
}

void ContentsSender::send() {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    const auto& [key, stretch] = waiting_.front();
    if (question_.bytes.size() + stretch.bytes > most_content_bytes)
      continue;
    const std::size_t at = question_.bytes.size();
    const auto* from = reinterpret_cast<const unsigned char*>(stretch.begin);
    question_.bytes.insert(question_.bytes.end(), from, from + stretch.bytes);
    question_.text["contents"].push_back({{"key", key}, {"at", at}, {"bytes", stretch.bytes}});
    find_pointers(key, from, stretch.bytes);
  }
}

void ContentsSender::find_pointers(const std::string& key, const unsigned char* from, std::uint64_t bytes) {
  const std::size_t skip =
      (pointer_bytes - reinterpret_cast<std::uintptr_t>(from) % pointer_bytes) % pointer_bytes;
  for (std::size_t at = skip; at + pointer_bytes <= bytes && inner_ < most_inner; at += pointer_bytes) {
    std::uint64_t word = 0;
    if (const Stretch found = led_to(from + at, allocation_at_, word); found.bytes > 0)
      add_pointer(inner_key(key, at), word, found);
  }
}

/// The first pointer into a buffer gives it a key; others lead into it from there.
void ContentsSender::add_pointer(const std::string& key, std::uint64_t word, const Stretch& found) {
  ++inner_;
  nlohmann::json& list = question_.text["inner"];
  const auto known = keys_.find(found.begin);
  if (known != keys_.end() && word >= known->second.second) {
    list.push_back({{"key", key}, {"as", "&" + inner_key(known->second.first, word - known->second.second)}});
    return;
  }
  const Stretch rest = rest_of(found, word);
  list.push_back({{"key", key}, {"buffer", rest.bytes}});
  add(key, rest);
}

} // namespace forewarp::program

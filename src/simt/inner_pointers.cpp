#include "simt/inner_pointers.h"

#include "launch/words.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace forewarp::simt {
namespace {

constexpr std::uint64_t pointer_bytes = 8;

} // namespace

void InnerPointers::add(const std::string& key, const Region& region) {
  holders_[key] = {&region, nullptr, 0};
}

void InnerPointers::add(const std::string& key, const ParameterSlots& slots, std::size_t first) {
  holders_[key] = {nullptr, &slots, first};
}

void InnerPointers::lead(const std::string& name, const facts::ScalarValue& value, std::size_t slot) {
  leading_.push_back({name, value, slot});
}

std::uint64_t InnerPointers::address_of(const facts::ScalarValue& value) const {
  if (!value.text.starts_with('&'))
    return 0;
  std::string key = value.text.substr(1);
  std::uint64_t plus = 0;
  if (!holders_.contains(key)) {
    const std::size_t at = key.rfind('+');
    const auto bytes = at == std::string::npos ? std::nullopt : launch::whole_number(key.substr(at + 1));
    if (!bytes)
      return 0;
    plus = *bytes;
    key.resize(at);
  }
  const auto found = holders_.find(key);
  return found == holders_.end() || !found->second.region ? 0 : found->second.region->info.base + plus;
}

bool InnerPointers::set(const Pointer& pointer, std::uint64_t address) {
  if (const Region* region = pointer.holder.region) {
    // A page of the buffer may end within the pointer.
    for (std::uint64_t k = 0; k < pointer_bytes; ++k) {
      const Span span = memory_.write(region->info.base + pointer.offset + k);
      const std::uint64_t at = region->info.base + pointer.offset + k - span.begin;
      span.data[at] = static_cast<std::uint8_t>(address >> (8 * k));
      span.known[at] = 0xFF;
    }
    return true;
  }
  for (std::size_t k = 0; k < pointer.holder.slots->components.size(); ++k) {
    const auto& component = pointer.holder.slots->components[k];
    if (component.offset_bytes != pointer.offset || component.bytes != pointer_bytes)
      continue;
    SlotValue& slot = binding_.slots[pointer.holder.first_slot + k];
    slot.value = address;
    slot.known = true;
    return true;
  }
  return false;
}

void InnerPointers::place(std::set<std::string>& used, std::vector<std::string>& wrong) {
  std::vector<Pointer> pointers;
  for (const auto& [key, value] : launch_.arguments) { // "p+8" comes before "p+8+0"
    const std::size_t plus = key.rfind('+');
    const auto offset = plus == std::string::npos ? std::nullopt : launch::whole_number(key.substr(plus + 1));
    if (!offset)
      continue;
    used.insert(key);
    const auto holder = holders_.find(key.substr(0, plus));
    if (holder == holders_.end()) {
      if (!key.starts_with(':')) // a variable that this kernel does not use
        wrong.push_back(fmt::format("'{}' lies in no argument", key));
      continue;
    }
    if (*offset + pointer_bytes > holder->second.bytes()) {
      wrong.push_back(fmt::format("'{}' lies behind the end of '{}', which has {} bytes", key,
                                  key.substr(0, plus), holder->second.bytes()));
      continue;
    }
    pointers.push_back({key, holder->second, *offset});
    if (const auto* buffer = std::get_if<facts::BufferValue>(&value)) {
      Region& region = memory_.add(key, facts::MemorySpace::global, buffer->size_in_bytes(), 512, buffer);
      binding_.buffers.push_back(&region);
      add(key, region);
    }
  }
  for (const Pointer& pointer : pointers) {
    const auto& value = launch_.arguments.at(pointer.key);
    const auto* scalar = std::get_if<facts::ScalarValue>(&value);
    const std::uint64_t address = scalar ? address_of(*scalar) : holders_.at(pointer.key).region->info.base;
    if (address == 0 || !set(pointer, address))
      wrong.push_back(
          fmt::format("'{}' is no buffer (buffer:f32[1024]), and leads into none (&p, &p+256)", pointer.key));
  }
  for (const Leading& leading : leading_) {
    binding_.slots[leading.slot].value = address_of(leading.value);
    if (binding_.slots[leading.slot].value == 0)
      wrong.push_back(fmt::format("'{}' leads into no buffer of another argument (&p, &p+256): '{}'",
                                  leading.name, leading.value.text));
  }
}

} // namespace forewarp::simt

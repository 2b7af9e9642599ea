#include "port/helper/objects.h"

#include <iterator>

namespace forewarp::port {
namespace {
constexpr std::uint64_t page_bytes = 64ULL << 10;
} // namespace

void Objects::add_globals(const std::vector<GlobalPlan>& plan, void* const* addresses) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto base = reinterpret_cast<std::uint64_t>(addresses[i]);
    by_base_[base] = {facts::RegionObject::Kind::global, plan[i].name, base, plan[i].size_bytes,
                      plan[i].element_bytes};
  }
}

void Objects::allocated(std::uint64_t base, std::uint64_t size) {
  if (base != 0)
    by_base_[base] = {facts::RegionObject::Kind::heap, "", base, size, 0};
}

void Objects::freed(std::uint64_t base) {
  if (by_base_.erase(base) != 0)
    ++generation_;
}

void Objects::on_stack(const GlobalPlan& variable, std::uint64_t base) {
  const auto same = by_base_.find(base);
  if (same != by_base_.end() && same->second.size_bytes == variable.size_bytes &&
      same->second.name == variable.name)
    return;
  auto at = by_base_.lower_bound(base);
  if (at != by_base_.begin() && base - std::prev(at)->second.base < std::prev(at)->second.size_bytes)
    --at;
  while (at != by_base_.end() && at->second.base < base + variable.size_bytes)
    at = by_base_.erase(at);
  by_base_[base] = {facts::RegionObject::Kind::stack, variable.name, base, variable.size_bytes,
                    variable.element_bytes};
  ++generation_;
}

KnownObject Objects::find(std::uint64_t address) const {
  auto after = by_base_.upper_bound(address);
  if (after != by_base_.begin()) {
    const KnownObject& candidate = std::prev(after)->second;
    if (address - candidate.base < candidate.size_bytes)
      return candidate;
  }
  KnownObject page;
  page.base = address & ~(page_bytes - 1);
  page.size_bytes = page_bytes;
  return page;
}

} // namespace forewarp::port

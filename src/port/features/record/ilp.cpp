#include "port/features/record/ilp.h"

#include <algorithm>

namespace forewarp::port {
namespace {
constexpr unsigned table_log2 = 17; ///< twice as many cells as a stretch has stores
} // namespace

IlpMeter::IlpMeter(std::uint32_t value_count) : values_(value_count), memory_(std::size_t{1} << table_log2) {}

void IlpMeter::start() {
  ++stretch_;
  instructions_ = 0;
  std::fill(values_.begin(), values_.end(), Ready{});
  from_ = last_ = Ready{};
}

IlpMeter::Cell& IlpMeter::cell(std::uint64_t address) {
  constexpr std::uint64_t mask = (1ULL << table_log2) - 1;
  for (std::uint64_t at = (address * 0x9E3779B97F4A7C15ULL) >> (64 - table_log2);; at = (at + 1) & mask) {
    Cell& found = memory_[at];
    if (found.stretch != stretch_ || found.address == address)
      return found;
  }
}

void IlpMeter::close(std::size_t window) {
  counts_.cycles[window] += static_cast<double>(last_[window] - from_[window]);
  from_[window] = last_[window];
}

void IlpMeter::count(unsigned weight) {
  const std::uint32_t before = instructions_;
  instructions_ += weight;
  for (std::size_t i = 0; i < ilp_windows.size() && before / ilp_windows[i] != instructions_ / ilp_windows[i];
       ++i) // a larger window ends only where a smaller one does
    close(i);
}

void IlpMeter::instruction(const FeatureInstruction& what, std::uint64_t address) {
  Ready ready = from_;
  const auto wait = [&](std::uint32_t operand) {
    if (operand != facts::no_region_index)
      ready.wait_for(values_[operand]);
  };
  wait(what.operands[0]);
  wait(what.operands[1]);
  if (what.weight == 2)
    ready.one_cycle(); // the product; the sum waits for operand 2 too
  wait(what.operands[2]);
  wait(what.operands[3]);
  if (what.load)
    if (const Cell& stored = cell(address); stored.stretch == stretch_)
      ready.wait_for(stored.ready);
  if (what.weight != 0)
    ready.one_cycle();
  if (what.store) {
    Cell& stored = cell(address);
    stored.address = address;
    stored.stretch = stretch_;
    stored.ready = ready;
  }
  if (what.value != facts::no_region_index)
    values_[what.value] = ready;
  if (what.weight == 0)
    return;
  last_.wait_for(ready);
  count(what.weight);
}

void IlpMeter::enter(const std::vector<facts::RegionPhi>& phis, std::uint32_t previous) {
  scratch_.clear();
  for (const facts::RegionPhi& phi : phis)
    if (phi.previous_block == previous)
      scratch_.push_back(phi.source == facts::no_region_index ? Ready{} : values_[phi.source]);
  std::size_t next = 0;
  for (const facts::RegionPhi& phi : phis)
    if (phi.previous_block == previous)
      values_[phi.destination] = scratch_[next++];
}

void IlpMeter::stop() {
  for (std::size_t i = 0; i < ilp_windows.size(); ++i)
    close(i);
  counts_.instructions += instructions_;
  instructions_ = 0;
}

} // namespace forewarp::port

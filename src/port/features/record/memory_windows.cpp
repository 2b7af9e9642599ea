#include "port/features/record/memory_windows.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace forewarp::port {
namespace {

/// Distinct blocks of 32 numbers.
unsigned distinct_blocks(std::array<std::uint64_t, memory_window> numbers) {
  for (std::uint64_t& number : numbers)
    number /= memory_block_bytes;
  unsigned changes = 0;
  bool rising = true;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    changes += numbers[i] != numbers[i - 1] ? 1 : 0;
    rising = rising && numbers[i] >= numbers[i - 1];
  }
  if (rising || changes <= 1)
    return changes + 1;
  std::sort(numbers.begin(), numbers.end());
  return static_cast<unsigned>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

/// The same where neighbours lie `stride` bytes apart.
unsigned distinct_blocks(std::uint64_t first, std::int64_t stride) {
  if (static_cast<std::uint64_t>(std::llabs(stride)) >= memory_block_bytes)
    return memory_window;
  const std::uint64_t last = first + static_cast<std::uint64_t>(stride * (memory_window - 1));
  const std::uint64_t from = first / memory_block_bytes, to = last / memory_block_bytes;
  return static_cast<unsigned>((from > to ? from - to : to - from) + 1);
}

} // namespace

MemoryWindows::MemoryWindows(const std::vector<std::uint32_t>& widths) : sites_(widths.size()) {
  for (std::size_t i = 0; i < widths.size(); ++i)
    sites_[i].width = std::max(1U, widths[i]);
}

void MemoryWindows::add_stride(std::int64_t stride, std::uint32_t width, std::uint64_t windows) {
  if (stride == 0) {
    counts_.same_address += windows;
    return;
  }
  const auto bytes = static_cast<std::uint64_t>(std::llabs(stride));
  if (bytes % width != 0)
    return;
  const std::uint64_t elements = bytes / width;
  const auto power = static_cast<std::size_t>(std::min(5, std::countr_zero(elements)));
  counts_.odd_stride += power == 0 ? windows : 0;
  counts_.by_bank_conflict[power] += windows;
  if (std::has_single_bit(elements) && elements <= memory_window)
    counts_.exact_power_stride[power] += windows;
}

void MemoryWindows::close(Site& site) {
  site.count = 0;
  ++counts_.windows;
  const auto stride = static_cast<std::int64_t>(site.numbers[1] - site.numbers[0]);
  bool constant = true;
  for (std::size_t i = 2; i < site.numbers.size(); ++i)
    constant = constant && static_cast<std::int64_t>(site.numbers[i] - site.numbers[i - 1]) == stride;
  if (constant)
    add_stride(stride, site.width, 1);
  ++counts_
        .by_transactions[constant ? distinct_blocks(site.numbers[0], stride) : distinct_blocks(site.numbers)];
}

void MemoryWindows::add_regular(std::uint64_t first, std::int64_t stride, std::uint32_t width,
                                std::uint64_t windows) {
  counts_.windows += windows;
  add_stride(stride, width, windows);
  const std::int64_t step = stride * memory_window;
  if (step % static_cast<std::int64_t>(memory_block_bytes) == 0) {
    counts_.by_transactions[distinct_blocks(first, stride)] += windows;
    return;
  }
  for (std::uint64_t w = 0; w < windows; ++w)
    ++counts_.by_transactions[distinct_blocks(first + w * static_cast<std::uint64_t>(step), stride)];
}

void MemoryWindows::push_run(std::uint32_t site, std::uint64_t first, std::int64_t stride,
                             std::uint64_t count) {
  Site& state = sites_[site];
  const auto at = [&](std::uint64_t k) { return first + k * static_cast<std::uint64_t>(stride); };
  std::uint64_t k = 0;
  while (k < count && state.count != 0)
    push(site, at(k++));
  if (const std::uint64_t whole = (count - k) / memory_window; whole > 0) {
    add_regular(at(k), stride, state.width, whole);
    k += whole * memory_window;
  }
  while (k < count)
    push(site, at(k++));
}

} // namespace forewarp::port

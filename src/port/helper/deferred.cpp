// Shadow: runs of accesses kept as they are, as long as no two of an object meet where one writes. Streaming
// loops then cost a few words a run, not a cell for each element.
#include "port/helper/shadow.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::uint64_t least_deferred = 32; ///< iterations: a table of shorter runs is as quick cell by cell
constexpr std::size_t most_deferred = 1U << 16;

} // namespace

Shadow::CellRange Shadow::cells_of(const Walk& walk, std::uint64_t iterations) const {
  const Window& window = windows_[walk.site];
  const std::uint64_t first = walk.address - window.base;
  const std::uint64_t last = first + (iterations - 1) * static_cast<std::uint64_t>(walk.stride);
  return {std::min(first, last) >> shift_, (std::max(first, last) >> shift_) + window.cells_an_access};
}

/// Does a later iteration of the run write a cell that an earlier one wrote?
bool Shadow::meets_itself(const Walk& walk, bool tickets) const {
  const Window& window = windows_[walk.site];
  const auto moved = static_cast<std::uint64_t>(walk.stride < 0 ? -walk.stride : walk.stride);
  return window.store && tickets && moved < window.cells_an_access << shift_;
}

/// Every table of `walks` is looked up.
void Shadow::choose_deferred(const std::vector<Walk>& walks, std::uint64_t iterations, bool tickets) {
  for (const Walk& walk : walks) {
    Table& table = tables_[windows_[walk.site].table];
    if (!table.defers)
      continue;
    const CellRange cells = cells_of(walk, iterations);
    const bool meets = meets_itself(walk, tickets) || table.stored.overlap(cells.begin, cells.end) ||
                       (windows_[walk.site].store && table.loaded.overlap(cells.begin, cells.end));
    const bool brief = iterations < least_deferred && table.deferred.empty();
    if (brief || table.deferred.size() >= most_deferred || meets)
      write_out(windows_[walk.site].table);
  }
}

void Shadow::defer(const Walk& walk, std::uint64_t iterations, std::uint32_t first_ticket, bool tickets) {
  Table& table = tables_[windows_[walk.site].table];
  const CellRange cells = cells_of(walk, iterations);
  (windows_[walk.site].store ? table.stored : table.loaded).add(cells.begin, cells.end);
  if (!table.deferred.empty() && goes_on(table.deferred.back(), walk, first_ticket, tickets))
    table.deferred.back().iterations += iterations;
  else
    table.deferred.push_back({walk, iterations, first_ticket, tickets});
}

/// Is it what comes next in `run`? Tables of several sites take turns, and their runs stay apart.
bool Shadow::goes_on(const Deferred& run, const Walk& walk, std::uint32_t first_ticket, bool tickets) {
  return run.walk.site == walk.site && run.walk.stride == walk.stride && run.tickets == tickets &&
         walk.address == run.walk.address + run.iterations * static_cast<std::uint64_t>(walk.stride) &&
         first_ticket == run.first_ticket + (tickets ? run.iterations : 0);
}

/// From now on the table's cells hold everything.
void Shadow::write_out(std::size_t index) {
  Table& table = tables_[index];
  if (!table.defers)
    return;
  table.defers = false;
  for (Window& window : windows_)
    if (window.whole > 0 && window.table == index)
      open(window);
  const std::uint32_t now = now_;
  for (const Deferred& run : table.deferred) {
    Window window = windows_[run.walk.site]; // which may be at another object by now
    window.table = index;
    window.base = table.object.base;
    window.whole = table.object.size_bytes;
    open(window);
    run_site(run.walk, window, run.iterations, run.first_ticket, run.tickets);
  }
  now_ = now;
  table.deferred = {};
  table.loaded.clear();
  table.stored.clear();
}

/// What the cells' flags would be.
std::vector<std::uint8_t> Shadow::deferred_flags(const Table& table) const {
  std::vector<std::uint8_t> flags(table.count);
  for (const Deferred& run : table.deferred) {
    const std::uint64_t an_access = windows_[run.walk.site].cells_an_access;
    const bool store = windows_[run.walk.site].store;
    const auto touch_range = [&](std::uint64_t first, std::uint64_t count) {
      for (std::uint64_t c = first; c < first + count; ++c)
        flags[c] |= store ? was_written : (flags[c] & was_written) != 0 ? was_read : was_read | copy_in;
    };
    std::uint64_t offset = run.walk.address - table.object.base;
    const auto cell_bytes = std::uint64_t{1} << shift_;
    if (static_cast<std::uint64_t>(run.walk.stride) == cell_bytes * an_access) {
      touch_range(offset >> shift_, run.iterations * an_access);
      continue;
    }
    const std::uint64_t distinct = run.walk.stride == 0 ? 1 : run.iterations;
    for (std::uint64_t k = 0; k < distinct; ++k, offset += static_cast<std::uint64_t>(run.walk.stride))
      touch_range(offset >> shift_, an_access);
  }
  return flags;
}

} // namespace forewarp::port

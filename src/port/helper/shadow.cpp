#include "port/helper/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace forewarp::port {
namespace {

constexpr std::uint64_t least_huge_bytes = 1U << 20; ///< smaller tables: clearing huge pages takes longer

} // namespace

Shadow::Shadow(const RegionPlan& plan, const Objects& objects, std::uint64_t budget_bytes)
    : plan_(plan), objects_(objects), budget_bytes_(budget_bytes), windows_(plan.sites.size()),
      site_tables_(plan.sites.size(), -1) {
  std::uint32_t narrowest = 8;
  for (const SitePlan& site : plan.sites)
    narrowest = std::min(narrowest, std::bit_floor(std::max(1U, site.width_bytes)));
  shift_ = static_cast<unsigned>(std::countr_zero(narrowest));
  for (std::size_t i = 0; i < plan.sites.size(); ++i) {
    windows_[i].store = plan.sites[i].store;
    windows_[i].cells_an_access = std::max<std::uint64_t>(1, plan.sites[i].width_bytes >> shift_);
  }
}

Shadow::~Shadow() {
  for (const Table& table : tables_)
    munmap(table.cells, table.count * sizeof(Cell));
}

void Shadow::next_iteration(unsigned level, const std::array<std::uint64_t, 3>& coordinates) {
  if (now_ == UINT32_MAX)
    start_again();
  ++now_;
  for (unsigned deeper = level; deeper < level_start_.size(); ++deeper)
    level_start_[deeper] = now_;
  if (!runs_.empty()) {
    const Run& run = runs_.back();
    bool goes_on = run.level == level && coordinates[level] == run.coordinates[level] + (now_ - run.first);
    for (unsigned outer = 0; outer < level; ++outer)
      goes_on = goes_on && coordinates[outer] == run.coordinates[outer];
    if (goes_on)
      return;
  }
  runs_.push_back({now_, level, coordinates});
}

void Shadow::next_launch() {
  runs_.clear();
  launch_start_ = now_ + 1;
  next_iteration(0, {0, 0, 0});
}

/// Out of tickets: what earlier iterations did is forgotten.
void Shadow::start_again() {
  for (std::size_t table = 0; table < tables_.size(); ++table)
    write_out(table);
  for (Table& table : tables_)
    for (std::uint64_t i = 0; i < table.count; ++i)
      table.cells[i].writer = table.cells[i].reader = table.cells[i].other_reader = 0;
  runs_.clear();
  now_ = 0;
  launch_start_ = 1;
}

void Shadow::settle() {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (Table& table = tables_[i]; !table.written && table.seen.empty()) {
      table.seen.resize(table.count);
      write_out(i);
    }
  objects_changed(); // every site looks its object up again
}

void Shadow::objects_changed() {
  for (Window& window : windows_)
    window.size = window.whole = 0;
}

std::optional<std::size_t> Shadow::table_for(const KnownObject& object, std::uint32_t site) {
  const auto known = table_by_base_.find(object.base);
  if (known != table_by_base_.end() && tables_[known->second].object.size_bytes == object.size_bytes)
    return known->second;
  // Some slack: an access at the object's last byte may be wider than what is left of it.
  const std::uint64_t count = (object.size_bytes >> shift_) + 8;
  if (used_bytes_ + count * sizeof(Cell) > budget_bytes_) {
    over_budget_ = true;
    return std::nullopt;
  }
  void* memory = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    over_budget_ = true;
    return std::nullopt;
  }
  if (count * sizeof(Cell) >= least_huge_bytes)
    madvise(memory, count * sizeof(Cell), MADV_HUGEPAGE); // a wish
  used_bytes_ += count * sizeof(Cell);
  Table table;
  table.object = object;
  table.cells = static_cast<Cell*>(memory);
  table.count = count;
  table.first_site = site;
  table_by_base_[object.base] = tables_.size();
  tables_.push_back(std::move(table));
  return tables_.size() - 1;
}

/// False: no memory for its table.
bool Shadow::look_up(std::uint32_t site, std::uint64_t address) {
  const std::optional<std::size_t> found = table_for(objects_.find(address), site);
  if (!found)
    return false;
  Table& table = tables_[*found];
  Window& window = windows_[site];
  window.table = *found;
  window.base = table.object.base;
  window.whole = table.object.size_bytes;
  window.size = 0;
  if (window.store) {
    table.written = true;
    late_write_ = late_write_ || !table.seen.empty();
  }
  if (!table.defers)
    open(window);
  if (site_tables_[site] < 0)
    site_tables_[site] = static_cast<std::int64_t>(*found);
  return true;
}

/// Its accesses go to the cells.
void Shadow::open(Window& window) {
  Table& table = tables_[window.table];
  window.size = window.whole;
  window.cells = table.cells;
  window.seen = window.store || table.seen.empty() ? nullptr : table.seen.data();
}

bool Shadow::move_window(std::uint32_t site, std::uint64_t address) {
  if (!look_up(site, address))
    return false;
  write_out(windows_[site].table);
  return true;
}

bool Shadow::may_go_by_site(bool tickets, const std::vector<Walk>& walks, std::uint64_t iterations) {
  struct Range {
    std::uint64_t low = 0, high = 0;
  };
  const auto range = [&](const Walk& walk) {
    const std::uint64_t last = walk.address + (iterations - 1) * static_cast<std::uint64_t>(walk.stride);
    const std::uint64_t width = plan_.sites[walk.site].width_bytes;
    return walk.stride >= 0 ? Range{walk.address, last + width} : Range{last, walk.address + width};
  };
  for (const Walk& walk : walks) {
    const Range own = range(walk);
    Window& window = windows_[walk.site];
    if (own.low - window.base >= window.whole && !look_up(walk.site, own.low))
      return false;
    if (own.low < window.base || own.high > window.base + window.whole)
      return false;
    if (!window.store)
      continue;
    for (const Walk& other : walks) {
      const Range its = range(other);
      if (&other == &walk || its.high <= own.low || own.high <= its.low)
        continue;
      // The same cell in each iteration, another one in the next: the order of the sites decides, and is
      // kept.
      const auto moved = static_cast<std::uint64_t>(walk.stride < 0 ? -walk.stride : walk.stride);
      const bool same = walk.address == other.address && walk.stride == other.stride;
      const std::uint64_t widest =
          std::max(plan_.sites[walk.site].width_bytes, plan_.sites[other.site].width_bytes);
      if (!same || (walk.stride == 0 ? tickets : moved < widest))
        return false;
    }
  }
  return true;
}

/// touch() of cells at one distance, without its calls where no dependence can be.
template <bool store>
void Shadow::touch_cells(Cell* cell, std::int64_t distance, std::uint64_t count, std::uint32_t site,
                         bool tickets) {
  const std::uint32_t launch = launch_start_;
  const auto own_site = static_cast<std::uint16_t>(site);
  std::uint32_t now = now_;
  for (std::uint64_t k = 0; k < count; ++k, cell += distance, now += tickets ? 1 : 0) {
    Cell at = *cell;
    if (store) {
      const std::uint32_t reader = at.reader == now ? at.other_reader : at.reader;
      if (at.writer < launch && reader < launch) [[likely]] {
        at.writer = now;
        at.writer_site = own_site;
        at.reader_site_and_flags |= was_written;
        *cell = at;
        continue;
      }
    } else if (at.writer < launch && at.reader != now) [[likely]] {
      const std::uint16_t first = (at.reader_site_and_flags & was_written) != 0 ? std::uint16_t{0} : copy_in;
      at.other_reader = at.reader;
      at.reader = now;
      at.reader_site_and_flags = static_cast<std::uint16_t>(
          own_site << flag_bits | (at.reader_site_and_flags & flag_mask) | was_read | exposed_read | first);
      *cell = at;
      continue;
    }
    now_ = now;
    touch(*cell, store, site);
  }
}

void Shadow::run_site(const Walk& walk, const Window& window, std::uint64_t iterations,
                      std::uint32_t first_ticket, bool tickets) {
  const std::int64_t stride = walk.stride;
  if (stride == 0 && !tickets)
    iterations = 1; // one iteration's accesses to one cell: the first says all
  std::uint64_t offset = walk.address - window.base;
  if (window.seen != nullptr) {
    const auto cell_bytes = std::int64_t{1} << shift_;
    if (stride == cell_bytes || stride == 0) {
      const std::uint64_t cells = (stride == 0 ? 1 : iterations) + window.cells_an_access - 1;
      std::fill_n(window.seen + (offset >> shift_), cells, std::uint8_t{1});
      return;
    }
    for (std::uint64_t k = 0; k < iterations; ++k, offset += static_cast<std::uint64_t>(stride))
      std::fill_n(window.seen + (offset >> shift_), window.cells_an_access, std::uint8_t{1});
    return;
  }
  now_ = first_ticket;
  if (window.cells_an_access == 1 && (stride & ((std::int64_t{1} << shift_) - 1)) == 0) {
    Cell* const first = window.cells + (offset >> shift_);
    const std::int64_t cells = stride / (std::int64_t{1} << shift_);
    if (window.store)
      touch_cells<true>(first, cells, iterations, walk.site, tickets);
    else
      touch_cells<false>(first, cells, iterations, walk.site, tickets);
    return;
  }
  for (std::uint64_t k = 0; k < iterations; ++k, offset += static_cast<std::uint64_t>(stride)) {
    Cell* cell = window.cells + (offset >> shift_);
    for (std::uint64_t i = 0; i < window.cells_an_access; ++i)
      touch(cell[i], window.store, walk.site);
    now_ += tickets ? 1 : 0;
  }
}

/// Parts the walks: of one stride (strided_), also where only their addresses told, and others (uneven_).
void Shadow::even_out(const Scattered& scattered, const std::vector<Walk>& walks, std::uint64_t iterations) {
  strided_ = walks;
  uneven_.clear();
  std::vector<bool> uneven(walks.size(), false);
  for (std::uint32_t i = 0; i < scattered.count(); ++i) {
    const std::uint64_t first = scattered.address(0, i);
    const std::uint64_t stride = iterations > 1 ? scattered.address(1, i) - first : 0;
    bool even = true;
    for (std::uint64_t k = 2; k < iterations && even; ++k)
      even = scattered.address(k, i) == first + k * stride;
    Walk& walk = strided_[(*scattered.places)[i]];
    walk.address = first;
    walk.stride = static_cast<std::int64_t>(stride);
    if (even)
      continue;
    uneven[(*scattered.places)[i]] = true;
    uneven_.push_back(i);
  }
  std::size_t at = 0;
  std::erase_if(strided_, [&](const Walk&) { return uneven[at++]; });
}

/// Loads only, all within one object each, which no site of the run writes.
bool Shadow::may_scatter(const std::vector<Walk>& walks, std::uint64_t iterations,
                         const Scattered& scattered) {
  for (const std::uint32_t i : uneven_) {
    const std::uint32_t site = walks[(*scattered.places)[i]].site;
    Window& window = windows_[site];
    if (window.store ||
        (scattered.address(0, i) - window.base >= window.size && !move_window(site, scattered.address(0, i))))
      return false;
    const std::uint64_t width = plan_.sites[site].width_bytes;
    for (std::uint64_t k = 0; k < iterations; ++k)
      if (scattered.address(k, i) - window.base > window.size - width)
        return false;
    for (const Walk& walk : strided_)
      if (windows_[walk.site].store && windows_[walk.site].table == window.table)
        return false;
  }
  return true;
}

void Shadow::run_scattered(std::uint32_t site, std::size_t i, const Scattered& scattered,
                           std::uint64_t iterations, std::uint32_t first_ticket, bool tickets) {
  const Window& window = windows_[site];
  now_ = first_ticket;
  for (std::uint64_t k = 0; k < iterations; ++k) {
    const std::uint64_t cell = (scattered.address(k, i) - window.base) >> shift_;
    for (std::uint64_t more = 0; more < window.cells_an_access; ++more)
      if (window.seen != nullptr)
        window.seen[cell + more] = 1;
      else
        touch(window.cells[cell + more], false, site);
    now_ += tickets ? 1 : 0;
  }
}

bool Shadow::access_run(int level, const std::array<std::uint64_t, 3>& coordinates,
                        const std::vector<Walk>& walks, std::uint64_t iterations,
                        const Scattered& scattered) {
  const bool tickets = level >= 0;
  if (tickets && UINT32_MAX - now_ <= iterations)
    return false;
  uneven_.clear();
  if (scattered.count() > 0)
    even_out(scattered, walks, iterations);
  const std::vector<Walk>& strided = scattered.count() > 0 ? strided_ : walks;
  if (!may_go_by_site(tickets, strided, iterations) || !may_scatter(walks, iterations, scattered))
    return false;
  if (tickets) {
    next_iteration(static_cast<unsigned>(level), coordinates);
    run_level_ = static_cast<unsigned>(level);
  }
  const std::uint32_t first_ticket = now_;
  choose_deferred(strided, iterations, tickets);
  for (const Walk& walk : strided)
    if (tables_[windows_[walk.site].table].defers)
      defer(walk, iterations, first_ticket, tickets);
    else
      run_site(walk, windows_[walk.site], iterations, first_ticket, tickets);
  for (const std::uint32_t i : uneven_)
    run_scattered(walks[(*scattered.places)[i]].site, i, scattered, iterations, first_ticket, tickets);
  now_ = first_ticket + static_cast<std::uint32_t>(tickets ? iterations - 1 : 0);
  if (tickets)
    for (unsigned deeper = run_level_; deeper < level_start_.size(); ++deeper)
      level_start_[deeper] = now_;
  run_level_ = no_run;
  return true;
}

std::array<std::int64_t, 3> Shadow::coordinates_of(std::uint32_t ticket) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), ticket,
                       [](std::uint32_t wanted, const Run& run) { return wanted < run.first; });
  if (after == runs_.begin())
    return {0, 0, 0};
  const Run& run = *std::prev(after);
  std::array<std::int64_t, 3> coordinates = {0, 0, 0};
  for (unsigned level = 0; level <= run.level; ++level)
    coordinates[level] = static_cast<std::int64_t>(run.coordinates[level]);
  coordinates[run.level] += ticket - run.first;
  return coordinates;
}

void Shadow::report(facts::RegionDependence::Kind kind, std::uint32_t source, std::uint32_t source_site,
                    std::uint32_t sink_site, bool exposed) {
  // The outermost loop whose iteration of now began after the source carries it.
  unsigned level = 0;
  while (level < plan_.candidates && source >= (level >= run_level_ ? now_ : level_start_[level]))
    ++level;
  if (level == plan_.candidates)
    return;
  const std::uint64_t key = (static_cast<std::uint64_t>(kind) << 60) | (std::uint64_t{level} << 56) |
                            (std::uint64_t{exposed} << 55) | (std::uint64_t{source_site} << 24) | sink_site;
  LastFound& last = last_found_[static_cast<std::size_t>(kind)];
  if (last.key != key) {
    const auto [place, fresh] = found_index_.try_emplace(key, found_.size());
    if (fresh)
      found_.push_back(
          {kind, level, source_site, sink_site, coordinates_of(source), coordinates_of(now_), 0, exposed});
    last = {key, place->second};
  }
  Found& found = found_[last.index];
  if (found.count++ == 0 || found.same_inner)
    found.same_inner =
        level + 1 < plan_.candidates && coordinates_of(source)[level + 1] == coordinates_of(now_)[level + 1];
}

std::uint32_t Shadow::object_of_site(std::uint32_t site) const {
  return site_tables_[site] < 0 ? facts::no_region_index : static_cast<std::uint32_t>(site_tables_[site]);
}

void Shadow::add_dependences(facts::RegionTrace& trace) const {
  for (const Found& found : found_) {
    facts::RegionDependence dependence;
    dependence.kind = found.kind;
    dependence.loop = found.level;
    dependence.object = object_of_site(found.sink_site);
    dependence.variable = plan_.sites[found.sink_site].name;
    if (dependence.variable.empty())
      dependence.variable = plan_.sites[found.source_site].name;
    dependence.source.line = found.source_site; // the caller puts the sites' places in
    dependence.sink.line = found.sink_site;
    dependence.source_iteration = found.source;
    dependence.sink_iteration = found.sink;
    dependence.count = found.count;
    dependence.same_inner = found.same_inner;
    const std::string& left = plan_.sites[found.source_site].reduction;
    if (!left.empty() && left == plan_.sites[found.sink_site].reduction)
      dependence.reduction = left;
    dependence.privatizable = found.kind == facts::RegionDependence::Kind::output ||
                              (found.kind == facts::RegionDependence::Kind::anti && !found.exposed);
    trace.dependences.push_back(std::move(dependence));
  }
}

void Shadow::finish(facts::RegionTrace& trace) const {
  const std::uint64_t cell_bytes = std::uint64_t{1} << shift_;
  for (const Table& table : tables_) {
    facts::RegionObject object;
    object.kind = table.object.kind;
    object.name = table.object.name.empty() ? plan_.sites[table.first_site].name : table.object.name;
    if (object.kind == facts::RegionObject::Kind::unknown && plan_.sites[table.first_site].local)
      object.kind = facts::RegionObject::Kind::stack;
    object.base = table.object.base;
    object.size_bytes = table.object.size_bytes;
    object.element_bytes = table.object.element_bytes != 0 ? table.object.element_bytes
                                                           : plan_.sites[table.first_site].width_bytes;
    const std::vector<std::uint8_t> deferred =
        table.defers ? deferred_flags(table) : std::vector<std::uint8_t>();
    for (std::uint64_t i = 0; i < table.count; ++i) {
      const std::uint16_t flags = table.defers ? deferred[i] : table.cells[i].reader_site_and_flags;
      const bool seen = !table.seen.empty() && table.seen[i] != 0;
      object.read_bytes += seen || (flags & was_read) != 0 ? cell_bytes : 0;
      object.written_bytes += (flags & was_written) != 0 ? cell_bytes : 0;
      object.copy_in_bytes += seen || (flags & copy_in) != 0 ? cell_bytes : 0;
    }
    trace.objects.push_back(std::move(object));
  }
  trace.sites.resize(plan_.sites.size());
  for (std::uint32_t site = 0; site < plan_.sites.size(); ++site)
    trace.sites[site].object = object_of_site(site);
  add_dependences(trace);
}

} // namespace forewarp::port

// Shadow memory of one region: who read and wrote each cell last, and the dependences that follow.
//
// An iteration is one number: launch epoch in the upper 10 bits, the coordinates of the candidate loops
// below. A cell is as wide as the narrowest access of the region.
#pragma once

#include "port/helper/objects.h"
#include "port/helper/plan.h"

#include <unordered_map>

namespace forewarp::port {

class Shadow {
public:
  Shadow(const RegionPlan& plan, const Objects& objects, std::uint64_t budget_bytes);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// All accesses until the next call belong to this iteration.
  void at(const std::array<std::uint64_t, 3>& coordinates);
  void next_launch();

  void access(std::uint32_t site, std::uint64_t address) {
    Window& window = windows_[site];
    std::uint64_t offset = address - window.base;
    if (offset >= window.size) [[unlikely]] {
      if (!move_window(site, address))
        return;
      offset = address - window.base;
    }
    const std::uint64_t first = offset >> shift_;
    for (std::uint64_t cell = first; cell < first + window.cells_an_access; ++cell)
      window.store ? write(window.cells[cell], site) : read(window.cells[cell], site);
  }

  /// Dependences, objects and the sites' objects.
  void finish(facts::RegionTrace& trace) const;
  bool over_budget() const { return over_budget_; }
  void objects_changed();

private:
  struct Cell {
    std::uint64_t writer = 0, reader = 0, other_reader = 0;
    std::uint16_t writer_site = 0, reader_site = 0, other_site = 0;
    std::uint16_t flags = 0;
  };
  struct Window {
    std::uint64_t base = 0, size = 0;
    Cell* cells = nullptr;
    std::uint64_t cells_an_access = 1;
    bool store = false;
  };
  struct Table {
    KnownObject object;
    Cell* cells = nullptr;
    std::uint64_t count = 0;
    std::uint32_t first_site = 0;
    std::uint64_t lowest = UINT64_MAX, highest = 0; ///< windows asked for, for unknown pages
  };
  struct Found {
    facts::RegionDependence::Kind kind;
    unsigned level = 0;
    std::uint32_t source_site = 0, sink_site = 0;
    std::uint64_t source = 0, sink = 0, count = 0;
    bool exposed = false; ///< anti: the reader had not written the cell itself
  };

  static constexpr std::uint16_t was_read = 1, was_written = 2, copy_in = 4, exposed_read = 8;
  static constexpr unsigned epoch_bits = 10, coordinate_bits = 64 - epoch_bits;

  bool same_launch(std::uint64_t iteration) const { return iteration >> coordinate_bits == epoch_; }

  void read(Cell& cell, std::uint32_t site) {
    if (cell.writer != now_) {
      if (same_launch(cell.writer))
        report(facts::RegionDependence::Kind::flow, cell.writer, cell.writer_site, site, false);
      cell.flags |= exposed_read;
      if ((cell.flags & was_written) == 0)
        cell.flags |= copy_in;
    } else if (cell.reader != now_) {
      cell.flags &= static_cast<std::uint16_t>(~exposed_read);
    }
    cell.flags |= was_read;
    if (cell.reader != now_) {
      cell.other_reader = cell.reader;
      cell.other_site = cell.reader_site;
      cell.reader = now_;
      cell.reader_site = static_cast<std::uint16_t>(site);
    }
  }

  void write(Cell& cell, std::uint32_t site) {
    const bool exposed = (cell.flags & exposed_read) != 0;
    if (cell.reader != now_ && same_launch(cell.reader))
      report(facts::RegionDependence::Kind::anti, cell.reader, cell.reader_site, site, exposed);
    else if (cell.other_reader != now_ && cell.reader == now_ && same_launch(cell.other_reader))
      report(facts::RegionDependence::Kind::anti, cell.other_reader, cell.other_site, site, exposed);
    if (cell.writer != now_ && same_launch(cell.writer))
      report(facts::RegionDependence::Kind::output, cell.writer, cell.writer_site, site, false);
    cell.writer = now_;
    cell.writer_site = static_cast<std::uint16_t>(site);
    cell.flags |= was_written;
  }

  bool move_window(std::uint32_t site, std::uint64_t address);
  Table* table_for(const KnownObject& object, std::uint32_t site);
  void clear_iterations();
  void report(facts::RegionDependence::Kind kind, std::uint64_t source, std::uint32_t source_site,
              std::uint32_t sink_site, bool exposed);
  std::array<std::int64_t, 3> unpack(std::uint64_t iteration) const;
  void add_dependences(facts::RegionTrace& trace) const;
  std::uint32_t object_of_site(std::uint32_t site) const;

  const RegionPlan& plan_;
  const Objects& objects_;
  std::uint64_t budget_bytes_, used_bytes_ = 0;
  bool over_budget_ = false;
  unsigned shift_ = 2, bits_ = coordinate_bits;
  std::uint64_t epoch_ = 0, now_ = 0;
  std::vector<Window> windows_;
  std::vector<Table> tables_;
  std::vector<std::int64_t> site_tables_; ///< first table of each site; -1: never run
  std::map<std::uint64_t, std::size_t> table_by_base_;
  std::unordered_map<std::uint64_t, std::size_t> found_index_;
  std::vector<Found> found_;
};

} // namespace forewarp::port

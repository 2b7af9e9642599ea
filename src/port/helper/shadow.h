// Shadow memory of one region: who read and wrote each cell last, and the dependences that follow.
//
// An iteration of the candidate loops is a ticket: they are numbered as they begin, over all launches. A cell
// is as wide as the narrowest access of the region.
#pragma once

#include "port/helper/objects.h"
#include "port/helper/plan.h"
#include "port/helper/ranges.h"

#include <optional>
#include <unordered_map>

namespace forewarp::port {

class Shadow {
public:
  Shadow(const RegionPlan& plan, const Objects& objects, std::uint64_t budget_bytes);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// Candidate loop `level` begins an iteration; all accesses until the next call belong to it.
  void next_iteration(unsigned level, const std::array<std::uint64_t, 3>& coordinates);
  void next_launch();

  void access(std::uint32_t site, std::uint64_t address) {
    Window& window = windows_[site];
    std::uint64_t offset = address - window.base;
    if (offset >= window.size) [[unlikely]] {
      if (!move_window(site, address))
        return;
      offset = address - window.base;
    }
    if (window.seen != nullptr) {
      std::uint8_t* cell = window.seen + (offset >> shift_);
      for (std::uint64_t i = 0; i < window.cells_an_access; ++i)
        cell[i] = 1;
      return;
    }
    Cell* cell = window.cells + (offset >> shift_);
    touch(*cell, window.store, site);
    for (std::uint64_t more = 1; more < window.cells_an_access; ++more) [[unlikely]]
      touch(*++cell, window.store, site);
  }

  /// One site of a run: its address in the first iteration, and the bytes to the next one.
  struct Walk {
    std::uint32_t site = 0;
    std::uint64_t address = 0;
    std::int64_t stride = 0;
  };
  /// Addresses that no stride gives: word after word, of each iteration those of `places` (positions in the
  /// walks).
  struct Scattered {
    const std::vector<std::uint32_t>* places = nullptr; ///< null: none
    const std::uint64_t* words = nullptr;
    std::size_t count() const { return places ? places->size() : 0; }
    std::uint64_t address(std::uint64_t iteration, std::size_t i) const {
      return words[iteration * count() + i];
    }
  };
  /// The sites of `walks` run one after the other, `iterations` times in a row. `level`: the candidate loop
  /// that it is an iteration of each time, beginning at `coordinates`; -1: all of it is one iteration's. Goes
  /// over it site after site, which finds the same dependences as iteration after iteration (not always as
  /// often, or through the same one of several sites), unless sites meet where one writes: false then, and
  /// nothing is done.
  bool access_run(int level, const std::array<std::uint64_t, 3>& coordinates, const std::vector<Walk>& walks,
                  std::uint64_t iterations, const Scattered& scattered);

  /// Dependences, objects and the sites' objects.
  void finish(facts::RegionTrace& trace) const;
  /// From now on, reads of objects that nobody has written so far are only counted, not remembered by
  /// iteration.
  void settle();
  /// An object was written after all: dependences on its counted reads are missing, run again without
  /// settle().
  bool late_write() const { return late_write_; }
  bool over_budget() const { return over_budget_; }
  void objects_changed();

private:
  struct Cell {
    std::uint32_t writer = 0, reader = 0, other_reader = 0; ///< tickets; 0: nobody
    std::uint16_t writer_site = 0;
    std::uint16_t reader_site_and_flags = 0;
    std::uint32_t reader_site() const { return reader_site_and_flags >> flag_bits; }
  };
  struct Window {
    std::uint64_t base = 0, size = 0; ///< size 0: not looked up, or its table defers
    std::uint64_t whole = 0;          ///< size of the object; 0: not looked up
    std::size_t table = 0;
    Cell* cells = nullptr;
    std::uint8_t* seen = nullptr; ///< settled: a byte for each cell that was read
    std::uint64_t cells_an_access = 1;
    bool store = false;
  };
  struct Deferred { ///< a site of a run that no cell knows of yet
    Walk walk;
    std::uint64_t iterations = 0;
    std::uint32_t first_ticket = 0;
    bool tickets = false;
  };
  struct CellRange {
    std::uint64_t begin = 0, end = 0;
  };
  struct Table {
    KnownObject object;
    Cell* cells = nullptr;
    std::uint64_t count = 0;
    std::vector<std::uint8_t> seen = {}; ///< empty: not settled
    bool written = false;
    std::uint32_t first_site = 0;
    bool defers = true; ///< only runs so far, and no two of them meet where one writes: cells are untouched
    std::vector<Deferred> deferred = {}; ///< in their order
    Ranges loaded = {}, stored = {};     ///< cells of `deferred`
  };
  struct Found {
    facts::RegionDependence::Kind kind;
    unsigned level = 0;
    std::uint32_t source_site = 0, sink_site = 0;
    std::array<std::int64_t, 3> source = {0, 0, 0}, sink = {0, 0, 0};
    std::uint64_t count = 0;
    bool exposed = false;    ///< anti: the reader had not written the cell itself
    bool same_inner = false; ///< RegionDependence::same_inner, so far
  };

  struct Run { ///< tickets from `first` on, one a step of the innermost of the loops that moved
    std::uint32_t first = 0;
    unsigned level = 0;
    std::array<std::uint64_t, 3> coordinates = {0, 0, 0};
  };

  static constexpr std::uint16_t was_read = 1, was_written = 2, copy_in = 4, exposed_read = 8;
  static constexpr unsigned no_run = 3;
  static constexpr unsigned flag_bits = 4;
  static constexpr std::uint16_t flag_mask = 15;

  bool same_launch(std::uint32_t ticket) const { return ticket >= launch_start_; }

  void touch(Cell& cell, bool store, std::uint32_t site) {
    if (store)
      write(cell, site);
    else
      read(cell, site);
  }

  void read(Cell& cell, std::uint32_t site) {
    if (cell.reader == now_) // this iteration has read it already
      return;
    std::uint16_t flags = (cell.reader_site_and_flags & flag_mask) | was_read;
    if (cell.writer != now_) {
      if (same_launch(cell.writer)) [[unlikely]]
        report(facts::RegionDependence::Kind::flow, cell.writer, cell.writer_site, site, false);
      flags |= exposed_read;
      if ((flags & was_written) == 0)
        flags |= copy_in;
    } else {
      flags &= static_cast<std::uint16_t>(~exposed_read);
    }
    cell.other_reader = cell.reader;
    cell.reader = now_;
    cell.reader_site_and_flags = static_cast<std::uint16_t>(site << flag_bits | flags);
  }

  void write(Cell& cell, std::uint32_t site) {
    if (cell.reader != now_ && same_launch(cell.reader)) [[unlikely]]
      report(facts::RegionDependence::Kind::anti, cell.reader, cell.reader_site(), site,
             (cell.reader_site_and_flags & exposed_read) != 0);
    else if (cell.reader == now_ && same_launch(cell.other_reader)) [[unlikely]]
      report(facts::RegionDependence::Kind::anti, cell.other_reader, cell.reader_site(), site,
             (cell.reader_site_and_flags & exposed_read) != 0);
    if (cell.writer != now_ && same_launch(cell.writer)) [[unlikely]]
      report(facts::RegionDependence::Kind::output, cell.writer, cell.writer_site, site, false);
    cell.writer = now_;
    cell.writer_site = static_cast<std::uint16_t>(site);
    cell.reader_site_and_flags |= was_written;
  }

  bool may_go_by_site(bool tickets, const std::vector<Walk>& walks, std::uint64_t iterations);
  bool may_scatter(const std::vector<Walk>& walks, std::uint64_t iterations, const Scattered& scattered);
  void run_scattered(std::uint32_t site, std::size_t i, const Scattered& scattered, std::uint64_t iterations,
                     std::uint32_t first_ticket, bool tickets);
  void run_site(const Walk& walk, const Window& window, std::uint64_t iterations, std::uint32_t first_ticket,
                bool tickets);
  template <bool store>
  void touch_cells(Cell* cell, std::int64_t distance, std::uint64_t count, std::uint32_t site, bool tickets);
  bool look_up(std::uint32_t site, std::uint64_t address);
  void open(Window& window);
  bool move_window(std::uint32_t site, std::uint64_t address);
  CellRange cells_of(const Walk& walk, std::uint64_t iterations) const;
  bool meets_itself(const Walk& walk, bool tickets) const;
  void choose_deferred(const std::vector<Walk>& walks, std::uint64_t iterations, bool tickets);
  void defer(const Walk& walk, std::uint64_t iterations, std::uint32_t first_ticket, bool tickets);
  static bool goes_on(const Deferred& run, const Walk& walk, std::uint32_t first_ticket, bool tickets);
  void write_out(std::size_t table);
  std::vector<std::uint8_t> deferred_flags(const Table& table) const;
  void even_out(const Scattered& scattered, const std::vector<Walk>& walks, std::uint64_t iterations);
  std::optional<std::size_t> table_for(const KnownObject& object, std::uint32_t site);
  void start_again();
  void report(facts::RegionDependence::Kind kind, std::uint32_t source, std::uint32_t source_site,
              std::uint32_t sink_site, bool exposed);
  std::array<std::int64_t, 3> coordinates_of(std::uint32_t ticket) const;
  void add_dependences(facts::RegionTrace& trace) const;
  std::uint32_t object_of_site(std::uint32_t site) const;

  const RegionPlan& plan_;
  const Objects& objects_;
  std::uint64_t budget_bytes_, used_bytes_ = 0;
  bool over_budget_ = false, late_write_ = false;
  unsigned shift_ = 2;
  std::uint32_t now_ = 0, launch_start_ = 1;
  unsigned run_level_ = no_run; ///< in access_run: loops from here on begin an iteration with every ticket
  std::array<std::uint32_t, 3> level_start_ = {0, 0,
                                               0}; ///< ticket with which each loop's iteration of now began
  std::vector<Run> runs_;                          ///< of this launch
  std::vector<Window> windows_;
  std::vector<Table> tables_;
  std::vector<Walk> strided_;             ///< scratch: walks of one stride
  std::vector<std::uint32_t> uneven_;     ///< scratch: positions among the scattered places of those of none
  std::vector<std::int64_t> site_tables_; ///< first table of each site; -1: never run
  std::map<std::uint64_t, std::size_t> table_by_base_;
  std::unordered_map<std::uint64_t, std::size_t> found_index_;
  std::vector<Found> found_;
  struct LastFound {
    std::uint64_t key = UINT64_MAX;
    std::size_t index = 0; ///< in found_
  };
  std::array<LastFound, 3> last_found_; ///< by kind: mostly the next one is alike
};

} // namespace forewarp::port

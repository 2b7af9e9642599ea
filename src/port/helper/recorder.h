// Decodes the words of the recording code (static/instrument.h) into the dynamic part of a RegionTrace.
#pragma once

#include "port/helper/shadow.h"

#include <memory>
#include <unordered_map>

namespace forewarp::port {

class RegionRecorder {
public:
  RegionRecorder(const RegionPlan& plan, RunKind kind, const Objects& objects, const Budget& budget);

  void begin();
  void end();
  void words(const std::uint64_t* first, const std::uint64_t* last);
  /// After the last launch.
  void finish(facts::RegionTrace& trace);
  bool inside() const { return inside_; }
  /// What was found is not whole: run again with RegionPlan::quick_reads off.
  bool again() const { return shadow_ && shadow_->late_write(); }

  /// Block of the last block word in [first, last).
  std::uint32_t last_block(const std::uint64_t* first, const std::uint64_t* last) const;

private:
  struct LoopState {
    std::uint64_t executions = 0, iterations = 0, trips = 0, min_trips = UINT64_MAX, max_trips = 0, base = 0;
    std::uint64_t detailed_executions = 0, detailed_iterations = 0;
    bool open = false, innermost = false;
  };
  struct Prefix { ///< what the bodies of outer parallel loops ran before the next inner one
    std::vector<std::uint32_t> steps;
    std::vector<std::uint64_t> addresses;
    bool closed = false;
  };

  template <bool survey> void decode(const std::uint64_t* at, const std::uint64_t* last);
  template <bool survey>
  [[gnu::always_inline]] inline void step(std::uint32_t block, const std::uint64_t* addresses);
  /// The way that iterations of a run take: its blocks, and its sites among those of the run.
  struct Path {
    std::vector<std::uint32_t> blocks;
    std::vector<std::uint32_t> sites, places; ///< index of the site, and of its place in the run's words
  };
  struct OpenRun {
    std::uint32_t run = facts::no_region_index; ///< none
    std::uint64_t done = 0, left = 0;           ///< iterations; left: with scattered sites only
    std::vector<std::uint64_t> places;          ///< first address and stride of each site
  };

  /// Begins at the word after the run's; returns where its words end, as far as they are there.
  template <bool survey> const std::uint64_t* begin_run(std::uint32_t run, const std::uint64_t* words);
  /// `word`: iterations and path (helper/plan.h).
  template <bool survey> void way(std::uint64_t word);
  template <bool survey>
  void run(const Path& path, std::uint64_t iterations, const Shadow::Scattered& scattered = {});
  void survey_walks(const BlockPlan& header, std::uint64_t iterations, const Shadow::Scattered& scattered);
  /// Words of iterations with scattered sites; returns where they end.
  template <bool survey> const std::uint64_t* scatter(const std::uint64_t* words, const std::uint64_t* last);
  const Path& path_of(std::uint32_t run, std::uint64_t bits);
  const Path& make_path(std::uint32_t run, std::uint64_t bits);
  void survey_brief(const Path& path, std::uint64_t from, std::uint64_t iterations,
                    const std::uint64_t* places);
  /// Is the detail of iterations of the loop of `block` wanted?
  bool wants(const BlockPlan& block) const;
  std::uint64_t iterations_in_detail(std::uint32_t loop) const;
  /// Counts iterations whose accesses are not kept.
  void count(const Path& path, std::uint64_t iterations);
  void settle_when_due();
  void enter(std::uint32_t loop, std::int64_t first_value);
  void close(LoopState& loop);
  void header(std::uint32_t loop);
  void new_thread();
  void keep(std::uint32_t block, const BlockPlan& plan, const std::uint64_t* addresses);
  void note_objects(const BlockPlan& plan, const std::uint64_t* addresses);

  const RegionPlan& plan_;
  RunKind kind_;
  const Objects& objects_;
  const Budget& budget_;
  std::unique_ptr<Shadow> shadow_;
  std::uint64_t generation_ = 0;
  std::vector<LoopState> loops_;
  std::vector<std::uint64_t> runs_, detailed_runs_;
  std::array<std::uint64_t, 3> coordinates_ = {0, 0, 0};
  std::array<Prefix, 3> prefixes_;
  bool inside_ = false, selected_ = false;
  facts::RegionTrace out_;
  facts::RegionLaunch launch_;
  std::uint64_t accesses_ = 0; ///< since the last look whether to settle
  bool settled_ = false;
  OpenRun open_;
  std::vector<std::unordered_map<std::uint64_t, Path>> paths_; ///< by run and bits: those that were met
  struct LastPath {
    std::uint64_t bits = 0;
    const Path* path = nullptr;
  };
  std::vector<LastPath> last_paths_;     ///< by run
  std::vector<Shadow::Walk> walks_;      ///< scratch
  std::vector<std::uint64_t> addresses_; ///< scratch: of one block
  std::uint64_t earlier_runs_ = 0;       ///< blocks run by earlier launches
};

} // namespace forewarp::port

// Decodes the words of the recording code (static/instrument.h) into the counts of the dynamic features.
#pragma once

#include "port/features/record/branch_history.h"
#include "port/features/record/footprint.h"
#include "port/features/record/ilp.h"
#include "port/features/record/memory_windows.h"
#include "port/helper/plan.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace forewarp::port {

class FeatureRecorder {
public:
  FeatureRecorder(const RegionPlan& plan, const FeaturePlan& features, const Objects& objects);

  void begin();
  void end();
  void words(const std::uint64_t* first, const std::uint64_t* last);
  /// After the last launch.
  FeatureCounts finish();

private:
  /// The way that iterations of a run take.
  struct Path {
    std::vector<std::uint32_t> blocks;
    std::vector<std::uint32_t> sites, places; ///< index of the site, and of its place in the run's words
    struct Decision {
      std::uint32_t branch = 0, way = 0;
    };
    std::vector<Decision> inside; ///< those that the way itself tells
    std::uint32_t weight = 0;     ///< instructions of one iteration
  };
  struct OpenRun {
    std::uint32_t run = facts::no_region_index; ///< none
    std::uint64_t done = 0, left = 0;           ///< iterations; left: with scattered sites only
    std::vector<std::uint64_t> places;          ///< first address and stride of each site
  };
  /// Addresses that the iterations left, `sites` of them each; null: none.
  struct Scattered {
    const std::vector<std::uint32_t>* places = nullptr;
    const std::uint64_t* words = nullptr;
    std::size_t count() const { return places ? places->size() : 0; }
  };

  void step(std::uint32_t block, const std::uint64_t* addresses);
  const std::uint64_t* begin_run(std::uint32_t run, const std::uint64_t* words);
  const std::uint64_t* scatter(const std::uint64_t* words, const std::uint64_t* last);
  void way(std::uint64_t word);
  void run(const Path& path, std::uint64_t iterations, const Scattered& scattered);
  void run_accesses(const Path& path, std::uint64_t from, std::uint64_t iterations,
                    const Scattered& scattered);
  /// Those of the iterations that are looked at one by one.
  void look_at_run(const Path& path, std::uint64_t from, std::uint64_t iterations,
                   const Scattered& scattered);
  const Path& path_of(std::uint32_t run, std::uint64_t bits);
  void make_path(std::uint32_t run, std::uint64_t bits, Path& path) const;

  /// Control came to `block`: the block before it has decided.
  void arrive(std::uint32_t function, std::uint32_t block);
  /// Instruction by instruction. `previous`: block before it in its function.
  void look_at(std::uint32_t block, std::uint32_t previous, const std::uint64_t* addresses);
  void touch_reused(std::uint64_t block);
  Footprint::Access access_of(std::uint32_t site) const;
  bool wanted() const { return looking_ || position_ >= next_look_; }
  void stop_looking();

  const RegionPlan& plan_;
  const FeaturePlan& features_;
  AddressSpace space_;
  MemoryWindows windows_;
  Footprint footprint_;
  BranchHistory branches_;
  IlpMeter ilp_;
  ReuseCounts reuse_;
  std::array<std::uint64_t, 3> recent_ = {}; ///< blocks of memory, the last one first
  std::vector<std::uint64_t> last_block_;    ///< of memory, by site
  std::vector<std::uint64_t> runs_;
  std::vector<std::uint32_t> at_; ///< last block that each function ran
  std::uint64_t launches_ = 0, accesses_ = 0;
  std::uint64_t position_ = 0, next_look_ = 0, looks_ = 0; ///< instructions
  bool looking_ = false;
  OpenRun open_;
  std::vector<std::unordered_map<std::uint64_t, Path>> paths_; ///< by run and bits: those that were met
  std::vector<std::uint64_t> addresses_;                       ///< scratch: of one block
};

} // namespace forewarp::port

// Instructions that could run at one time (Ardalani 2016, section 3.2, "instruction-level parallelism"): of
// each window of consecutive instructions, its length by the longest chain of instructions that wait for each
// other, through registers and through memory; everything takes one cycle, what came before the window is
// there.
#pragma once

#include "port/features/plan.h"
#include "port/features/record/counts.h"

#include <vector>

namespace forewarp::port {

/// One stretch of at most ilp_windows.back() instructions after the other.
class IlpMeter {
public:
  explicit IlpMeter(std::uint32_t value_count);

  /// Nothing is known of what ran before.
  void start();
  /// `address`: of loads and stores.
  void instruction(const FeatureInstruction& what, std::uint64_t address);
  /// A block is entered from `previous`.
  void enter(const std::vector<facts::RegionPhi>& phis, std::uint32_t previous);
  bool full() const { return instructions_ >= ilp_windows.back(); }
  /// What is left of the windows counts as it is.
  void stop();

  const IlpCounts& counts() const { return counts_; }

private:
  using Four = float __attribute__((vector_size(16)));
  /// When something is ready, in cycles since start(), by size of the window.
  struct Ready {
    Four low = {}, high = {};
    void wait_for(const Ready& other) {
      low = low > other.low ? low : other.low;
      high = high > other.high ? high : other.high;
    }
    void one_cycle() {
      low += 1.0F;
      high += 1.0F;
    }
    float& operator[](std::size_t i) {
      return i < 4 ? reinterpret_cast<float*>(&low)[i] : reinterpret_cast<float*>(&high)[i - 4];
    }
  };
  struct Cell {
    std::uint64_t address = 0;
    std::uint32_t stretch = 0;
    Ready ready;
  };

  Cell& cell(std::uint64_t address);
  void count(unsigned weight);
  void close(std::size_t window);

  std::vector<Ready> values_;
  std::vector<Ready> scratch_;
  std::vector<Cell> memory_; ///< open addressing; of this stretch only
  std::uint32_t stretch_ = 0;
  std::uint32_t instructions_ = 0;
  Ready from_, last_; ///< begin of the windows, and the latest end of an instruction
  IlpCounts counts_;
};

} // namespace forewarp::port

// Simulations of one SM by everything that they depend on, so that launches which ask the same of it cost
// one.
#pragma once

#include "pipeline/simulator.h"
#include "predict/traced/streams/streams.h"

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace forewarp::predict::hybrid {

using SimulationKey = std::array<std::uint64_t, 2>;

/// Keeps the `capacity` simulations used last. For several threads at a time.
class SimulationStore {
public:
  explicit SimulationStore(std::size_t capacity = 4096) : capacity_(capacity) {}
  /// Null: not there.
  std::shared_ptr<const pipeline::Outcome> find(const SimulationKey& key);
  void keep(const SimulationKey& key, std::shared_ptr<const pipeline::Outcome> outcome);
  std::size_t hits() const;
  std::size_t misses() const;

private:
  struct Entry {
    SimulationKey key;
    std::shared_ptr<const pipeline::Outcome> outcome;
  };
  mutable std::mutex mutex_; ///< of all below
  std::size_t capacity_, hits_ = 0, misses_ = 0;
  std::list<Entry> entries_; ///< used last first
  std::map<SimulationKey, std::list<Entry>::iterator> index_;
};

/// Where the simulations of one machine program on one machine are kept.
struct KeptSimulations {
  SimulationStore* store = nullptr; ///< null: nowhere
  SimulationKey program = {};       ///< another for another program or machine
};

/// What a simulation is made from beside the program and the machine.
struct SimulationInputs {
  const pipeline::Configuration& configuration;
  const BandwidthShares& shares;
  const memory::FrameSharing& sharing;
  const facts::KernelTrace& trace;
  const facts::MemoryProfile& memory;
  const std::vector<std::uint32_t>& dealt;             ///< samples, in the order in which they start
  const std::vector<std::vector<WarpCuts>>* cuts = {}; ///< [sample][warp]; null: nothing is left out
};

/// 128 bits of a hash (XXH3) of the inputs as the simulator gets them: blocks of each warp in order, and the
/// rounded outcomes of their accesses. Where groups lie and which lanes are active is not among them.
SimulationKey key_of(const SimulationKey& program, const SimulationInputs& inputs);

} // namespace forewarp::predict::hybrid

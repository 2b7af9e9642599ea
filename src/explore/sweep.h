// A whole sweep: threads of this process, or processes of an MPI job, until every configuration stands in the
// store.
#pragma once

#include "explore/evaluator.h"
#include "explore/share/store.h"

#include <functional>

namespace forewarp::explore {

struct SweepOptions {
  std::uint64_t sample = 0; ///< 0: everything
  std::uint64_t seed = 1;   ///< of the sample
  unsigned jobs = 0;        ///< threads; 0: one a core (one a process under MPI)
  std::string store;        ///< SQLite file; "": a temporary one
  std::string version;      ///< of the program: results of another are not gone on with
  /// Told the share done (0 to 1) and the number of configurations done by this run, after every chunk.
  std::function<void(double, std::uint64_t)> progress = {};
};

/// More points than this need a sample.
inline constexpr std::uint64_t most_points_without_sample = 1'000'000'000;

/// Everything that the results depend on: program, source with what it includes, options, launch, space,
/// GPUs.
Result<Identity> identity_of(const Setup& setup, const SweepOptions& options);

/// Errors: usage (empty space, too many points without a sample), those of the store, and those that end
/// every prediction alike (no source). A configuration that fails is a row with its reason. Under MPI, rank 0
/// gets the store; on the other ranks it is empty.
Result<std::optional<Store>> sweep(const Setup& setup, const SweepOptions& options);

} // namespace forewarp::explore

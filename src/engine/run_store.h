// Sampled runs for launches that repeat on other GPUs of the same code: a sample hangs on the GPU by the
// groups of its first wave alone.
#pragma once

#include "engine/plan.h"
#include "facts/launch.h"
#include "facts/slow_division.h"
#include "facts/trace.h"
#include "memory/translate/trace_addresses.h"
#include "simt/run.h"
#include "statictrace/build.h"

#include <list>
#include <memory>

namespace forewarp::engine {

/// One thread's use only. Its sites are those of the compiled kernel: the same on every GPU, as far as
/// addresses go.
struct SampledRun {
  facts::KernelTrace trace;
  facts::SlowDivisions slow_divisions;
  memory::GroupPlaces group_places = {}; ///< simt/group_places.h
  /// Of the trace; made when a GPU's profile first asks for them.
  mutable std::unique_ptr<const memory::TraceAddresses> addresses = nullptr;

  const memory::TraceAddresses& addresses_of(const std::vector<facts::MemorySite>& sites) const {
    if (!addresses)
      addresses = std::make_unique<const memory::TraceAddresses>(trace, sites, group_places);
    return *addresses;
  }
};

/// Keeps the `capacity` runs used last. One thread's use only.
class RunStore {
public:
  explicit RunStore(std::size_t capacity = 0) : capacity_(capacity) {}
  /// The target's kernel as `options` sample it, run if no kept run took the same groups.
  Result<std::shared_ptr<const SampledRun>> get(const Target& target, const facts::Launch& launch,
                                                const simt::RunOptions& options);
  /// The trace of source-level analysis in place of a run.
  Result<std::shared_ptr<const SampledRun>> analysed(const Target& target, const facts::Launch& launch,
                                                     const simt::RunOptions& options);
  std::size_t runs() const { return runs_; }

private:
  /// Nothing where the kernel's control flow is beyond it. The last one is kept.
  statictrace::Analysis* analysis_of(const Target& target);
  /// Where one group alone would pass the budget of instructions, or the longest of unlike groups the budget
  /// of its trace, and source-level analysis knows how many there are, they are counted in place of a run.
  Result<simt::RunResult> run_or_count(const Target& target, const facts::Launch& launch,
                                       const simt::RunOptions& options);
  struct Kept {
    std::shared_ptr<const CompiledKernel> compiled;
    facts::Launch launch;
    simt::RunOptions options;
    std::shared_ptr<const SampledRun> run;
  };
  std::size_t capacity_, runs_ = 0;
  std::list<Kept> kept_; ///< used last first
  std::shared_ptr<const CompiledKernel> analysed_;
  std::shared_ptr<const simt::PreparedKernel> analysed_prepared_;
  std::unique_ptr<statictrace::Analysis> analysis_;
};

} // namespace forewarp::engine

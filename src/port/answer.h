// The whole question: which loops of this program are worth a GPU, and what would they gain?
#pragma once

#include "gpu/gpu_file.h"
#include "port/estimate/estimate.h"
#include "port/trace_program.h"

#include <functional>
#include <string>
#include <vector>

namespace forewarp::port {

struct PortRequest {
  ProgramRequest program;
  std::vector<std::string> sizes; ///< "N=1024": the problem that is asked about; empty: the traced one
  std::vector<gpu::GpuChoice> gpus;
  std::string model = predict::default_predictor, value_set;
  bool table2 = false;
  bool written_loads = false; ///< C's models: loads that the compiler merges count as often as written
  bool warm_cache = false;    ///< L2 before a launch holds what an earlier one left
  bool advice = true;
  double cpu_seconds = 20; ///< the program is run at the wanted size when it is expected to take no longer
  std::function<void(const std::string&)> progress = {};
};

/// One region on one GPU.
struct RegionAnswer {
  std::string name, file, gpu;
  std::uint32_t line = 0;
  double cpu_time_ms = 0; ///< all launches; 0: not known
  double time_ms = 0;     ///< predicted kernels, all launches
  double launch_ms = 0;   ///< host's cost of the launches
  double copy_in_ms = 0, copy_out_ms = 0, copy_in_bytes = 0, copy_out_bytes = 0;
  double speedup = 0;             ///< CPU time / (kernels + launches)
  double speedup_with_copies = 0; ///< CPU time / (kernels + launches + copies)
  double program_speedup = 0;     ///< Amdahl, this region alone ported, with copies; 0: program not timed
  double gain_ms = 0;             ///< of the whole program, with copies; negative: a loss
  bool worth = false;
  std::string inside; ///< FILE:LINE of a marked loop around it that cannot be parallel; "" none
  std::string reason; ///< why not
  RegionEstimate estimate;
  double copy_ms() const { return copy_in_ms + copy_out_ms; }
};

/// What could be done about a region that cannot be parallel as it stands, predicted on one GPU.
struct WayOut {
  std::string kind; ///< "interchange", "inner_loops"
  std::string text; ///< one sentence
  std::string gpu;
  double time_ms = 0;  ///< kernels and the host's cost of their launches
  double launches = 0; ///< of all its kernels
};

/// A region that has no answer.
struct UnansweredRegion {
  std::string name, file;
  std::uint32_t line = 0;
  double cpu_time_ms = 0; ///< all launches, at the traced size
  Error problem;
  std::vector<WayOut> ways_out = {}; ///< by GPU as asked, then the quickest first
};

/// All regions of one GPU that are worth it.
struct TogetherAnswer {
  std::string gpu;
  unsigned regions = 0;
  double gain_ms = 0, program_speedup = 0; ///< speed-up 0: program not timed
};

struct PortAnswer {
  std::string model, sizes; ///< sizes: "N=1024 (traced at N=128)"
  double program_ms = 0;
  std::string cpu_note;                 ///< how the CPU times came about
  std::vector<RegionAnswer> regions;    ///< by GPU as asked, then by whole-program gain
  std::vector<TogetherAnswer> together; ///< by GPU as asked
  std::vector<UnansweredRegion> unanswered;
  std::vector<TracedRegion> traced; ///< of the first run: dependences, notes
  std::vector<std::string> warnings;
};

/// Errors: of the program as a whole, of the GPUs and the model; when no region has an answer, the first
/// one's problem.
Result<PortAnswer> port_program(const PortRequest& request);

} // namespace forewarp::port

// What a caller asks of a prediction, in the caller's own words: no compiler's, interpreter's or cache
// model's type is in it. The engine translates (translate.h).
#pragma once

#include "facts/launch.h"
#include "facts/shortcuts.h"
#include "gpu/gpu_file.h"
#include "predict/predictor.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::engine {

/// Whose machine code a source's prediction rests on.
enum class Code {
  imitated, ///< the machine step's own
  vendor,   ///< what the vendor's compiler makes (`--code sass`): an error where that cannot be had
  automatic ///< the vendor's where its tools and the lifter give it, else imitated; a note says which
};

/// "imitated", "sass", "auto".
std::optional<Code> code_from_string(std::string_view word);

/// The source and how it is compiled. Family and target follow from each GPU.
struct SourceRequest {
  std::string path;                 ///< its ending says the language (docs/guide/cuda.md)
  std::string standard;             ///< -std / -cl-std; "" = default of the language
  std::vector<std::string> defines; ///< "NAME" or "NAME=VALUE"
  std::vector<std::string> include_directories;
  std::vector<std::string> extra_options; ///< passed through: -cl-fast-relaxed-math, -use_fast_math, ...
  /// The exact name or symbol of the one kernel that is wanted: saves the time to compile the others; "":
  /// all.
  std::string only_kernel = {};
  std::string cache_folder = {}; ///< compiled modules are kept there between runs; "": nowhere
  /// Common name of sources that were made of one; "": the path. It saves time and changes nothing.
  std::string made_of = {};
  /// Errors in device code refuse the kernels that need it, not the file.
  bool broken_kernels_apart = false;
  Code code = Code::imitated;
};

/// What to do where a branch or trip count rests on unknown values: the papers' conservative default is to
/// run both sides of a branch and a loop `default_trip_count` times.
struct UnknownValues {
  std::map<std::uint32_t, std::uint64_t> trip_counts; ///< line -> iterations (`--trip-count LINE=N`)
  std::map<std::uint32_t, double>
      branch_probabilities; ///< line -> share of lanes taking it (`--branch LINE=P`)
  std::uint64_t default_trip_count = 16;
};

/// Which work-groups are run, and how far.
struct RunRequest {
  bool whole_grid = false;    ///< run every group
  unsigned sample_groups = 0; ///< 0: chosen from the grid
  std::uint64_t seed = 1;
  UnknownValues unknown;
  std::uint64_t max_instructions = 400'000'000; ///< warp-level, branches counted; budget error beyond
  double max_seconds = 60;                      ///< of processor time
  std::uint64_t max_trace_bytes = 50'000'000;   ///< beyond: fewer groups, then a part of each warp
  facts::Shortcuts shortcuts;                   ///< of this run and of all stages behind it
  std::uint64_t open_number = 1024; ///< a whole number that nothing in the kernel settles, at most
  bool outside_reads_zero = false;  ///< accesses outside of every buffer read zero, instead of an error
};

/// What Triton says of a compiled kernel in the file beside it (triton_metadata.h).
struct TritonMetadata {
  std::string path;           ///< of the metadata
  std::string kernel, target; ///< "sm_90", "gfx942"; "": not said
  std::uint64_t warps = 0;    ///< of a group; 0: not said
  std::uint64_t warp_width = 32, cluster_groups = 1, shared_bytes = 0;
};

/// What L2 holds when the kernel starts: nothing of use to it; what an earlier launch left; lines of others
/// that were written and have to be written back before their places are free.
enum class CacheState { cold, warm, dirty };

struct PredictRequest {
  SourceRequest compile;
  std::string kernel; ///< "" = the only one
  facts::Launch launch;
  std::vector<gpu::GpuChoice> gpus;
  std::string value_set;
  std::optional<TritonMetadata> of_triton = {};
  RunRequest run;
  bool static_trace = false; ///< what warps do from source-level analysis alone (statictrace/build.h)
  CacheState cache = CacheState::cold;
  bool ignore_control_words =
      false; ///< machine code is timed as imitated code: by its registers' dependences
  bool registers_from_ptxas = false;
  double registers_given = 0;      ///< > 0: use this many
  double frame_bytes_given = -1;   ///< of a thread's stack, beside registers_given; < 0: not known
  double sm_clock_mhz_given = 0;   ///< > 0: instead of the file's
  std::string cuda_compiler_given; ///< not empty: generation of the CUDA compiler, instead of the file's
  std::string model = predict::default_predictor; ///< a predictor that gives_prediction()
  std::function<void(const std::string&)> progress =
      {}; ///< told what is being done, one short line each; may be empty
};

/// CUDA C++ or HIP, by the file's ending.
bool is_cuda_source(const std::string& path);
/// XDG_CACHE_HOME/forewarp or ~/.cache/forewarp; "" where there is neither.
std::string default_cache_folder();

} // namespace forewarp::engine

// Features of loops from their text alone (Ardalani, dissertation 2016, tables 4.1 and 4.2, section 4.2).
// Nothing is run; how often an instruction runs is known, given by the user, or one of several assumed
// values.
#pragma once

#include "facts/learning/features.h"
#include "port/source/mark.h"
#include "support/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::port {

inline constexpr const char* static_extractor = "static-1";

/// Names of the ten, in the order of Table 4.2. f(s): how often one thread runs the operation s of the
/// kernel's body.
inline constexpr std::array<const char*, 10> static_feature_names = {
    "coalesced",        ///< share of memory operations, by f, whose neighbours in a warp are coalesced
    "diverging",        ///< share of conditional branches, by f, whose condition changes with a parallel loop
    "ksize",            ///< sum of f over all operations
    "parallelism",      ///< iterations of the parallel loops together: GPU threads
    "arith_intensity",  ///< arithmetic operations to memory operations
    "ctrl_intensity",   ///< conditional branches to ksize
    "muldiv_intensity", ///< floating-point multiplications and divisions to ksize
    "sincos_intensity", ///< floating-point sines and cosines to ksize
    "logexp_intensity", ///< floating-point logarithms and exponentials to ksize
    "sqrt_intensity",   ///< floating-point square roots to ksize
};

/// One loop as a candidate for a GPU.
struct StaticLoop {
  RegionMark mark;
  /// By feature the median over `variants`: on either side of any cut stands the majority of them.
  facts::FeatureRow row;
  /// One vector in the order of static_feature_names for each way to assume what is not known; at least one.
  std::vector<std::array<double, 10>> variants;
  unsigned parallel_loops = 1;       ///< loops of the band
  std::vector<std::string> concerns; ///< why it may not run in parallel, as far as the text tells
};

/// What nobody knows without a run, if the user says it. Words of a pragma come before these.
struct StaticAssumptions {
  std::optional<double> trip_count;   ///< of every loop of the body whose number of iterations is not known
  std::optional<double> branch_taken; ///< 0 to 1: how often a branch that is not known is taken
  bool as_published = false; ///< coalesced(s) by the letter of section 4.2.2 (docs/models/xapp_features.md)
};

struct SourceTree {
  std::vector<std::string> files, defines, include_directories;
  std::string standard;
  std::string compile_commands; ///< compile_commands.json, or the folder that holds it; "": none
  bool all_loops = true;        ///< every loop a candidate; false: those with a pragma
  StaticAssumptions assume;
};

struct SkippedFile {
  std::string file;
  std::string why; ///< first line of what the compiler says
};

struct StaticAnswer {
  std::vector<StaticLoop> loops;    ///< by file and line
  std::vector<SkippedFile> skipped; ///< files that do not compile
};

/// Errors: not_found, bad_input (no file, a compile_commands.json that cannot be read), compile (none of the
/// files compiles).
Result<StaticAnswer> static_features(const SourceTree& tree);

} // namespace forewarp::port

// Features of loops from one run of the CPU code (Ardalani, dissertation 2016, tables 3.1 and 3.2,
// section 3.2). Loops that cannot be run in parallel have features too. How each is read:
// docs/models/xapp_features.md.
#pragma once

#include "facts/learning/features.h"
#include "port/features/plan.h"
#include "port/trace_program.h"

#include <array>
#include <string>
#include <vector>

namespace forewarp::port {

inline constexpr const char* dynamic_extractor = "dynamic-1";
/// The ten of the text (static_features.h) with counted frequencies in place of assumed ones.
inline constexpr const char* counted_extractor = "static-1-counted";

/// In this order. Fractions of instructions, of memory accesses, of windows, or of single-precision
/// operations.
inline constexpr std::array<const char*, 34> dynamic_feature_names = {
    "ilp32",      "ilp256",   "ilp2048",   "ilp65536",  "ilpRate",    "mem",     "ctrl",
    "int",        "fp",       "dp",        "coldRef",   "reuseDist2", "ninst",   "stride0",
    "noConflict", "shMemBW",  "coalesced", "gMemBW",    "blocks",     "pages",   "mulf",
    "divf",       "sqrtf",    "expf",      "sincosf",   "Lbdiv16",    "Lbdiv32", "Lbdiv64",
    "Lbdiv128",   "Lbdiv256", "Lbdiv512",  "Lbdiv1024", "arith",      "div",
};
/// Where the source can be read in two ways, the other reading; behind the others in a row.
inline constexpr std::array<const char*, 4> other_reading_names = {
    "alt_reuseDist1", ///< distance less than 2 (table 3.1), where the text says at most 2
    "alt_blocks",     ///< accesses to a block (table 3.1), where the text says distinct blocks
    "alt_pages",
    "alt_shMemBW", ///< strides that are powers of two only; otherwise every stride by the power of two in it
};

struct DynamicRow {
  facts::FeatureRow row;     ///< dynamic_extractor
  facts::FeatureRow counted; ///< counted_extractor
  double cpu_ms = 0;         ///< one thread, LLVM's -O2, all launches; 0: not measured
  double recorded_ms = 0;    ///< the same region in the features run
  Error problem = {ErrorCode::internal, "", "", ""}; ///< message empty: none; otherwise there are no features
};

struct DynamicAnswer {
  std::vector<DynamicRow> rows; ///< by region, in the order of the marks
  std::vector<std::string> warnings;
};

struct DynamicRequest {
  ProgramRequest program;
  FeatureDetail detail = FeatureDetail::sampled;
  bool warps =
      false; ///< add the features of the pseudo-warp trace (warp_features.h) where the loop is parallel
};

/// Errors: those of the program as a whole (compile, no region, unknown line).
Result<DynamicAnswer> dynamic_features(const DynamicRequest& request);

/// The features of one region's counts.
facts::FeatureRow dynamic_row(const FeaturePlan& plan, const FeatureCounts& counts);

} // namespace forewarp::port

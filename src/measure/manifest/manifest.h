// A bundle: a folder with manifest.json and kernels, made by `forewarp bundle`, run by `forewarp-measure`
// (docs/guide/measure.md has the format). Kernels are PTX for one target, or OpenCL C.
#pragma once

#include "facts/launch.h"
#include "measure/check/expected.h"
#include "support/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace forewarp::measure {

inline constexpr int bundle_version = 1;

/// A scalar, vector or struct passed by value, as its bytes.
struct ScalarBytes {
  std::vector<std::uint8_t> bytes;
};

/// A `local` pointer: shared memory given at launch.
struct LocalBytes {
  std::uint64_t bytes = 0;
  facts::ScalarType type = facts::ScalarType::f32; ///< of its elements
};

struct BundleArgument {
  std::string name;
  std::variant<ScalarBytes, LocalBytes, facts::BufferValue> value;
  bool read_only = false; ///< the kernel's parameter points to const
  std::string data_file;  ///< contents of a buffer of kind `bytes`, below the bundle's folder
};

struct BundleLaunch {
  std::string name;   ///< "check", "default", or a micro-benchmark's point
  facts::Dim3 groups; ///< grid; with `groups_per_sm`, x counts groups for each SM of the device
  bool groups_per_sm = false;
  facts::Dim3 group_size;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<BundleArgument> arguments; ///< in kernel order
  std::vector<Expected> expected;        ///< results of the C reference; empty: not checked
  bool checks_inputs = false;            ///< the other buffers must be left as they were
  bool timed = true;
  bool occupancy_sweep = false; ///< timed at every number of concurrent groups too
  unsigned stage = 0;           ///< order of measuring: lower is more valuable
  double predicted_us = 0;      ///< on `Bundle::times_for`; 0: not predicted
  nlohmann::json micro;         ///< what a micro-benchmark measures, carried into the result; or null
};

struct BundleKernel {
  std::string name;        ///< unique in the bundle
  std::string symbol;      ///< entry point
  std::string file;        ///< below the bundle's folder
  std::string padded_file; ///< OpenCL: with one more parameter, local memory that is not used; "": none
  std::string standard;    ///< "CL2.0", ...; "": the compiler's default
  std::string options;     ///< further options of the compiler
  std::string kind;        ///< "corpus" or "micro"
  std::string source; ///< source text, macros in front, so that a result can be predicted without the bundle
  std::string source_suffix; ///< ".cl" or ".cu"
  std::vector<BundleLaunch> launches;
};

struct Bundle {
  std::string folder;
  std::string language; ///< "ptx" or "opencl"
  std::string target;   ///< "sm_90"; "" for OpenCL
  std::string made_by;
  std::string times_for; ///< GPU that times were predicted for, to plan with; "": none
  std::vector<BundleKernel> kernels;
};

/// Reads DIR/manifest.json. Errors: not_found, bad_input with the place in the JSON.
Result<Bundle> read_bundle(const std::string& folder);

nlohmann::json to_json(const Bundle& bundle);
/// One kernel; without `expected`, as it goes into the result of a measurement.
nlohmann::json to_json(const BundleKernel& kernel, bool with_expected);
Result<BundleKernel> kernel_from_json(const nlohmann::json& json, const std::string& where);

/// Grid in groups on a device of `sm_count` SMs.
facts::Dim3 grid_of(const BundleLaunch& launch, unsigned sm_count);

/// The buffer's bytes at the start of a launch; `folder` holds its data file, where it has one.
Result<std::vector<std::uint8_t>> contents_of(const BundleArgument& argument, const std::string& folder);

} // namespace forewarp::measure

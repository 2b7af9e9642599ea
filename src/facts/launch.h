// A kernel launch as data: sizes, argument values, contents of buffers. Parsing lives in room `launch`.
#pragma once

#include "facts/tensor_map.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace forewarp::facts {

struct Dim3 {
  std::uint64_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return x * y * z; }
  bool operator==(const Dim3&) const = default;
};

enum class ScalarType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };
std::size_t size_bytes(ScalarType type);
std::string_view to_string(ScalarType type);
std::optional<ScalarType> scalar_type_from_string(std::string_view name);

/// How a buffer's bytes come about. `unknown`: nothing is assumed of them (law 3: unknown is a value).
struct BufferContents {
  enum class Kind : std::uint8_t { unknown, zeros, iota, random, bytes } kind = Kind::unknown;
  std::uint64_t seed = 0;     ///< of `random`
  double start = 0, step = 1; ///< of `iota`: element i is start + i * step
  double low = 0, high = 0;   ///< of `random`: [low, high) where low < high, else the type's usual range
  /// How `random` numbers lie: evenly; normal with `start` as mean and `step` as standard deviation;
  /// exponential with `start` as mean.
  enum class Spread : std::uint8_t { even, normal, exponential } spread = Spread::even;
  std::vector<std::uint8_t> bytes = {}; ///< of `bytes`: little-endian, at most the buffer's size
};

/// How a coordinate becomes texels: OpenCL's samplers, CUDA's texture descriptors.
struct Sampler {
  bool linear = false;     ///< mixes the nearest two texels along each axis
  bool normalised = false; ///< coordinates go from 0 to 1 over the image
  enum class Edge : std::uint8_t {
    clamp,  ///< the nearest texel
    border, ///< a colour that is not read from memory
    wrap,   ///< the image again; of normalised coordinates
    mirror  ///< and backwards in between; of normalised coordinates
  } edge = Edge::clamp;
  bool operator==(const Sampler&) const = default;
};

/// An image: texels in tiles of 64 bytes by 8 rows (launch/image.h), slices one behind the other.
struct ImageValue {
  std::uint32_t width = 1, height = 1, depth = 1; ///< depth: slices or layers
  std::uint32_t texel_bytes = 4;
  std::string format = {}; ///< as written: "rgba8"
  bool linear = false;     ///< one row behind the other, without tiles
  Sampler sampler = {};    ///< of textures, whose reads name none
};

/// A device buffer of `count` elements.
struct BufferValue {
  ScalarType type = ScalarType::f32;
  std::uint64_t count = 0;
  BufferContents contents = {};
  std::optional<TensorMap> map =
      {}; ///< handed over as a tensor map; its address is set when the buffer has one
  std::optional<ImageValue> image = {}; ///< handed over as an image, texture or surface
  std::uint64_t size_in_bytes() const { return count * size_bytes(type); }
};

/// A scalar, vector or struct passed by value: its bytes as the kernel sees them.
struct ScalarValue {
  std::string text; ///< as the user wrote it; converted once the parameter's type is known
  /// Set directly by struct arguments (`@file.bin`) and by callers of the library.
  std::vector<std::uint8_t> bytes = {};
};

using ArgumentValue = std::variant<ScalarValue, BufferValue>;

/// One launch. Arguments are keyed by parameter name, or by position written "0", "1", ...
struct Launch {
  std::optional<Dim3> groups;       ///< grid in work-groups
  std::optional<Dim3> global_items; ///< or in work-items (`--global`); exactly one of the two is needed
  std::optional<Dim3> group_size;   ///< work-items of a group
  std::uint64_t dynamic_shared_bytes = 0;
  std::optional<Dim3> cluster = {}; ///< groups of a cluster (CUDA, from 9.0 on)
  std::map<std::string, ArgumentValue> arguments = {};
  /// Reserved words of later producers, kept for round trips.
  std::map<std::string, std::string> symbols = {};
};

/// Launch with everything decided. Invariant: group_size and groups are positive; the last group of a
/// dimension is partial where global_items is not a multiple (OpenCL 2.0 and later only).
struct LaunchShape {
  Dim3 groups;
  Dim3 group_size;
  Dim3 global_items;
  std::uint64_t dynamic_shared_bytes = 0; ///< as the launch asks for it (CUDA)
  /// Of `__local` pointer arguments (OpenCL), each aligned to 16 bytes.
  std::uint64_t local_argument_bytes = 0;
  Dim3 cluster; ///< groups that run side by side and see each other's shared memory; 1: none

  /// Shared memory that the launch adds to what the kernel itself declares.
  std::uint64_t launch_shared_bytes() const { return dynamic_shared_bytes + local_argument_bytes; }
};

} // namespace forewarp::facts

// Names of the fixed vocabularies of this room.
#include "facts/launch.h"
#include "facts/memory_profile.h"
#include "facts/prediction.h"
#include "facts/trace.h"

#include <array>

namespace forewarp::facts {
namespace {

constexpr std::array<std::string_view, 11> scalar_names = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                           "i64", "u64", "f16", "f32", "f64"};
constexpr std::array<std::size_t, 11> scalar_sizes = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
constexpr std::array<std::string_view, 6> space_names = {"global", "shared",  "constant",
                                                         "local",  "texture", "parameter"};
constexpr std::array<std::string_view, 8> access_names = {
    "uniform", "coalesced", "strided", "scattered", "conflict_free", "bank_conflict", "broadcast", "unknown"};
constexpr std::array<std::string_view, 18> limiter_names = {"dram_bandwidth",
                                                            "l2_bandwidth",
                                                            "l1_bandwidth",
                                                            "shared_memory",
                                                            "constant_cache",
                                                            "issue",
                                                            "fp32",
                                                            "fp64",
                                                            "fp16",
                                                            "integer",
                                                            "sfu",
                                                            "tensor",
                                                            "atomics",
                                                            "memory_latency",
                                                            "arithmetic_latency",
                                                            "barrier",
                                                            "imbalance",
                                                            "launch_overhead"};

} // namespace

std::size_t size_bytes(ScalarType type) {
  return scalar_sizes[static_cast<std::size_t>(type)];
}
std::string_view to_string(ScalarType type) {
  return scalar_names[static_cast<std::size_t>(type)];
}
std::optional<ScalarType> scalar_type_from_string(std::string_view name) {
  for (std::size_t i = 0; i < scalar_names.size(); ++i)
    if (scalar_names[i] == name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}
std::string_view to_string(MemorySpace space) {
  return space_names[static_cast<std::size_t>(space)];
}
std::string_view to_string(AccessClass access) {
  return access_names[static_cast<std::size_t>(access)];
}
std::string_view to_string(Limiter limiter) {
  return limiter_names[static_cast<std::size_t>(limiter)];
}

} // namespace forewarp::facts

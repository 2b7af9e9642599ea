// Changes of where a version's accesses go.
#pragma once

#include "port/estimate/version.h"

#include <cstdint>
#include <optional>
#include <string>

namespace forewarp::port {

/// Distance of two rows of an array, from the uncoalesced accesses to it; empty: none, or not one distance.
std::optional<std::uint64_t> row_pitch_bytes(const Version& version, const facts::MemoryRegion& array);

/// The array stored with rows and columns exchanged. Not in it: what the transposition itself costs
/// (transposition.h).
Version transposed(const Version& base, const facts::MemoryRegion& array, std::uint64_t pitch_bytes);

/// Loads of the array go through constant memory.
Version in_constant_memory(const Version& base, const std::string& array);

} // namespace forewarp::port

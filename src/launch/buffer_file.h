// Contents of buffers and structs from files: .npy (NumPy's format) and .bin (bytes as they are).
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::launch {

/// Largest file that is taken as contents.
inline constexpr std::uint64_t max_contents_bytes = std::uint64_t{1} << 32;

struct NpyHeader {
  facts::ScalarType type = facts::ScalarType::f32;
  std::uint64_t count = 0;     ///< product of the shape
  std::size_t data_offset = 0; ///< of the first element in the file
};

/// The header of NumPy's format, versions 1.0 to 3.0 (numpy.lib.format). Taken: little-endian (or one byte
/// wide) i1 ... i8, u1 ... u8, f2, f4, f8 and bool, in C order. Errors: bad_input with the file's name.
Result<NpyHeader> parse_npy_header(std::string_view bytes, const std::string& where);

/// Fills `buffer.contents` from a file. `buffer.count` 0: taken from the file. The size must fit exactly.
Result<void> load_contents(facts::BufferValue& buffer, const std::string& path);

/// The bytes of a struct argument.
Result<std::vector<std::uint8_t>> load_struct(const std::string& path);

} // namespace forewarp::launch

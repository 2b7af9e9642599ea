#include "facts/tensor_map.h"

#include <cstring>

namespace forewarp::facts {
namespace {

namespace fields = tensor_map_fields;

/// CUtensorMapDataType, in the order of cuda.h: u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32.ftz tf32
/// tf32.ftz.
constexpr std::array<std::uint8_t, 13> bytes_of_type = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

template <class Value> void put(std::array<std::uint8_t, tensor_map_bytes>& to, unsigned at, Value value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}
template <class Value> Value get(std::span<const std::uint8_t, tensor_map_bytes> from, unsigned at) {
  Value value{};
  std::memcpy(&value, from.data() + at, sizeof value);
  return value;
}

std::uint32_t type_of(unsigned element_bytes) {
  return element_bytes == 1 ? 0 : element_bytes == 2 ? 1 : element_bytes == 4 ? 2 : 4;
}

} // namespace

std::array<std::uint8_t, tensor_map_bytes> bytes_of(const TensorMap& map) {
  std::array<std::uint8_t, tensor_map_bytes> bytes{};
  put(bytes, fields::rank, static_cast<std::uint32_t>(map.rank - 1));
  put(bytes, fields::type, map.type ? *map.type : type_of(map.element_bytes));
  put(bytes, fields::swizzle, static_cast<std::uint32_t>(map.swizzle));
  put(bytes, fields::address, map.address);
  put(bytes, fields::of_columns, std::uint32_t{map.of_columns});
  for (unsigned corner = 0; corner < 2; ++corner) {
    const auto& at = corner == 0 ? map.lower : map.upper;
    put(bytes, fields::corners + 4 * corner, at[0]);
    put(bytes, fields::corners + 4 * corner + 2, static_cast<std::int8_t>(at[1]));
    put(bytes, fields::corners + 4 * corner + 3, static_cast<std::int8_t>(at[2]));
  }
  for (unsigned d = 0; d < map.rank; ++d) {
    put(bytes, fields::extents + 4 * d, map.extents[d]);
    put(bytes, fields::box + 4 * d, map.box[d]);
    put(bytes, fields::element_steps + 4 * d, std::uint32_t{1});
    if (d > 0)
      put(bytes, fields::strides + 8 * (d - 1), map.strides[d]);
  }
  return bytes;
}

std::optional<TensorMap> tensor_map_of(std::span<const std::uint8_t, tensor_map_bytes> bytes) {
  TensorMap map;
  const auto rank = get<std::uint32_t>(bytes, fields::rank), type = get<std::uint32_t>(bytes, fields::type),
             swizzle = get<std::uint32_t>(bytes, fields::swizzle);
  if (rank >= most_tensor_dimensions || type >= bytes_of_type.size() || swizzle > 3)
    return std::nullopt;
  map.rank = rank + 1;
  map.element_bytes = bytes_of_type[type];
  if (type != type_of(map.element_bytes))
    map.type = static_cast<std::uint8_t>(type);
  map.of_columns = get<std::uint32_t>(bytes, fields::of_columns) != 0;
  for (unsigned corner = 0; corner < 2; ++corner)
    (corner == 0 ? map.lower : map.upper) = {get<std::int16_t>(bytes, fields::corners + 4 * corner),
                                             get<std::int8_t>(bytes, fields::corners + 4 * corner + 2),
                                             get<std::int8_t>(bytes, fields::corners + 4 * corner + 3)};
  map.swizzle = static_cast<TensorMap::Swizzle>(swizzle);
  map.address = get<std::uint64_t>(bytes, fields::address);
  map.strides[0] = map.element_bytes;
  for (unsigned d = 0; d < map.rank; ++d) {
    map.extents[d] = get<std::uint32_t>(bytes, fields::extents + 4 * d);
    map.box[d] = get<std::uint32_t>(bytes, fields::box + 4 * d);
    const std::uint32_t most = map.of_columns && d == 1 ? 1024 : 256;
    if (map.of_columns && d > 1)
      map.box[d] = 1;
    if (d > 0)
      map.strides[d] = get<std::uint64_t>(bytes, fields::strides + 8 * (d - 1));
    if (map.box[d] == 0 || map.box[d] > most || get<std::uint32_t>(bytes, fields::element_steps + 4 * d) != 1)
      return std::nullopt;
  }
  return map;
}

std::uint64_t swizzled(std::uint64_t address, TensorMap::Swizzle swizzle) {
  const auto bits =
      static_cast<unsigned>(swizzle); // 16-byte pieces of a row of 2^bits, changed from row to row
  const std::uint64_t rows = (address >> 7) & ((1U << bits) - 1);
  return address ^ rows << 4;
}

} // namespace forewarp::facts

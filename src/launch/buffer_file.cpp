#include "launch/buffer_file.h"

#include "launch/matrix_market.h"
#include "launch/words.h"
#include "support/text_file.h"

#include <array>
#include <fmt/format.h>
#include <optional>

namespace forewarp::launch {
namespace {

constexpr std::uint64_t max_struct_bytes =
    32768; // kernel parameters are 4 KB (32 KB on the newest GPUs) in all

std::size_t little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

/// Text behind `'key':` in the header's Python dictionary, up to the dictionary's end.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos)
    return std::nullopt;
  return strip(header.substr(colon + 1));
}

std::optional<facts::ScalarType> type_of(std::string_view descriptor) {
  using facts::ScalarType;
  constexpr std::array<std::pair<std::string_view, ScalarType>, 12> types = {{{"i1", ScalarType::i8},
                                                                              {"u1", ScalarType::u8},
                                                                              {"b1", ScalarType::u8},
                                                                              {"i2", ScalarType::i16},
                                                                              {"u2", ScalarType::u16},
                                                                              {"i4", ScalarType::i32},
                                                                              {"u4", ScalarType::u32},
                                                                              {"i8", ScalarType::i64},
                                                                              {"u8", ScalarType::u64},
                                                                              {"f2", ScalarType::f16},
                                                                              {"f4", ScalarType::f32},
                                                                              {"f8", ScalarType::f64}}};
  const bool one_byte = descriptor.size() == 3 && descriptor[2] == '1';
  if (descriptor.size() != 3 || !(descriptor[0] == '<' || (one_byte && descriptor[0] == '|')))
    return std::nullopt;
  for (const auto& [name, type] : types)
    if (descriptor.substr(1) == name)
      return type;
  return std::nullopt;
}

/// "(3, 4)" -> 12; "()" -> 1.
std::optional<std::uint64_t> count_of(std::string_view shape) {
  const std::size_t end = shape.find(')');
  if (shape.empty() || shape.front() != '(' || end == std::string_view::npos)
    return std::nullopt;
  std::uint64_t count = 1;
  for (const std::string_view word : split(shape.substr(1, end - 1), ',')) {
    if (word.empty())
      continue;
    const auto size = whole_number(word);
    const auto product = size ? bounded_product(count, *size) : std::nullopt;
    if (!product)
      return std::nullopt;
    count = *product;
  }
  return count;
}

tl::unexpected<Error> broken(const std::string& where, const std::string& message) {
  return fail(ErrorCode::bad_input, message, where, "write the file with numpy.save, or use a .bin file");
}

/// The dictionary's text and the offset behind it.
Result<std::pair<std::string_view, std::size_t>> header_text(std::string_view bytes,
                                                             const std::string& where) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!bytes.starts_with(magic) || bytes.size() < 10)
    return broken(where, "is not a .npy file (its first bytes are not NumPy's)");
  const unsigned major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    return broken(where, fmt::format("has .npy version {}; 1 to 3 are read", major));
  const std::size_t width = major == 1 ? 2 : 4, start = 8 + width;
  if (bytes.size() < start)
    return broken(where, ".npy header is cut off");
  const std::size_t length = little_endian(bytes, 8, width);
  if (length > bytes.size() - start)
    return broken(where, ".npy header is cut off");
  return std::pair{bytes.substr(start, length), start + length};
}

Result<void> check_size(std::uint64_t held, std::uint64_t wanted, const char* what, const std::string& path) {
  if (held == wanted)
    return {};
  return fail(ErrorCode::bad_input, fmt::format("holds {} {}, but the buffer has {}", held, what, wanted),
              path, "make the buffer's count and the file agree");
}

} // namespace

Result<NpyHeader> parse_npy_header(std::string_view bytes, const std::string& where) {
  const auto header = header_text(bytes, where);
  FOREWARP_TRY(header);
  const auto descriptor = value_of(header->first, "descr");
  const auto order = value_of(header->first, "fortran_order");
  const auto shape = value_of(header->first, "shape");
  if (!descriptor || !order || !shape)
    return broken(where, ".npy header lacks 'descr', 'fortran_order' or 'shape'");
  if (order->starts_with("True"))
    return broken(where, "is in Fortran order; only C order is read");
  const auto quoted = descriptor->substr(0, descriptor->find_first_of(",}"));
  const auto word = quoted.size() > 2 ? quoted.substr(1, quoted.find_last_of("'\"") - 1) : quoted;
  const auto type = type_of(word);
  if (!type)
    return broken(
        where,
        fmt::format("has elements of type {}; little-endian i1-i8, u1-u8, f2, f4, f8 are read", quoted));
  const auto count = count_of(*shape);
  if (!count)
    return broken(where, ".npy header has a shape that cannot be read");
  return NpyHeader{*type, *count, header->second};
}

Result<void> load_contents(facts::BufferValue& buffer, const std::string& path) {
  if (is_matrix_part(path))
    return load_matrix_part(buffer, path);
  const bool is_npy = path.ends_with(".npy");
  if (!is_npy && !path.ends_with(".bin"))
    return fail(ErrorCode::usage, "contents come from .npy, .bin or .mtx files", path,
                "rename it if it holds plain bytes (.bin)");
  const auto bytes = read_file(path, "contents file", max_contents_bytes);
  FOREWARP_TRY(bytes);
  const std::size_t element = facts::size_bytes(buffer.type);
  std::size_t offset = 0;
  if (is_npy) {
    const auto header = parse_npy_header(*bytes, path);
    FOREWARP_TRY(header);
    if (header->type != buffer.type)
      return fail(ErrorCode::bad_input,
                  fmt::format("holds {} elements, but the buffer has {}", facts::to_string(header->type),
                              facts::to_string(buffer.type)),
                  path,
                  fmt::format("write buffer:{}[...] or convert the file", facts::to_string(header->type)));
    if (bytes->size() - header->data_offset != header->count * element)
      return broken(path, fmt::format("promises {} elements and holds {} bytes of data", header->count,
                                      bytes->size() - header->data_offset));
    offset = header->data_offset;
  } else if (bytes->size() % element != 0) {
    return fail(ErrorCode::bad_input,
                fmt::format("has {} bytes, no multiple of {}'s {}", bytes->size(),
                            facts::to_string(buffer.type), element),
                path, "check the buffer's type");
  }
  const std::uint64_t count = (bytes->size() - offset) / element;
  if (buffer.count == 0)
    buffer.count = count;
  FOREWARP_TRY(check_size(count, buffer.count, "elements", path));
  if (count == 0)
    return fail(ErrorCode::bad_input, "holds no elements", path);
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes.assign(bytes->begin() + static_cast<std::ptrdiff_t>(offset), bytes->end());
  return {};
}

Result<std::vector<std::uint8_t>> load_struct(const std::string& path) {
  const auto bytes = read_file(path, "struct file", max_struct_bytes);
  FOREWARP_TRY(bytes);
  return std::vector<std::uint8_t>(bytes->begin(), bytes->end());
}

} // namespace forewarp::launch

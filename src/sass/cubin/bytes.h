// Little-endian reads that know where the bytes end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace forewarp::sass {

using Bytes = std::span<const std::byte>;

/// A part of `bytes`; none: it does not lie inside.
inline std::optional<Bytes> part_of(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.subspan(offset, size);
}

/// Reads on from a place; once a read went past the end, `good()` is false and everything read is 0.
class Cursor {
public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}

  std::uint64_t number(unsigned size) {
    const auto part = part_of(bytes_, at_, size);
    if (!part) {
      good_ = false;
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= std::to_integer<std::uint64_t>((*part)[i]) << (8 * i);
    at_ += size;
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  void skip(std::uint64_t size) {
    if (part_of(bytes_, at_, size))
      at_ += size;
    else
      good_ = false;
  }
  /// Up to the next zero byte.
  std::string text() {
    std::string result;
    while (good_ && at_ < bytes_.size() && bytes_[at_] != std::byte{0})
      result += static_cast<char>(bytes_[at_++]);
    skip(1);
    return result;
  }
  bool good() const { return good_; }
  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return good_ ? bytes_.size() - at_ : 0; }

private:
  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool good_ = true;
};

} // namespace forewarp::sass

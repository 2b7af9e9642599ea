#include "sass/cubin/unpack.h"

#include "sass/cubin/bytes.h"

#include <algorithm>
#ifdef FOREWARP_ZSTD
#include <zstd.h>
#endif

namespace forewarp::sass {
namespace {

constexpr const char* way_out =
    "unpack it with `cuobjdump -xelf all FILE`, or compile with -Xfatbin -compress-mode=none";

/// Room is made before a byte is read: a damaged entry may not ask for all there is.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

/// A length of 15 goes on in the bytes behind, until one is not 255.
std::uint64_t length(Cursor& from, std::uint64_t begin) {
  constexpr std::uint64_t goes_on = 15;
  if (begin < goes_on)
    return begin;
  for (std::uint8_t more = UINT8_MAX; more == UINT8_MAX && from.good();)
    begin += more = from.u8();
  return begin;
}

/// "LZ4 Block Format Description" (lz4, doc/lz4_Block_format.md): literals, then a copy of what was made
/// before. Empty: the bytes are no such block, or make more than `size` bytes.
std::vector<std::byte> lz4_block(Bytes bytes, std::uint64_t size) {
  constexpr std::uint64_t least_copy = 4;
  std::vector<std::byte> made;
  made.reserve(size);
  for (Cursor from(bytes); from.left() > 0;) {
    const std::uint8_t token = from.u8();
    const std::uint64_t literals = length(from, token >> 4);
    const auto plain = part_of(bytes, from.at(), literals);
    if (!from.good() || !plain || literals > size - made.size())
      return {};
    made.insert(made.end(), plain->begin(), plain->end());
    from.skip(literals);
    if (made.size() == size || from.left() == 0) // behind it nothing but padding
      break;
    const std::uint64_t back = from.u16(), copied = length(from, token & 15) + least_copy;
    if (!from.good() || back == 0 || back > made.size() || copied > size - made.size())
      return {};
    for (std::uint64_t i = 0; i < copied; ++i) // a copy may read what it made itself
      made.push_back(made[made.size() - back]);
  }
  return made;
}

#ifdef FOREWARP_ZSTD
std::vector<std::byte> zstd_frame(Bytes bytes, std::uint64_t size) {
  std::vector<std::byte> made(size);
  const std::size_t frame = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()); // padding is behind it
  const std::size_t count =
      ZSTD_isError(frame) ? 0 : ZSTD_decompress(made.data(), made.size(), bytes.data(), frame);
  made.resize(ZSTD_isError(count) ? 0 : std::min<std::size_t>(count, made.size()));
  return made;
}
#endif

} // namespace

Result<std::vector<std::byte>> unpacked(const EmbeddedCode& part, const std::string& name) {
  if (part.packing == Packing::none)
    return std::vector<std::byte>(part.bytes.begin(), part.bytes.end());
  std::vector<std::byte> made;
  if (part.unpacked_bytes <= most_bytes) {
    if (part.packing == Packing::lz4) {
      made = lz4_block(part.bytes, part.unpacked_bytes);
    } else {
#ifdef FOREWARP_ZSTD
      made = zstd_frame(part.bytes, part.unpacked_bytes);
#else
      return fail(ErrorCode::unsupported,
                  "code that is compressed by zstd, which this program was built without", name, way_out);
#endif
    }
  }
  if (made.empty() || made.size() != part.unpacked_bytes)
    return fail(ErrorCode::bad_input, "a compressed part of the fat binary is damaged", name, way_out);
  return made;
}

} // namespace forewarp::sass

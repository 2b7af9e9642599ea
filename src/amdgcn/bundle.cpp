// Where a code object lies: bundles and compressed bundles ("Clang Offload Bundler" of Clang's documentation;
// the header of compressed ones: clang/Driver/OffloadBundler.h), and hosts' files with such bundles in them.
#include "amdgcn/program.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace forewarp::amdgcn {
namespace {

constexpr std::string_view bundle_mark = "__CLANG_OFFLOAD_BUNDLE__", compressed_mark = "CCOB";

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_amd_elf(std::string_view bytes) {
  constexpr std::size_t machine_at = 18, class_at = 4;
  return bytes.size() > 64 && bytes.starts_with("\177ELF") && bytes[class_at] == 2 &&
         static_cast<unsigned char>(bytes[machine_at]) == llvm::ELF::EM_AMDGPU && bytes[machine_at + 1] == 0;
}

bool is_bundle(std::string_view bytes) {
  return bytes.starts_with(bundle_mark) || bytes.starts_with(compressed_mark);
}

/// A little-endian number at this place; empty: the bytes end before.
template <typename Number> std::optional<Number> number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  if (at > bytes.size() || bytes.size() - at < sizeof number)
    return std::nullopt;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// A count, then offset, size and name ("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+") of each part.
Result<std::string_view> part_of_bundle(std::string_view bytes, const std::string& target,
                                        const std::string& path) {
  std::size_t at = bundle_mark.size();
  const auto count = number_at<std::uint64_t>(bytes, at);
  at += sizeof(std::uint64_t);
  std::string_view first;
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto offset = number_at<std::uint64_t>(bytes, at), size = number_at<std::uint64_t>(bytes, at + 8),
               letters = number_at<std::uint64_t>(bytes, at + 16);
    at += 24;
    if (!letters || *letters > bytes.size() || at > bytes.size() - *letters || *offset > bytes.size() ||
        *size > bytes.size() - *offset)
      return fail(ErrorCode::bad_input, "the bundle is cut off", path);
    const std::string_view name = bytes.substr(at, *letters);
    at += *letters;
    const std::string_view part = bytes.substr(*offset, *size);
    if (!is_amd_elf(part))
      continue;
    if (first.empty())
      first = part;
    if (const std::size_t processor = name.find("gfx");
        !target.empty() && processor != std::string_view::npos &&
        name.substr(processor, name.find(':', processor) - processor) == target)
      return part;
  }
  if (first.empty())
    return fail(ErrorCode::bad_input, "no code object of an AMD GPU is in this bundle", path);
  return first;
}

/// The header of a compressed bundle, versions 1 to 3.
struct Compressed {
  std::uint16_t method = 0; ///< as llvm::compression::Format
  std::size_t header = 0;   ///< bytes
  std::uint64_t file = 0;   ///< bytes with the header; 0: version 1 does not say
  std::uint64_t unpacked = 0;
};

std::optional<Compressed> compressed_header(std::string_view bytes) {
  const auto version = number_at<std::uint16_t>(bytes, 4), method = number_at<std::uint16_t>(bytes, 6);
  if (!version || !method || *version < 1 || *version > 3)
    return std::nullopt;
  constexpr std::size_t sizes_at = 8, hash = 8;
  Compressed found{*method};
  if (*version == 3) {
    const auto file = number_at<std::uint64_t>(bytes, sizes_at),
               unpacked = number_at<std::uint64_t>(bytes, sizes_at + 8);
    found.header = sizes_at + 16 + hash;
    found.file = file.value_or(0);
    found.unpacked = unpacked.value_or(0);
  } else {
    const std::size_t file_size = *version == 2 ? 4 : 0;
    found.header = sizes_at + file_size + 4 + hash;
    found.file = file_size == 0 ? 0 : number_at<std::uint32_t>(bytes, sizes_at).value_or(0);
    found.unpacked = number_at<std::uint32_t>(bytes, sizes_at + file_size).value_or(0);
  }
  return bytes.size() < found.header ? std::nullopt : std::optional(found);
}

/// Room is made before a byte is read, so a damaged header may not ask for all there is.
constexpr std::uint64_t most_unpacked = std::uint64_t{1} << 30;

Result<std::string> unpacked_bundle(std::string_view bytes, const std::string& path) {
  const auto header = compressed_header(bytes);
  if (!header)
    return fail(
        ErrorCode::bad_input, "the header of the compressed bundle is cut off or of an unknown version", path,
        "versions 1 to 3 are read; `clang-offload-bundler --unbundle` of its compiler gives the code object");
  const bool is_zstd = header->method == static_cast<std::uint16_t>(llvm::compression::Format::Zstd);
  if (!is_zstd && header->method != static_cast<std::uint16_t>(llvm::compression::Format::Zlib))
    return fail(ErrorCode::unsupported, fmt::format("a bundle compressed by method {}", header->method), path,
                "`clang-offload-bundler --unbundle` gives the code object");
  if (!(is_zstd ? llvm::compression::zstd::isAvailable() : llvm::compression::zlib::isAvailable()))
    return fail(ErrorCode::unsupported,
                fmt::format("a bundle compressed by {}, which this program's LLVM was built without",
                            is_zstd ? "zstd" : "zlib"),
                path, "`clang-offload-bundler --unbundle` gives the code object");
  if (header->unpacked == 0 || header->unpacked > most_unpacked ||
      (header->file != 0 && header->file > bytes.size()) ||
      (header->file > 0 && header->file < header->header))
    return fail(ErrorCode::bad_input, "the compressed bundle is cut off, or its sizes are damaged", path);
  const std::string_view body = bytes.substr(
      header->header, header->file == 0 ? std::string_view::npos : header->file - header->header);
  const llvm::ArrayRef packed(reinterpret_cast<const std::uint8_t*>(body.data()), body.size());
  llvm::SmallVector<std::uint8_t, 0> made;
  llvm::Error error = is_zstd ? llvm::compression::zstd::decompress(packed, made, header->unpacked)
                              : llvm::compression::zlib::decompress(packed, made, header->unpacked);
  if (error)
    return fail(ErrorCode::bad_input, "the compressed bundle is damaged: " + llvm::toString(std::move(error)),
                path);
  return std::string(made.begin(), made.end());
}

/// The bundles in a host's object, program or library that hipcc made, one behind the other; empty: there are
/// none.
std::string_view bundles_in_host(std::string_view bytes) {
  if (!bytes.starts_with("\177ELF"))
    return {};
  auto made = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "host"));
  if (!made) {
    llvm::consumeError(made.takeError());
    return {};
  }
  for (const llvm::object::SectionRef& section : (*made)->sections()) {
    auto name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    auto contents = *name == ".hip_fatbin" ? section.getContents() : llvm::StringRef();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (is_bundle({contents->data(), contents->size()}))
      return {contents->data(), contents->size()};
  }
  return {};
}

/// What follows this bundle: a linked program has one bundle for each of its sources, at multiples of 4 KiB.
std::string_view behind_bundle(std::string_view bytes) {
  constexpr std::size_t step = 4096;
  for (std::size_t at = step; at < bytes.size(); at += step)
    if (is_bundle(bytes.substr(at)))
      return bytes.substr(at);
  return {};
}

Result<std::string> code_object_of(std::string_view bytes, const std::string& target,
                                   const std::string& path) {
  std::string unpacked;
  if (bytes.starts_with(compressed_mark)) {
    auto made = unpacked_bundle(bytes, path);
    FOREWARP_TRY(made);
    unpacked = std::move(*made);
    bytes = unpacked;
  }
  if (bytes.starts_with(bundle_mark)) {
    const auto part = part_of_bundle(bytes, target, path);
    FOREWARP_TRY(part);
    bytes = *part;
  }
  if (!is_amd_elf(bytes))
    return fail(ErrorCode::bad_input, "no code object of an AMD GPU", path,
                "name a file that clang or hipcc made for an AMD GPU (.hsaco)");
  return std::string(bytes);
}

} // namespace

bool is_code_object(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  return is_amd_elf(text) || is_bundle(text) || !bundles_in_host(text).empty();
}

Result<std::string> code_object_in(std::span<const std::byte> bytes, const std::string& target,
                                   const std::string& kernel, const std::string& path) {
  std::string_view text = text_of(bytes);
  if (!is_amd_elf(text))
    if (const std::string_view inside = bundles_in_host(text); !inside.empty())
      text = inside;
  auto first = code_object_of(text, target, path);
  FOREWARP_TRY(first);
  // A descriptor's symbol is the name with ".kd"; a mangled name holds the plain one behind its length.
  const auto holds = [&](llvm::StringRef object) {
    return object.contains(kernel + ".kd") || object.contains(fmt::format("{}{}", kernel.size(), kernel));
  };
  if (kernel.empty() || !is_bundle(text) || holds(*first))
    return first;
  for (std::string_view rest = behind_bundle(text); !rest.empty(); rest = behind_bundle(rest))
    if (auto next = code_object_of(rest, target, path); next && holds(*next))
      return next;
  return first;
}

} // namespace forewarp::amdgcn

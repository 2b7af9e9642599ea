#include "support/text_file.h"

#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace forewarp {
namespace {

/// Length of the well-formed UTF-8 sequence at `text[at]` (Unicode 15, table 3-7); 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto is_tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80U)
    return 1;
  if (lead >= 0xC2U && lead <= 0xDFU)
    return is_tail(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const bool overlong = lead == 0xE0U && second < 0xA0U;
    const bool surrogate = lead == 0xEDU && second > 0x9FU;
    return is_tail(1) && is_tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const bool out_of_range = (lead == 0xF0U && second < 0x90U) || (lead == 0xF4U && second > 0x8FU);
    return is_tail(1) && is_tail(2) && is_tail(3) && !out_of_range ? 4 : 0;
  }
  return 0;
}

} // namespace

Result<std::string> read_file(const std::string& path, const std::string& what, std::uint64_t max_bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return fail(ErrorCode::not_found, fmt::format("{} does not exist", what), path, "check the path");
  if (std::filesystem::is_directory(status))
    return fail(ErrorCode::not_found, fmt::format("{} is a folder", what), path, "name a file in it");
  if (!std::filesystem::is_regular_file(status))
    return fail(ErrorCode::not_found, fmt::format("{} is not a regular file", what), path,
                "copy its contents into a file first");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error)
    return fail(ErrorCode::not_found, fmt::format("{} cannot be read: {}", what, error.message()), path);
  if (size == 0)
    return fail(ErrorCode::bad_input, fmt::format("{} is empty", what), path,
                "is it the right file? What it holds is told in docs/reference");
  if (size > max_bytes)
    return fail(ErrorCode::bad_input, fmt::format("{} has {} bytes; {} is the most", what, size, max_bytes),
                path, "is it the right file?");
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)))
    return fail(ErrorCode::not_found, fmt::format("{} cannot be read", what), path, "check its permissions");
  return bytes;
}

Result<void> check_text(std::string_view text, const std::string& where, const std::string& what) {
  std::size_t line = 1, column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '\0' ? 0 : sequence_length(text, at);
    if (length == 0)
      return fail(
          ErrorCode::bad_input,
          fmt::format("{} is not UTF-8 text (byte 0x{:02x})", what, static_cast<unsigned char>(text[at])),
          fmt::format("{}:{}:{}", where, line, column), "save it as UTF-8; is it the right file?");
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n' ? 1 : 0;
    at += length;
  }
  return {};
}

Result<std::string> read_text_file(const std::string& path, const std::string& what,
                                   std::uint64_t max_bytes) {
  auto text = read_file(path, what, max_bytes);
  FOREWARP_TRY(text);
  FOREWARP_TRY(check_text(*text, path, what));
  return text;
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes, const std::string& hint) {
  static std::atomic<unsigned> count{0};
  std::error_code error, ignored;
  const std::string fresh = fmt::format("{}.{}.{}.tmp", path, ::getpid(), count++);
  std::ofstream file(fresh, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  const bool is_whole = !file.fail();
  if (is_whole)
    std::filesystem::rename(fresh, path, error);
  if (is_whole && !error)
    return {};
  std::filesystem::remove(fresh, ignored);
  return fail(ErrorCode::not_found,
              "cannot be written: " + (error ? error.message() : "no right to write there, or no room"), path,
              hint);
}

} // namespace forewarp

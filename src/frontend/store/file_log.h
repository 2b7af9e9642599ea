// Which files a compilation looked for, and what it read: a kept module holds as long as these are the same.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend {

/// 128 bits of XXH3.
using ContentHash = std::array<std::uint64_t, 2>;
ContentHash hash_of(std::string_view bytes);

struct FileSeen {
  enum class Kind : std::uint8_t { missing, folder, present, read } kind = Kind::missing;
  ContentHash content = {}; ///< of `read`
};

/// By path as the compiler asked for it (relative ones against the working folder).
struct FileLog {
  std::map<std::string, FileSeen> seen;
  std::vector<std::string> ignored_folders; ///< virtual ones, part of this program
};

/// What was read stays noted; the rest goes from less to more known.
void note(FileLog& log, const std::string& path, const FileSeen& seen);

/// True where every file is what it was: content for content, missing where it was missing.
bool still_the_same(const FileLog& log);

} // namespace forewarp::frontend

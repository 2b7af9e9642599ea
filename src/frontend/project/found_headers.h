// Headers that a source asks for and that no named folder holds, looked for where projects keep them.
#pragma once

#include <string>
#include <vector>

namespace forewarp::frontend::project {

struct HeaderFolder {
  std::string folder; ///< to be named with -I
  std::string header; ///< the first that was found so, as the source spells it
};

/// Follows the source's `#include "..."` (and those of the headers, 300 files at most). A header that lies
/// neither beside the file that includes it nor in `known` folders is looked for in the folders that the
/// build file names, then in this folder and up to four above it: there, in include, inc, common, src, utils
/// below, and in another folder below if it is the only one that holds the header. Headers in angle brackets,
/// the machine's and our own are looked for in the build file's folders only.
std::vector<HeaderFolder> header_folders(const std::string& source, const std::vector<std::string>& known);

/// Files beside `source` and in the folder above that include it, those that are no headers first.
std::vector<std::string> files_including(const std::string& source);

} // namespace forewarp::frontend::project

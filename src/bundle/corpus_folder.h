// A folder of the corpus (corpus/README.md): kernel.toml, a check launch, launches to time, a C reference.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::bundle {

struct CorpusFolder {
  std::string name, path;             ///< of the folder
  std::string reference;              ///< path of the C file
  std::vector<std::string> outputs;   ///< parameters that hold results
  std::vector<std::string> unordered; ///< outputs whose elements may come in any order
  double tolerance = 0;               ///< relative to the largest magnitude
  /// "FILE" or "FILE:VARIANT" for launch::read_launch_file: check.toml first, then by name; each file's
  /// variants behind it.
  std::vector<std::string> launches;
};

/// `path` is a kernel.toml or its folder. Errors: not_found, bad_input with the place.
Result<CorpusFolder> read_corpus_folder(const std::string& path);

/// Folders of `corpus` that hold a kernel.toml, by name.
Result<std::vector<std::string>> list_corpus(const std::string& corpus);

} // namespace forewarp::bundle

// A source and the words that it is compiled with.
#pragma once

#include <string>
#include <vector>

namespace forewarp::bundle {

struct SourceBuild {
  std::string path, standard;
  std::vector<std::string> defines, include_directories, options;
  bool operator<(const SourceBuild& other) const;
};

} // namespace forewarp::bundle

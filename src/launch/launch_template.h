// A launch file that is read once and filled in with many sets of values.
#pragma once

#include "launch/parse.h"

#include <memory>

namespace forewarp::launch {

/// For several threads at a time.
class LaunchTemplate {
public:
  /// `path`: as for read_launch_file; its errors too, but those of what the values make of it.
  static Result<LaunchTemplate> open(const std::string& path);
  /// What read_launch_file gives for these values.
  Result<LaunchFile> with(const std::map<std::string, double>& values) const;

private:
  struct Contents;
  std::shared_ptr<const Contents> contents_;
};

} // namespace forewarp::launch

// The parameters of a sweep as auto-tuners name them.
#pragma once

#include "explore/write/write.h"

namespace forewarp::explore {

/// Free parameters; `local` becomes block_size_x, block_size_y, block_size_z, `local.x` block_size_x, unless
/// a parameter has that name already.
class TunerParameters {
public:
  explicit TunerParameters(const Space& space);
  const std::vector<std::string>& names() const { return names_; }
  /// Texts of a row's values, one a name.
  std::vector<std::string> values(const std::vector<std::string>& row) const;

private:
  struct Source {
    std::size_t parameter;
    int component; ///< of a size "8x8"; -1: the text as it is
  };
  std::vector<std::string> names_;
  std::vector<Source> sources_;
};

} // namespace forewarp::explore

#include "port/cache/conflict_sets.h"

#include <algorithm>

namespace forewarp::port {

/// Marks the block's last reference dead, so that each block counts once, at its last one.
bool ConflictSets::conflict_set_fits(Set& set, std::uint64_t line) const {
  unsigned distinct = 0;
  for (std::size_t i = set.references.size(); i-- > 0;) {
    Set::Reference& reference = set.references[i];
    if (!reference.last)
      continue;
    if (reference.line == line) {
      reference.last = false;
      return true;
    }
    if (++distinct == shape_.ways)
      return false; // |TCS| >= A whether the block comes further back or never did
  }
  return false;
}

bool ConflictSets::access(std::uint64_t address) {
  const std::uint64_t line = address / shape_.line_bytes;
  Set& set = sets_[line % sets_.size()];
  const bool hit = conflict_set_fits(set, line);
  set.references.push_back({line});
  // What lies more than A blocks back can no longer be hit.
  if (set.references.size() > 4 * static_cast<std::size_t>(shape_.ways) + 16) {
    std::vector<Set::Reference> kept;
    for (std::size_t i = set.references.size(); i-- > 0 && kept.size() <= shape_.ways;)
      if (set.references[i].last)
        kept.push_back(set.references[i]);
    std::reverse(kept.begin(), kept.end());
    set.references = std::move(kept);
  }
  ++accesses_;
  hits_ += hit;
  return hit;
}

} // namespace forewarp::port

#include "memory/l2/to_dram.h"

#include <algorithm>

namespace forewarp::memory {

void ToDram::send(DramRowCounter& rows) {
  std::stable_sort(moved_.begin(), moved_.end(),
                   [](const Moved& a, const Moved& b) { return a.group < b.group; });
  rows.pieces_a_row(look.pieces_a_row());
  for (const Moved& moved : moved_)
    rows.add(moved.site, moved.block, moved.sectors, moved.group);
  moved_.clear();
}

} // namespace forewarp::memory

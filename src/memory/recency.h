// Order of the last uses of a set's ways: a doubly linked list in memory that the set gives. All zero:
// nothing was ever used.
#pragma once

#include <cstdint>

namespace forewarp::memory {

struct RecencyEnds {
  std::uint16_t newest = 0, oldest = 0, filled = 0; ///< `filled`: ways that are in the list
};

class Recency {
public:
  /// `older` and `newer` hold one link a way.
  Recency(RecencyEnds& ends, std::uint16_t* older, std::uint16_t* newer)
      : ends_(ends), older_(older), newer_(newer) {}

  unsigned newest() const { return ends_.newest; }
  /// Way to fill next, which becomes the newest: one never filled, else the oldest.
  unsigned replace(unsigned ways) {
    if (ends_.filled < ways) {
      const unsigned way = ends_.filled++;
      if (way == 0)
        ends_.newest = ends_.oldest = 0;
      else
        put_first(way);
      return way;
    }
    const unsigned way = ends_.oldest;
    used(way);
    return way;
  }
  void used(unsigned way) {
    if (way == ends_.newest)
      return;
    take_out(way);
    put_first(way);
  }
  /// The way's line is gone: it is the next to be replaced.
  void emptied(unsigned way) {
    if (way == ends_.oldest)
      return;
    if (way == ends_.newest)
      ends_.newest = older_[way];
    else
      take_out(way);
    newer_[way] = ends_.oldest;
    older_[ends_.oldest] = static_cast<std::uint16_t>(way);
    ends_.oldest = static_cast<std::uint16_t>(way);
  }

private:
  void put_first(unsigned way) {
    older_[way] = ends_.newest;
    newer_[ends_.newest] = static_cast<std::uint16_t>(way);
    ends_.newest = static_cast<std::uint16_t>(way);
  }
  /// Of a way that is not the newest.
  void take_out(unsigned way) {
    const std::uint16_t newer = newer_[way];
    if (way == ends_.oldest) {
      ends_.oldest = newer;
      return;
    }
    older_[newer] = older_[way];
    newer_[older_[way]] = newer;
  }

  RecencyEnds& ends_;
  std::uint16_t *older_, *newer_;
};

} // namespace forewarp::memory

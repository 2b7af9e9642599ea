// Who does which part of a sweep: a set of defines stays with one worker as long as there are others to do.
#pragma once

#include "explore/share/store.h"
#include "explore/space/space.h"

#include <map>
#include <vector>

namespace forewarp::explore {

class Dispatcher {
public:
  /// `sampled`: the store's sample, else the whole space. `chunk`: most ids at a time.
  Dispatcher(const Space& space, Store& store, bool sampled, std::size_t chunk)
      : space_(space), store_(store), sampled_(sampled), chunk_(chunk) {}

  /// The next ids for a worker, without those that the store holds; empty: nothing is left.
  Result<std::vector<std::uint64_t>> next(std::uint64_t worker);
  /// How much of the space was handed out, 0 to 1.
  double fraction() const;

private:
  struct Cursor {
    std::uint64_t at = 0, end = 0;
  };
  Result<std::optional<std::uint64_t>> first_from(std::uint64_t id);
  Result<bool> claim(Cursor& cursor);
  bool take_half(Cursor& cursor);
  const Space& space_;
  Store& store_;
  bool sampled_;
  std::size_t chunk_;
  std::uint64_t frontier_ = 0; ///< nobody has begun what lies from here on
  std::map<std::uint64_t, Cursor> cursors_;
};

} // namespace forewarp::explore

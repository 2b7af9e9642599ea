#include "explore/share/dispatcher.h"

#include <algorithm>

namespace forewarp::explore {

Result<std::optional<std::uint64_t>> Dispatcher::first_from(std::uint64_t id) {
  return sampled_ ? store_.next_in_sample(id) : space_.next(id);
}

/// Takes what remains of the worker that has most left: it and this one then share a variant.
bool Dispatcher::take_half(Cursor& cursor) {
  Cursor* most = nullptr;
  for (auto& [worker, other] : cursors_)
    if (most == nullptr || other.end - other.at > most->end - most->at)
      most = &other;
  if (most == nullptr || most->end - most->at < 2)
    return false;
  const std::uint64_t middle = most->at + (most->end - most->at) / 2;
  cursor = {middle, most->end};
  most->end = middle;
  return true;
}

/// Another variant that nobody has, else a part of somebody's.
Result<bool> Dispatcher::claim(Cursor& cursor) {
  if (frontier_ < space_.points()) {
    const auto first = first_from(frontier_);
    FOREWARP_TRY(first);
    if (*first) {
      const std::uint64_t variant = space_.points_per_variant();
      cursor = {**first, std::min(**first / variant * variant + variant, space_.points())};
      frontier_ = cursor.end;
      return true;
    }
    frontier_ = space_.points();
  }
  return take_half(cursor);
}

Result<std::vector<std::uint64_t>> Dispatcher::next(std::uint64_t worker) {
  Cursor& cursor = cursors_[worker];
  std::vector<std::uint64_t> ids;
  while (ids.empty()) {
    if (cursor.at >= cursor.end) {
      const auto claimed = claim(cursor);
      FOREWARP_TRY(claimed);
      if (!*claimed)
        return ids;
    }
    while (cursor.at < cursor.end && ids.size() < chunk_) {
      const auto id = first_from(cursor.at);
      FOREWARP_TRY(id);
      if (!*id || **id >= cursor.end) {
        cursor.at = cursor.end;
        break;
      }
      cursor.at = **id + 1;
      if (store_.resumed() > 0) {
        const auto done = store_.has(**id);
        FOREWARP_TRY(done);
        if (*done)
          continue;
      }
      ids.push_back(**id);
    }
  }
  return ids;
}

double Dispatcher::fraction() const {
  double left = 0;
  for (const auto& [worker, cursor] : cursors_)
    left += static_cast<double>(cursor.end - cursor.at);
  return (static_cast<double>(frontier_) - left) / static_cast<double>(space_.points());
}

} // namespace forewarp::explore

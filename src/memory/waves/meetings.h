// Where lines are sampled: which blocks of a request which shifts of a cohort put on a sampled line. That
// depends on the place of the request in the sampling's period alone, so that a request which a warp makes
// again and again is looked up, not walked.
#pragma once

#include "memory/coalesce/coalesce.h"
#include "memory/waves/cohort.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace forewarp::memory {

struct Meeting {
  std::uint32_t block = 0; ///< index among the request's blocks
  std::uint32_t shift = 0; ///< index among the shifts
};

/// Of one request and one list of shifts, by the residue of the block that the request begins in.
class Meetings {
public:
  Meetings(const Request& request, const ShiftsOfAlignment& shifts, const LineSampling& sampling);
  /// Ordered by block, then as the shifts stand at the residue.
  std::pair<const Meeting*, const Meeting*> at(std::uint64_t residue) const {
    return {items_.data() + start_[residue], items_.data() + start_[residue + 1]};
  }

private:
  std::vector<std::uint32_t> start_;
  std::vector<Meeting> items_;
};

/// Tables of what is asked for again and again; requests and shifts outlive them.
class MeetingTables {
public:
  explicit MeetingTables(const LineSampling& sampling) : sampling_(sampling), recent_(slots) {}
  /// Of one sample's cohort. Null until the request was often made.
  const Meetings* of(const Request& request, const ShiftsOfAlignment& shifts, std::uint32_t sample) {
    Entry& e = recent_[(request.id + 61 * sample + 7 * static_cast<std::size_t>(shifts.bytes)) % slots];
    if (e.request != &request || e.shifts != &shifts)
      e = {&request, &shifts, 0, nullptr};
    if (!e.table && ++e.uses > often)
      e.table = std::make_unique<Meetings>(request, shifts, sampling_);
    return e.table.get();
  }
  void clear() {
    for (Entry& e : recent_)
      e = {};
  }

private:
  static constexpr std::size_t slots = 512;
  static constexpr unsigned often = 8;
  struct Entry {
    const Request* request = nullptr;
    const ShiftsOfAlignment* shifts = nullptr;
    unsigned uses = 0;
    std::unique_ptr<Meetings> table = {};
  };
  const LineSampling& sampling_;
  std::vector<Entry> recent_;
};

} // namespace forewarp::memory

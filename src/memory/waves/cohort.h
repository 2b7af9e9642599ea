// Groups of one wave that one sample stands for, and where they put its accesses.
#pragma once

#include "memory/translate/stage_input.h"
#include "memory/waves/line_sampling.h"

#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace forewarp::memory {

/// Groups first, first + 1, ...
struct GroupRange {
  std::uint64_t first = 0, count = 0;
};

/// One address shift and how many groups of the wave have it.
struct Shift {
  std::int64_t bytes = 0;
  std::uint32_t groups = 0;
  std::uint64_t group = 0; ///< the first of them
};

/// What cohorts hold lasts for one wave and is made again for the next: it comes from an arena.
using Arena = std::pmr::memory_resource;
template <class Item> using List = std::pmr::vector<Item>;

/// Residue of a number of blocks that may be negative.
std::uint64_t residue_of(std::int64_t blocks, std::uint64_t period);

/// Items by residue modulo the sampling's period.
class ByResidue {
public:
  explicit ByResidue(Arena& arena) : start_(&arena), items_(&arena) {}
  void build(const List<std::uint64_t>& residues, std::uint64_t period);
  /// Indices of the items at `residue`, lowest first.
  std::pair<const std::uint32_t*, const std::uint32_t*> at(std::uint64_t residue) const {
    return {items_.data() + start_[residue], items_.data() + start_[residue + 1]};
  }

private:
  List<std::uint32_t> start_, items_;
};

/// Shifts that leave an access at the same place inside its block, so that they share one request.
struct ShiftsOfAlignment {
  explicit ShiftsOfAlignment(Arena& arena, std::int64_t inside = 0)
      : bytes(inside), shifts(&arena), blocks(&arena), by_residue(arena) {}
  std::int64_t bytes = 0;    ///< 0 to 127: the part of each shift below whole blocks
  List<Shift> shifts;        ///< whole
  List<std::int64_t> blocks; ///< their parts in whole blocks
  ByResidue by_residue;      ///< of `blocks`; built when lines are sampled
};

/// Shifts of an event over the cohort, distinct, in order of the first group that has each.
struct ShiftList {
  explicit ShiftList(Arena& arena) : all(&arena), by_alignment(&arena) {}
  List<Shift> all;
  List<ShiftsOfAlignment> by_alignment; ///< the same again; only when lines are sampled
};

/// Groups whose accesses of an irregular site are moved at random: by (place + random) modulo the range.
struct RandomShifts {
  explicit RandomShifts(Arena& arena) : random(&arena), member(&arena), by_residue(arena) {}
  std::uint64_t range_blocks = 1;
  List<std::uint64_t> random; ///< by member, below range_blocks
  List<std::uint32_t> member;
  ByResidue by_residue; ///< of `random`
};

class Cohort {
public:
  struct Member {
    std::uint64_t index = 0;
    facts::Dim3 at;
  };

  Cohort(const StageInput& in, const LineSampling& sampling, std::uint32_t sample, Arena& arena)
      : in_(in), sampling_(sampling), sample_(sample), arena_(arena), members_(&arena), affine_(&arena),
        of_site_(&arena), random_(&arena), local_(arena), unknown_(arena), scratch_(&arena) {}
  void add(std::uint64_t group);
  std::uint32_t sample() const { return sample_; }
  std::size_t size() const { return members_.size(); }
  const List<Member>& members() const { return members_; }

  /// Private, unknown or affine accesses: one list serves all events that move alike.
  const ShiftList& shifts(const StreamEvent& event);
  /// Irregular accesses, one shift a group, made for this event; valid until the next call.
  const List<Shift>& scattered_shifts(const StreamEvent& event);
  /// Irregular accesses where lines are sampled. The sample's own group, if it is a member, does not move and
  /// is not among them: `stays`.
  const RandomShifts& random_shifts(const StreamEvent& event);
  const Member* stays() const;

private:
  ShiftList listed(List<Shift> shifts) const;
  List<Shift> distinct(const StreamEvent& event) const;
  std::uint32_t affine_list(const StreamEvent& event);
  const ShiftList& one_each(ShiftList& list, bool local) const;

  const StageInput& in_;
  const LineSampling& sampling_;
  std::uint32_t sample_;
  Arena& arena_;
  List<Member> members_;
  struct ListOf {
    const Translation* translation = nullptr;
    std::uint32_t list = 0; ///< of affine_
  };
  List<std::pair<const Translation*, ShiftList>> affine_;
  List<ListOf> of_site_;                                ///< [site] what its last event moved along
  List<std::pair<std::uint32_t, RandomShifts>> random_; ///< by Translation::moves_with
  ShiftList local_, unknown_;
  List<Shift> scratch_;
};

/// Groups first, first + 1, ... by the sample that stands for them, in order of first appearance.
/// `arena` outlives them.
std::vector<Cohort> cohorts_of(const StageInput& in, const LineSampling& sampling, const GroupRange& groups,
                               Arena& arena);

} // namespace forewarp::memory

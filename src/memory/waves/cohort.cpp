#include "memory/waves/cohort.h"

#include "support/counter_random.h"

#include <algorithm>

namespace forewarp::memory {
namespace {

constexpr std::int64_t block_size = block_bytes;
constexpr std::size_t few_sites = 8; ///< irregular ones of a kernel, usually

std::int64_t whole_blocks(std::int64_t bytes) {
  return bytes >= 0 ? bytes / block_size : -((block_size - 1 - bytes) / block_size);
}

} // namespace

std::uint64_t residue_of(std::int64_t blocks, std::uint64_t period) {
  const auto p = static_cast<std::int64_t>(period);
  const std::int64_t r = blocks % p;
  return static_cast<std::uint64_t>(r < 0 ? r + p : r);
}

void ByResidue::build(const List<std::uint64_t>& residues, std::uint64_t period) {
  start_.assign(period + 1, 0);
  for (const std::uint64_t r : residues)
    ++start_[r];
  for (std::uint64_t r = 1; r <= period; ++r)
    start_[r] += start_[r - 1];
  items_.resize(residues.size());
  for (auto i = static_cast<std::uint32_t>(residues.size()); i-- > 0;)
    items_[--start_[residues[i]]] = i; // leaves each start where it belongs
}

void Cohort::add(std::uint64_t group) {
  members_.push_back({group, group_at(in_.trace.shape.groups, group)});
}

ShiftList Cohort::listed(List<Shift> shifts) const {
  ShiftList list(arena_);
  list.all = std::move(shifts);
  if (sampling_.whole())
    return list;
  for (const Shift& shift : list.all) {
    const std::int64_t blocks = whole_blocks(shift.bytes), inside = shift.bytes - blocks * block_size;
    auto found = std::find_if(list.by_alignment.begin(), list.by_alignment.end(),
                              [&](const ShiftsOfAlignment& a) { return a.bytes == inside; });
    if (found == list.by_alignment.end()) {
      list.by_alignment.emplace_back(arena_, inside);
      found = list.by_alignment.end() - 1;
    }
    found->shifts.push_back(shift);
    found->blocks.push_back(blocks);
  }
  List<std::uint64_t> residues(&arena_);
  for (ShiftsOfAlignment& alignment : list.by_alignment) {
    residues.clear();
    for (const std::int64_t blocks : alignment.blocks)
      residues.push_back(residue_of(blocks, sampling_.period()));
    alignment.by_residue.build(residues, sampling_.period());
  }
  return list;
}

List<Shift> Cohort::distinct(const StreamEvent& event) const {
  List<Shift> all(&arena_);
  all.reserve(members_.size());
  for (const Member& g : members_)
    all.push_back({in_.translator.delta(sample_, *event.translation, event, g.index, g.at), 1, g.index});
  std::stable_sort(all.begin(), all.end(), [](const Shift& a, const Shift& b) { return a.bytes < b.bytes; });
  List<Shift> out(&arena_);
  for (const Shift& s : all)
    if (!out.empty() && out.back().bytes == s.bytes)
      ++out.back().groups;
    else
      out.push_back(s);
  std::stable_sort(out.begin(), out.end(), [](const Shift& a, const Shift& b) { return a.group < b.group; });
  return out;
}

const ShiftList& Cohort::one_each(ShiftList& list, bool local) const {
  if (!list.all.empty())
    return list;
  List<Shift> shifts(&arena_);
  shifts.reserve(members_.size());
  for (const Member& g : members_) {
    const std::uint64_t place = in_.dealing.slot_of(g.index) * in_.dealing.sms + in_.dealing.sm_of(g.index);
    shifts.push_back({local ? local_delta(in_, sample_, place) : 0, 1, g.index});
  }
  list = listed(std::move(shifts));
  return list;
}

const ShiftList& Cohort::shifts(const StreamEvent& event) {
  if (event.local || event.unknown)
    return one_each(event.local ? local_ : unknown_, event.local);
  if (of_site_.size() <= event.site)
    of_site_.resize(in_.translator.irregular_sites().size());
  ListOf& last = of_site_[event.site];
  if (last.translation != event.translation)
    last = {event.translation, affine_list(event)};
  return affine_[last.list].second;
}

std::uint32_t Cohort::affine_list(const StreamEvent& event) {
  const Translation& moves = *event.translation;
  for (std::uint32_t i = 0; i < affine_.size(); ++i)
    if (const Translation& known = *affine_[i].first; known.bytes_per_group == moves.bytes_per_group &&
                                                      known.line == moves.line &&
                                                      known.places == moves.places)
      return i;
  affine_.emplace_back(&moves, listed(distinct(event)));
  return static_cast<std::uint32_t>(affine_.size() - 1);
}

const List<Shift>& Cohort::scattered_shifts(const StreamEvent& event) {
  scratch_.clear();
  for (const Member& g : members_)
    scratch_.push_back({in_.translator.delta(sample_, *event.translation, event, g.index, g.at), 1, g.index});
  return scratch_;
}

const Cohort::Member* Cohort::stays() const {
  const std::uint64_t own = linear_index(in_.trace.shape.groups, in_.trace.groups[sample_].group);
  for (const Member& g : members_)
    if (g.index == own)
      return &g;
  return nullptr;
}

const RandomShifts& Cohort::random_shifts(const StreamEvent& event) {
  const std::uint32_t moves_with = event.translation->moves_with;
  for (const auto& [site, shifts] : random_)
    if (site == moves_with)
      return shifts;
  if (random_.empty())
    random_.reserve(few_sites);
  random_.emplace_back(moves_with, RandomShifts(arena_));
  RandomShifts& out = random_.back().second;
  out.range_blocks = Translator::range_blocks(*event.translation);
  const Modulo range(out.range_blocks);
  out.random.reserve(members_.size());
  out.member.reserve(members_.size());
  const std::uint64_t own = linear_index(in_.trace.shape.groups, in_.trace.groups[sample_].group);
  List<std::uint64_t> residues(&arena_);
  for (std::uint32_t m = 0; m < members_.size(); ++m)
    if (members_[m].index != own) {
      out.member.push_back(m);
      out.random.push_back(range(counter_random(members_[m].index, moves_with)));
      residues.push_back(sampling_.residue(out.random.back()));
    }
  out.by_residue.build(residues, sampling_.period());
  return out;
}

std::vector<Cohort> cohorts_of(const StageInput& in, const LineSampling& sampling, const GroupRange& groups,
                               Arena& arena) {
  std::vector<Cohort> cohorts;
  cohorts.reserve(std::min<std::uint64_t>(in.trace.groups.size(), groups.count));
  std::vector<std::uint32_t> by_sample(in.trace.groups.size(), UINT32_MAX);
  for (std::uint64_t g = groups.first; g < groups.first + groups.count; ++g) {
    const std::uint32_t sample = in.translator.representative(g);
    if (by_sample[sample] == UINT32_MAX) {
      by_sample[sample] = static_cast<std::uint32_t>(cohorts.size());
      cohorts.emplace_back(in, sampling, sample, arena);
    }
    cohorts[by_sample[sample]].add(g);
  }
  return cohorts;
}

} // namespace forewarp::memory

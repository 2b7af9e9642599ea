// Streams of groups that were not run. The addresses of most sites are affine in the group index: the
// coefficients are fitted per site on the sampled groups of one behaviour class and verified on every event
// of every sample; where that fails, per event. What then follows a line about, or in a circle, moves along
// it, and what is known of work-item 0 alone moves with that. What is not affine keeps the sample's own
// addresses, moved at random inside the range that the samples saw (deterministic; an assumption that the
// profile notes).
#pragma once

#include "facts/busy_front.h"
#include "facts/trace.h"
#include "memory/translate/affine_fit.h"
#include "memory/translate/stream.h"
#include "memory/translate/wave.h"
#include "support/counter_random.h"
#include "support/modulo.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace forewarp::memory {

/// Bytes that the base address moves for one step of the group index in x, y, z.
struct Translation {
  bool affine = true;
  Coefficients bytes_per_group{};
  std::optional<Line> line;                          ///< instead of bytes_per_group
  const std::vector<std::int64_t>* places = nullptr; ///< by group, instead of bytes_per_group
  std::uint64_t low = 0,
                high = 0; ///< not affine: range of lowest addresses that the samples saw; unknown: the region
  std::uint32_t moves_with = 0; ///< not affine: site whose random moves it makes: one for all of a buffer
  bool operator==(const Translation&) const = default;
  /// The same addresses in all groups.
  bool is_fixed() const { return affine && !line && !places && bytes_per_group == Coefficients{}; }
};

/// By site, then by group (x fastest): where its accesses go, relative to a place common to all groups. Empty
/// where that is not known beforehand: it is fitted.
using GroupPlaces = std::vector<std::vector<std::int64_t>>;

/// Where the blocks of an access of unknown address lie, for many groups.
class ScatteredBlocks {
public:
  explicit ScatteredBlocks(const Translation& t)
      : first_(t.low / block_bytes), blocks_(std::max<std::uint64_t>(1, (t.high - t.low) / block_bytes)) {}
  std::uint64_t operator()(std::uint64_t block, std::uint64_t group) const {
    return first_ + blocks_(counter_random(block, group));
  }

private:
  std::uint64_t first_;
  Modulo blocks_;
};

class Translator {
public:
  Translator(const facts::KernelTrace& trace, const std::vector<facts::MemorySite>& sites,
             const GroupPlaces* places = nullptr);

  /// Sample whose trace stands for the group: itself if it was run and is not affine, else one of the class
  /// that its place in the grid (first, inner, last in each dimension; then nearest) suggests.
  std::uint32_t representative(std::uint64_t group) const;
  const Translation& translation(std::uint32_t sample, std::uint32_t warp, const StreamEvent& event) const;
  /// Gives the sample's events their translations, and those of irregular sites their lowest addresses.
  void attach(std::uint32_t sample, SampleStream& stream) const;
  /// Bytes to add to the event's base for `group`.
  std::int64_t delta(std::uint32_t sample, const Translation& translation, const StreamEvent& event,
                     std::uint64_t group) const {
    return delta(sample, translation, event, group, group_at(trace_.shape.groups, group));
  }
  /// The same where the group's place in the grid is at hand.
  std::int64_t delta(std::uint32_t sample, const Translation& translation, const StreamEvent& event,
                     std::uint64_t group, const facts::Dim3& at) const;
  /// Block of an access of unknown address in `group`: drawn again for each group.
  static std::uint64_t scattered_block(const Translation& translation, std::uint64_t block,
                                       std::uint64_t group) {
    return ScatteredBlocks(translation)(block, group);
  }
  /// Blocks of the range inside which irregular accesses are moved, one more than the range's length.
  static std::uint64_t range_blocks(const Translation& t) {
    return (t.high > t.low ? (t.high - t.low) / block_bytes : 0) + 1;
  }
  /// Samples that ran the same blocks as `sample`, itself included; lowest first, or inner ones first where
  /// addresses are only nearly affine.
  const std::vector<std::uint32_t>& alike(std::uint32_t sample) const { return classes_[class_of_[sample]]; }
  bool all_affine(std::uint32_t sample) const { return class_affine_[class_of_[sample]]; }
  /// Every member of the sample's class does what the lowest of them does, sectors and bank passes included:
  /// affine addresses that move by whole sectors, the same shared-memory addresses. One stream serves them
  /// all.
  bool uniform(std::uint32_t sample) const { return class_uniform_[class_of_[sample]]; }
  /// Sites whose addresses were moved at random.
  const std::vector<bool>& irregular_sites() const { return irregular_; }
  /// The samples do not tell the dimensions of the grid apart: addresses are taken as not moving in one of
  /// them.
  bool undetermined() const { return undetermined_; }

private:
  enum class Classes : std::uint8_t {
    by_behaviour,
    by_place,     ///< and by place in the grid: first, inner, last along each dimension
    nearly_affine ///< by behaviour; addresses may lie a little off the plane: indices that were rounded
  };
  void build(Classes classes);
  std::ptrdiff_t irregular_count() const;
  class ClassFit;
  void fit_class(std::uint32_t id);
  void fit_site_everywhere(std::uint32_t site);
  void find_ranges();
  /// What is still irregular moves along a line, or in a circle, where it follows one.
  void follow_lines();
  /// What is still irregular, but known for work-item 0 (lanes that read their rows from a buffer), moves as
  /// that work-item does.
  void follow_first_item();
  bool moves_first_item(std::uint32_t site, const std::vector<std::int64_t>& places) const;
  /// Moved like that, the site's accesses reach no more than a quarter of their buffer beyond it. Others are
  /// spread over all of it already, whichever row the first item reads.
  bool stays_in_buffer(std::uint32_t site, const GroupBase& first,
                       const std::vector<std::int64_t>& places) const;
  /// Irregular accesses of one buffer keep their distances: they move together, inside the range of all.
  void move_buffers_together();
  bool is_irregular_somewhere(std::uint32_t site) const;
  std::vector<GroupBase> first_accesses(std::uint32_t site) const;
  std::int64_t between_places(const std::vector<std::int64_t>& places, const facts::Dim3& from,
                              const facts::Dim3& to) const;
  const std::optional<Coefficients>& fit_across_classes(std::uint32_t site);
  std::optional<Coefficients> fit_enough(const std::vector<GroupBase>& points) const;
  bool same_shape(std::uint32_t a, std::uint32_t b, std::size_t warp, std::size_t event) const;
  unsigned signature(const facts::Dim3& group) const;
  static constexpr unsigned inner_place = 1 | 1 << 2 | 1 << 4;
  /// Of the grid: groups at the same place (first, inner, last along each dimension).
  double share_of_place(const facts::Dim3& group) const;

  const facts::KernelTrace& trace_;
  const std::vector<facts::MemorySite>& sites_;
  const GroupPlaces* places_; ///< may be null
  std::size_t site_count_;
  std::optional<facts::BusyFront> front_; ///< a busy group is like sampled busy ones
  std::vector<std::vector<std::uint32_t>> classes_;
  std::vector<double> weights_;
  std::vector<std::uint32_t> class_of_;
  std::vector<bool> class_affine_, class_uniform_, irregular_;
  std::vector<std::vector<Translation>> by_site_;                ///< [class][site]
  std::vector<std::vector<bool>> per_event_;                     ///< [class][site]: look in by_event_
  std::map<std::array<std::uint32_t, 3>, Translation> by_event_; ///< class, warp, event
  std::map<std::uint64_t, std::uint32_t> sample_at_;             ///< linear group -> sample
  bool undetermined_ = false;
  struct Range {
    std::uint64_t low = UINT64_MAX, high = 0;
  };
  std::vector<Range>
      ranges_; ///< [site] of the lowest addresses that the samples saw; made when first asked for
  std::map<std::uint32_t, std::optional<Coefficients>> across_;
  std::vector<std::vector<bool>> fitted_; ///< [class][site]: coefficients from samples that span the grid
  bool by_place_ = false, nearly_ = false;
  /// Samples whose place in the grid is likest to a signature, with running sums of their weights.
  using Shares = std::vector<std::pair<double, std::uint32_t>>;
  std::array<std::array<Shares, 64>, 2> shares_; ///< [idle part of the grid][signature]
  Shares shares_of(unsigned wanted_signature, bool idle) const;
};

} // namespace forewarp::memory

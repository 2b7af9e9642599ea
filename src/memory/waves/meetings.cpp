#include "memory/waves/meetings.h"

namespace forewarp::memory {

Meetings::Meetings(const Request& request, const ShiftsOfAlignment& shifts, const LineSampling& sampling)
    : start_(sampling.period() + 1) {
  const std::uint64_t period = sampling.period();
  std::vector<std::uint64_t> of_shift, of_block;
  for (const std::int64_t blocks : shifts.blocks)
    of_shift.push_back(residue_of(blocks, period));
  for (const BlockAccess& access : request.blocks)
    of_block.push_back(residue_of(access.block, period));
  // The residue of the request's first block that puts block and shift on the line `wanted`.
  const auto each = [&](const auto& use) {
    for (std::uint32_t b = 0; b < of_block.size(); ++b)
      for (std::uint64_t wanted = 0; wanted < sampling.sampled_residues(); ++wanted)
        for (std::uint32_t s = 0; s < of_shift.size(); ++s)
          use((wanted + 2 * period - of_block[b] - of_shift[s]) % period, Meeting{b, s});
  };
  each([&](std::uint64_t residue, const Meeting&) { ++start_[residue + 1]; });
  for (std::uint64_t r = 0; r < period; ++r)
    start_[r + 1] += start_[r];
  items_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  each([&](std::uint64_t residue, const Meeting& meeting) { items_[next[residue]++] = meeting; });
}

} // namespace forewarp::memory

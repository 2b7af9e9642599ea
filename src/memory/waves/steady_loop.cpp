#include "memory/waves/steady_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace forewarp::memory {
namespace {

using Stream = std::vector<StreamEvent>;

/// Fewer windows than these are not worth the trouble: some fill the cache, some are compared, some end the
/// loop.
constexpr std::size_t least_windows = 8;

bool same_sites(const Stream& a, const Stream& b) {
  return std::ranges::equal(a, b, {}, &StreamEvent::site, &StreamEvent::site);
}

/// The stretch around the stream's middle whose sites repeat after `period` events.
SteadyLoop repeated(const Stream& stream, std::size_t period) {
  const auto same = [&](std::size_t i) { return stream[i].site == stream[i + period].site; };
  std::size_t first = stream.size() / 2, end = first;
  while (first > 0 && same(first - 1))
    --first;
  while (end + period < stream.size() && same(end))
    ++end;
  return {first, end + period, period, period};
}

std::optional<SteadyLoop> longest_repeated(const Stream& stream) {
  constexpr std::size_t longest_period = 1024;
  for (std::size_t period = 1; period <= longest_period && period * least_windows <= stream.size(); ++period)
    if (const SteadyLoop loop = repeated(stream, period); 2 * (loop.end - loop.first) >= stream.size())
      return loop;
  return std::nullopt;
}

/// Periods after which all addresses are as far into their blocks as before.
std::size_t periods_of_blocks(const Stream& stream, const SteadyLoop& loop) {
  std::uint64_t most = 1;
  for (std::size_t i = loop.first; i < loop.first + loop.window; ++i) {
    const std::uint64_t step = (stream[i + loop.window].base - stream[i].base) % block_bytes;
    most = std::max<std::uint64_t>(most, block_bytes / std::gcd<std::uint64_t>(step, block_bytes));
  }
  return most; // a power of two each: the most is a multiple of all
}

using Figure = double SiteSectors::*;
constexpr std::array compared = {&SiteSectors::asked, &SiteSectors::read, &SiteSectors::crossed,
                                 &SiteSectors::from_l3, &SiteSectors::written};
constexpr std::array figures = {&SiteSectors::asked,       &SiteSectors::read,    &SiteSectors::crossed,
                                &SiteSectors::from_l3,     &SiteSectors::written, &SiteSectors::waiting,
                                &SiteSectors::rows_opened, &SiteSectors::extra};

std::vector<SiteSectors> difference(const std::vector<SiteSectors>& a, const std::vector<SiteSectors>& b) {
  std::vector<SiteSectors> out(a.size());
  for (std::size_t s = 0; s < a.size(); ++s)
    for (const Figure figure : figures)
      out[s].*figure = a[s].*figure - b[s].*figure;
  return out;
}

double sum_of(const std::vector<SiteSectors>& sites, Figure figure) {
  return std::accumulate(sites.begin(), sites.end(), 0.0,
                         [&](double sum, const SiteSectors& site) { return sum + site.*figure; });
}

/// Every site the same, but for what is little of all: few sampled lines of a site come and go by windows.
bool alike(const std::vector<SiteSectors>& a, const std::vector<SiteSectors>& b) {
  constexpr double of_asked = 1e-3, of_figure = 0.01;
  if (a.size() != b.size())
    return false;
  const double asked = sum_of(a, &SiteSectors::asked);
  return std::ranges::all_of(compared, [&](Figure figure) {
    const double little = std::max(of_figure * sum_of(a, figure), of_asked * asked);
    return std::ranges::equal(a, b, [&](const SiteSectors& one, const SiteSectors& other) {
      return std::abs(one.*figure - other.*figure) <= little;
    });
  });
}

} // namespace

std::optional<SteadyLoop> steady_loop(std::span<const Stream* const> streams, std::size_t least_window) {
  const Stream& stream = *streams.front();
  for (const Stream* other : streams.subspan(1))
    if (!same_sites(stream, *other))
      return std::nullopt;
  std::optional<SteadyLoop> loop = longest_repeated(stream);
  if (!loop)
    return std::nullopt;
  std::size_t periods = 1;
  for (const Stream* each : streams)
    periods = std::max(periods, periods_of_blocks(*each, *loop));
  const std::size_t whole = periods * loop->window;
  loop->window = (std::max<std::size_t>(1, least_window) + whole - 1) / whole * whole;
  if ((loop->end - loop->first) / loop->window < least_windows)
    return std::nullopt;
  return loop;
}

std::size_t LoopWatch::left_out(std::size_t turn, WaveSums sums) {
  constexpr unsigned enough_alike = 4;
  constexpr double cache_fills = 2;         // before windows are believed, and after what is left out
  constexpr double least = 0.5, most = 1.5; // of the accesses expected: sampled lines must not come in bursts
  const WaveSums before = std::exchange(before_, std::move(sums));
  if (before.sites.empty())
    return 0;
  const std::vector<SiteSectors> previous = std::exchange(window_, difference(before_.sites, before.sites));
  double filled = 0;
  for (const SiteSectors& site : window_)
    filled += (site.read + site.from_l3 + site.written) / before_.weight;
  filled_ += filled;
  const double share = static_cast<double>(before_.accesses - before.accesses) /
                       (accesses_a_turn_ * static_cast<double>(loop_.window));
  const bool as_before = share >= least && share <= most && alike(window_, previous);
  alike_ = as_before ? alike_ + 1 : 0;
  if (!as_before)
    since_ = before.sites;
  if (alike_ < enough_alike || filled_ < cache_fills * cache_sectors_)
    return 0;
  decided_ = true;
  const double to_fill = std::ceil(cache_fills * cache_sectors_ / filled);
  const std::size_t left = (loop_.end - turn) / loop_.window;
  return static_cast<double>(left) > to_fill ? left - static_cast<std::size_t>(to_fill) : 0;
}

std::vector<SiteSectors> LoopWatch::sums_of(std::size_t windows) const {
  std::vector<SiteSectors> sums = difference(before_.sites, since_);
  const double times = static_cast<double>(windows) / (alike_ + 1);
  for (SiteSectors& site : sums)
    for (const Figure figure : figures)
      site.*figure *= times;
  return sums;
}

} // namespace forewarp::memory

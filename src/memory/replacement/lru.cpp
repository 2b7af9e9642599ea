// Least recently used: the line whose last use is oldest.
#include "memory/replacement/replacement.h"

namespace forewarp::memory {
namespace {

class Lru final : public Replacement {
public:
  Lru(std::uint64_t sets, unsigned ways) : ways_(ways), stamps_(sets * ways) {}
  void inserted(std::uint64_t set, unsigned way) override { stamps_[set * ways_ + way] = ++clock_; }
  void touched(std::uint64_t set, unsigned way) override { stamps_[set * ways_ + way] = ++clock_; }
  unsigned victim(std::uint64_t set) override {
    unsigned oldest = 0;
    for (unsigned way = 1; way < ways_; ++way)
      if (stamps_[set * ways_ + way] < stamps_[set * ways_ + oldest])
        oldest = way;
    return oldest;
  }

private:
  unsigned ways_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> stamps_;
};

} // namespace

std::unique_ptr<Replacement> make_lru(std::uint64_t sets, unsigned ways) {
  return std::make_unique<Lru>(sets, ways);
}

} // namespace forewarp::memory

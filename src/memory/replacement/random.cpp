// A line drawn by the counter-based generator: deterministic, the same on every run.
#include "memory/replacement/replacement.h"
#include "support/counter_random.h"

namespace forewarp::memory {
namespace {

class Random final : public Replacement {
public:
  explicit Random(unsigned ways) : ways_(ways) {}
  void inserted(std::uint64_t, unsigned) override {}
  void touched(std::uint64_t, unsigned) override {}
  unsigned victim(std::uint64_t set) override {
    return static_cast<unsigned>(counter_random(set, ++draws_) % ways_);
  }

private:
  unsigned ways_;
  std::uint64_t draws_ = 0;
};

} // namespace

std::unique_ptr<Replacement> make_random(std::uint64_t, unsigned ways) {
  return std::make_unique<Random>(ways);
}

} // namespace forewarp::memory

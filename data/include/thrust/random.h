// Thrust's random engines and distributions, for both sides.
#pragma once
#pragma clang system_header

namespace thrust {
namespace random {

/// x -> (a x + c) mod m.
template <class Word, Word a, Word c, Word m> struct linear_congruential_engine {
  typedef Word result_type;
  static const Word min = c == 0 ? 1 : 0, max = m - 1, default_seed = 1;
  Word x;
  FW_MEMBER explicit linear_congruential_engine(Word seed = 1) { this->seed(seed); }
  FW_MEMBER void seed(Word value = 1) { x = c % m == 0 && value % m == 0 ? 1 : value % m; }
  FW_MEMBER Word operator()() {
    x = static_cast<Word>((static_cast<unsigned long long>(a) * x + c) % m);
    return x;
  }
  FW_MEMBER void discard(unsigned long long numbers) {
    unsigned long long factor = a, add = c, all = 1, sum = 0;
    for (; numbers > 0; numbers >>= 1) {
      if (numbers & 1) {
        all = all * factor % m;
        sum = (sum * factor + add) % m;
      }
      add = (factor + 1) * add % m;
      factor = factor * factor % m;
    }
    x = static_cast<Word>((all * x + sum) % m);
  }
};
typedef linear_congruential_engine<unsigned, 16807u, 0u, 2147483647u> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271u, 0u, 2147483647u> minstd_rand;
typedef minstd_rand default_random_engine;

template <class T = double> struct uniform_real_distribution {
  typedef T result_type;
  T low, high;
  FW_MEMBER explicit uniform_real_distribution(T a = T(0), T b = T(1)) : low(a), high(b) {}
  template <class Engine> FW_MEMBER T operator()(Engine& engine) const {
    const T unit = static_cast<T>(engine() - Engine::min) / static_cast<T>(Engine::max - Engine::min);
    return unit * (high - low) + low;
  }
  FW_MEMBER T a() const { return low; }
  FW_MEMBER T b() const { return high; }
};
template <class T = int> struct uniform_int_distribution {
  typedef T result_type;
  T low, high;
  FW_MEMBER explicit uniform_int_distribution(T a = T(0), T b = T(2147483647)) : low(a), high(b) {}
  template <class Engine> FW_MEMBER T operator()(Engine& engine) const {
    const double unit = static_cast<double>(engine() - Engine::min) / (static_cast<double>(Engine::max - Engine::min) + 1);
    return static_cast<T>(unit * (static_cast<double>(high) - static_cast<double>(low) + 1) + static_cast<double>(low));
  }
};
/// By the inverse of the normal distribution's sum, which is what Thrust has on the device.
template <class T = double> struct normal_distribution {
  typedef T result_type;
  T mean, deviation;
  FW_MEMBER explicit normal_distribution(T m = T(0), T s = T(1)) : mean(m), deviation(s) {}
  template <class Engine> FW_MEMBER T operator()(Engine& engine) const {
    const T scale = T(1) / (T(1) + static_cast<T>(Engine::max - Engine::min));
    const T unit = (static_cast<T>(engine() - Engine::min) + T(0.5)) * scale;
    return mean + deviation * static_cast<T>(normcdfinv(static_cast<double>(unit)));
  }
};

} // namespace random
using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} // namespace thrust

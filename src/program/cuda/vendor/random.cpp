// cuRAND's host library: pseudo-random numbers of the C++ library's Mersenne twister for every type of
// generator, named without a time. They have the distributions asked for; they are not cuRAND's.
#include "program/cuda/vendor/library.h"

#include <algorithm>
#include <random>

using namespace forewarp::program;

namespace {

enum class RandomStatus {
  success = 0,
  not_initialized = 101,
  type_error = 103,
  out_of_range = 104,
  launch_failure = 201
};
constexpr int first_pseudo = 100, first_quasi = 200;

struct RandomGenerator {
  std::mt19937_64 words{0};
  std::uint64_t seed = 0;
  cudaStream_t stream = nullptr;
  bool on_host = false;
};

RandomStatus create_generator(RandomGenerator** out, int type, bool on_host) {
  Call call;
  if (type < first_pseudo || type >= first_quasi) // sequences of Sobol's, which have to be cuRAND's own
    return RandomStatus::type_error;
  *out = new RandomGenerator;
  (*out)->on_host = on_host;
  return RandomStatus::success;
}

template <class T, class Draw>
RandomStatus fill_random(RandomGenerator* generator, const char* name, T* out, std::size_t count, Draw draw) {
  Call call;
  if (!generator)
    return RandomStatus::not_initialized;
  if (!generator->on_host) {
    tell_library_call(call, name, std::to_string(count) + " x " + std::to_string(sizeof(T)) + " bytes",
                      generator->stream);
    if (!lies_in_buffer(name, out, count * sizeof(T)))
      return RandomStatus::launch_failure;
  }
  std::generate_n(out, count, [&] { return draw(generator->words); });
  if (!generator->on_host)
    wrote(out);
  return RandomStatus::success;
}

/// In (0, 1], as cuRAND has it.
template <class T> T unit_value(std::mt19937_64& words) {
  constexpr int bits = sizeof(T) == 4 ? 24 : 53;
  return (static_cast<T>(words() >> (64 - bits)) + T(1)) / static_cast<T>(std::uint64_t{1} << bits);
}

template <class T>
RandomStatus fill_uniform(RandomGenerator* generator, const char* name, T* out, std::size_t count) {
  return fill_random(generator, name, out, count, unit_value<T>);
}

template <class T>
RandomStatus fill_normal(RandomGenerator* generator, const char* name, T* out, std::size_t count, T mean,
                         T deviation) {
  return fill_random(generator, name, out, count, std::normal_distribution<T>(mean, deviation));
}

template <class T>
RandomStatus fill_log_normal(RandomGenerator* generator, const char* name, T* out, std::size_t count, T mean,
                             T deviation) {
  return fill_random(generator, name, out, count, std::lognormal_distribution<T>(mean, deviation));
}

} // namespace

FOREWARP_API RandomStatus curandCreateGenerator(RandomGenerator** out, int type) {
  return create_generator(out, type, false);
}
FOREWARP_API RandomStatus curandCreateGeneratorHost(RandomGenerator** out, int type) {
  return create_generator(out, type, true);
}
FOREWARP_API RandomStatus curandDestroyGenerator(RandomGenerator* generator) {
  delete generator;
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandSetPseudoRandomGeneratorSeed(RandomGenerator* generator,
                                                             unsigned long long seed) {
  generator->seed = seed;
  generator->words.seed(seed);
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandSetGeneratorOffset(RandomGenerator* generator, unsigned long long offset) {
  generator->words.seed(generator->seed);
  generator->words.discard(offset);
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandSetGeneratorOrdering(RandomGenerator*, int) {
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandSetStream(RandomGenerator* generator, cudaStream_t stream) {
  generator->stream = stream;
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandGenerateSeeds(RandomGenerator* generator) {
  return generator ? RandomStatus::success : RandomStatus::not_initialized;
}
FOREWARP_API RandomStatus curandGetVersion(int* out) {
  *out = 10300;
  return RandomStatus::success;
}
FOREWARP_API RandomStatus curandGenerate(RandomGenerator* generator, unsigned* out, std::size_t count) {
  return fill_random(generator, "curandGenerate", out, count,
                     [](std::mt19937_64& words) { return static_cast<unsigned>(words() >> 32); });
}
FOREWARP_API RandomStatus curandGenerateUniform(RandomGenerator* generator, float* out, std::size_t count) {
  return fill_uniform(generator, "curandGenerateUniform", out, count);
}
FOREWARP_API RandomStatus curandGenerateUniformDouble(RandomGenerator* generator, double* out,
                                                      std::size_t count) {
  return fill_uniform(generator, "curandGenerateUniformDouble", out, count);
}
FOREWARP_API RandomStatus curandGenerateNormal(RandomGenerator* generator, float* out, std::size_t count,
                                               float mean, float deviation) {
  return fill_normal(generator, "curandGenerateNormal", out, count, mean, deviation);
}
FOREWARP_API RandomStatus curandGenerateNormalDouble(RandomGenerator* generator, double* out,
                                                     std::size_t count, double mean, double deviation) {
  return fill_normal(generator, "curandGenerateNormalDouble", out, count, mean, deviation);
}
FOREWARP_API RandomStatus curandGenerateLogNormal(RandomGenerator* generator, float* out, std::size_t count,
                                                  float mean, float deviation) {
  return fill_log_normal(generator, "curandGenerateLogNormal", out, count, mean, deviation);
}
FOREWARP_API RandomStatus curandGenerateLogNormalDouble(RandomGenerator* generator, double* out,
                                                        std::size_t count, double mean, double deviation) {
  return fill_log_normal(generator, "curandGenerateLogNormalDouble", out, count, mean, deviation);
}
FOREWARP_API RandomStatus curandGeneratePoisson(RandomGenerator* generator, unsigned* out, std::size_t count,
                                                double lambda) {
  if (!(lambda > 0))
    return RandomStatus::out_of_range;
  return fill_random(generator, "curandGeneratePoisson", out, count,
                     std::poisson_distribution<unsigned>(lambda));
}

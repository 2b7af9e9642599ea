#include "symbolic/program/evaluator.h"

#include <algorithm>
#include <cmath>

namespace forewarp::symbolic {
namespace {

/// Points that go through a step together.
constexpr std::size_t points_at_once = 16;

/// A result may lie where an operand did: it is made beside, so that the loop needs no order.
template <std::size_t width, class Value>
[[gnu::always_inline]] inline void each(double* to, const double* a, const double* b, const Value& value) {
  double made[width];
  for (std::size_t i = 0; i < width; ++i)
    made[i] = value(a[i], b[i]);
  for (std::size_t i = 0; i < width; ++i)
    to[i] = made[i];
}

/// `steps` one after the other on `width` points; `places` holds their values.
template <std::size_t width>
[[gnu::always_inline]] inline void run(std::span<const Evaluator::Step> steps, const double* inputs,
                                       std::size_t input_count, double* places) {
  for (const Evaluator::Step& s : steps) {
    double* to = places + s.to * width;
    const double *a = places + s.a * width, *b = places + s.b * width;
    switch (s.operation) {
    case Operation::input:
      for (std::size_t i = 0; i < width; ++i)
        to[i] = inputs[i * input_count + s.a];
      break;
    case Operation::add:
      each<width>(to, a, b, [](double x, double y) { return x + y; });
      break;
    case Operation::subtract:
      each<width>(to, a, b, [](double x, double y) { return x - y; });
      break;
    case Operation::multiply:
      each<width>(to, a, b, [](double x, double y) { return x * y; });
      break;
    case Operation::divide:
      each<width>(to, a, b, [](double x, double y) { return y == 0 ? 0 : x / y; });
      break;
    case Operation::less:
      each<width>(to, a, b, [](double x, double y) { return x < y ? 1.0 : 0.0; });
      break;
    case Operation::minimum:
      each<width>(to, a, b, [](double x, double y) { return x < y ? x : y; });
      break;
    case Operation::maximum:
      each<width>(to, a, b, [](double x, double y) { return x > y ? x : y; });
      break;
    case Operation::not_negative:
      each<width>(to, a, b, [](double x, double) { return x >= 0 ? 1.0 : 0.0; });
      break;
    case Operation::floor_divide:
      each<width>(to, a, b, [](double x, double y) { return std::floor(x / y); });
      break;
    default:
      each<width>(to, a, b, [&](double x, double y) { return value_of(s.operation, x, y); });
    }
  }
}

void run_one(std::span<const Evaluator::Step> steps, const double* inputs, std::size_t input_count,
             double* places) {
  run<1>(steps, inputs, input_count, places);
}
/// With wider registers, and rounding that is no call, where the processor has them: the same numbers. The
/// choice is made while the program is loaded, when the thread sanitizer, which watches that function too, is
/// not there yet.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void run_many(std::span<const Evaluator::Step> steps, const double* inputs, std::size_t input_count,
              double* places) {
  run<points_at_once>(steps, inputs, input_count, places);
}

} // namespace

/// Where values lie: constants and outputs for good, other values until their last reader.
class Evaluator::Places {
public:
  explicit Places(const std::vector<bool>& needed) : place_(needed.size(), 0), last_(needed.size(), 0) {}

  void read(std::uint32_t step, std::size_t by) { last_[step] = std::max(last_[step], by); }
  std::uint32_t take(std::uint32_t step) {
    if (free_.empty())
      free_.push_back(count_++);
    place_[step] = free_.back();
    free_.pop_back();
    return place_[step];
  }
  /// The reader `by` was the last one of `step`.
  void leave(std::uint32_t step, std::size_t by) {
    if (last_[step] == by)
      free_.push_back(place_[step]);
  }
  std::uint32_t of(std::uint32_t step) const { return place_[step]; }
  std::uint32_t count() const { return count_; }

private:
  std::vector<std::uint32_t> place_, free_;
  std::vector<std::size_t> last_;
  std::uint32_t count_ = 0;
};

Evaluator::Evaluator(const Program& program, std::span<const Program::Index> outputs)
    : inputs_(program.inputs_.size()) {
  std::vector<Program::Output> named;
  for (const Program::Index output : outputs)
    named.push_back({"", output});
  const std::vector<bool> needed = program.needed(named);
  Places places(needed);
  std::vector<std::pair<std::uint32_t, double>> constants;
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    const Program::Step& s = program.steps_[i];
    if (!needed[i])
      continue;
    if (s.operation == Operation::constant) {
      constants.emplace_back(places.take(i), s.value);
      places.read(i, SIZE_MAX);
    } else if (s.operation != Operation::input) {
      places.read(s.a, i);
      places.read(s.b, i);
    }
  }
  for (const Program::Index output : outputs)
    places.read(output, SIZE_MAX);
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    const Program::Step& s = program.steps_[i];
    if (!needed[i] || s.operation == Operation::constant)
      continue;
    const bool leaf = s.operation == Operation::input;
    const std::uint32_t a = leaf ? s.a : places.of(s.a), b = leaf ? 0 : places.of(s.b);
    if (!leaf)
      places.leave(s.a, i);
    if (!leaf && s.b != s.a)
      places.leave(s.b, i);
    steps_.push_back({s.operation, places.take(i), a, b});
  }
  for (const Program::Index output : outputs)
    outputs_.push_back(places.of(output));
  one_.resize(places.count());
  many_.resize(places.count() * points_at_once);
  for (const auto& [place, value] : constants) {
    one_[place] = value;
    std::fill_n(many_.begin() + static_cast<std::ptrdiff_t>(place * points_at_once), points_at_once, value);
  }
}

void Evaluator::evaluate(const double* inputs, double* values) {
  run_one(steps_, inputs, inputs_, one_.data());
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    values[o] = one_[outputs_[o]];
}

void Evaluator::evaluate(const double* inputs, double* values, std::size_t points) {
  std::size_t done = 0;
  for (; done + points_at_once <= points; done += points_at_once) {
    run_many(steps_, inputs + done * inputs_, inputs_, many_.data());
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      for (std::size_t i = 0; i < points_at_once; ++i)
        values[(done + i) * outputs_.size() + o] = many_[outputs_[o] * points_at_once + i];
  }
  for (; done < points; ++done)
    evaluate(inputs + done * inputs_, values + done * outputs_.size());
}

} // namespace forewarp::symbolic

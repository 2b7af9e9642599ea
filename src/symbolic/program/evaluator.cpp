#include "symbolic/program/evaluator.h"

#include <cmath>

namespace forewarp::symbolic {
namespace {

/// Points that go through a step together.
constexpr std::size_t points_at_once = 16;

template <std::size_t width, class Value>
void each(double* to, const double* a, const double* b, const Value& value) {
  for (std::size_t i = 0; i < width; ++i)
    to[i] = value(a[i], b[i]);
}

/// `steps` one after the other on `width` points; `scratch` holds their values.
template <std::size_t width>
inline void run(std::span<const Evaluator::Step> steps, const double* inputs, std::size_t input_count,
                double* scratch) {
  double* to = scratch;
  for (const Evaluator::Step& s : steps) {
    const double *a = scratch + s.a * width, *b = scratch + s.b * width;
    switch (s.operation) {
    case Operation::constant:
      for (std::size_t i = 0; i < width; ++i)
        to[i] = s.value;
      break;
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
    to += width;
  }
}

void run_one(std::span<const Evaluator::Step> steps, const double* inputs, std::size_t input_count,
             double* scratch) {
  run<1>(steps, inputs, input_count, scratch);
}
/// With wider registers, and rounding that is no call, where the processor has them: the same numbers.
#if defined(__x86_64__) && defined(__gnu_linux__)
[[gnu::target_clones("default", "avx2")]]
#endif
void run_many(std::span<const Evaluator::Step> steps, const double* inputs, std::size_t input_count,
              double* scratch) {
  run<points_at_once>(steps, inputs, input_count, scratch);
}

} // namespace

Evaluator::Evaluator(const Program& program, std::span<const Program::Index> outputs)
    : inputs_(program.inputs_.size()) {
  std::vector<Program::Output> named;
  for (const Program::Index output : outputs)
    named.push_back({"", output});
  const std::vector<bool> needed = program.needed(named);
  std::vector<std::uint32_t> place(program.steps_.size(), 0);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i])
      continue;
    const Program::Step& s = program.steps_[i];
    const bool leaf = s.operation == Operation::constant || s.operation == Operation::input;
    place[i] = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back({s.operation, leaf ? s.a : place[s.a], leaf ? 0 : place[s.b], s.value});
  }
  for (const Program::Index output : outputs)
    outputs_.push_back(place[output]);
  scratch_.resize(steps_.size() * points_at_once);
}

void Evaluator::evaluate(const double* inputs, double* values) {
  run_one(steps_, inputs, inputs_, scratch_.data());
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    values[o] = scratch_[outputs_[o]];
}

void Evaluator::evaluate(const double* inputs, double* values, std::size_t points) {
  std::size_t done = 0;
  for (; done + points_at_once <= points; done += points_at_once) {
    run_many(steps_, inputs + done * inputs_, inputs_, scratch_.data());
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      for (std::size_t i = 0; i < points_at_once; ++i)
        values[(done + i) * outputs_.size() + o] = scratch_[outputs_[o] * points_at_once + i];
  }
  for (; done < points; ++done)
    evaluate(inputs + done * inputs_, values + done * outputs_.size());
}

} // namespace forewarp::symbolic

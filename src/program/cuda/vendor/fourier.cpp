#include "program/cuda/vendor/fourier.h"

#include <numbers>

namespace forewarp::program {
namespace {

std::size_t least_factor(std::size_t n) {
  for (std::size_t f = 2; f * f <= n; ++f)
    if (n % f == 0)
      return f;
  return n;
}

/// `roots`: those of the whole length. `from` has n values, `step` apart; `to` has n side by side.
void step_down(const Complex* from, std::size_t step, Complex* to, std::size_t n,
               const std::vector<Complex>& roots) {
  if (n == 1) {
    *to = *from;
    return;
  }
  const std::size_t factor = least_factor(n), part = n / factor, root = roots.size() / n;
  for (std::size_t k = 0; k < factor; ++k)
    step_down(from + k * step, step * factor, to + k * part, part, roots);
  std::vector<Complex> sums(factor);
  for (std::size_t i = 0; i < part; ++i) {
    for (std::size_t j = 0; j < factor; ++j) {
      sums[j] = 0;
      for (std::size_t k = 0; k < factor; ++k)
        sums[j] += to[k * part + i] * roots[k * (i + j * part) % n * root];
    }
    for (std::size_t j = 0; j < factor; ++j)
      to[j * part + i] = sums[j];
  }
}

} // namespace

void transform(std::vector<Complex>& values, int sign) {
  const std::size_t n = values.size();
  if (n < 2)
    return;
  std::vector<Complex> roots(n), out(n);
  for (std::size_t k = 0; k < n; ++k)
    roots[k] = std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  step_down(values.data(), 1, out.data(), n, roots);
  values = std::move(out);
}

void transform(std::vector<Complex>& values, const std::vector<std::size_t>& lengths, int sign) {
  std::size_t step = values.size();
  for (const std::size_t length : lengths) {
    const std::size_t block = step;
    step /= length;
    std::vector<Complex> line(length);
    for (std::size_t first = 0; first < values.size(); first += block)
      for (std::size_t at = first; at < first + step; ++at) {
        for (std::size_t k = 0; k < length; ++k)
          line[k] = values[at + k * step];
        transform(line, sign);
        for (std::size_t k = 0; k < length; ++k)
          values[at + k * step] = line[k];
      }
  }
}

} // namespace forewarp::program

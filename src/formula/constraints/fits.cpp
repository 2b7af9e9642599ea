#include "formula/constraints/fits.h"

#include "formula/formula_source.h"

#include <fmt/format.h>

namespace forewarp::formula {

using symbolic::Expression;

namespace {

/// Whole-number arguments that the symbols decide have to fit their parameters.
std::vector<symbolic::Fit> argument_fits(const ir::KernelSignature& kernel,
                                         const std::map<std::string, Expression>& numbers) {
  using facts::ScalarType;
  std::vector<symbolic::Fit> fits;
  for (const ir::Parameter& parameter : kernel.parameters) {
    const bool is_signed = parameter.scalar == ScalarType::i8 || parameter.scalar == ScalarType::i16 ||
                           parameter.scalar == ScalarType::i32;
    const bool is_unsigned = parameter.scalar == ScalarType::u8 || parameter.scalar == ScalarType::u16 ||
                             parameter.scalar == ScalarType::u32;
    if (!parameter.is_pointer && parameter.components == 1 && (is_signed || is_unsigned) &&
        numbers.contains(parameter.name))
      fits.push_back({Expression::symbol(parameter.name), 8 * parameter.size_bytes, is_signed});
  }
  return fits;
}

} // namespace

void add_fits(const symbolic::KernelValues& values, Formula& formula) {
  const auto numbers = symbolic::launch_values(formula.made_of->open.launch);
  symbolic::Ranges ranges = symbolic::launch_ranges(formula.made_of->open.launch);
  for (std::size_t l = 0; l < values.loops().size(); ++l) {
    const Expression trips = symbolic::substitute(values.loops()[l].trips, numbers);
    ranges[symbolic::iteration_name(static_cast<std::uint32_t>(l))] = {
        symbolic::Rational(0), symbolic::bounds(trips - Expression(1), ranges).high};
  }
  std::size_t open = 0;
  std::string first;
  std::vector<symbolic::Fit> fits = argument_fits(*formula.made_of->target.compiled->kernel, numbers);
  fits.insert(fits.end(), values.exact_while().begin(), values.exact_while().end());
  for (const symbolic::Fit& fit : fits) {
    const Expression value = symbolic::simplify(symbolic::substitute(fit.value, numbers), ranges);
    const symbolic::Interval range = symbolic::bounds(value, ranges);
    const symbolic::Rational half = symbolic::Rational(symbolic::Wide(1) << (fit.bits - 1));
    const symbolic::Rational low = fit.is_signed ? half * symbolic::Rational(-1) : symbolic::Rational(0);
    const symbolic::Rational high =
        (fit.is_signed ? half : half * symbolic::Rational(2)) - symbolic::Rational(1);
    if (range.low && range.high && !(*range.low < low) && !(high < *range.high))
      continue;
    bool only_symbols = true;
    for (const std::string& name : value.symbols())
      only_symbols = only_symbols && formula.made_of->open.launch.ranges.contains(name);
    const bool below = !range.low || *range.low < low;
    if (only_symbols && (!range.high || high < *range.high))
      formula.constraints.push_back(
          {fmt::format("{} <= {} (a {}-bit value)", value.text(), high.text(), fit.bits),
           Expression(high) - value});
    // Too small may be what a guard keeps from being computed: no reason to refuse a size.
    if (below || !only_symbols)
      first = open++ == 0 ? value.text() : first;
  }
  if (open > 0)
    formula.assumptions.push_back(fmt::format(
        "{} values are taken to fit the kernel's integers, which the ranges alone do not prove, such as {}",
        open, first));
}

} // namespace forewarp::formula

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
      fits.push_back({.value = Expression::symbol(parameter.name),
                      .bits = 8 * parameter.size_bytes,
                      .is_signed = is_signed});
  }
  return fits;
}

class Fits {
public:
  Fits(const symbolic::KernelValues& values, Formula& formula)
      : values_(values), formula_(formula), numbers_(symbolic::launch_values(formula.made_of->open.launch)),
        ranges_(symbolic::launch_ranges(formula.made_of->open.launch)) {
    for (std::size_t l = 0; l < values.loops().size(); ++l) {
      const Expression trips = symbolic::substitute(values.loops()[l].trips, numbers_);
      ranges_[symbolic::iteration_name(static_cast<std::uint32_t>(l))] = {
          symbolic::Rational(0), symbolic::bounds(trips - Expression(1), ranges_).high};
    }
  }

  void run() {
    for (const symbolic::Fit& fit : argument_fits(*formula_.made_of->target.compiled->kernel, numbers_))
      add(fit, false);
    // Asking where a value is computed reads more of the kernel, which may add to the list.
    for (std::size_t i = 0; i < values_.exact_while().size(); ++i)
      add(symbolic::Fit(values_.exact_while()[i]), true);
    if (open_ > 0)
      formula_.assumptions.push_back(fmt::format(
          "{} values are taken to fit the kernel's integers, which the ranges alone do not prove, such as {}",
          open_, first_));
  }

private:
  void add(const symbolic::Fit& fit, bool in_kernel) {
    const Expression value = symbolic::simplify(symbolic::substitute(fit.value, numbers_), ranges_);
    if (!value.known())
      return; // what rests on it is not known either
    const symbolic::Interval range = symbolic::bounds(value, ranges_);
    const symbolic::Rational half = symbolic::Rational(symbolic::Wide(1) << (fit.bits - 1));
    const symbolic::Rational low = fit.is_signed ? half * symbolic::Rational(-1) : symbolic::Rational(0);
    const symbolic::Rational high =
        (fit.is_signed ? half : half * symbolic::Rational(2)) - symbolic::Rational(1);
    const bool below = !range.low || *range.low < low, above = !range.high || high < *range.high;
    if (!below && !above)
      return;
    const symbolic::Condition when = in_kernel ? symbolic::simplify(values_.computed(fit), numbers_, ranges_)
                                               : symbolic::Condition::always();
    if (when.is_never())
      return;
    if ((range.high && *range.high < low) || (range.low && high < *range.low))
      return constrain({.text = fmt::format("{} in the kernel's {}-bit integers, where it never fits",
                                            value.text(), fit.bits),
                        .value = -1,
                        .when = when});
    for (const std::string& name : value.symbols())
      if (!formula_.made_of->open.launch.ranges.contains(name)) {
        first_ = open_++ == 0 ? value.text() : first_;
        return;
      }
    const std::string where = when.is_always() ? "" : ", where the kernel computes it";
    if (above)
      constrain(
          {.text = fmt::format("{} <= {} (a {}-bit value{})", value.text(), high.text(), fit.bits, where),
           .value = Expression(high) - value,
           .when = when});
    if (below)
      constrain(
          {.text = fmt::format("{} >= {} (a {}-bit value{})", value.text(), low.text(), fit.bits, where),
           .value = value - Expression(low),
           .when = when});
  }

  void constrain(Constraint constraint) {
    for (Constraint& known : formula_.constraints)
      if (known.divisor == 0 && known.value == constraint.value) {
        if (!known.when.is_always())
          known.when = symbolic::either(known.when, constraint.when);
        return;
      }
    formula_.constraints.push_back(std::move(constraint));
  }

  const symbolic::KernelValues& values_;
  Formula& formula_;
  const std::map<std::string, Expression> numbers_;
  symbolic::Ranges ranges_;
  std::size_t open_ = 0; ///< values that no constraint in the symbols says
  std::string first_;
};

} // namespace

void add_fits(const symbolic::KernelValues& values, Formula& formula) {
  Fits(values, formula).run();
}

} // namespace forewarp::formula

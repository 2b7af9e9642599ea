#include "symbolic/algebra/sum.h"

#include "symbolic/algebra/coefficients.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

using Factor = std::pair<std::shared_ptr<const Atom>, unsigned>;

bool moves(const Atom& atom, const std::string& variable) {
  return atom.kind == AtomKind::symbol ? atom.name == variable
                                       : atom.a.depends_on(variable) || atom.b.depends_on(variable);
}

/// floor(a / b) of an integer bound and a positive number.
Expression quotient_down(const Expression& a, const Rational& b) {
  return floor_div(a.scaled(Rational(b.denominator())), Expression(Rational(b.numerator())));
}
Expression quotient_up(const Expression& a, const Rational& b) {
  return -quotient_down(-a, b);
}

/// A v + B >= 0.
Solution linear_solution(const Rational& factor, const Expression& rest) {
  if (factor.sign() > 0)
    return {quotient_up(-rest, factor), std::nullopt};
  return {std::nullopt, quotient_down(rest, factor * Rational(-1))};
}

/// alpha v + beta of the exponent of a power of two, alpha a positive number.
struct Exponent {
  Rational alpha;
  Expression beta;
};
std::optional<Exponent> exponent_in(const Expression& exponent, const std::string& variable) {
  const auto linear = linear_in(exponent, variable);
  if (!linear)
    return std::nullopt;
  const auto alpha = linear->factor.constant();
  if (!alpha || alpha->sign() <= 0)
    return std::nullopt;
  return Exponent{*alpha, linear->rest};
}
/// Largest v with 2^(alpha v + beta) <= q; below every v where q < 1.
Expression last_power(const Exponent& e, const Expression& q) {
  return quotient_down(bit_length(q) - Expression(1) - e.beta, e.alpha);
}

/// The one term of `a` that moves with the variable; the others' sum in `rest`.
const Term* moving_term(const Expression& a, const std::string& variable, Expression& rest) {
  const Term* found = nullptr;
  std::map<std::string, Term> others;
  for (const auto& [key, term] : a.terms()) {
    const bool here = std::any_of(term.factors.begin(), term.factors.end(),
                                  [&](const Factor& f) { return moves(*f.first, variable); });
    if (!here)
      others.emplace(key, term);
    else if (found != nullptr)
      return nullptr;
    else
      found = &term;
  }
  rest = Expression::of_terms(std::move(others));
  return found;
}

std::optional<Solution> power_solution(const Expression& a, const std::string& variable,
                                       const Ranges& ranges) {
  Expression rest;
  const Term* term = moving_term(a, variable, rest);
  if (term == nullptr)
    return std::nullopt;
  const Atom* moving = nullptr;
  Expression factor{Rational(1)};
  for (const auto& [atom, exponent] : term->factors) {
    if (!moves(*atom, variable)) {
      for (unsigned i = 0; i < exponent; ++i)
        factor *= Expression::of_atom(*atom);
      continue;
    }
    if (moving != nullptr || exponent != 1)
      return std::nullopt;
    moving = atom.get();
  }
  const Rational size = term->coefficient.sign() < 0 ? term->coefficient * Rational(-1) : term->coefficient;
  const Expression scale = factor.scaled(size);
  const Interval positive = bounds(scale, ranges);
  if (!positive.low || positive.low->sign() <= 0)
    return std::nullopt;
  const bool grows = term->coefficient.sign() > 0;
  const auto divide = [&](const Expression& x) {
    const auto number = scale.constant();
    return number ? quotient_down(x, *number) : floor_div(x, scale);
  };
  if (moving->kind == AtomKind::power_of_two) {
    const auto e = exponent_in(moving->a, variable);
    if (!e)
      return std::nullopt;
    if (!grows) // rest >= scale 2^(..)
      return Solution{std::nullopt, last_power(*e, divide(rest))};
    // scale 2^(..) >= -rest  <=>  not 2^(..) <= (-rest - 1) / scale
    return Solution{last_power(*e, divide(-rest - Expression(1))) + Expression(1), std::nullopt};
  }
  // A floor(B / 2^(..)) + C with B free of the variable: it falls as the variable grows.
  if (moving->kind != AtomKind::floor_div || moving->a.depends_on(variable))
    return std::nullopt;
  const auto power = std::find_if(moving->b.terms().begin(), moving->b.terms().end(),
                                  [&](const auto&) { return moving->b.terms().size() == 1; });
  if (power == moving->b.terms().end() || power->second.factors.size() != 1 ||
      power->second.factors[0].first->kind != AtomKind::power_of_two ||
      !(power->second.coefficient == Rational(1)))
    return std::nullopt;
  const auto e = exponent_in(power->second.factors[0].first->a, variable);
  if (!e)
    return std::nullopt;
  // X >= m  <=>  2^(..) <= floor(B / m), for m >= 1
  const auto last_at_least = [&](const Expression& m) -> std::optional<Expression> {
    const Interval range = bounds(m, ranges);
    if (!range.low || range.low->sign() <= 0)
      return std::nullopt;
    return last_power(*e, floor_div(moving->a, m));
  };
  if (grows) {
    const auto last = last_at_least(-divide(rest));
    return last ? std::optional<Solution>(Solution{std::nullopt, last}) : std::nullopt;
  }
  const auto last = last_at_least(divide(rest) + Expression(1)); // X <= rest / scale
  return last ? std::optional<Solution>(Solution{*last + Expression(1), std::nullopt}) : std::nullopt;
}

/// Sum of v^p over 0 <= v < n.
Expression power_sum(unsigned p, const Expression& n) {
  const Expression below = n - Expression(1);
  switch (p) {
  case 0:
    return n;
  case 1:
    return (n * below).scaled(Rational::ratio(1, 2));
  case 2:
    return (n * below * (n + below)).scaled(Rational::ratio(1, 6));
  case 3:
    return (n * n * below * below).scaled(Rational::ratio(1, 4));
  case 4:
    return (n * below * (n + below) * (Expression(3) * n * below - Expression(1)))
        .scaled(Rational::ratio(1, 30));
  default:
    return Expression::beyond(fmt::format("the sum of a power of {}", p));
  }
}

/// Sum of floor(u / m) over 0 <= u < x; where x is below zero, what is lacking from there to 0.
Expression floor_sum(const Expression& x, const Expression& m) {
  const Expression q = floor_div(x, m);
  return q * x - (m * q * (q + Expression(1))).scaled(Rational::ratio(1, 2));
}

class Summation {
public:
  Summation(const std::string& variable, Expression low, std::optional<Expression> end, const Ranges& ranges,
            unsigned depth)
      : variable_(variable), low_(std::move(low)), end_(std::move(end)), ranges_(ranges), depth_(depth) {
    const Interval first = bounds(low_, ranges);
    Interval mine{first.low, std::nullopt};
    if (end_)
      if (const Interval last = bounds(*end_ - Expression(1), ranges); last.high)
        mine.high = last.high;
    ranges_[variable] = mine;
  }

  Expression sum(const Expression& a) {
    if (!a.known())
      return a;
    Expression body = simplify(a, ranges_);
    if (!body.known())
      return body;
    if (end_ && body.constant() && body.constant()->sign() == 0)
      return 0;
    Expression total;
    for (const auto& [key, term] : body.terms()) {
      total += one_term(term);
      if (!total.known())
        return by_steps(body, total.why());
    }
    return total;
  }

private:
  Expression one_term(const Term& term) {
    Expression fixed{term.coefficient}, body = 1;
    std::vector<Factor> moving;
    for (const auto& [atom, exponent] : term.factors)
      for (unsigned i = 0; i < exponent; ++i) {
        if (moves(*atom, variable_)) {
          moving.emplace_back(atom, 1);
          body *= Expression::of_atom(*atom);
        } else {
          fixed *= Expression::of_atom(*atom);
        }
      }
    return fixed * moving_product(moving, body);
  }

  Expression again(const Expression& body, const Expression& low, const std::optional<Expression>& end) {
    constexpr unsigned deepest = 24;
    if (depth_ > deepest)
      return Expression::beyond("a sum that is split too often");
    Ranges outer = ranges_;
    outer.erase(variable_);
    return Summation(variable_, low, end, outer, depth_ + 1).sum(body);
  }

  Expression product_without(const std::vector<Factor>& factors, std::size_t left_out) const {
    Expression rest = 1;
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (i != left_out)
        rest *= Expression::of_atom(*factors[i].first);
    return rest;
  }

  Expression moving_product(const std::vector<Factor>& moving, const Expression& body) {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const Atom& atom = *moving[i].first;
      if (atom.kind == AtomKind::minimum || atom.kind == AtomKind::maximum) {
        // max(a, b) = b + [a >= b + 1] (a - b), min(a, b) = a + b - max(a, b)
        const Expression more = not_negative(atom.a - atom.b - Expression(1)) * (atom.a - atom.b);
        const Expression value = atom.kind == AtomKind::maximum ? atom.b + more : atom.a - more;
        return again(value * product_without(moving, i), low_, end_);
      }
      if (atom.kind == AtomKind::is_zero)
        if (const auto value = at_zero(atom.a, product_without(moving, i)))
          return *value;
    }
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const Atom& atom = *moving[i].first;
      if (atom.kind == AtomKind::is_zero && !has_number_floor(atom))
        return again(not_negative(atom.a) * not_negative(-atom.a) * product_without(moving, i), low_, end_);
      if (atom.kind != AtomKind::not_negative)
        continue;
      if (const auto range = where_not_negative(atom.a, variable_, ranges_))
        return within(*range, product_without(moving, i));
    }
    if (moving.size() == 1)
      if (const auto sum = floors(*moving[0].first))
        return *sum;
    for (const Factor& factor : moving)
      if (const auto divisor = number_floor(*factor.first))
        return by_residues(body, *divisor);
    return closed(moving);
  }

  Expression within(const Solution& range, const Expression& rest) {
    Expression low = low_;
    std::optional<Expression> end = end_;
    Ranges outer = ranges_;
    outer.erase(variable_);
    if (range.low)
      low = simplify(maximum(low, *range.low), outer);
    if (range.high) {
      const Expression after = *range.high + Expression(1);
      end = end ? simplify(minimum(*end, after), outer) : after;
    }
    return again(rest, low, end);
  }

  /// The one value where A v + B = 0, A a number.
  std::optional<Expression> at_zero(const Expression& a, const Expression& rest) {
    const auto linear = linear_in(a, variable_);
    if (!linear)
      return std::nullopt;
    const auto factor = linear->factor.constant();
    if (!factor || !factor->whole() || factor->sign() == 0)
      return std::nullopt;
    const Expression size{*factor * Rational(factor->sign())};
    const Expression right = factor->sign() > 0 ? -linear->rest : linear->rest;
    const Expression value = floor_div(right, size);
    Expression sum =
        is_zero(modulo(right, size)) * not_negative(value - low_) * substitute(rest, {{variable_, value}});
    if (end_)
      sum *= not_negative(*end_ - Expression(1) - value);
    Ranges outer = ranges_;
    outer.erase(variable_);
    return simplify(sum, outer);
  }

  /// Of floor((f v + r) / d) where f divides d; a number d also where f - d does (f is written as at least
  /// 0).
  std::optional<Expression> floors(const Atom& atom) const {
    if (atom.kind != AtomKind::floor_div || !end_ || atom.b.depends_on(variable_))
      return std::nullopt;
    const auto linear = linear_in(atom.a, variable_);
    const auto factor = linear ? linear->factor.constant() : std::nullopt;
    if (!factor || !factor->whole() || factor->sign() == 0)
      return std::nullopt;
    const Expression end = end_not_below_low();
    if (const auto sum = floors(*factor, linear->rest, atom.b, end))
      return sum;
    const auto divisor = atom.b.constant();
    const auto sum = divisor ? floors(*factor - *divisor, linear->rest, atom.b, end) : std::nullopt;
    return sum ? std::optional(*sum + power_sum(1, end) - power_sum(1, low_)) : std::nullopt;
  }
  /// floor((+-f v + r) / (f m)) = floor((+-v + floor(r / f)) / m).
  std::optional<Expression> floors(const Rational& factor, const Expression& r, const Expression& divisor,
                                   const Expression& end) const {
    const Rational size = factor * Rational(factor.sign());
    if (size.sign() == 0)
      return std::nullopt;
    const Expression m = divisor.scaled(Rational(1) / size), rest = floor_div(r, Expression(size)), one = 1;
    if (!has_whole_coefficients(m))
      return std::nullopt;
    const bool rises = factor.sign() > 0;
    Expression first = rises ? rest + low_ : rest - end + one;
    const auto apart = constant_difference(end - low_, m);
    if (apart && apart->sign() == 0)
      return first; // each residue once (Hermite)
    return floor_sum(rises ? rest + end : rest - low_ + one, m) - floor_sum(first, m);
  }

  /// The same sum, without terms of negative numbers of values.
  Expression end_not_below_low() const {
    Ranges outer = ranges_;
    outer.erase(variable_);
    return never_negative(*end_ - low_, outer) ? *end_ : simplify(maximum(*end_, low_), outer);
  }

  /// A number by which something that moves with the variable is divided.
  std::optional<Wide> number_floor(const Atom& atom) const {
    if (atom.kind == AtomKind::symbol || !moves(atom, variable_))
      return std::nullopt;
    for (const Expression* inner : {&atom.a, &atom.b})
      for (const auto& [key, term] : inner->terms())
        for (const auto& [part, exponent] : term.factors)
          if (const auto found = number_floor(*part))
            return found;
    if (atom.kind != AtomKind::floor_div)
      return std::nullopt;
    const auto divisor = atom.b.constant();
    const auto linear = linear_in(atom.a, variable_);
    if (!divisor || !divisor->whole() || !linear)
      return std::nullopt;
    const auto factor = linear->factor.constant();
    if (!factor || !factor->whole())
      return std::nullopt;
    const Wide period = divisor->numerator() / greatest_divisor(divisor->numerator(), factor->numerator());
    constexpr int longest_period = 64;
    return period > 1 && period <= longest_period ? std::optional<Wide>(period) : std::nullopt;
  }
  bool has_number_floor(const Atom& atom) const { return number_floor(atom).has_value(); }

  /// v = period q + s for each residue s.
  Expression by_residues(const Expression& body, Wide period) {
    const Expression p{Rational(period)};
    Expression total;
    for (std::int64_t s = 0; s < static_cast<std::int64_t>(period) && total.known(); ++s) {
      const Expression moved =
          substitute(body, {{variable_, p * Expression::symbol(variable_) + Expression(s)}});
      const Expression low = ceil_div(low_ - Expression(s), p);
      total += again(moved, low,
                     end_ ? std::optional<Expression>(ceil_div(*end_ - Expression(s), p)) : std::nullopt);
    }
    return total;
  }

  Expression closed(const std::vector<Factor>& moving) {
    unsigned power = 0;
    const Atom* exponential = nullptr;
    for (const auto& [atom, exponent] : moving) {
      if (atom->kind == AtomKind::symbol)
        ++power;
      else if (atom->kind == AtomKind::power_of_two && exponential == nullptr)
        exponential = atom.get();
      else
        return Expression::beyond(fmt::format("the sum of {} over {}", atom->key, variable_));
    }
    if (!end_)
      return Expression::beyond(fmt::format("nothing bounds {}", variable_));
    const Expression end = end_not_below_low();
    if (exponential == nullptr)
      return power_sum(power, end) - power_sum(power, low_);
    const auto e = exponent_in(exponential->a, variable_);
    if (!e || power > 0 || !e->alpha.whole() || e->alpha.numerator() > 60)
      return Expression::beyond(fmt::format("the sum of {} over {}", exponential->key, variable_));
    // sum of 2^(alpha v + beta) = 2^beta (2^(alpha end) - 2^(alpha low)) / (2^alpha - 1)
    const Expression alpha{e->alpha};
    const Wide ratio = (Wide(1) << static_cast<int>(e->alpha.numerator())) - 1;
    return (power_of_two(alpha * end + e->beta) - power_of_two(alpha * low_ + e->beta))
        .scaled(Rational::ratio(1, ratio));
  }

  /// Term by term where both ends are numbers near to each other.
  Expression by_steps(const Expression& body, const std::string& why) {
    const auto low = low_.whole_constant(), end = end_ ? end_->whole_constant() : std::nullopt;
    if (!low || !end || *end - *low > most_steps)
      return Expression::beyond(why);
    Expression total;
    Ranges outer = ranges_;
    outer.erase(variable_);
    for (std::int64_t v = *low; v < *end && total.known(); ++v)
      total += simplify(substitute(body, {{variable_, Expression(v)}}), outer);
    return total;
  }

  const std::string& variable_;
  Expression low_;
  std::optional<Expression> end_;
  Ranges ranges_;
  unsigned depth_;
};

} // namespace

std::optional<Solution> where_not_negative(const Expression& a, const std::string& variable,
                                           const Ranges& ranges) {
  if (!a.known())
    return std::nullopt;
  if (const auto linear = linear_in(a, variable)) {
    if (const auto factor = linear->factor.constant())
      return factor->sign() == 0 ? std::nullopt : std::optional(linear_solution(*factor, linear->rest));
    const Interval sign = bounds(linear->factor, ranges);
    if (sign.low && sign.low->sign() > 0)
      return Solution{-floor_div(linear->rest, linear->factor), std::nullopt};
    if (sign.high && sign.high->sign() < 0)
      return Solution{std::nullopt, floor_div(linear->rest, -linear->factor)};
    return std::nullopt;
  }
  return power_solution(a, variable, ranges);
}

Expression sum_over(const Expression& a, const std::string& variable, const Expression& low,
                    const std::optional<Expression>& end, const Ranges& ranges) {
  if (!low.known() || (end && !end->known()))
    return low.known() ? *end : low;
  return Summation(variable, low, end, ranges, 0).sum(a);
}

} // namespace forewarp::symbolic

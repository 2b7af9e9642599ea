#include "symbolic/algebra/expression.h"

#include "symbolic/algebra/adder.h"
#include "symbolic/algebra/coefficients.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::symbolic {
namespace {

bool is_condition(const Atom& atom) {
  return atom.kind == AtomKind::not_negative || atom.kind == AtomKind::is_zero;
}

Terms scaled_terms(const Terms& terms, const Rational& factor) {
  Terms scaled;
  if (factor.sign() != 0)
    for (const auto& [key, term] : terms)
      scaled.emplace_hint(scaled.end(), key, Term{term.coefficient * factor, term.factors});
  return scaled;
}

/// sign * a + b, where only the constants differ: their sum.
std::optional<Rational> constant_of(const Expression& a, const Rational& sign, const Expression& b) {
  if (!a.known() || !b.known())
    return std::nullopt;
  const auto skip = [](auto at) { return at->first.empty() ? std::next(at) : at; };
  auto x = a.terms().begin(), y = b.terms().begin();
  x = x == a.terms().end() ? x : skip(x); // the constant's key is the least
  y = y == b.terms().end() ? y : skip(y);
  for (; x != a.terms().end() && y != b.terms().end(); ++x, ++y)
    if (x->first != y->first || !(x->second.coefficient * sign == y->second.coefficient * Rational(-1)))
      return std::nullopt;
  if (x != a.terms().end() || y != b.terms().end())
    return std::nullopt;
  return a.constant_part() * sign + b.constant_part();
}

/// Tighter of two conditions of which one implies the other; both false together: an empty result.
/// a >= 0 and a + c >= 0 is the one with the smaller constant; a >= 0 and -a - c >= 0, c > 0, is never.
enum class Pair { unrelated, keep_first, keep_second, never };
Pair relation(const Atom& one, const Atom& other) {
  if (one.kind != AtomKind::not_negative || other.kind != AtomKind::not_negative)
    return Pair::unrelated;
  if (const auto distance = constant_difference(one.a, other.a))
    return distance->sign() <= 0 ? Pair::keep_first : Pair::keep_second;
  if (const auto sum = constant_sum(one.a, other.a); sum && sum->sign() < 0)
    return Pair::never;
  return Pair::unrelated;
}

/// The product of two monomials; false: it is zero.
bool multiply(const Term& a, const Term& b, Term& out) {
  out.coefficient = a.coefficient * b.coefficient;
  out.factors = a.factors;
  for (const auto& [atom, exponent] : b.factors) {
    const auto same = [key = &atom->key](const auto& factor) { return factor.first->key == *key; };
    const auto found = std::find_if(out.factors.begin(), out.factors.end(), same);
    if (found == out.factors.end())
      out.factors.emplace_back(atom, exponent);
    else if (!is_condition(*atom))
      found->second += exponent;
  }
  for (std::size_t i = 0; i < out.factors.size(); ++i)
    for (std::size_t j = i + 1; j < out.factors.size();) {
      const Pair pair = relation(*out.factors[i].first, *out.factors[j].first);
      if (pair == Pair::never)
        return false;
      if (pair == Pair::keep_second)
        out.factors[i] = out.factors[j];
      if (pair == Pair::unrelated)
        ++j;
      else
        out.factors.erase(out.factors.begin() + static_cast<std::ptrdiff_t>(j));
    }
  std::sort(out.factors.begin(), out.factors.end(),
            [](const auto& x, const auto& y) { return x.first->key < y.first->key; });
  return true;
}

bool is_power(const Term& term) {
  return std::any_of(term.factors.begin(), term.factors.end(),
                     [](const auto& f) { return f.first->kind == AtomKind::power_of_two; });
}
/// Powers of two of a monomial made one: 2^a 2^b = 2^(a + b).
Expression with_one_power(const Term& term) {
  Expression exponent, rest{Rational(term.coefficient)};
  for (const auto& [atom, times] : term.factors)
    if (atom->kind == AtomKind::power_of_two)
      exponent += Expression(times) * atom->a;
    else
      rest *= Expression::of_terms({{key_of({{atom, times}}), Term{Rational(1), {{atom, times}}}}});
  return rest * power_of_two(exponent);
}
bool has_several_powers(const Term& term) {
  unsigned count = 0;
  for (const auto& [atom, times] : term.factors)
    count += atom->kind == AtomKind::power_of_two ? times : 0;
  return count > 1;
}

bool any_too_large(const Terms& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const auto& t) { return !t.second.coefficient.fits(); });
}

const Expression& first_unknown(const Expression& a, const Expression& b) {
  return a.known() ? b : a;
}

const Atom* single_atom(const Expression& a) {
  if (a.terms().size() != 1)
    return nullptr;
  const Term& term = a.terms().begin()->second;
  return term.coefficient == Rational(1) && term.factors.size() == 1 && term.factors[0].second == 1
             ? term.factors[0].first.get()
             : nullptr;
}

/// a - b where both are floors by the same divisor whose numerators differ by a number: its sign; and plain
/// differences that are numbers.
std::optional<int> order(const Expression& a, const Expression& b) {
  const Expression difference = a - b;
  if (const auto number = difference.constant())
    return number->sign();
  const Expression rest = difference.without_constant();
  if (difference.constant_part().sign() != 0 || rest.terms().size() != 2)
    return std::nullopt;
  const Term& one = rest.terms().begin()->second;
  const Term& two = std::next(rest.terms().begin())->second;
  const auto floor_of = [](const Term& t) -> const Atom* {
    return t.factors.size() == 1 && t.factors[0].second == 1 &&
                   t.factors[0].first->kind == AtomKind::floor_div
               ? t.factors[0].first.get()
               : nullptr;
  };
  const Atom *x = floor_of(one), *y = floor_of(two);
  if (x == nullptr || y == nullptr || !((one.coefficient + two.coefficient) == Rational(0)) ||
      !(x->b == y->b))
    return std::nullopt;
  const auto apart = (x->a - y->a).constant();
  return apart ? std::optional<int>(apart->sign() * one.coefficient.sign()) : std::nullopt;
}

} // namespace

Expression::Expression(std::int64_t value) : Expression(Rational(value)) {}
Expression::Expression(const Rational& value) {
  if (!value.fits()) {
    *this = beyond("a number that does not fit into 128 bits");
    return;
  }
  static const auto none = std::make_shared<const Terms>();
  terms_ = value.sign() == 0 ? none : std::make_shared<const Terms>(Terms{{"", Term{value, {}}}});
}
Expression Expression::symbol(const std::string& name) {
  return of_atom({AtomKind::symbol, name, {}, {}, name});
}
Expression Expression::beyond(std::string why) {
  Expression result(0);
  result.why_ = why.empty() ? "unknown" : std::move(why);
  return result;
}
Expression Expression::of_terms(Terms terms) {
  if (any_too_large(terms))
    return beyond("a number that does not fit into 128 bits");
  constexpr std::size_t most_terms = 4000;
  if (terms.size() > most_terms)
    return beyond("more terms than are kept");
  Expression result(0);
  result.terms_ = std::make_shared<const Terms>(std::move(terms));
  return result;
}
Expression Expression::of_atom(Atom atom) {
  const auto shared = std::make_shared<const Atom>(std::move(atom));
  const std::string key = shared->key;
  return of_terms({{key, Term{Rational(1), {{shared, 1}}}}});
}

std::optional<Rational> Expression::constant() const {
  if (!known() || terms_->size() > 1 || (terms_->size() == 1 && !terms_->begin()->first.empty()))
    return std::nullopt;
  return constant_part();
}
std::optional<std::int64_t> Expression::whole_constant() const {
  const auto value = constant();
  if (!value || !value->whole() || value->numerator() > INT64_MAX || value->numerator() < INT64_MIN)
    return std::nullopt;
  return static_cast<std::int64_t>(value->numerator());
}
Rational Expression::constant_part() const {
  const auto found = terms_->find("");
  return found == terms_->end() ? Rational(0) : found->second.coefficient;
}
Expression Expression::without_constant() const {
  if (!known())
    return *this;
  Terms terms = *terms_;
  terms.erase("");
  return of_terms(std::move(terms));
}
Expression Expression::scaled(const Rational& factor) const {
  if (factor == Rational(1) || !known())
    return *this;
  return factor.fits() ? of_terms(scaled_terms(*terms_, factor)) : Expression(factor);
}

std::string Expression::text() const {
  if (!known())
    return "(beyond: " + why_ + ")";
  std::string text;
  const auto add = [&](const std::string& key, const Term& term) {
    const bool negative = term.coefficient.sign() < 0;
    const Rational size = negative ? term.coefficient * Rational(-1) : term.coefficient;
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (key.empty() || !(size == Rational(1)))
      text += size.text() + (key.empty() ? "" : " * ");
    text += key;
  };
  for (const auto& [key, term] : *terms_)
    if (!key.empty())
      add(key, term);
  if (const auto found = terms_->find(""); found != terms_->end())
    add("", found->second);
  return text.empty() ? "0" : text;
}

namespace {
void collect(const Expression& a, std::set<std::string>& names) {
  for (const auto& [key, term] : a.terms())
    for (const auto& [atom, exponent] : term.factors)
      if (atom->kind == AtomKind::symbol) {
        names.insert(atom->name);
      } else {
        collect(atom->a, names);
        collect(atom->b, names);
      }
}
} // namespace

std::set<std::string> Expression::symbols() const {
  std::set<std::string> names;
  collect(*this, names);
  return names;
}
bool Expression::depends_on(const std::string& symbol) const {
  for (const auto& [key, term] : *terms_)
    for (const auto& [atom, exponent] : term.factors)
      if (atom->kind == AtomKind::symbol ? atom->name == symbol
                                         : atom->a.depends_on(symbol) || atom->b.depends_on(symbol))
        return true;
  return false;
}

Expression operator+(const Expression& a, const Expression& b) {
  if (!a.known() || !b.known())
    return first_unknown(a, b);
  if (b.terms().empty())
    return a;
  if (a.terms().empty())
    return b;
  Terms terms = a.terms();
  for (const auto& [key, term] : b.terms())
    add_term(terms, key, term);
  return Expression::of_terms(std::move(terms));
}
Expression operator-(const Expression& a, const Expression& b) {
  return a + b.scaled(Rational(-1));
}
std::optional<Rational> constant_difference(const Expression& a, const Expression& b) {
  return constant_of(b, Rational(-1), a);
}
std::optional<Rational> constant_sum(const Expression& a, const Expression& b) {
  return constant_of(a, Rational(1), b);
}
bool Expression::operator==(const Expression& other) const {
  if (why_ != other.why_)
    return false;
  return terms_ == other.terms_ ||
         std::equal(terms_->begin(), terms_->end(), other.terms_->begin(), other.terms_->end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second.coefficient == y.second.coefficient;
                    });
}
Expression operator*(const Expression& a, const Expression& b) {
  if (!a.known() || !b.known())
    return first_unknown(a, b);
  if (const auto factor = b.constant())
    return Expression::of_terms(scaled_terms(a.terms(), *factor));
  if (const auto factor = a.constant())
    return Expression::of_terms(scaled_terms(b.terms(), *factor));
  Terms terms;
  Expression joined;
  for (const auto& [key, one] : a.terms())
    for (const auto& [other_key, other] : b.terms()) {
      Term product;
      if (!multiply(one, other, product))
        continue;
      if (is_power(product) && has_several_powers(product))
        joined += with_one_power(product);
      else
        add_term(terms, key_of(product.factors), product);
    }
  return Expression::of_terms(std::move(terms)) + joined;
}

Expression floor_div(const Expression& a, const Expression& b) {
  if (!a.known() || !b.known())
    return first_unknown(a, b);
  const auto divisor = b.constant();
  if (divisor && divisor->sign() <= 0)
    return Expression::beyond("a division by a number that is not positive");
  if (divisor && divisor->whole()) {
    // floor((X / d) / c) = floor(X / (c d)); whole parts leave the floor.
    const Wide below = denominator_of(a), whole = divisor->numerator() * below;
    const Expression above = a.scaled(Rational(below));
    Terms inside;
    Expression outside;
    for (const auto& [key, term] : above.terms()) {
      const Wide quotient = floor_quotient(term.coefficient.numerator(), whole);
      const Wide left = term.coefficient.numerator() - quotient * whole;
      Term part = term;
      part.coefficient = Rational(quotient);
      outside += Expression::of_terms(quotient == 0 ? Terms{} : Terms{{key, part}});
      // A remainder above half is written as a negative one: symmetric, and independent of how it arose.
      part.coefficient = Rational(left);
      if (left != 0)
        inside.emplace(key, part);
    }
    Expression rest = Expression::of_terms(std::move(inside));
    Wide common = greatest_divisor(content_of(rest), whole);
    if (content_of(rest) == 0)
      return outside; // a number below the divisor
    if (common > 1)
      rest = rest.without_constant().scaled(Rational::ratio(1, common)) +
             Expression(Rational(floor_quotient(rest.constant_part().numerator(), common)));
    else
      common = 1;
    const Wide by = whole / common;
    if (by == 1)
      return outside + rest;
    // floor(floor(x / c) / d) = floor(x / (c d))
    if (const Atom* atom = single_atom(rest); atom != nullptr && atom->kind == AtomKind::floor_div)
      if (atom->b.constant())
        return outside + floor_div(atom->a, atom->b.scaled(Rational(by)));
    const Expression divide_by{Rational(by)};
    return outside + Expression::of_atom({AtomKind::floor_div, "", rest, divide_by,
                                          fmt::format("floor(({}) / {})", rest.text(), divide_by.text())});
  }
  // By 2^e: terms that hold a power at least as large leave the floor (O_2 and O_3 of W's Eq. 14 cancel).
  if (const Atom* power = single_atom(b); power != nullptr && power->kind == AtomKind::power_of_two) {
    Terms inside;
    Expression outside;
    for (const auto& [key, term] : a.terms()) {
      const Expression alone = Expression::of_terms({{key, term}});
      const Expression quotient = alone * power_of_two(-power->a);
      const bool whole = std::all_of(quotient.terms().begin(), quotient.terms().end(), [](const auto& t) {
        return t.second.coefficient.whole() && !is_power(t.second);
      });
      if (whole)
        outside += quotient;
      else
        inside.emplace(key, term);
    }
    const Expression rest = Expression::of_terms(std::move(inside));
    if (rest.terms().empty())
      return outside;
    return outside + Expression::of_atom({AtomKind::floor_div, "", rest, b,
                                          fmt::format("floor(({}) / {})", rest.text(), b.text())});
  }
  if (a.terms().empty())
    return 0;
  if (a == b)
    return 1;
  return Expression::of_atom(
      {AtomKind::floor_div, "", a, b, fmt::format("floor(({}) / ({}))", a.text(), b.text())});
}

Expression ceil_div(const Expression& a, const Expression& b) {
  return floor_div(a + b - Expression(1), b);
}
Expression modulo(const Expression& a, const Expression& b) {
  return a - b * floor_div(a, b);
}

Expression minimum(const Expression& a, const Expression& b) {
  if (!a.known() || !b.known())
    return first_unknown(a, b);
  if (const auto sign = order(a, b))
    return *sign <= 0 ? a : b;
  const bool swap = b.text() < a.text();
  const Expression &x = swap ? b : a, &y = swap ? a : b;
  return Expression::of_atom({AtomKind::minimum, "", x, y, fmt::format("min({}, {})", x.text(), y.text())});
}
Expression maximum(const Expression& a, const Expression& b) {
  if (!a.known() || !b.known())
    return first_unknown(a, b);
  if (const auto sign = order(a, b))
    return *sign >= 0 ? a : b;
  const bool swap = b.text() < a.text();
  const Expression &x = swap ? b : a, &y = swap ? a : b;
  return Expression::of_atom({AtomKind::maximum, "", x, y, fmt::format("max({}, {})", x.text(), y.text())});
}

Expression power_of_two(const Expression& exponent) {
  if (!exponent.known())
    return exponent;
  constexpr int largest = 120;
  const Rational constant = exponent.constant_part();
  if (!constant.whole() || constant.numerator() > largest || constant.numerator() < -largest)
    return Expression::beyond("a power of two that does not fit into 128 bits");
  const int shift = static_cast<int>(constant.numerator());
  const Rational factor = shift >= 0 ? Rational(Wide(1) << shift) : Rational::ratio(1, Wide(1) << -shift);
  const Expression rest = exponent.without_constant();
  if (rest.terms().empty())
    return Expression(factor);
  return Expression::of_atom({AtomKind::power_of_two, "", rest, {}, fmt::format("2^({})", rest.text())})
      .scaled(factor);
}

Expression bit_length(const Expression& a) {
  if (!a.known())
    return a;
  if (const auto number = a.constant(); number && number->whole()) {
    std::int64_t bits = 0;
    for (Wide v = number->numerator(); v > 0; v >>= 1)
      ++bits;
    return bits;
  }
  // bits(2^e) = e + 1; bits(floor(x / 2^k)) stays as it is written
  if (const Atom* power = single_atom(a); power != nullptr && power->kind == AtomKind::power_of_two)
    return power->a + Expression(1);
  return Expression::of_atom({AtomKind::bit_length, "", a, {}, fmt::format("bits({})", a.text())});
}

} // namespace forewarp::symbolic

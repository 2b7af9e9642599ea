#include "symbolic/algebra/adder.h"

namespace forewarp::symbolic {
namespace {

Expression rebuilt(const Atom& atom, const Expression& a, const Expression& b) {
  switch (atom.kind) {
  case AtomKind::symbol:
    return Expression::symbol(atom.name);
  case AtomKind::floor_div:
    return floor_div(a, b);
  case AtomKind::minimum:
    return minimum(a, b);
  case AtomKind::maximum:
    return maximum(a, b);
  case AtomKind::power_of_two:
    return power_of_two(a);
  case AtomKind::bit_length:
    return bit_length(a);
  case AtomKind::not_negative:
    return not_negative(a);
  case AtomKind::is_zero:
    return is_zero(a);
  }
  return Expression::beyond("an atom of no kind");
}

bool mentions(const Expression& a, const std::map<std::string, Expression>& values);
bool mentions(const Atom& atom, const std::map<std::string, Expression>& values) {
  return atom.kind == AtomKind::symbol ? values.contains(atom.name)
                                       : mentions(atom.a, values) || mentions(atom.b, values);
}
bool mentions(const Expression& a, const std::map<std::string, Expression>& values) {
  for (const auto& [key, term] : a.terms())
    for (const auto& [atom, exponent] : term.factors)
      if (mentions(*atom, values))
        return true;
  return false;
}

/// Of an atom that mentions one of them.
Expression value_of(const Atom& atom, const std::map<std::string, Expression>& values) {
  if (atom.kind == AtomKind::symbol)
    return values.at(atom.name);
  return rebuilt(atom, substitute(atom.a, values), substitute(atom.b, values));
}

std::optional<Rational> number_of(const Atom& atom, const std::map<std::string, std::int64_t>& values) {
  if (atom.kind == AtomKind::symbol) {
    const auto found = values.find(atom.name);
    return found == values.end() ? std::nullopt : std::optional<Rational>(found->second);
  }
  const auto a = evaluate(atom.a, values);
  const auto b = evaluate(atom.b, values);
  if (!a || !b)
    return std::nullopt;
  switch (atom.kind) {
  case AtomKind::floor_div:
    return b->sign() > 0 ? std::optional<Rational>((*a / *b).floor()) : std::nullopt;
  case AtomKind::minimum:
    return *a < *b ? *a : *b;
  case AtomKind::maximum:
    return *a < *b ? *b : *a;
  case AtomKind::not_negative:
    return Rational(a->sign() >= 0 ? 1 : 0);
  case AtomKind::is_zero:
    return Rational(a->sign() == 0 ? 1 : 0);
  default:
    break;
  }
  if (!a->whole())
    return std::nullopt;
  if (atom.kind == AtomKind::bit_length) {
    int bits = 0;
    for (Wide v = a->numerator(); v > 0; v >>= 1)
      ++bits;
    return Rational(bits);
  }
  return power_of_two(Expression(*a)).constant(); // nothing where it does not fit
}

} // namespace

Expression substitute(const Expression& a, const std::map<std::string, Expression>& values) {
  if (!a.known() || !mentions(a, values))
    return a;
  Adder sum;
  for (const auto& [key, term] : a.terms()) {
    Term same{term.coefficient, {}};
    std::optional<Expression> product;
    for (const auto& [atom, exponent] : term.factors) {
      if (!mentions(*atom, values)) {
        same.factors.emplace_back(atom, exponent);
        continue;
      }
      const Expression value = value_of(*atom, values);
      for (unsigned i = 0; i < exponent; ++i)
        product = product ? *product * value : value;
    }
    if (!product)
      sum.add(key, term);
    else
      sum.add(*product * Expression::of_terms({{key_of(same.factors), same}}));
  }
  return std::move(sum).sum();
}

std::optional<Rational> evaluate(const Expression& a, const std::map<std::string, std::int64_t>& values) {
  if (!a.known())
    return std::nullopt;
  Rational sum;
  for (const auto& [key, term] : a.terms()) {
    Rational product = term.coefficient;
    for (const auto& [atom, exponent] : term.factors) {
      const auto value = number_of(*atom, values);
      if (!value)
        return std::nullopt;
      for (unsigned i = 0; i < exponent; ++i)
        product = product * *value;
    }
    sum = sum + product;
  }
  return sum.fits() ? std::optional<Rational>(sum) : std::nullopt;
}

std::optional<Linear> linear_in(const Expression& a, const std::string& symbol) {
  if (!a.known())
    return std::nullopt;
  Linear result;
  for (const auto& [key, term] : a.terms()) {
    Term left = term;
    bool found = false;
    for (auto factor = left.factors.begin(); factor != left.factors.end();) {
      const Atom& atom = *factor->first;
      if (atom.kind == AtomKind::symbol && atom.name == symbol) {
        if (factor->second != 1)
          return std::nullopt;
        found = true;
        factor = left.factors.erase(factor);
      } else {
        if (atom.kind != AtomKind::symbol && (atom.a.depends_on(symbol) || atom.b.depends_on(symbol)))
          return std::nullopt;
        ++factor;
      }
    }
    Expression part{left.coefficient};
    for (const auto& [atom, exponent] : left.factors)
      for (unsigned i = 0; i < exponent; ++i)
        part *= Expression::of_atom(*atom);
    (found ? result.factor : result.rest) += part;
  }
  return result;
}

} // namespace forewarp::symbolic

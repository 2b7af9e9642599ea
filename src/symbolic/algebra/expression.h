// Whole-number expressions over named symbols, in a canonical form: sums of products of symbols and of floor
// divisions, minima, maxima, powers of two, bit lengths and 0/1 conditions, with exact coefficients.
//
// W (Baghsorkhi et al. 2010), Definitions 9, 13 and 14: At + B, alpha i + beta, 2^(alpha i + beta), floor
// division and modulo by 2^(alpha v + beta). No packaged library has powers of two with a symbolic exponent
// beside floor divisions, hence this type; only as far as that (what was tried: docs/guide/formula.md).
#pragma once

#include "symbolic/algebra/rational.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::symbolic {

class Expression;

enum class AtomKind : std::uint8_t {
  symbol,
  floor_div, ///< floor(a / b), b >= 1
  minimum,
  maximum,
  power_of_two, ///< 2^a
  bit_length,   ///< floor(log2(a)) + 1 for a >= 1, else 0
  not_negative, ///< 1 where a >= 0, else 0
  is_zero,      ///< 1 where a = 0, else 0
};

struct Atom;
/// A product of atoms with a coefficient; atoms in the order of their texts.
struct Term {
  Rational coefficient;
  std::vector<std::pair<std::shared_ptr<const Atom>, unsigned>> factors; ///< atom, exponent
};

/// A value; cheap to copy. Beyond the algebra: known() is false and why() says what was met; everything made
/// of it is beyond the algebra too.
class Expression {
public:
  Expression(std::int64_t value = 0); // NOLINT: a number is an expression
  explicit Expression(const Rational& value);
  static Expression symbol(const std::string& name);
  static Expression beyond(std::string why);

  bool known() const { return why_.empty(); }
  const std::string& why() const { return why_; }
  /// In canonical order: equal expressions have equal terms and texts.
  const std::map<std::string, Term>& terms() const { return *terms_; }
  std::optional<Rational> constant() const;
  std::optional<std::int64_t> whole_constant() const;
  Rational constant_part() const;
  Expression without_constant() const;
  /// In C's notation, with `floor(a / b)`, `2^(a)`, `bits(a)`, `[a >= 0]`, `[a == 0]`.
  std::string text() const;
  std::set<std::string> symbols() const;
  bool depends_on(const std::string& symbol) const;
  bool operator==(const Expression& other) const;

  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  Expression operator-() const { return Expression(-1) * *this; }
  Expression& operator+=(const Expression& b) { return *this = *this + b; }
  Expression& operator*=(const Expression& b) { return *this = *this * b; }
  Expression scaled(const Rational& factor) const;

  static Expression of_terms(std::map<std::string, Term> terms);
  static Expression of_atom(Atom atom);

private:
  std::shared_ptr<const std::map<std::string, Term>> terms_;
  std::string why_;
};

struct Atom {
  AtomKind kind = AtomKind::symbol;
  std::string name; ///< symbol
  Expression a, b;
  std::string key; ///< text
};

/// a - b where that is a number: compared term by term, nothing is built.
std::optional<Rational> constant_difference(const Expression& a, const Expression& b);
/// a + b where that is a number.
std::optional<Rational> constant_sum(const Expression& a, const Expression& b);

/// floor(a / b). b: a positive number, or an expression that the caller knows to be at least 1.
Expression floor_div(const Expression& a, const Expression& b);
Expression ceil_div(const Expression& a, const Expression& b);
/// a - b floor(a / b): from 0 to below b.
Expression modulo(const Expression& a, const Expression& b);
Expression minimum(const Expression& a, const Expression& b);
Expression maximum(const Expression& a, const Expression& b);
Expression power_of_two(const Expression& exponent);
Expression bit_length(const Expression& a);
Expression not_negative(const Expression& a);
Expression is_zero(const Expression& a);

/// `a` with symbols replaced.
Expression substitute(const Expression& a, const std::map<std::string, Expression>& values);
/// Exact value; nothing where a symbol has no value, a divisor is not positive, or a number does not fit.
std::optional<Rational> evaluate(const Expression& a, const std::map<std::string, std::int64_t>& values);

/// factor * symbol + rest, the rest free of the symbol; nothing where the symbol occurs in another way.
struct Linear {
  Expression factor, rest;
};
std::optional<Linear> linear_in(const Expression& a, const std::string& symbol);

} // namespace forewarp::symbolic

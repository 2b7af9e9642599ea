// Exact rational numbers in 128 bits; a result that does not fit is marked and stays marked.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

namespace forewarp::symbolic {

__extension__ using Wide = __int128;

class Rational {
public:
  constexpr Rational(Wide value = 0) : numerator_(value) {} // NOLINT: a number is a rational
  static Rational ratio(Wide numerator, Wide denominator);
  static Rational too_large() {
    Rational r;
    r.denominator_ = 0;
    return r;
  }
  bool fits() const { return denominator_ != 0; }
  bool whole() const { return denominator_ == 1; }
  Wide numerator() const { return numerator_; }
  Wide denominator() const { return denominator_; }
  int sign() const { return numerator_ > 0 ? 1 : numerator_ < 0 ? -1 : 0; }
  /// Largest whole number that is not larger.
  Wide floor() const;
  double real() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  std::string text() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b); ///< too_large() for b = 0
  bool operator==(const Rational&) const = default;
  friend bool operator<(const Rational& a, const Rational& b) {
    return a.whole() && b.whole() ? a.numerator_ < b.numerator_ : (a - b).sign() < 0;
  }

private:
  Wide numerator_ = 0, denominator_ = 1;
};

Wide greatest_divisor(Wide a, Wide b); ///< of the magnitudes; 0 only for two zeros
Wide floor_quotient(Wide a, Wide b);   ///< b > 0
std::string wide_text(Wide value);

} // namespace forewarp::symbolic

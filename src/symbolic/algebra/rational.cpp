#include "symbolic/algebra/rational.h"

#include <algorithm>
#include <utility>

namespace forewarp::symbolic {
namespace {

bool product(Wide a, Wide b, Wide& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

} // namespace

Wide greatest_divisor(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  if (a <= INT64_MAX && b <= INT64_MAX)
    return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

Wide floor_quotient(Wide a, Wide b) {
  if (b == 1)
    return a;
  const Wide q = a / b;
  return a % b < 0 ? q - 1 : q;
}

std::string wide_text(Wide value) {
  if (value == 0)
    return "0";
  std::string digits;
  const bool negative = value < 0;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (negative)
    digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Rational Rational::ratio(Wide numerator, Wide denominator) {
  if (denominator == 0)
    return too_large();
  if (denominator == 1)
    return {numerator};
  const Wide common = greatest_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
  Rational r;
  r.numerator_ = numerator / common;
  r.denominator_ = denominator / common;
  return r;
}

Wide Rational::floor() const {
  return floor_quotient(numerator_, denominator_);
}

std::string Rational::text() const {
  return whole() ? wide_text(numerator_) : wide_text(numerator_) + "/" + wide_text(denominator_);
}

Rational operator+(const Rational& a, const Rational& b) {
  Wide left = 0, right = 0, sum = 0, below = 0;
  if (a.whole() && b.whole())
    return __builtin_add_overflow(a.numerator_, b.numerator_, &sum) ? Rational::too_large() : Rational(sum);
  if (!a.fits() || !b.fits() || !product(a.numerator_, b.denominator_, left) ||
      !product(b.numerator_, a.denominator_, right) || __builtin_add_overflow(left, right, &sum) ||
      !product(a.denominator_, b.denominator_, below))
    return Rational::too_large();
  return Rational::ratio(sum, below);
}
Rational operator-(const Rational& a, const Rational& b) {
  return a + b * Rational(-1);
}
Rational operator*(const Rational& a, const Rational& b) {
  Wide above = 0, below = 0;
  if (a.whole() && b.whole())
    return product(a.numerator_, b.numerator_, above) ? Rational(above) : Rational::too_large();
  if (!a.fits() || !b.fits() || !product(a.numerator_, b.numerator_, above) ||
      !product(a.denominator_, b.denominator_, below))
    return Rational::too_large();
  return Rational::ratio(above, below);
}
Rational operator/(const Rational& a, const Rational& b) {
  if (!b.fits() || b.sign() == 0)
    return Rational::too_large();
  return a * Rational::ratio(b.denominator_, b.numerator_);
}

} // namespace forewarp::symbolic

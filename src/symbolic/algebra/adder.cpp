#include "symbolic/algebra/adder.h"

#include <fmt/format.h>

namespace forewarp::symbolic {

std::string key_of(const Factors& factors) {
  std::string key;
  for (const auto& [atom, exponent] : factors) {
    key += key.empty() ? "" : " * ";
    key += exponent == 1 ? atom->key : fmt::format("{}^{}", atom->key, exponent);
  }
  return key;
}

void add_term(Terms& terms, const std::string& key, const Term& term) {
  const auto [place, fresh] = terms.emplace(key, term);
  if (!fresh)
    place->second.coefficient = place->second.coefficient + term.coefficient;
  if (place->second.coefficient.fits() && place->second.coefficient.sign() == 0)
    terms.erase(place);
}

void Adder::add(const Expression& a) {
  if (!a.known() && !beyond_)
    beyond_ = a;
  for (const auto& [key, term] : a.terms())
    add_term(terms_, key, term);
}
void Adder::add(const std::string& key, const Term& term) {
  add_term(terms_, key, term);
}
Expression Adder::sum() && {
  return beyond_ ? *beyond_ : Expression::of_terms(std::move(terms_));
}

} // namespace forewarp::symbolic

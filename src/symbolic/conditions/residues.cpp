#include "symbolic/conditions/residues.h"

#include "symbolic/kernel/names.h"

#include <algorithm>
#include <functional>
#include <set>

namespace forewarp::symbolic {
namespace {

bool is_item(const std::string& name) {
  return name.starts_with("item.");
}

std::vector<std::map<std::string, std::int64_t>> lane_values(const std::vector<LaneBox>& lanes) {
  std::vector<std::map<std::string, std::int64_t>> out;
  for (const LaneBox& box : lanes)
    for (std::int64_t z = box.low[2]; z <= box.high[2]; ++z)
      for (std::int64_t y = box.low[1]; y <= box.high[1]; ++y)
        for (std::int64_t x = box.low[0]; x <= box.high[0]; ++x)
          out.push_back({{item_name(0), x}, {item_name(1), y}, {item_name(2), z}});
  return out;
}

/// A sum of whole numbers times whole numbers: its residues are among the multiples of what the coefficients
/// share.
bool has_whole_coefficients(const Expression& a) {
  return std::all_of(a.terms().begin(), a.terms().end(),
                     [](const auto& term) { return term.second.coefficient.whole(); });
}

/// Splits into what depends on items and the rest; nothing where a product or a floor mixes the two.
struct Parts {
  Expression own, rest;
};
std::optional<Parts> split(const Expression& a) {
  Parts parts;
  for (const auto& [key, term] : a.terms()) {
    const Expression alone = Expression::of_terms({{key, term}});
    bool own = false, other = false;
    for (const std::string& name : alone.symbols())
      (is_item(name) ? own : other) = true;
    if (own && other)
      return std::nullopt;
    (own ? parts.own : parts.rest) += alone;
  }
  return parts;
}

using Measure = std::function<double(const std::vector<std::int64_t>& addresses)>;

/// Mean of the measure over all residues (mod `modulus`) of the symbols that are no items.
AccessPattern over_residues(const Expression& offset, std::int64_t modulus, const std::vector<LaneBox>& lanes,
                            const Measure& measure, double worst) {
  if (!offset.known())
    return {worst, false};
  const auto values = lane_values(lanes);
  const auto at = [&](const Expression& own, const std::map<std::string, std::int64_t>& others, bool& known) {
    std::vector<std::int64_t> addresses;
    for (auto point : values) {
      point.insert(others.begin(), others.end());
      const auto value = evaluate(own, point);
      if (!value || !value->whole()) {
        known = false;
        return addresses;
      }
      addresses.push_back(static_cast<std::int64_t>(value->numerator()));
    }
    return addresses;
  };
  bool known = true;
  if (const auto parts = split(offset); parts && has_whole_coefficients(parts->rest)) {
    // The rest moves all lanes alike: its residues are those that its coefficients reach.
    Wide step = modulus;
    for (const auto& [key, term] : parts->rest.terms())
      if (!key.empty())
        step = greatest_divisor(step, term.coefficient.numerator());
    const auto first = static_cast<std::int64_t>(parts->rest.constant_part().numerator());
    const auto own = at(parts->own, {}, known);
    if (!known)
      return {worst, false};
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t shift = 0; shift < modulus; shift += static_cast<std::int64_t>(step), ++count) {
      std::vector<std::int64_t> moved = own;
      for (std::int64_t& address : moved)
        address += first + shift;
      sum += measure(moved);
    }
    return {sum / static_cast<double>(count), true};
  }
  return {worst, false}; // how far lanes are apart depends on another symbol: no residue says it
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

} // namespace

AccessPattern bank_passes(const Expression& offset, unsigned width, const std::vector<LaneBox>& lanes,
                          const BankRules& rules) {
  const std::int64_t line = std::int64_t{rules.banks} * rules.bank_bytes;
  // Accesses wider than a bank are served in as many parts as they have words.
  const std::size_t words = std::max(1U, width / rules.bank_bytes);
  const std::size_t together = std::max<std::size_t>(1, rules.lanes_per_pass / words);
  const Measure passes = [&](const std::vector<std::int64_t>& addresses) {
    double sum = 0;
    for (std::size_t first = 0; first < addresses.size(); first += together) {
      std::vector<std::set<std::int64_t>> of_bank(rules.banks);
      for (std::size_t i = first; i < std::min(first + together, addresses.size()); ++i)
        for (std::size_t w = 0; w < words; ++w) {
          const std::int64_t word =
              floor_of(addresses[i] + static_cast<std::int64_t>(w * rules.bank_bytes), rules.bank_bytes);
          of_bank[static_cast<std::size_t>(word - floor_of(word, rules.banks) * rules.banks)].insert(word);
        }
      std::size_t most = 0;
      for (const auto& different : of_bank)
        most = std::max(most, different.size());
      sum += static_cast<double>(most);
    }
    return sum;
  };
  std::size_t items = 0;
  for (const LaneBox& box : lanes)
    items += static_cast<std::size_t>((box.high[0] - box.low[0] + 1) * (box.high[1] - box.low[1] + 1) *
                                      (box.high[2] - box.low[2] + 1));
  return over_residues(offset, line, lanes, passes, static_cast<double>(items * words));
}

AccessPattern segments(const Expression& offset, unsigned width, const std::vector<LaneBox>& lanes,
                       unsigned segment_bytes) {
  const Measure count = [&](const std::vector<std::int64_t>& addresses) {
    std::set<std::int64_t> touched;
    for (const std::int64_t address : addresses)
      for (std::int64_t s = floor_of(address, segment_bytes);
           s <= floor_of(address + width - 1, segment_bytes); ++s)
        touched.insert(s);
    return static_cast<double>(touched.size());
  };
  std::size_t items = 0;
  for (const LaneBox& box : lanes)
    items += static_cast<std::size_t>((box.high[0] - box.low[0] + 1) * (box.high[1] - box.low[1] + 1) *
                                      (box.high[2] - box.low[2] + 1));
  return over_residues(offset, segment_bytes, lanes, count, static_cast<double>(items));
}

Simplified simplify_under_constraints(const Expression& a, const std::vector<std::string>& free,
                                      const std::map<std::string, Expression>& largest) {
  Simplified out{a, {}};
  if (!a.known())
    return out;
  out.value = 0;
  const auto keep = [&](const MultipleOfPower& constraint) {
    for (const MultipleOfPower& known : out.constraints)
      if (known.symbol == constraint.symbol && known.exponent == constraint.exponent)
        return;
    out.constraints.push_back(constraint);
  };
  for (const auto& [key, term] : a.terms()) {
    Expression product{term.coefficient};
    for (const auto& [atom, exponent] : term.factors) {
      Expression value = Expression::of_atom(*atom);
      if (atom->kind == AtomKind::floor_div && atom->b.terms().size() == 1 &&
          atom->b.terms().begin()->second.factors.size() == 1 &&
          atom->b.terms().begin()->second.factors[0].first->kind == AtomKind::power_of_two) {
        const Expression& power = atom->b.terms().begin()->second.factors[0].first->a;
        // Terms with a free symbol are pulled out, N = k 2^J: N / 2^j = k 2^(J - j).
        Expression inside, outside;
        for (const auto& [inner_key, inner] : atom->a.terms()) {
          const Expression alone = Expression::of_terms({{inner_key, inner}});
          const auto with = std::find_if(free.begin(), free.end(),
                                         [&](const std::string& name) { return alone.depends_on(name); });
          if (with == free.end()) {
            inside += alone;
            continue;
          }
          const Expression upper = substitute(power, largest);
          const Expression quotient = Expression::symbol(*with + ".k");
          keep({*with, upper, quotient});
          outside += substitute(alone, {{*with, quotient * power_of_two(upper)}}) * power_of_two(-power);
        }
        value = outside + floor_div(inside, atom->b);
      }
      for (unsigned i = 0; i < exponent; ++i)
        product *= value;
    }
    out.value += product;
  }
  // What was k 2^(J - j) times 2^j is k 2^J = N again.
  for (const MultipleOfPower& constraint : out.constraints)
    out.value = substitute(out.value, {{constraint.symbol + ".k", Expression::symbol(constraint.symbol) *
                                                                      power_of_two(-constraint.exponent)}});
  return out;
}

} // namespace forewarp::symbolic

#include "symbolic/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace forewarp::symbolic {

double value_of(Operation operation, double a, double b) {
  switch (operation) {
  case Operation::add:
    return a + b;
  case Operation::subtract:
    return a - b;
  case Operation::multiply:
    return a * b;
  case Operation::divide:
    return b == 0 ? 0 : a / b;
  case Operation::floor_divide:
    return std::floor(a / b);
  case Operation::minimum:
    return a < b ? a : b;
  case Operation::maximum:
    return a > b ? a : b;
  case Operation::power_of_two:
    return std::exp2(a);
  case Operation::bit_length:
    return a < 1 ? 0 : std::ilogb(a) + 1.0; // of infinity, the largest int
  case Operation::not_negative:
    return a >= 0 ? 1 : 0;
  case Operation::is_zero:
    return a == 0 ? 1 : 0;
  case Operation::less:
    return a < b ? 1 : 0;
  case Operation::ceiling:
    return std::ceil(a);
  case Operation::logarithm:
    return std::log(a);
  case Operation::eight_bits: {
    int exponent = 0;
    const double fraction = std::frexp(a, &exponent);
    return std::ldexp(std::round(std::ldexp(fraction, 8)), exponent - 8);
  }
  default:
    return 0;
  }
}

namespace {

std::string c_text(Operation operation, const std::string& a, const std::string& b) {
  switch (operation) {
  case Operation::add:
    return a + " + " + b;
  case Operation::subtract:
    return a + " - " + b;
  case Operation::multiply:
    return a + " * " + b;
  case Operation::divide:
    return fmt::format("{1} == 0 ? 0 : {0} / {1}", a, b);
  case Operation::floor_divide:
    return fmt::format("floor({} / {})", a, b);
  case Operation::minimum:
    return fmt::format("fmin({}, {})", a, b);
  case Operation::maximum:
    return fmt::format("fmax({}, {})", a, b);
  case Operation::power_of_two:
    return fmt::format("exp2({})", a);
  case Operation::bit_length:
    return fmt::format("{0} < 1 ? 0 : ilogb({0}) + 1.0", a);
  case Operation::not_negative:
    return a + " >= 0";
  case Operation::is_zero:
    return a + " == 0";
  case Operation::less:
    return a + " < " + b;
  case Operation::ceiling:
    return fmt::format("ceil({})", a);
  case Operation::logarithm:
    return fmt::format("log({})", a);
  default:
    return fmt::format("eight_bits({})", a);
  }
}
std::string python_text(Operation operation, const std::string& a, const std::string& b) {
  switch (operation) {
  case Operation::divide:
    return fmt::format("0.0 if {1} == 0 else {0} / {1}", a, b);
  case Operation::floor_divide:
    return fmt::format("math.floor({} / {})", a, b);
  case Operation::minimum:
    return fmt::format("min({}, {})", a, b);
  case Operation::maximum:
    return fmt::format("max({}, {})", a, b);
  case Operation::power_of_two:
    return fmt::format("2.0 ** {}", a);
  case Operation::bit_length:
    return fmt::format("0 if {0} < 1 else math.frexp({0})[1]", a);
  case Operation::not_negative:
    return fmt::format("float({} >= 0)", a);
  case Operation::is_zero:
    return fmt::format("float({} == 0)", a);
  case Operation::less:
    return fmt::format("float({} < {})", a, b);
  case Operation::ceiling:
    return fmt::format("math.ceil({})", a);
  case Operation::logarithm:
    return fmt::format("math.log({})", a);
  case Operation::eight_bits:
    return fmt::format("eight_bits({})", a);
  default:
    return c_text(operation, a, b);
  }
}

} // namespace

Program::Index Program::of(const Atom& atom) {
  static const std::map<AtomKind, Operation> operations = {
      {AtomKind::floor_div, Operation::floor_divide}, {AtomKind::minimum, Operation::minimum},
      {AtomKind::maximum, Operation::maximum},        {AtomKind::power_of_two, Operation::power_of_two},
      {AtomKind::bit_length, Operation::bit_length},  {AtomKind::not_negative, Operation::not_negative},
      {AtomKind::is_zero, Operation::is_zero}};
  if (atom.kind == AtomKind::symbol)
    return input(atom.name);
  const Index a = of(atom.a);
  return make(operations.at(atom.kind), a, of(atom.b));
}

Program::Index Program::of(const Expression& a) {
  // Whole numbers stay whole as long as they can: the divisor comes last.
  Wide divisor = 1;
  for (const auto& [key, term] : a.terms())
    divisor = std::lcm(static_cast<std::int64_t>(divisor),
                       static_cast<std::int64_t>(term.coefficient.denominator()));
  std::vector<Product> sum;
  for (const auto& [key, term] : a.terms()) {
    Product product{
        static_cast<double>(term.coefficient.numerator() * (divisor / term.coefficient.denominator())), {}};
    for (const auto& [atom, exponent] : term.factors)
      product.factors.insert(product.factors.end(), exponent, of(*atom));
    sum.push_back(std::move(product));
  }
  const Index whole = of(std::move(sum));
  return divisor == 1 ? whole : make(Operation::divide, whole, constant(static_cast<double>(divisor)));
}

/// The factor that most products share is multiplied once, and so on.
Program::Index Program::of(std::vector<Product> sum) {
  std::map<Index, std::size_t> shared; // products that hold the factor
  for (const Product& product : sum)
    for (const Index factor : std::set<Index>(product.factors.begin(), product.factors.end()))
      ++shared[factor];
  const auto most = std::max_element(shared.begin(), shared.end(),
                                     [](const auto& x, const auto& y) { return x.second < y.second; });
  if (most != shared.end() && most->second > 1) {
    std::vector<Product> with, without;
    for (Product& product : sum) {
      const auto place = std::find(product.factors.begin(), product.factors.end(), most->first);
      const bool holds = place != product.factors.end();
      if (holds)
        product.factors.erase(place);
      (holds ? with : without).push_back(std::move(product));
    }
    const Index inner = make(Operation::multiply, most->first, of(std::move(with)));
    return without.empty() ? inner : make(Operation::add, inner, of(std::move(without)));
  }
  Index total = constant(0);
  for (const Product& product : sum) {
    Index value = constant(product.coefficient);
    for (const Index factor : product.factors)
      value = make(Operation::multiply, value, factor);
    total = make(Operation::add, total, value);
  }
  return total;
}

void Program::evaluate(const double* inputs, std::vector<double>& steps) const {
  steps.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
    steps[i] = s.operation == Operation::constant ? s.value
               : s.operation == Operation::input  ? inputs[s.a]
                                                  : value_of(s.operation, steps[s.a], steps[s.b]);
  }
}

std::vector<bool> Program::needed(const std::vector<Output>& outputs) const {
  std::vector<bool> need(steps_.size(), false);
  for (const Output& output : outputs)
    need[output.value] = true;
  for (std::size_t i = steps_.size(); i-- > 0;)
    if (need[i] && steps_[i].operation != Operation::constant && steps_[i].operation != Operation::input)
      need[steps_[i].a] = need[steps_[i].b] = true;
  return need;
}

std::string Program::to_c(const std::string& name, const std::vector<Output>& outputs) const {
  std::string text = "#include <math.h>\n\n/* a number with a mantissa of eight bits */\n"
                     "static double eight_bits(double a) {\n  int e;\n  double f = frexp(a, &e);\n"
                     "  return ldexp(round(ldexp(f, 8)), e - 8);\n}\n\n";
  text += fmt::format("struct {}_result {{\n", name);
  for (const Output& output : outputs)
    text += fmt::format("  double {};\n", output.name);
  text += fmt::format("}};\n\nstruct {0}_result {0}(", name);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    text += fmt::format("{}double {}", i == 0 ? "" : ", ", inputs_[i]);
  text += ") {\n  (void)eight_bits;\n";
  const std::vector<bool> need = needed(outputs);
  const auto word = [&](Index i) {
    const Step& s = steps_[i];
    if (s.operation == Operation::constant) {
      const std::string digits = fmt::format("{}", s.value);
      return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
    }
    return s.operation == Operation::input ? inputs_[s.a] : fmt::format("t{}", i);
  };
  for (Index i = 0; i < steps_.size(); ++i)
    if (need[i] && steps_[i].operation != Operation::constant && steps_[i].operation != Operation::input)
      text += fmt::format("  double t{} = {};\n", i,
                          c_text(steps_[i].operation, word(steps_[i].a), word(steps_[i].b)));
  text += fmt::format("  struct {}_result r = {{", name);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text += (i == 0 ? "" : ", ") + word(outputs[i].value);
  return text + "};\n  return r;\n}\n";
}

std::string Program::to_python(const std::string& name, const std::vector<Output>& outputs) const {
  std::string text = "import math\n\n\ndef eight_bits(a):\n    f, e = math.frexp(a)\n"
                     "    return math.ldexp(math.floor(math.ldexp(f, 8) + 0.5), e - 8)\n\n\n";
  text += fmt::format("def {}(", name);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", inputs_[i]);
  text += "):\n";
  const std::vector<bool> need = needed(outputs);
  const auto word = [&](Index i) {
    const Step& s = steps_[i];
    return s.operation == Operation::constant ? fmt::format("{}", s.value)
           : s.operation == Operation::input  ? inputs_[s.a]
                                              : fmt::format("t{}", i);
  };
  for (Index i = 0; i < steps_.size(); ++i)
    if (need[i] && steps_[i].operation != Operation::constant && steps_[i].operation != Operation::input)
      text += fmt::format("    t{} = {}\n", i,
                          python_text(steps_[i].operation, word(steps_[i].a), word(steps_[i].b)));
  text += "    return {";
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", outputs[i].name, word(outputs[i].value));
  return text + "}\n";
}

} // namespace forewarp::symbolic

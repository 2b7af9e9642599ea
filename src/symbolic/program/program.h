// Expressions and real arithmetic over them as straight-line code: evaluated in well under a microsecond, and
// printed as C or Python.
#pragma once

#include "symbolic/algebra/expression.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace forewarp::symbolic {

enum class Operation : std::uint8_t {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide, ///< 0 where the divisor is 0
  floor_divide,
  minimum,
  maximum,
  power_of_two,
  bit_length,
  not_negative, ///< 1 or 0
  is_zero,      ///< 1 or 0
  less,         ///< 1 or 0
  ceiling,
  logarithm,  ///< natural
  eight_bits, ///< rounded to a mantissa of eight bits
};

/// Of one step. Unary operations do not read `b`.
double value_of(Operation operation, double a, double b);

/// What a step's value lies between, at every point that the inputs' ranges allow.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// Equal computations are made once, and those that the inputs' ranges decide not at all.
class Program {
public:
  /// Index of the step that holds the value.
  using Index = std::uint32_t;

  /// `ranges`: of the inputs, in their order; none: every number.
  explicit Program(std::vector<std::string> inputs, std::vector<Bounds> ranges = {})
      : inputs_(std::move(inputs)), ranges_(std::move(ranges)) {
    ranges_.resize(inputs_.size());
  }

  Index constant(double value);
  /// `a` is known and holds no other symbols than the inputs.
  Index of(const Expression& a);
  Index make(Operation operation, Index a, Index b = 0);
  /// What is known of the step beside its own computation.
  void narrow(Index step, const Bounds& bounds);
  const Bounds& bounds(Index step) const { return steps_[step].bounds; }

  /// Inputs in the order of the constructor. `steps` holds all values after it, by index; whole numbers are
  /// exact up to 2^53.
  void evaluate(const double* inputs, std::vector<double>& steps) const;
  std::size_t size() const { return steps_.size(); }
  const std::vector<std::string>& inputs() const { return inputs_; }

  struct Output {
    std::string name;
    Index value;
  };
  /// A function NAME of the inputs in double precision that gives a struct (C) or a dict (Python) of the
  /// outputs.
  std::string to_c(const std::string& name, const std::vector<Output>& outputs) const;
  std::string to_python(const std::string& name, const std::vector<Output>& outputs) const;

private:
  friend class Evaluator;
  struct Step {
    Operation operation = Operation::constant;
    Index a = 0, b = 0;
    double value = 0;
    Bounds bounds = {};
  };
  static constexpr Index undecided = UINT32_MAX;
  Index settled(Operation operation, Index a, Index b);
  Index add_step(Operation operation, Index a, Index b, double value, const Bounds& bounds);
  /// A number times steps.
  struct Product {
    double coefficient = 1;
    std::vector<Index> factors;
  };
  Index input(const std::string& name);
  Index of(const Atom& atom);
  Index of(std::vector<Product> sum);
  std::vector<bool> needed(const std::vector<Output>& outputs) const;

  std::vector<std::string> inputs_;
  std::vector<Bounds> ranges_;
  std::vector<Step> steps_;
  std::map<std::tuple<Operation, Index, Index, double>, Index> known_;
};

/// A number that a program computes, in the notation of arithmetic.
class Real {
public:
  Real(Program& program, Program::Index index) : program_(&program), index_(index) {}
  Real(Program& program, double value) : program_(&program), index_(program.constant(value)) {}
  Program::Index index() const { return index_; }
  const Bounds& bounds() const { return program_->bounds(index_); }
  Real number(double value) const { return {*program_, value}; }

  friend Real operator+(const Real& a, const Real& b) { return a.with(Operation::add, b); }
  friend Real operator-(const Real& a, const Real& b) { return a.with(Operation::subtract, b); }
  friend Real operator*(const Real& a, const Real& b) { return a.with(Operation::multiply, b); }
  /// 0 where b is 0.
  friend Real operator/(const Real& a, const Real& b) { return a.with(Operation::divide, b); }
  friend Real operator+(const Real& a, double b) { return a + a.number(b); }
  friend Real operator-(const Real& a, double b) { return a - a.number(b); }
  friend Real operator*(const Real& a, double b) { return a * a.number(b); }
  friend Real operator/(const Real& a, double b) { return a / a.number(b); }
  friend Real larger(const Real& a, const Real& b) { return a.with(Operation::maximum, b); }
  friend Real smaller(const Real& a, const Real& b) { return a.with(Operation::minimum, b); }
  friend Real is_less(const Real& a, const Real& b) { return a.with(Operation::less, b); }
  // As published/flow_of.h asks of a number.
  friend Real quotient(const Real& a, const Real& b) { return a / b; }
  friend Real constant_like(const Real& a, double value) { return a.number(value); }
  friend Real rest_of(const Real& taken) {
    const Real left = taken.number(1) - taken;
    return left * is_less(taken.number(1e-9), left);
  }
  friend bool is_never(const Real& a) { return a.bounds().high <= 0; }
  friend Real logarithm(const Real& a) { return a.with(Operation::logarithm, a); }
  friend Real ceiling(const Real& a) { return a.with(Operation::ceiling, a); }
  friend Real eight_bits(const Real& a) { return a.with(Operation::eight_bits, a); }

private:
  Real with(Operation operation, const Real& b) const {
    return {*program_, program_->make(operation, index_, b.index_)};
  }
  Program* program_;
  Program::Index index_;
};

} // namespace forewarp::symbolic

// A program's outputs at many points: only the steps that they need, several points at once.
#pragma once

#include "symbolic/program/program.h"

#include <span>

namespace forewarp::symbolic {

class Evaluator {
public:
  Evaluator(const Program& program, std::span<const Program::Index> outputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_.size(); }
  std::size_t steps() const { return steps_.size(); }

  /// `inputs`: of one point, in the program's order; `values`: the outputs in theirs. The same numbers as
  /// Program::evaluate's.
  void evaluate(const double* inputs, double* values);
  /// Of `points` points, one after the other in both arrays.
  void evaluate(const double* inputs, double* values, std::size_t points);

  struct Step {
    Operation operation;
    std::uint32_t a, b; ///< steps; `a` of an input: which
    double value;
  };

private:
  std::size_t inputs_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> outputs_;
  std::vector<double> scratch_; ///< values of all steps, those of points that go together side by side
};

} // namespace forewarp::symbolic

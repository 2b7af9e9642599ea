// A program's outputs at many points: only the steps that they need, several points at once. Steps share
// places that nobody reads any more, so that all of them lie in the nearest cache.
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
    std::uint32_t to, a, b; ///< places; `a` of an input: which
  };

private:
  class Places;

  std::size_t inputs_;
  std::vector<Step> steps_; ///< without constants
  std::vector<std::uint32_t> outputs_;
  std::vector<double> one_, many_; ///< by place, of one point and of points that go together side by side
};

} // namespace forewarp::symbolic

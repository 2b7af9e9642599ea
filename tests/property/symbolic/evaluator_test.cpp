// The evaluator gives the program's numbers, one point or many at once.
#include "symbolic/program/evaluator.h"

#include <gtest/gtest.h>

#include <random>

using namespace forewarp::symbolic;

TEST(RandomPrograms, EvaluatorGivesTheProgramsNumbers) {
  std::mt19937 random(3);
  const auto draw = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr Operation operations[] = {Operation::add,       Operation::subtract,     Operation::multiply,
                                      Operation::divide,    Operation::floor_divide, Operation::minimum,
                                      Operation::maximum,   Operation::bit_length,   Operation::not_negative,
                                      Operation::is_zero,   Operation::less,         Operation::ceiling,
                                      Operation::eight_bits};
  for (int trial = 0; trial < 20; ++trial) {
    Program program({"n", "m"});
    std::vector<Program::Index> made = {program.of(Expression::symbol("n")),
                                        program.of(Expression::symbol("m")), program.constant(3),
                                        program.constant(0.75)};
    for (int i = 0; i < 60; ++i)
      made.push_back(program.make(operations[draw(std::size(operations))], made[draw(made.size())],
                                  made[draw(made.size())]));
    const std::vector<Program::Index> outputs = {made[made.size() - 1], made[made.size() / 2], made[0]};
    Evaluator evaluator(program, outputs);
    EXPECT_LE(evaluator.steps(), program.size());
    constexpr std::size_t points = 37; // no multiple of how many go together
    std::vector<double> inputs, together(points * outputs.size()), one(outputs.size()), steps;
    for (std::size_t p = 0; p < points; ++p) {
      inputs.push_back(static_cast<double>(1 + draw(5000)));
      inputs.push_back(static_cast<double>(1 + draw(50)));
    }
    evaluator.evaluate(inputs.data(), together.data(), points);
    for (std::size_t p = 0; p < points; ++p) {
      program.evaluate(inputs.data() + 2 * p, steps);
      evaluator.evaluate(inputs.data() + 2 * p, one.data());
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        const double expected = steps[outputs[o]];
        if (expected != expected) // no number
          continue;
        EXPECT_EQ(one[o], expected);
        EXPECT_EQ(together[p * outputs.size() + o], expected);
      }
    }
  }
}

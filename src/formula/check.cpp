#include "formula/check.h"

#include "engine/published/models.h"
#include "formula/formula_source.h"
#include "support/thread_time.h"
#include "symbolic/program/evaluator.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace forewarp::formula {
namespace {

class Checker {
public:
  Checker(const Formula& formula, const std::optional<PredictorForm>& form, const CheckRequest& request)
      : formula_(formula), form_(form), request_(request), random_(request.seed) {}

  FormulaCheck run() {
    for (const ModelForm& model : formula_.models)
      out_.models.push_back({model.model, {}, {}});
    static_errors_.resize(formula_.models.size());
    executed_errors_.resize(formula_.models.size());
    const bool rests_on_data = !formula_.made_of->runs.taken_as_true.empty();
    const std::vector<std::int64_t> highest = affordable();
    for (std::size_t i = 0; i < request_.points && !highest.empty(); ++i)
      if (const auto at = draw(highest)) {
        compare_models(*at, true);
        if (!rests_on_data && i < request_.executed_points)
          compare_models(*at, false);
      }
    if (highest.empty())
      leave_out(fmt::format("a grid of the smallest size runs more than {:g} warp instructions",
                            request_.most_instructions));
    for (std::size_t m = 0; m < formula_.models.size(); ++m) {
      out_.models[m].on_static = spread(static_errors_[m]);
      out_.models[m].on_executed = spread(executed_errors_[m]);
    }
    if (form_ && request_.predict)
      compare_predictor();
    time_evaluation();
    return std::move(out_);
  }

private:
  struct Error {
    double size;
    Point at;
  };

  static Spread spread(std::vector<Error>& errors) {
    if (errors.empty())
      return {};
    std::sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) { return a.size < b.size; });
    const std::size_t last = errors.size() - 1;
    return {errors.size(), errors[errors.size() / 2].size,
            errors[std::min(last, errors.size() * 95 / 100)].size, errors[last].size, errors[last].at};
  }
  void leave_out(const std::string& why) {
    if (std::find(out_.left_out.begin(), out_.left_out.end(), why) == out_.left_out.end())
      out_.left_out.push_back(why);
  }

  /// Of each symbol the highest value whose whole grid may be traced with the others at their lowest; empty:
  /// not even the lowest.
  std::vector<std::int64_t> affordable() const {
    const auto instructions =
        std::find_if(formula_.counts.begin(), formula_.counts.end(),
                     [](const ClosedCount& count) { return count.name == "instructions"; });
    Point at;
    for (const Symbol& symbol : formula_.symbols)
      at[symbol.name] = symbol.low;
    std::vector<std::int64_t> highest;
    for (const Symbol& symbol : formula_.symbols) {
      constexpr std::size_t looked_at = 400;
      std::optional<std::int64_t> most;
      for (const std::int64_t value : spread_points(symbol, looked_at)) {
        at[symbol.name] = value;
        const auto number = symbolic::evaluate(instructions->value, at);
        if (number && number->real() <= request_.most_instructions)
          most = value;
      }
      if (!most)
        return {};
      highest.push_back(*most);
      at[symbol.name] = symbol.low;
    }
    return highest;
  }

  std::optional<Point> draw(const std::vector<std::int64_t>& highest) {
    constexpr int tries = 50;
    for (int i = 0; i < tries; ++i) {
      Point at;
      for (std::size_t s = 0; s < formula_.symbols.size(); ++s) {
        const Symbol& symbol = formula_.symbols[s];
        const auto steps = static_cast<std::uint64_t>((highest[s] - symbol.low) / symbol.step + 1);
        at[symbol.name] = symbol.low + static_cast<std::int64_t>(random_() % steps) * symbol.step;
      }
      if (formula_.check(at))
        return at;
    }
    leave_out("drawn sizes break the constraints");
    return std::nullopt;
  }

  void compare_models(const Point& at, bool by_analysis) {
    auto request = request_.request_at(at);
    const auto own = formula_.facts_at(at);
    if (!request || !own) {
      leave_out(request ? own.error().message : request.error().message);
      return;
    }
    request->static_trace = by_analysis;
    request->run.whole_grid = true;
    request->run.max_trace_bytes = std::uint64_t{1} << 30;
    auto inputs = engine::model_inputs(*request, planner_);
    if (!inputs) {
      leave_out(inputs.error().message);
      return;
    }
    engine::ModelInput& input = inputs->front();
    input.independent_facts->graphs.clear();
    input.independent_facts->ilp = own->ilp;
    engine::ModelsOptions options;
    options.context_independent = true;
    for (const ModelForm& model : formula_.models)
      options.models.push_back(model.model);
    const auto answer = engine::evaluate_models(input, options);
    if (!answer) {
      leave_out(answer.error().message);
      return;
    }
    for (const engine::ModelRow& row : answer->rows)
      for (std::size_t m = 0; m < formula_.models.size(); ++m)
        if (formula_.models[m].model == row.name && row.prediction)
          (by_analysis ? static_errors_ : executed_errors_)[m].push_back(
              {std::abs(formula_.time_ms(formula_.models[m], at) / row.prediction->time_ms - 1), at});
  }

  void compare_predictor() {
    std::vector<std::int64_t> highest;
    for (const Symbol& symbol : formula_.symbols)
      highest.push_back(symbol.high);
    std::vector<Error> errors;
    double within_5 = 0, within_15 = 0, beyond = 0, unsaid = 0;
    for (std::size_t i = 0; i < request_.points; ++i) {
      const auto at = draw(highest);
      if (!at)
        break;
      const auto told = request_.predict(*at);
      if (!told) {
        leave_out(told.error().message);
        continue;
      }
      const double error = std::abs(formula_.evaluate(*at)[form_->time_ms] / told->time_ms - 1);
      const double said = error_at(*form_, formula_, *at);
      constexpr double rounding = 1e-9;
      within_5 += error <= 0.05;
      within_15 += error <= 0.15;
      beyond += error > said + rounding;
      unsaid += error > 0.15 && said <= 0.15;
      errors.push_back({error, *at});
    }
    const double count = std::max<double>(1, static_cast<double>(errors.size()));
    out_.predictor = spread(errors);
    out_.within_5 = within_5 / count;
    out_.within_15 = within_15 / count;
    out_.beyond_said = beyond / count;
    out_.beyond_15_unsaid = unsaid / count;
  }

  void time_evaluation() {
    std::vector<symbolic::Program::Index> times;
    for (const ModelForm& model : formula_.models)
      times.push_back(model.time_ms.index());
    symbolic::Evaluator evaluator(formula_.program, times);
    std::vector<double> inputs;
    for (const std::string& name : formula_.program.inputs())
      for (const Symbol& symbol : formula_.symbols)
        if (symbol.name == name)
          inputs.push_back(static_cast<double>(symbol.low));
    constexpr std::size_t together = 1024, rounds = 16;
    std::vector<double> points, values(times.size() * together);
    for (std::size_t i = 0; i < together; ++i) {
      points.insert(points.end(), inputs.begin(), inputs.end());
      inputs.front() += 1;
    }
    const double start = thread_cpu_s();
    for (std::size_t i = 0; i < rounds; ++i)
      evaluator.evaluate(points.data(), values.data(), together);
    out_.evaluate_us = (thread_cpu_s() - start) * 1e6 / static_cast<double>(rounds * together);
    out_.steps = evaluator.steps();
  }

  const Formula& formula_;
  const std::optional<PredictorForm>& form_;
  const CheckRequest& request_;
  std::mt19937_64 random_;
  engine::Planner planner_;
  FormulaCheck out_;
  std::vector<std::vector<Error>> static_errors_, executed_errors_;
};

std::string where(const Point& at) {
  std::string text;
  for (const auto& [name, value] : at)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

nlohmann::ordered_json json_of(const Spread& spread) {
  nlohmann::ordered_json out{{"points", spread.points}};
  if (spread.points == 0)
    return out;
  out["median"] = spread.median;
  out["percentile_95"] = spread.percentile_95;
  out["largest"] = spread.largest;
  for (const auto& [name, value] : spread.worst)
    out["worst"][name] = value;
  return out;
}

} // namespace

FormulaCheck check(const Formula& formula, const std::optional<PredictorForm>& form,
                   const CheckRequest& request) {
  return Checker(formula, form, request).run();
}

std::string to_text(const FormulaCheck& check, const Formula& formula) {
  std::string text = fmt::format("{} on {}: the formula at random sizes\n", formula.kernel, formula.gpu);
  const auto add = [&](const std::string& name, const std::string& traces, const Spread& spread) {
    if (spread.points > 0)
      text +=
          fmt::format("    {:<16} {:<16} {:>4} points, off by {:.1e} in the median, {:.1e} at most ({})\n",
                      name, traces, spread.points, spread.median, spread.largest, where(spread.worst));
  };
  for (const FormulaCheck::Row& row : check.models) {
    add(row.model, "static traces", row.on_static);
    add(row.model, "executed traces", row.on_executed);
  }
  if (check.predictor) {
    add("hybrid", "predictions", *check.predictor);
    text += fmt::format(
        "    within 5 %: {:.1f} % of points, within 15 %: {:.1f} %; above what the form says there: "
        "{:.1f} %, above 15 % where it says less: {:.1f} %\n",
        check.within_5 * 100, check.within_15 * 100, check.beyond_said * 100, check.beyond_15_unsaid * 100);
  }
  text += fmt::format("    evaluated in {:.3f} us a point ({} steps)\n", check.evaluate_us, check.steps);
  for (const std::string& why : check.left_out)
    text += fmt::format("    left out: {}\n", why);
  return text;
}

std::string to_json(const FormulaCheck& check, const Formula& formula) {
  nlohmann::ordered_json out{{"format", 1}, {"kernel", formula.kernel}, {"gpu", formula.gpu}};
  for (const FormulaCheck::Row& row : check.models)
    out["models"].push_back({{"name", row.model},
                             {"static_traces", json_of(row.on_static)},
                             {"executed_traces", json_of(row.on_executed)}});
  if (check.predictor) {
    out["predictor"] = json_of(*check.predictor);
    out["predictor"]["within_5"] = check.within_5;
    out["predictor"]["within_15"] = check.within_15;
    out["predictor"]["beyond_said"] = check.beyond_said;
    out["predictor"]["beyond_15_unsaid"] = check.beyond_15_unsaid;
  }
  out["made_ms"] = formula.made_ms;
  out["evaluate_us"] = check.evaluate_us;
  out["steps"] = check.steps;
  out["left_out"] = check.left_out;
  return out.dump(2) + "\n";
}

} // namespace forewarp::formula

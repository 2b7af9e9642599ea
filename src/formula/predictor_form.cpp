#include "formula/predictor_form.h"

#include <algorithm>
#include <cmath>

namespace forewarp::formula {
namespace {

class Builder {
public:
  Builder(Formula& formula, const std::function<Result<facts::Prediction>(const Point&)>& predict,
          std::size_t most)
      : formula_(formula), predict_(predict), most_(most) {
    for (const Symbol& symbol : formula.symbols)
      at_[symbol.name] = symbol.reference;
  }

  Result<PredictorForm> build() {
    const Symbol& symbol = formula_.symbols.front();
    constexpr std::size_t first_knots = 5;
    for (const std::int64_t value : spread_points(symbol, std::min(first_knots, most_)))
      FOREWARP_TRY(add(value, {}));
    constexpr std::size_t checks = 3;
    while (form_.knots.size() + checks < most_) {
      const auto next = widest();
      if (!next)
        break;
      FOREWARP_TRY(refine(*next));
    }
    for (std::size_t i = 0; i < checks; ++i)
      FOREWARP_TRY(check(i, checks));
    std::vector<double> errors;
    for (const PredictorForm::Knot& knot : form_.checks)
      errors.push_back(std::abs(between(knot.at) / knot.time_ms - 1));
    std::sort(errors.begin(), errors.end());
    if (!errors.empty()) {
      form_.largest_error = errors.back();
      form_.median_error = errors[errors.size() / 2];
    }
    compile();
    return std::move(form_);
  }

private:
  double base(std::int64_t value) {
    at_[formula_.symbols.front().name] = value;
    return formula_.evaluate(at_)[formula_.base_ms];
  }
  double factor(const PredictorForm::Knot& knot) { return knot.time_ms / base(knot.at); }

  Result<PredictorForm::Knot> ask(std::int64_t value) {
    at_[formula_.symbols.front().name] = value;
    const auto prediction = predict_(at_);
    FOREWARP_TRY(prediction);
    return PredictorForm::Knot{value, prediction->time_ms,
                               std::string(facts::to_string(prediction->limiter))};
  }
  /// `error`: of the form there before it was a knot; the intervals beside it are taken to be as far off.
  Result<void> add(std::int64_t value, std::optional<double> error) {
    auto knot = ask(value);
    FOREWARP_TRY(knot);
    insert(*std::move(knot), error.value_or(1));
    return {};
  }
  void insert(PredictorForm::Knot knot, double error) {
    const auto place = std::find_if(form_.knots.begin(), form_.knots.end(),
                                    [&](const PredictorForm::Knot& k) { return k.at > knot.at; });
    const auto index = place - form_.knots.begin();
    form_.knots.insert(place, std::move(knot));
    errors_.insert(errors_.begin() + index, error); // of the interval that ends here
    if (index + 1 < static_cast<std::ptrdiff_t>(errors_.size()))
      errors_[static_cast<std::size_t>(index) + 1] = error;
  }

  std::optional<std::int64_t> middle(std::int64_t low, std::int64_t high, double share = 0.5) const {
    const Symbol& symbol = formula_.symbols.front();
    const double x =
        static_cast<double>(low) * std::pow(static_cast<double>(high) / static_cast<double>(low), share);
    const std::int64_t value =
        symbol.low + static_cast<std::int64_t>(std::llround((x - static_cast<double>(symbol.low)) /
                                                            static_cast<double>(symbol.step))) *
                         symbol.step;
    return value > low && value < high ? std::optional(value) : std::nullopt;
  }
  /// The interval that is farthest off, the longest of equals; nothing where all are near enough.
  std::optional<std::size_t> widest() const {
    constexpr double near_enough = 0.02;
    std::optional<std::size_t> found;
    double worst = near_enough;
    for (std::size_t i = 1; i < form_.knots.size(); ++i) {
      if (!middle(form_.knots[i - 1].at, form_.knots[i].at))
        continue;
      const double length =
          std::log(static_cast<double>(form_.knots[i].at) / static_cast<double>(form_.knots[i - 1].at));
      const double weight = errors_[i] * std::min(1.0, length * 2);
      if (weight > worst) {
        worst = weight;
        found = i;
      }
    }
    return found;
  }
  Result<void> refine(std::size_t interval) {
    const std::int64_t value = *middle(form_.knots[interval - 1].at, form_.knots[interval].at);
    auto knot = ask(value);
    FOREWARP_TRY(knot);
    const double error = std::abs(between(value) / knot->time_ms - 1);
    insert(*std::move(knot), error);
    return {};
  }
  /// A third into the interval, where sizes are neither knots nor halves.
  Result<void> check(std::size_t i, std::size_t count) {
    const std::size_t last = form_.knots.size() - 1;
    const std::size_t interval = 1 + i * last / count;
    if (last == 0)
      return {};
    const auto value = middle(form_.knots[interval - 1].at, form_.knots[interval].at, 0.37);
    if (!value)
      return {};
    auto knot = ask(*value);
    FOREWARP_TRY(knot);
    form_.checks.push_back(*std::move(knot));
    return {};
  }

  double between(std::int64_t value) {
    const auto& knots = form_.knots;
    const auto after =
        std::find_if(knots.begin(), knots.end(), [&](const PredictorForm::Knot& k) { return k.at >= value; });
    if (after == knots.begin() || after == knots.end())
      return factor(after == knots.end() ? knots.back() : *after) * base(value);
    const PredictorForm::Knot& before = *(after - 1);
    const double share = std::log(static_cast<double>(value) / static_cast<double>(before.at)) /
                         std::log(static_cast<double>(after->at) / static_cast<double>(before.at));
    return (factor(before) * (1 - share) + factor(*after) * share) * base(value);
  }

  /// The same as code: the first factor and a clamped piece of each interval.
  void compile() {
    symbolic::Program& program = formula_.program;
    const Real x =
        logarithm(Real(program, program.of(symbolic::Expression::symbol(formula_.symbols.front().name))));
    Real sum = x.number(factor(form_.knots.front()));
    for (std::size_t i = 1; i < form_.knots.size(); ++i) {
      const double low = std::log(static_cast<double>(form_.knots[i - 1].at));
      const double length = std::log(static_cast<double>(form_.knots[i].at)) - low;
      const double slope = (factor(form_.knots[i]) - factor(form_.knots[i - 1])) / length;
      sum = sum + smaller(larger(x - low, x.number(0)), x.number(length)) * slope;
    }
    form_.time_ms = (sum * Real(program, formula_.base_ms)).index();
  }

  Formula& formula_;
  const std::function<Result<facts::Prediction>(const Point&)>& predict_;
  std::size_t most_;
  Point at_;
  PredictorForm form_;
  std::vector<double> errors_; ///< by knot: of the interval that ends there
};

} // namespace

Result<PredictorForm> predictor_form(Formula& formula,
                                     const std::function<Result<facts::Prediction>(const Point&)>& predict,
                                     std::size_t most) {
  return Builder(formula, predict, std::max<std::size_t>(most, 5)).build();
}

std::string regime_at(const PredictorForm& form, std::int64_t value) {
  const auto distance = [&](const PredictorForm::Knot& knot) {
    return std::abs(std::log(static_cast<double>(knot.at) / static_cast<double>(value)));
  };
  return std::min_element(form.knots.begin(), form.knots.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
      ->regime;
}

} // namespace forewarp::formula

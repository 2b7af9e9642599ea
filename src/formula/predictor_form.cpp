#include "formula/predictor_form.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::formula {
namespace {

double log_of(std::int64_t value) {
  return std::log(static_cast<double>(value));
}

/// Rows of four-byte elements that begin at whole cache lines, and at whole sectors.
constexpr std::int64_t moduli[] = {32, 8};

class Builder {
public:
  Builder(Formula& formula, const std::function<Result<facts::Prediction>(const Point&)>& predict,
          std::size_t most)
      : formula_(formula), predict_(predict), most_(most), first_(formula.symbols.front()) {
    for (const Symbol& symbol : formula.symbols)
      reference_[symbol.name] = symbol.reference;
    for (const std::int64_t modulus : moduli)
      if (first_.step % modulus != 0)
        form_.residues.push_back({modulus, {}});
  }

  Result<PredictorForm> build() {
    constexpr std::size_t first_knots = 5, residue_sizes = 2, other_sizes = 5;
    const std::size_t checks = std::max<std::size_t>(4, most_ / 4);
    const std::size_t kept =
        checks + residue_sizes * form_.residues.size() + other_sizes * (formula_.symbols.size() - 1);
    for (const std::int64_t value : spread_points(first_, first_knots))
      FOREWARP_TRY(add(plain(value), {}));
    choose_base();
    while (form_.knots.size() + kept < most_) {
      const auto next = widest();
      if (!next)
        break;
      FOREWARP_TRY(refine(*next));
    }
    choose_base();
    FOREWARP_TRY(add_residues(residue_sizes));
    FOREWARP_TRY(add_others(other_sizes));
    for (std::size_t i = 0; i < checks; ++i)
      FOREWARP_TRY(check(i));
    say_errors();
    compile();
    return std::move(form_);
  }

private:
  double base(std::size_t which, const Point& at) { return formula_.evaluate(at)[formula_.bases[which].ms]; }
  Point at_first(std::int64_t value) const {
    Point at = reference_;
    at[first_.name] = value;
    return at;
  }
  double factor(const PredictorForm::Knot& knot) { return knot.time_ms / base(base_, at_first(knot.at)); }

  std::int64_t on_steps(double x) const {
    const auto low = static_cast<double>(first_.low), step = static_cast<double>(first_.step);
    return std::clamp(first_.low + static_cast<std::int64_t>(std::llround((x - low) / step)) * first_.step,
                      first_.low, first_.high);
  }
  /// The nearest size that is a multiple of no modulus: most sizes are like it.
  std::int64_t plain(std::int64_t value) const {
    const auto twos = [](std::int64_t a) { return std::countr_zero(static_cast<std::uint64_t>(a)); };
    std::int64_t best = value;
    for (std::int64_t k = -4; k <= 4; ++k) {
      const std::int64_t near = value + k * first_.step;
      if (near < first_.low || near > first_.high)
        continue;
      if (twos(near) < twos(best) ||
          (twos(near) == twos(best) && std::abs(near - value) < std::abs(best - value)))
        best = near;
    }
    return best;
  }

  Result<PredictorForm::Knot> ask(const Point& at) {
    const auto prediction = predict_(at);
    FOREWARP_TRY(prediction);
    return PredictorForm::Knot{at.at(first_.name), prediction->time_ms,
                               std::string(facts::to_string(prediction->limiter))};
  }
  bool is_knot(std::int64_t value) const {
    return std::any_of(form_.knots.begin(), form_.knots.end(),
                       [&](const PredictorForm::Knot& k) { return k.at == value; });
  }
  /// `error`: of the form there before it was a knot.
  Result<void> add(std::int64_t value, std::optional<double> error) {
    if (is_knot(value))
      return {};
    auto knot = ask(at_first(value));
    FOREWARP_TRY(knot);
    insert(*std::move(knot), error.value_or(1));
    return {};
  }
  /// The intervals beside a new knot are taken to be as far off as the form was there.
  void insert(PredictorForm::Knot knot, double error) {
    const auto place = std::find_if(form_.knots.begin(), form_.knots.end(),
                                    [&](const PredictorForm::Knot& k) { return k.at > knot.at; });
    if (place != form_.knots.end())
      place->error = error;
    knot.error = error;
    form_.knots.insert(place, std::move(knot));
  }

  std::optional<std::int64_t> middle(std::size_t interval) const {
    const std::int64_t low = form_.knots[interval - 1].at, high = form_.knots[interval].at;
    const std::int64_t value =
        plain(on_steps(std::sqrt(static_cast<double>(low) * static_cast<double>(high))));
    return value > low && value < high ? std::optional(value) : std::nullopt;
  }
  /// The interval that is farthest off, the longest of equals; nothing where all are near enough.
  std::optional<std::size_t> widest() const {
    constexpr double near_enough = 0.01;
    std::optional<std::size_t> found;
    double worst = near_enough;
    for (std::size_t i = 1; i < form_.knots.size(); ++i) {
      if (!middle(i))
        continue;
      const double length = log_of(form_.knots[i].at) - log_of(form_.knots[i - 1].at);
      const double weight = form_.knots[i].error * std::min(1.0, length * 2);
      if (weight > worst) {
        worst = weight;
        found = i;
      }
    }
    return found;
  }
  Result<void> refine(std::size_t interval) {
    const std::int64_t value = *middle(interval);
    auto knot = ask(at_first(value));
    FOREWARP_TRY(knot);
    const double error = std::abs(along_first(value, SIZE_MAX) / knot->time_ms - 1);
    insert(*std::move(knot), error);
    return {};
  }

  FactorTrack knots_but(std::size_t left_out) {
    FactorTrack track;
    for (std::size_t i = 0; i < form_.knots.size(); ++i)
      if (i != left_out) {
        track.at.push_back(form_.knots[i].at);
        track.factors.push_back(factor(form_.knots[i]));
      }
    return track;
  }
  double along_first(std::int64_t value, std::size_t left_out) {
    return knots_but(left_out).value(value) * base(base_, at_first(value));
  }
  std::vector<double> left_out_errors() {
    std::vector<double> errors;
    for (std::size_t i = 1; i + 1 < form_.knots.size(); ++i)
      errors.push_back(std::abs(along_first(form_.knots[i].at, i) / form_.knots[i].time_ms - 1));
    return errors;
  }
  void choose_base() {
    double least = 0;
    std::size_t best = 0;
    for (std::size_t b = 0; b < formula_.bases.size(); ++b) {
      base_ = b;
      double sum = 0;
      for (const double error : left_out_errors())
        sum += error;
      if (b == 0 || sum < least) {
        least = sum;
        best = b;
      }
    }
    base_ = best;
    form_.base = formula_.bases[best].name;
  }

  /// Nearest multiple of the modulus that no larger modulus divides, on the symbol's steps.
  std::optional<std::int64_t> multiple_near(std::int64_t value, std::size_t residue) const {
    const std::int64_t modulus = form_.residues[residue].modulus;
    for (std::int64_t k = 0; k <= 4 * modulus; ++k)
      for (const std::int64_t near : {value - k * first_.step, value + k * first_.step})
        if (near >= first_.low && near <= first_.high && residue_of(near) == residue)
          return near;
    return std::nullopt;
  }
  /// Index of the largest modulus that divides; past the end: none.
  std::size_t residue_of(std::int64_t value) const {
    std::size_t i = 0;
    while (i < form_.residues.size() && value % form_.residues[i].modulus != 0)
      ++i;
    return i;
  }
  Result<void> add_residues(std::size_t sizes) {
    const double ratio = static_cast<double>(first_.high) / static_cast<double>(first_.low);
    for (std::size_t r = 0; r < form_.residues.size(); ++r)
      for (std::size_t i = 0; i < sizes; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(sizes);
        const auto value =
            multiple_near(on_steps(static_cast<double>(first_.low) * std::pow(ratio, share)), r);
        FactorTrack& track = form_.residues[r].track;
        if (!value || (!track.at.empty() && *value <= track.at.back()))
          continue;
        const auto knot = ask(at_first(*value));
        FOREWARP_TRY(knot);
        track.at.push_back(*value);
        track.factors.push_back(knot->time_ms / along_first(*value, SIZE_MAX));
      }
    return {};
  }

  Result<void> add_others(std::size_t sizes) {
    for (std::size_t s = 1; s < formula_.symbols.size(); ++s) {
      const Symbol& symbol = formula_.symbols[s];
      FactorTrack track;
      std::vector<std::int64_t> values = spread_points(symbol, sizes);
      const double here = time_at(reference_);
      for (const std::int64_t value : values) {
        Point at = reference_;
        at[symbol.name] = value;
        const auto knot = ask(at);
        FOREWARP_TRY(knot);
        track.at.push_back(value);
        track.factors.push_back(knot->time_ms / base(base_, at) / (here / base(base_, reference_)));
      }
      form_.others.push_back(std::move(track));
    }
    return {};
  }

  /// The form so far.
  double time_at(const Point& at) {
    const std::int64_t value = at.at(first_.name);
    double time = knots_but(SIZE_MAX).value(value) * base(base_, at);
    if (const std::size_t r = residue_of(value);
        r < form_.residues.size() && !form_.residues[r].track.at.empty())
      time *= form_.residues[r].track.value(value);
    for (std::size_t s = 0; s < form_.others.size(); ++s)
      time *= form_.others[s].value(at.at(formula_.symbols[s + 1].name));
    return time;
  }

  /// Sizes of a sequence that fills the ranges evenly and meets no pattern of the knots; of every second one
  /// the first symbol is brought to a multiple of a modulus, since such sizes are asked for most.
  Result<void> check(std::size_t i) {
    constexpr double golden[] = {0.6180339887498949, 0.4142135623730950, 0.7320508075688772};
    Point at = reference_;
    for (std::size_t s = 0; s < formula_.symbols.size(); ++s) {
      const Symbol& symbol = formula_.symbols[s];
      const double position = std::fmod((static_cast<double>(i) + 0.5) * golden[s % 3], 1.0);
      const double ratio = static_cast<double>(symbol.high) / static_cast<double>(symbol.low);
      const double x = static_cast<double>(symbol.low) * std::pow(ratio, position);
      at[symbol.name] =
          std::clamp(symbol.low + static_cast<std::int64_t>((x - static_cast<double>(symbol.low)) /
                                                            static_cast<double>(symbol.step)) *
                                      symbol.step,
                     symbol.low, symbol.high);
    }
    if (i % 2 == 1 && !form_.residues.empty())
      at[first_.name] =
          multiple_near(at[first_.name], i / 2 % form_.residues.size()).value_or(at[first_.name]);
    const bool at_reference = formula_.symbols.size() == 1;
    if (at_reference && is_knot(at[first_.name]))
      return {};
    const auto knot = ask(at);
    FOREWARP_TRY(knot);
    form_.checks.push_back({at, knot->time_ms, std::abs(time_at(at) / knot->time_ms - 1)});
    return {};
  }

  void say_errors() {
    std::vector<double> errors;
    for (const PredictorForm::Check& check : form_.checks)
      errors.push_back(check.error);
    std::sort(errors.begin(), errors.end());
    if (errors.empty())
      return;
    form_.largest_error = errors.back();
    form_.median_error = errors[errors.size() / 2];
    // A left-out knot is missed over an interval twice as long.
    std::vector<double> seen(form_.knots.size(), form_.median_error); // of the interval that ends there
    const auto saw = [&](std::size_t interval, double error) {
      if (interval >= 1 && interval < seen.size())
        seen[interval] = std::max(seen[interval], error);
    };
    const std::vector<double> left_out = left_out_errors();
    for (std::size_t i = 0; i < left_out.size(); ++i) {
      saw(i + 1, left_out[i] / 2);
      saw(i + 2, left_out[i] / 2);
    }
    for (const PredictorForm::Check& check : form_.checks)
      for (std::size_t i = 1; i < form_.knots.size(); ++i)
        if (check.at.at(first_.name) <= form_.knots[i].at || i + 1 == form_.knots.size()) {
          for (const std::size_t near : {i - 1, i, i + 1})
            saw(near, check.error);
          break;
        }
    constexpr double safety = 2;
    for (std::size_t i = 0; i < form_.knots.size(); ++i)
      form_.knots[i].error = safety * seen[i];
    if (form_.knots.size() > 1)
      form_.knots.front().error = form_.knots[1].error;
  }

  /// The same as code: the first factor and a clamped piece of each interval.
  Real track(const FactorTrack& track, const Real& logarithm_of_size) {
    Real sum = logarithm_of_size.number(track.factors.front());
    for (std::size_t i = 1; i < track.at.size(); ++i) {
      const double low = log_of(track.at[i - 1]), length = log_of(track.at[i]) - low;
      const double slope = (track.factors[i] - track.factors[i - 1]) / length;
      sum = sum + smaller(larger(logarithm_of_size - low, sum.number(0)), sum.number(length)) * slope;
    }
    return sum;
  }
  void compile() {
    symbolic::Program& program = formula_.program;
    const auto real = [&](const symbolic::Expression& a) { return Real(program, program.of(a)); };
    const symbolic::Expression size = symbolic::Expression::symbol(first_.name);
    const Real x = logarithm(real(size));
    Real time = track(knots_but(SIZE_MAX), x) * Real(program, formula_.bases[base_].ms);
    Real rest = x.number(1); // 0 where a larger modulus divides
    Real residue = x.number(1);
    for (const PredictorForm::Residue& each : form_.residues) {
      if (each.track.at.empty())
        continue;
      const Real divides =
          real(symbolic::is_zero(symbolic::modulo(size, symbolic::Expression(each.modulus))));
      residue = residue + rest * divides * (track(each.track, x) - 1);
      rest = rest * (x.number(1) - divides);
    }
    time = time * residue;
    for (std::size_t s = 0; s < form_.others.size(); ++s)
      time = time * track(form_.others[s],
                          logarithm(real(symbolic::Expression::symbol(formula_.symbols[s + 1].name))));
    form_.time_ms = time.index();
  }

  Formula& formula_;
  const std::function<Result<facts::Prediction>(const Point&)>& predict_;
  std::size_t most_, base_ = 0;
  const Symbol& first_;
  Point reference_;
  PredictorForm form_;
};

} // namespace

double FactorTrack::value(std::int64_t size) const {
  const auto after = std::lower_bound(at.begin(), at.end(), size);
  if (after == at.begin() || after == at.end())
    return after == at.end() ? factors.back() : factors.front();
  const auto i = static_cast<std::size_t>(after - at.begin());
  const double share = (log_of(size) - log_of(at[i - 1])) / (log_of(at[i]) - log_of(at[i - 1]));
  return factors[i - 1] * (1 - share) + factors[i] * share;
}

Result<PredictorForm> predictor_form(Formula& formula,
                                     const std::function<Result<facts::Prediction>(const Point&)>& predict,
                                     std::size_t most) {
  return Builder(formula, predict, std::max<std::size_t>(most, 16)).build();
}

double error_at(const PredictorForm& form, const Formula& formula, const Point& at) {
  double largest = 0;
  for (const PredictorForm::Knot& knot : form.knots)
    largest = std::max(largest, knot.error);
  for (std::size_t s = 1; s < formula.symbols.size(); ++s)
    if (at.at(formula.symbols[s].name) != formula.symbols[s].reference)
      return largest;
  const std::int64_t value = at.at(formula.symbols.front().name);
  for (const PredictorForm::Knot& knot : form.knots)
    if (value <= knot.at)
      return knot.error;
  return largest;
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

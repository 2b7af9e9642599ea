#include "cli/commands/explore/explore_prefilter.h"

#include "cli/commands/open_texts.h"
#include "engine/session.h"
#include "formula/predictor_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace forewarp::cli {
namespace {

constexpr std::uint64_t most_points = 20'000'000;
/// Below, a form would ask for as many predictions.
constexpr std::size_t least_values = 64, predictions_a_form = 28;

/// Configurations that differ in the open parameter alone, in its order.
struct Slice {
  std::vector<std::uint64_t> ids;
  std::vector<std::int64_t> values;
};

class Prefilter {
public:
  Prefilter(const explore::Setup& setup, explore::Space space, std::optional<launch::LaunchTexts> texts,
            std::uint64_t keep)
      : setup_(setup), space_(std::move(space)), texts_(std::move(texts)), keep_(keep) {}

  Result<Prefiltered> kept() {
    if (space_.points() > most_points)
      return fail(ErrorCode::usage,
                  fmt::format("the space has {} points, {} is the most here", space_.points(), most_points),
                  "--prefilter", "leave values out, or look at a --sample");
    FOREWARP_TRY(read_ids());
    FOREWARP_TRY(choose_open());
    out_.configurations = ids_.size();
    scores_.resize(setup_.base.gpus.size());
    for (const auto& [key, slice] : slices(open_)) {
      auto done = slice.ids.size() < least_values ? predicted(slice) : by_form(slice);
      FOREWARP_TRY(done);
    }
    FOREWARP_TRY(keep_best());
    return std::move(out_);
  }

private:
  Result<void> read_ids() {
    for (auto id = space_.next(0);; id = space_.next(**id + 1)) {
      FOREWARP_TRY(id);
      if (!*id)
        return {};
      ids_.push_back(**id);
    }
  }

  std::map<std::vector<std::string>, Slice> slices(std::size_t open) const {
    std::map<std::vector<std::string>, Slice> out;
    for (const std::uint64_t id : ids_) {
      const auto at = space_.at(id);
      if (!at)
        continue;
      std::vector<std::string> key;
      for (std::size_t p = 0; p < at->size(); ++p)
        key.push_back(p == open ? "" : (*at)[p].text);
      Slice& slice = out[key];
      slice.ids.push_back(id);
      slice.values.push_back(static_cast<std::int64_t>((*at)[open].number));
    }
    return out;
  }

  /// Of the launch file's [values], that with most values whose first slice has a formula.
  Result<void> choose_open() {
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < space_.parameters().size(); ++p)
      if (space_.parameters()[p].role == explore::Role::value && !space_.is_derived(p) &&
          space_.parameters()[p].size() >= least_values)
        order.push_back(p);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return space_.parameters()[a].size() > space_.parameters()[b].size();
    });
    std::string reason =
        fmt::format("none of the launch file's [values] has {} values or more in the space", least_values);
    for (const std::size_t p : order) {
      open_ = p;
      const auto all = slices(p);
      const auto first = std::find_if(all.begin(), all.end(),
                                      [](const auto& one) { return one.second.ids.size() >= least_values; });
      if (first == all.end())
        continue;
      if (!whole_numbers(p)) {
        reason = fmt::format("'{}' has values that are no whole numbers", space_.parameters()[p].name);
        continue;
      }
      const auto made = formulas_of(first->second);
      if (made) {
        out_.open = space_.parameters()[p].name;
        return {};
      }
      reason = made.error().message;
    }
    return fail(ErrorCode::usage, fmt::format("no parameter can be left open: {}", reason), "--prefilter",
                "a formula leaves one of the launch file's [values] open (docs/guide/formula.md)");
  }

  bool whole_numbers(std::size_t p) const {
    return std::all_of(ids_.begin(), ids_.end(), [&](std::uint64_t id) {
      const auto at = space_.at(id);
      return !at || ((*at)[p].is_number && (*at)[p].number >= 1 && (*at)[p].number < 1e15 &&
                     (*at)[p].number == std::floor((*at)[p].number));
    });
  }

  formula::Symbol symbol_of(const Slice& slice) const {
    const auto [low, high] = std::minmax_element(slice.values.begin(), slice.values.end());
    std::int64_t step = 0;
    for (const std::int64_t value : slice.values)
      step = std::gcd(step, value - *low);
    return {space_.parameters()[open_].name, *low, *high, std::max<std::int64_t>(1, step),
            slice.values[slice.values.size() / 2]};
  }

  Result<std::vector<std::unique_ptr<formula::Formula>>> formulas_of(const Slice& slice) {
    const formula::Symbol symbol = symbol_of(slice);
    const auto place = std::find(slice.values.begin(), slice.values.end(), symbol.reference);
    const auto at = space_.at(slice.ids[static_cast<std::size_t>(place - slice.values.begin())]);
    FOREWARP_TRY(at);
    auto request = explore::apply_configuration(setup_, space_.parameters(), *at);
    FOREWARP_TRY(request);
    launch::LaunchTexts texts = *texts_;
    for (std::size_t p = 0; p < at->size(); ++p) {
      const explore::Parameter& parameter = space_.parameters()[p];
      if (parameter.role == explore::Role::value)
        texts.values[parameter.name] = (*at)[p].number;
      else if (parameter.role == explore::Role::argument)
        texts.arguments.erase(parameter.name);
      else if (parameter.role == explore::Role::local)
        texts.local.clear();
      else if (parameter.role == explore::Role::global || parameter.role == explore::Role::grid)
        texts.global.clear(), texts.grid.clear();
    }
    return formula::make_formulas({*std::move(request), std::move(texts), {symbol}, {}});
  }

  /// `size`: of the open parameter, which need not be in the space.
  Result<std::vector<facts::Prediction>> predict(std::uint64_t id, std::optional<std::int64_t> size = {}) {
    ++out_.predictions;
    auto at = space_.at(id);
    FOREWARP_TRY(at);
    if (size)
      (*at)[open_] = explore::number_value(static_cast<double>(*size));
    auto request = explore::apply_configuration(setup_, space_.parameters(), *at);
    FOREWARP_TRY(request);
    return session_.predict(*request);
  }

  /// What cannot be predicted is left to the sweep, which says why.
  Result<void> predicted(const Slice& slice) {
    for (const std::uint64_t id : slice.ids) {
      const auto told = predict(id);
      for (std::size_t gpu = 0; gpu < scores_.size(); ++gpu)
        if (told)
          scores_[gpu].emplace_back((*told)[gpu].time_ms, id);
    }
    return {};
  }

  Result<void> by_form(const Slice& slice) {
    auto formulas = formulas_of(slice);
    if (!formulas)
      return predicted(slice);
    out_.formulas += formulas->size();
    for (std::size_t gpu = 0; gpu < formulas->size(); ++gpu) {
      formula::Formula& formula = *(*formulas)[gpu];
      const std::string& name = formula.symbols.front().name;
      const auto form = formula::predictor_form(
          formula,
          [&](const formula::Point& at) -> Result<facts::Prediction> {
            auto told = predict(slice.ids.front(), at.at(name));
            FOREWARP_TRY(told);
            return std::move((*told)[gpu]);
          },
          predictions_a_form);
      if (!form)
        return predicted(slice);
      for (std::size_t i = 0; i < slice.ids.size(); ++i) {
        const formula::Point at = {{name, slice.values[i]}};
        if (!formula.check(at))
          continue; // not a launch: the sweep would refuse it, too
        const double error = std::min(0.9, formula::error_at(*form, formula, at));
        scores_[gpu].emplace_back(formula.evaluate(at)[form->time_ms] * (1 - error), slice.ids[i]);
      }
    }
    return {};
  }
  Result<void> keep_best() {
    std::set<std::uint64_t> kept;
    for (auto& scores : scores_) {
      std::sort(scores.begin(), scores.end());
      for (std::size_t i = 0; i < scores.size() && i < keep_; ++i)
        kept.insert(scores[i].second);
    }
    explore::Table table;
    for (const explore::Parameter& parameter : space_.parameters())
      table.names.push_back(parameter.name);
    for (const std::uint64_t id : kept) {
      auto at = space_.at(id);
      FOREWARP_TRY(at);
      table.rows.push_back(*std::move(at));
    }
    out_.kept = kept.size();
    out_.space = setup_.space;
    out_.space.parameters.clear();
    out_.space.where.clear();
    out_.space.table = std::make_shared<const explore::Table>(std::move(table));
    return {};
  }

  const explore::Setup& setup_;
  explore::Space space_;
  std::optional<launch::LaunchTexts> texts_;
  std::uint64_t keep_;
  std::vector<std::uint64_t> ids_;
  std::size_t open_ = 0;
  engine::Session session_;
  std::vector<std::vector<std::pair<double, std::uint64_t>>> scores_; ///< by GPU
  Prefiltered out_;
};

} // namespace

Result<Prefiltered> prefilter(const explore::Setup& setup, const PredictWords& words, std::uint64_t keep) {
  auto texts = open_texts(words);
  FOREWARP_TRY(texts);
  if (!*texts)
    return fail(ErrorCode::usage, "formulas leave a value of a launch file open, and there is none",
                "--prefilter", "give --launch FILE with [values]");
  auto space = explore::Space::make(setup.space);
  FOREWARP_TRY(space);
  return Prefilter(setup, *std::move(space), *std::move(texts), keep).kept();
}

} // namespace forewarp::cli

// Time as a function of sizes that are left open: counts as closed forms, the published models on them, and a
// form of the default predictor. Nothing of the kernel is run for the first two.
#pragma once

#include "engine/request.h"
#include "facts/model_facts.h"
#include "facts/occupancy.h"
#include "formula/model_form.h"
#include "formula/symbols.h"

#include <functional>
#include <memory>

namespace forewarp::formula {

using Point = std::map<std::string, std::int64_t>;

struct FormulaRequest {
  engine::PredictRequest request; ///< its launch has the symbols' reference values
  std::optional<launch::LaunchTexts> texts;
  std::vector<Symbol> symbols;
  std::map<std::uint32_t, std::string> trip_counts; ///< by line: expressions of symbols, arguments and ids
  /// Where a loop's bound rests on data: its mean over sampled warps at the reference sizes
  /// (sampled_trips.h).
  bool sample_trip_counts = false;
};

/// A count of the whole grid, exact at every point that meets the constraints.
struct ClosedCount {
  std::string name, unit;
  symbolic::Expression value;
};

/// A model's time over one symbol, where one regime holds.
struct Piece {
  std::int64_t from = 1, to = 1; ///< values of the symbol
  std::string regime;
  double time_from_ms = 0, time_to_ms = 0;
};

/// The formulas of one kernel on one GPU.
struct FormulaSource;

class Formula {
public:
  std::string kernel, gpu;
  std::vector<Symbol> symbols;
  facts::Occupancy occupancy;
  std::vector<ClosedCount> counts;
  std::vector<Constraint> constraints;
  std::vector<std::string> assumptions;
  std::vector<ModelForm> models;
  symbolic::Program program{{}};
  /// What the default predictor's time may be interpolated on, ms: launch cost and the issue slots of the
  /// fullest SM, or of the mean one, or nothing beside it.
  struct Base {
    std::string name;
    symbolic::Program::Index ms = 0;
  };
  std::vector<Base> bases;
  double made_ms = 0;                     ///< processor time, compile and machine step apart
  std::shared_ptr<FormulaSource> made_of; ///< formula_source.h

  /// Steps of `program` at a point.
  std::vector<double> evaluate(const Point& at) const;
  double time_ms(const ModelForm& model, const Point& at) const;
  std::string regime(const ModelForm& model, const Point& at) const;
  /// The same by the models themselves on facts with these counts: slow, for checks.
  Result<facts::ModelFacts> facts_at(const Point& at) const;
  const ModelForm* find(const std::string& model) const;
  /// Errors: bad_input, naming the first constraint that the point breaks.
  Result<void> check(const Point& at) const;
};

/// One formula a GPU of the request. Errors: of planning; unsupported for loops whose bound nothing gives.
Result<std::vector<std::unique_ptr<Formula>>> make_formulas(const FormulaRequest& request);

/// From the lowest to the highest value of the first symbol, the others at their reference.
std::vector<Piece> pieces(const Formula& formula, const ModelForm& model);

/// Points of the first symbol that the pieces and curves are looked at: spread evenly in the logarithm, on
/// the symbol's steps.
std::vector<std::int64_t> spread_points(const Symbol& symbol, std::size_t most);

} // namespace forewarp::formula

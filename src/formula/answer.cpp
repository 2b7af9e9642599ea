#include "formula/answer.h"

#include "formula/accesses.h"
#include "formula/region_graph.h"
#include "report/plots/svg_plot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace forewarp::formula {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* predictor_name = "hybrid";

std::string range_of(const Symbol& symbol) {
  return symbol.step == 1 ? fmt::format("{} = {} .. {}", symbol.name, symbol.low, symbol.high)
                          : fmt::format("{} = {}, {}, .. {}", symbol.name, symbol.low,
                                        symbol.low + symbol.step, symbol.high);
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 240;
  return text.size() <= longest
             ? text
             : text.substr(0, longest) +
                   fmt::format(" ... ({} characters; whole in --format json)", text.size());
}

std::vector<Piece> predictor_pieces(const Formula& formula, const PredictorForm& form) {
  std::vector<Piece> out;
  const auto time = [&](std::int64_t value) {
    Point at;
    for (const Symbol& each : formula.symbols)
      at[each.name] = each.reference;
    at[formula.symbols.front().name] = value;
    return formula.evaluate(at)[form.time_ms];
  };
  for (const PredictorForm::Knot& knot : form.knots) {
    if (out.empty() || out.back().regime != knot.regime)
      out.push_back({knot.at, knot.at, knot.regime, time(knot.at), 0});
    out.back().to = knot.at;
    out.back().time_to_ms = time(knot.at);
  }
  return out;
}

/// How many pieces from `first` on have two regimes in turns.
std::size_t in_turns(const std::vector<Piece>& all, std::size_t first) {
  std::size_t end = std::min(first + 2, all.size());
  while (end < all.size() && all[end].regime == all[end - 2].regime)
    ++end;
  return end - first;
}

/// Two bounds that nearly agree change places at every rounding of the counts: many pieces are one line then.
void add_pieces(std::string& text, const std::vector<Piece>& all) {
  constexpr std::size_t worth_a_line = 4;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t turns = in_turns(all, i), taken = turns > worth_a_line ? turns : 1;
    const Piece &piece = all[i], &last = all[i + taken - 1];
    text += fmt::format("    {:>10} .. {:<10} {:<16} {:.6g} .. {:.6g} ms", piece.from, last.to, piece.regime,
                        piece.time_from_ms, last.time_to_ms);
    text += taken > 1 ? fmt::format(", in turns with {} ({} pieces; all in --format json)\n",
                                    all[i + 1].regime, taken)
                      : std::string("\n");
    i += taken;
  }
}

/// Sizes at which the form says that it may be far off.
void add_errors(std::string& text, const PredictorForm& form) {
  constexpr double worth_saying = 0.05;
  for (std::size_t i = 1; i < form.knots.size(); ++i) {
    const double error = form.knots[i].error;
    if (error <= worth_saying)
      continue;
    std::size_t last = i;
    double most = error;
    while (last + 1 < form.knots.size() && form.knots[last + 1].error > worth_saying)
      most = std::max(most, form.knots[++last].error);
    text += fmt::format("    {:>10} .. {:<10} may be off by {:.0f} %\n", form.knots[i - 1].at,
                        form.knots[last].at, most * 100);
    i = last;
  }
}

std::vector<symbolic::Program::Output> outputs_of(const Answer& answer) {
  std::vector<symbolic::Program::Output> outputs;
  const Formula& formula = *answer.formulas.front();
  for (const ModelForm& model : formula.models)
    outputs.push_back({model.model + "_ms", model.time_ms.index()});
  if (answer.predictors.front())
    outputs.push_back({std::string(predictor_name) + "_ms", answer.predictors.front()->time_ms});
  symbolic::Program& program = answer.formulas.front()->program;
  for (const ClosedCount& count : formula.counts)
    outputs.push_back({count.name, program.of(count.value)});
  return outputs;
}

std::string constraints_as_remark(const Formula& formula, const char* begin) {
  std::string text = fmt::format("{} {} on {}", begin, formula.kernel, formula.gpu);
  for (const Symbol& symbol : formula.symbols)
    text += fmt::format("\n{} made for {}", begin, range_of(symbol));
  for (const Constraint& constraint : formula.constraints)
    text += fmt::format("\n{} needs {}", begin, constraint.text);
  for (const std::string& assumption : formula.assumptions)
    text += fmt::format("\n{} {}", begin, assumption);
  return text + "\n";
}

void add_asked(std::string& text, const Answer& answer, const Formula& formula,
               const std::optional<PredictorForm>& predictor) {
  std::string where;
  const std::vector<std::string>& own = answer.asked->from_launch;
  for (const auto& [name, value] : answer.asked->at)
    where += fmt::format(
        "{}{} = {}{}", where.empty() ? "" : ", ", name, value,
        std::find(own.begin(), own.end(), name) == own.end() ? "" : " (not given: as in the launch)");
  text += fmt::format("\nAt {}\n", where);
  const std::vector<double> steps = formula.evaluate(answer.asked->at);
  for (const ModelForm& model : formula.models)
    text += fmt::format("    {:<16} {:.9g} ms, {}-bound\n", model.model, steps[model.time_ms.index()],
                        formula.regime(model, answer.asked->at));
  if (predictor)
    text += fmt::format("    {:<16} {:.9g} ms, {}-bound\n", predictor_name, steps[predictor->time_ms],
                        regime_at(*predictor, answer.asked->at.at(formula.symbols.front().name)));
  for (const ClosedCount& count : formula.counts)
    if (const auto value = symbolic::evaluate(count.value, answer.asked->at))
      text += fmt::format("    {:<16} {} {}\n", count.name,
                          value->whole() ? value->text() : fmt::format("{:.9g}", value->real()), count.unit);
}

std::string requests_text(const Access& access) {
  return fmt::format("{:.4g} {}{}", access.per_request, access.shared ? "bank passes" : "sectors",
                     access.exact ? "" : " at worst");
}
void add_accesses(std::string& text, const Formula& formula) {
  const std::vector<Access> all = accesses(formula);
  if (all.empty())
    return;
  text += "\n  Accesses, by residues of their addresses\n";
  for (const Access& access : all)
    text += fmt::format(
        "    line {:<4} {:<5} {:<12} {:<22} byte {}\n", access.line, access.store ? "store" : "load",
        access.base.empty() ? "?" : access.base, requests_text(access),
        access.offset.known() ? shortened(access.offset.text()) : "unknown: " + access.offset.why());
  if (const symbolic::Expression bytes = sector_traffic(formula, all); bytes.known())
    text += fmt::format("    {:<16} {} (bytes of whole sectors, nothing kept)\n", "sector_bytes",
                        shortened(bytes.text()));
}

/// Regions that not every work-item of the kernel runs once.
void add_conditions(std::string& text, const Formula& formula) {
  const RegionGraph graph = region_graph(formula);
  for (std::size_t i = 1; i < graph.regions.size(); ++i) {
    if (i == 1)
      text += "\n  Structural conditions and loops (weight: runs by all warps)\n";
    const RegionGraph::Region& region = graph.regions[i];
    text += fmt::format("    {}{}: weight {}\n", region.is_loop ? "loop, " : "", shortened(region.predicate),
                        shortened(region.weight.text()));
  }
}

Json accesses_json(const Formula& formula) {
  Json list = Json::array();
  for (const Access& access : accesses(formula)) {
    Json one{{"line", access.line},
             {"kind", access.store ? "store" : "load"},
             {"space", access.shared ? "shared" : "global"},
             {"base", access.base},
             {access.shared ? "bank_passes" : "sectors", access.per_request},
             {"exact", access.exact},
             {"requests", access.requests.text()}};
    if (access.offset.known())
      one["offset"] = access.offset.text();
    list.push_back(std::move(one));
  }
  return list;
}
Json conditions_json(const Formula& formula) {
  Json list = Json::array();
  const RegionGraph graph = region_graph(formula);
  for (std::size_t i = 1; i < graph.regions.size(); ++i)
    list.push_back({{"predicate", graph.regions[i].predicate},
                    {"loop", graph.regions[i].is_loop},
                    {"first_line", graph.regions[i].first_line},
                    {"last_line", graph.regions[i].last_line},
                    {"weight", graph.regions[i].weight.text()}});
  return list;
}

void add_formula(std::string& text, const Answer& answer, std::size_t index) {
  const Formula& formula = *answer.formulas[index];
  text += fmt::format("{} on {}\n", formula.kernel, formula.gpu);
  for (const Symbol& symbol : formula.symbols)
    text += fmt::format(
        "  open: {}{}\n", range_of(symbol),
        &symbol == &formula.symbols.front()
            ? ""
            : fmt::format(" ({} in the times along {})", symbol.reference, formula.symbols.front().name));
  text += fmt::format("  occupancy: {} groups ({} of {} warps) an SM, by {}\n",
                      formula.occupancy.active_groups_per_sm, formula.occupancy.active_warps_per_sm,
                      formula.occupancy.max_warps_per_sm, formula.occupancy.limiter);
  text += "\n  Counts, whole grid\n";
  for (const ClosedCount& count : formula.counts)
    text += fmt::format("    {:<16} {}\n", count.name, shortened(count.value.text()));
  for (const ModelForm& model : formula.models) {
    text += fmt::format("\n  {} (counts exact; every access coalesced and from DRAM)\n", model.model);
    add_pieces(text, pieces(formula, model));
  }
  if (const auto& predictor = answer.predictors[index]) {
    text += fmt::format(
        "\n  {} (interpolated between {} of its own predictions on {}; off by {:.1f} % in the median and "
        "{:.1f} % at most at {} others)\n",
        predictor_name, predictor->knots.size(), predictor->base, predictor->median_error * 100,
        predictor->largest_error * 100, predictor->checks.size());
    add_pieces(text, predictor_pieces(formula, *predictor));
    add_errors(text, *predictor);
  }
  add_accesses(text, formula);
  add_conditions(text, formula);
  if (!formula.constraints.empty()) {
    text += "\n  Holds while\n";
    for (const Constraint& constraint : formula.constraints)
      text += "    " + constraint.text + "\n";
  }
  if (!formula.assumptions.empty()) {
    text += "\n  Assumed\n";
    for (const std::string& assumption : formula.assumptions)
      text += "    " + assumption + "\n";
  }
  if (answer.asked)
    add_asked(text, answer, formula, answer.predictors[index]);
}

Json pieces_json(const std::vector<Piece>& all) {
  Json list = Json::array();
  for (const Piece& piece : all)
    list.push_back({{"from", piece.from},
                    {"to", piece.to},
                    {"regime", piece.regime},
                    {"time_from_ms", piece.time_from_ms},
                    {"time_to_ms", piece.time_to_ms}});
  return list;
}

Json formula_json(const Answer& answer, std::size_t index) {
  const Formula& formula = *answer.formulas[index];
  Json out{{"kernel", formula.kernel}, {"gpu", formula.gpu}};
  for (const Symbol& symbol : formula.symbols)
    out["symbols"].push_back({{"name", symbol.name},
                              {"low", symbol.low},
                              {"high", symbol.high},
                              {"step", symbol.step},
                              {"reference", symbol.reference}});
  out["occupancy"] = {{"groups_per_sm", formula.occupancy.active_groups_per_sm},
                      {"warps_per_sm", formula.occupancy.active_warps_per_sm},
                      {"limiter", formula.occupancy.limiter}};
  out["counts"] = Json::array();
  for (const ClosedCount& count : formula.counts)
    out["counts"].push_back({{"name", count.name}, {"unit", count.unit}, {"formula", count.value.text()}});
  out["models"] = Json::array();
  for (const ModelForm& model : formula.models)
    out["models"].push_back({{"name", model.model}, {"pieces", pieces_json(pieces(formula, model))}});
  if (const auto& predictor = answer.predictors[index]) {
    Json knots = Json::array();
    for (const PredictorForm::Knot& knot : predictor->knots)
      knots.push_back(
          {{"at", knot.at}, {"time_ms", knot.time_ms}, {"regime", knot.regime}, {"error", knot.error}});
    out["models"].push_back({{"name", predictor_name},
                             {"pieces", pieces_json(predictor_pieces(formula, *predictor))},
                             {"base", predictor->base},
                             {"knots", knots},
                             {"checks", predictor->checks.size()},
                             {"median_error", predictor->median_error},
                             {"largest_error", predictor->largest_error}});
  }
  out["accesses"] = accesses_json(formula);
  if (const symbolic::Expression bytes = sector_traffic(formula, accesses(formula)); bytes.known())
    out["sector_bytes"] = bytes.text();
  out["conditions"] = conditions_json(formula);
  out["constraints"] = Json::array();
  for (const Constraint& constraint : formula.constraints)
    out["constraints"].push_back(constraint.text);
  out["assumptions"] = formula.assumptions;
  if (!answer.asked)
    return out;
  Json& asked = out["at"];
  for (const auto& [name, value] : answer.asked->at)
    asked["point"][name] = value;
  asked["from_launch"] = answer.asked->from_launch;
  const std::vector<double> steps = formula.evaluate(answer.asked->at);
  for (const ModelForm& model : formula.models)
    asked["time_ms"][model.model] = steps[model.time_ms.index()];
  if (answer.predictors[index])
    asked["time_ms"][predictor_name] = steps[answer.predictors[index]->time_ms];
  for (const ClosedCount& count : formula.counts)
    if (const auto value = symbolic::evaluate(count.value, answer.asked->at))
      asked["counts"][count.name] = value->real();
  return out;
}

} // namespace

std::string to_text(const Answer& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.formulas.size(); ++i) {
    text += i == 0 ? "" : "\n";
    add_formula(text, answer, i);
  }
  if (!answer.leads.empty()) {
    text += fmt::format("\nFastest by {}\n", answer.leads_of);
    for (const Lead& lead : answer.leads)
      text += fmt::format("    {:>10} .. {:<10} {}\n", lead.from, lead.to, answer.curve_names[lead.fastest]);
  }
  return text;
}

std::string to_json(const Answer& answer) {
  Json out{{"format", 1}};
  out["formulas"] = Json::array();
  for (std::size_t i = 0; i < answer.formulas.size(); ++i)
    out["formulas"].push_back(formula_json(answer, i));
  if (!answer.leads.empty()) {
    out["fastest"]["model"] = answer.leads_of;
    for (const Lead& lead : answer.leads)
      out["fastest"]["ranges"].push_back(
          {{"from", lead.from}, {"to", lead.to}, {"fastest", answer.curve_names[lead.fastest]}});
  }
  return out.dump(2) + "\n";
}

std::string to_svg(const Answer& answer) {
  const Formula& formula = *answer.formulas.front();
  const Symbol& symbol = formula.symbols.front();
  report::SvgPlot plot{.title = fmt::format("{} on {}", formula.kernel, formula.gpu),
                       .x = {symbol.name, true},
                       .y = {"time, ms", true},
                       .series = {}};
  Point at;
  for (const Symbol& each : formula.symbols)
    at[each.name] = each.reference;
  const auto add = [&](const std::string& model, symbolic::Program::Index index) {
    report::SvgPlot::Series series{model, {}, true};
    for (const std::int64_t value : spread_points(symbol, 200)) {
      at[symbol.name] = value;
      series.points.push_back({static_cast<double>(value), formula.evaluate(at)[index]});
    }
    plot.series.push_back(std::move(series));
  };
  const auto shade = [&](const std::vector<Piece>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t to = i + 1 < all.size() ? all[i + 1].from : all[i].to;
      plot.bands.push_back({static_cast<double>(all[i].from), static_cast<double>(to), all[i].regime});
    }
  };
  const auto& predictor = answer.predictors.front();
  shade(predictor ? predictor_pieces(formula, *predictor) : pieces(formula, formula.models.front()));
  if (predictor)
    add(predictor_name, predictor->time_ms);
  for (const ModelForm& model : formula.models)
    if (model.model == "roofline" || !predictor)
      add(model.model, model.time_ms.index());
  if (!answer.measured.empty()) {
    report::SvgPlot::Series series{"measured", {}, false};
    for (const Answer::Measured& point : answer.measured)
      series.points.push_back({static_cast<double>(point.at), point.time_ms});
    plot.series.push_back(std::move(series));
  }
  return report::to_svg(plot);
}

std::string to_c(const Answer& answer) {
  const Formula& formula = *answer.formulas.front();
  const auto outputs = outputs_of(answer);
  return constraints_as_remark(formula, "//") + formula.program.to_c("formula", outputs);
}
std::string to_python(const Answer& answer) {
  const Formula& formula = *answer.formulas.front();
  const auto outputs = outputs_of(answer);
  return constraints_as_remark(formula, "#") + formula.program.to_python("formula", outputs);
}

} // namespace forewarp::formula

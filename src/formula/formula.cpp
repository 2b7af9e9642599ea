#include "formula/formula.h"

#include "analysis/occupancy.h"
#include "formula/constraints/fits.h"
#include "formula/constraints/given_trips.h"
#include "formula/cost_table.h"
#include "formula/formula_source.h"
#include "formula/model_forms.h"
#include "formula/sampled_trips.h"
#include "ir/loops/control_flow.h"
#include "support/thread_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace forewarp::formula {
namespace {

using facts::OpClass;
using symbolic::Expression;

/// Symbols of the answer that nothing gives a value: bugs of a trip count's text, or arguments without one.
Result<void> check_closed(const Formula& formula) {
  for (std::size_t b = 0; b < formula.made_of->runs.blocks.size(); ++b) {
    const Expression& runs = formula.made_of->runs.blocks[b];
    if (!runs.known())
      return fail(ErrorCode::unsupported,
                  fmt::format("the runs of a block have no closed form: {:.200}", runs.why()), formula.kernel,
                  "leave fewer sizes open, or give --trip-count LINE=EXPRESSION");
    for (const std::string& name : runs.symbols())
      if (std::none_of(formula.symbols.begin(), formula.symbols.end(),
                       [&](const Symbol& s) { return s.name == name; }))
        return fail(ErrorCode::bad_input, fmt::format("the counts depend on '{}', which has no value", name),
                    formula.kernel, fmt::format("--arg {}=NUMBER, or leave it open with --symbols", name));
  }
  return {};
}

std::string group_of(OpClass op) {
  switch (op) {
  case OpClass::barrier:
    return "barriers";
  case OpClass::load_shared:
  case OpClass::store_shared:
  case OpClass::atomic_shared:
    return "shared_accesses";
  default:
    break;
  }
  const std::string_view name = facts::to_string(op);
  if (facts::is_memory(op))
    return name.find("store") != std::string_view::npos ? "global_stores" : "global_loads";
  if (name.starts_with("fp16") || name.starts_with("fp32") || name.starts_with("fp64"))
    return std::string(name.substr(0, 4)) + "_operations";
  return "other_operations";
}

void count(const CostTable& table, Formula& formula) {
  std::map<std::string, Expression> sums;
  Expression all, coalesced_bytes;
  for (std::size_t b = 0; b < formula.made_of->target.program->blocks.size(); ++b) {
    std::map<std::string, std::int64_t> here;
    for (const OperationCost& cost : table.blocks[b])
      if (cost.dram_bytes > 0)
        coalesced_bytes +=
            formula.made_of->runs.blocks[b] * Expression(std::int64_t{std::llround(cost.dram_bytes)});
    for (const facts::MachineOp& op : formula.made_of->target.program->blocks[b].ops)
      ++here[group_of(op.op)];
    for (const auto& [name, times] : here) {
      sums[name] += formula.made_of->runs.blocks[b] * Expression(times);
      all += formula.made_of->runs.blocks[b] * Expression(times);
    }
  }
  const auto add = [&](const std::string& name, const std::string& unit, const Expression& value) {
    formula.counts.push_back({name, unit, symbolic::simplify(value, formula.made_of->open.launch.ranges)});
  };
  Expression groups = 1;
  for (const Expression& axis : formula.made_of->open.launch.groups)
    groups *= axis;
  add("groups", "groups", groups);
  const std::int64_t sms = formula.made_of->target.machine->sm_count;
  add("resident_groups", "groups of the fullest SM at one time",
      symbolic::minimum(Expression(std::int64_t{formula.occupancy.active_groups_per_sm}),
                        symbolic::ceil_div(groups, Expression(sms))));
  add("warps", "warps", formula.made_of->runs.warps);
  add("instructions", "warp instructions", all);
  for (const auto& [name, value] : sums)
    add(name, "warp instructions", value);
  if (!formula.made_of->open.buffer_bytes.terms().empty())
    add("buffer_bytes", "bytes", formula.made_of->open.buffer_bytes);
  add("coalesced_bytes", "bytes of global memory if every access is coalesced and nothing is kept",
      coalesced_bytes);
}

/// Sizes that leave whole groups: the symbol's steps become multiples of what they have to be.
void keep_whole_groups(Formula& formula) {
  for (const Constraint& constraint : formula.constraints)
    for (Symbol& symbol : formula.symbols) {
      const auto linear =
          constraint.divisor > 0 ? symbolic::linear_in(constraint.value, symbol.name) : std::nullopt;
      const auto factor = linear ? linear->factor.whole_constant() : std::nullopt;
      const auto rest = linear ? linear->rest.whole_constant() : std::nullopt;
      if (!factor || *factor == 0 || !rest || *rest % constraint.divisor != 0)
        continue;
      const std::int64_t unit = constraint.divisor / std::gcd(*factor, constraint.divisor);
      symbol.step = std::lcm(symbol.step, unit);
      symbol.low = (symbol.low + unit - 1) / unit * unit;
      symbol.high = std::max(symbol.low, symbol.high / unit * unit);
      symbol.reference = std::clamp(symbol.reference / unit * unit, symbol.low, symbol.high);
    }
}

std::string assumption_of(const SampledTrips::Line& line, const SampledTrips& sampled) {
  return fmt::format(
      "line {}: {:.4g} iterations of the compiled loop, the mean of {} warps of {} groups run on "
      "the data (at most {}; {:.3g} lanes of a warp in them)",
      line.line, line.mean, sampled.warps, sampled.groups, line.most, line.lanes);
}

Result<SampledTrips> add_sampled_trips(const FormulaRequest& request, symbolic::ValueOptions& options,
                                       Formula& formula) {
  const engine::Target& target = formula.made_of->target;
  const symbolic::KernelValues open(target.compiled->module, *target.compiled->kernel, options);
  auto sampled = sampled_trips(request.request, target, open);
  FOREWARP_TRY(sampled);
  for (const auto& [header, runs] : sampled->header_runs)
    options.header_runs.emplace(header, Expression(runs));
  for (const SampledTrips::Line& line : sampled->lines)
    formula.assumptions.push_back(assumption_of(line, *sampled));
  return sampled;
}

/// Blocks that conditions on data guard count as often as the sampled warps ran them, in the proportion that
/// the launch's own size shows.
void specialise(const SampledTrips& sampled, const symbolic::KernelValues& values, Formula& formula) {
  Point own;
  for (const Symbol& symbol : formula.symbols)
    own[symbol.name] = symbol.reference;
  symbolic::GridRuns& runs = formula.made_of->runs;
  const auto warps = symbolic::evaluate(runs.warps, own);
  const std::vector<bool> rests = rest_on_data(values);
  std::vector<Expression> shares(rests.size(), Expression(1));
  for (std::size_t block = 0; block < rests.size(); ++block) {
    const auto closed = symbolic::evaluate(runs.blocks[block], own);
    if (!rests[block] || !closed || !warps || closed->sign() <= 0)
      continue;
    constexpr std::int64_t parts = 4096;
    const double share = std::min(1.0, sampled.block_runs[block] * warps->real() / closed->real());
    shares[block] = Expression(symbolic::Rational::ratio(std::llround(share * parts), parts));
    runs.blocks[block] *= shares[block];
  }
  for (auto& [edge, value] : runs.edges)
    if (value.known() && edge.first != UINT32_MAX)
      value *= rests[edge.first] ? shares[edge.first] : shares[edge.second];
}

/// Each line once.
void add_assumed_conditions(bool were_sampled, Formula& formula) {
  const std::string what = were_sampled
                               ? "counts as the sampled warps ran it"
                               : "is taken to be true for all work-items (a lower bound of performance)";
  for (const symbolic::Assumption& assumed : formula.made_of->runs.taken_as_true) {
    const std::string text =
        assumed.location.line == 0
            ? fmt::format("a condition that is not structural {}", what)
            : fmt::format("line {}: a condition that rests on data, or on what has no closed form, {}",
                          assumed.location.line, what);
    if (std::find(formula.assumptions.begin(), formula.assumptions.end(), text) == formula.assumptions.end())
      formula.assumptions.push_back(text);
  }
}

std::vector<symbolic::Bounds> bounds_of(const std::vector<Symbol>& symbols) {
  std::vector<symbolic::Bounds> bounds;
  for (const Symbol& symbol : symbols)
    bounds.push_back({static_cast<double>(symbol.low), static_cast<double>(symbol.high)});
  return bounds;
}
symbolic::Bounds bounds_of(const Expression& a, const symbolic::Ranges& ranges) {
  const symbolic::Interval range = symbolic::bounds(a, ranges);
  symbolic::Bounds bounds;
  if (range.low)
    bounds.low = range.low->real();
  if (range.high)
    bounds.high = range.high->real();
  return bounds;
}

/// Runs of blocks and edges as values of the formula's program.
GridForm grid_form(Formula& formula) {
  symbolic::Program& program = formula.program;
  const auto real = [&](const Expression& a) {
    const Real value(program, program.of(a));
    program.narrow(value.index(), bounds_of(a, formula.made_of->open.launch.ranges));
    return value;
  };
  const Real warps = real(formula.made_of->runs.warps);
  const auto per_warp = [&](const Expression& runs) {
    const Real value = real(runs);
    program.narrow(value.index(), {.low = 0});
    return value / warps;
  };
  GridForm grid{real(formula.counts.front().value), {}, 1, 1};
  for (const Expression& runs_of_block : formula.made_of->runs.blocks)
    grid.runs.per_warp.push_back(per_warp(runs_of_block));
  for (const auto& [edge, value] : formula.made_of->runs.edges)
    if (value.known())
      grid.runs.edges.emplace(edge, per_warp(value));
  grid.warps_per_group = std::max(1U, formula.occupancy.warps_per_group);
  grid.active_groups = formula.occupancy.active_groups_per_sm;
  return grid;
}

void add_models(const CostTable& table, Formula& formula) {
  std::vector<std::string> inputs;
  for (const Symbol& symbol : formula.symbols)
    inputs.push_back(symbol.name);
  formula.program = symbolic::Program(inputs, bounds_of(formula.symbols));
  const GridForm grid = grid_form(formula);
  const auto flow =
      ir::control_flow(formula.made_of->target.compiled->module, *formula.made_of->target.compiled->kernel);
  const gpu::Machine& machine = *formula.made_of->target.machine;
  FormParts parts = model_forms(table, flow, machine, grid);
  formula.models = std::move(parts.models);
  const Real per_group =
      parts.instructions_per_warp * grid.warps_per_group /
      (machine.schedulers_per_sm * machine.issue_per_scheduler * machine.sm_clock_mhz * 1e3);
  const Real mean = grid.groups / machine.sm_count,
             launch = mean.number(machine.fixed.kernel_min_time_us * 1e-3);
  formula.bases = {{"issue slots of the fullest SM", (per_group * ceiling(mean) + launch).index()},
                   {"issue slots of the mean SM", (per_group * mean + launch).index()},
                   {"nothing", mean.number(1).index()}};
}

Result<void> complete(const FormulaRequest& request, Formula& formula) {
  auto open = open_launch(request.symbols, request.texts, request.request.launch,
                          formula.made_of->target.shape, formula.made_of->target.machine->warp_width);
  FOREWARP_TRY(open);
  formula.made_of->open = *std::move(open);
  formula.constraints = formula.made_of->open.constraints;
  keep_whole_groups(formula);
  auto options = given_trips(request.trip_counts);
  FOREWARP_TRY(options);
  std::optional<SampledTrips> sampled;
  if (request.sample_trip_counts) {
    auto told = add_sampled_trips(request, *options, formula);
    FOREWARP_TRY(told);
    sampled = *std::move(told);
  }
  const symbolic::KernelValues values(formula.made_of->target.compiled->module,
                                      *formula.made_of->target.compiled->kernel, *std::move(options));
  FOREWARP_TRY(check_given(request.trip_counts, values));
  auto runs = symbolic::grid_runs(values, formula.made_of->open.launch);
  FOREWARP_TRY(runs);
  formula.made_of->runs = *std::move(runs);
  FOREWARP_TRY(check_closed(formula));
  if (sampled)
    specialise(*sampled, values, formula);
  add_assumed_conditions(sampled.has_value(), formula);
  add_given(values, formula);
  add_fits(values, formula);
  const CostTable table = cost_table(formula.made_of->target);
  count(table, formula);
  add_models(table, formula);
  return {};
}

/// The reference size's own grid may leave an SM with fewer groups than fit: that part is in the closed
/// forms.
Result<facts::Occupancy> occupancy_of_a_large_grid(const engine::Target& target) {
  facts::LaunchShape shape = target.shape;
  shape.groups = {UINT32_MAX, 1, 1};
  return analysis::occupancy(*target.machine, target.program->resources, shape);
}

} // namespace

Result<std::vector<std::unique_ptr<Formula>>> make_formulas(const FormulaRequest& request) {
  engine::Planner planner;
  auto targets = planner.plan(request.request);
  FOREWARP_TRY(targets);
  std::vector<std::unique_ptr<Formula>> formulas;
  for (engine::Target& target : *targets) {
    auto formula = std::make_unique<Formula>();
    formula->made_of = std::make_shared<FormulaSource>();
    formula->made_of->target = std::move(target);
    auto occupancy = occupancy_of_a_large_grid(formula->made_of->target);
    FOREWARP_TRY(occupancy);
    formula->made_of->target.occupancy = *std::move(occupancy);
    formula->kernel = formula->made_of->target.compiled->kernel->name;
    formula->gpu = formula->made_of->target.machine->name;
    formula->symbols = request.symbols;
    formula->occupancy = formula->made_of->target.occupancy;
    const double start = thread_cpu_s();
    FOREWARP_TRY(complete(request, *formula));
    formula->made_ms = (thread_cpu_s() - start) * 1e3;
    formulas.push_back(std::move(formula));
  }
  return formulas;
}

std::vector<double> Formula::evaluate(const Point& at) const {
  std::vector<double> inputs, steps;
  for (const std::string& name : program.inputs())
    inputs.push_back(static_cast<double>(at.at(name)));
  program.evaluate(inputs.data(), steps);
  return steps;
}
double Formula::time_ms(const ModelForm& model, const Point& at) const {
  return evaluate(at)[model.time_ms.index()];
}
std::string Formula::regime(const ModelForm& model, const Point& at) const {
  const std::vector<double> steps = evaluate(at);
  const auto most =
      std::max_element(model.bounds.begin(), model.bounds.end(), [&](const BoundForm& a, const BoundForm& b) {
        return steps[a.time_ms.index()] < steps[b.time_ms.index()];
      });
  return most->name;
}
const ModelForm* Formula::find(const std::string& model) const {
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const ModelForm& form) { return form.model == model; });
  return found == models.end() ? nullptr : &*found;
}

Result<void> Formula::check(const Point& at) const {
  for (const Symbol& symbol : symbols)
    if (const std::int64_t value = at.at(symbol.name); value < symbol.low || value > symbol.high)
      return fail(
          ErrorCode::bad_input,
          fmt::format("the formula was made for {} <= {} <= {}", symbol.low, symbol.name, symbol.high),
          fmt::format("{} = {}", symbol.name, value),
          fmt::format("--symbols {}=LOW:HIGH gives another range", symbol.name));
  for (const Constraint& constraint : constraints)
    if (!constraint.holds(at)) {
      std::string where;
      for (const auto& [name, value] : at)
        where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, value);
      return fail(ErrorCode::bad_input,
                  fmt::format("the formula does not hold there: it needs {}", constraint.text), where,
                  "choose a size that meets it");
    }
  return {};
}

Result<facts::ModelFacts> Formula::facts_at(const Point& at) const {
  const auto number = [&](const Expression& a) { return symbolic::evaluate(a, at); };
  Counts numbers;
  for (const Expression& block : made_of->runs.blocks) {
    const auto value = number(block);
    if (!value)
      return fail(ErrorCode::unsupported, "a count has no value there", kernel);
    numbers.blocks.push_back(value->real());
  }
  for (const auto& [edge, expression] : made_of->runs.edges)
    if (const auto value = number(expression))
      numbers.edges[edge] = value->real();
  numbers.groups = number(counts.front().value)->real();
  return facts_of(made_of->target, numbers);
}

std::vector<std::int64_t> spread_points(const Symbol& symbol, std::size_t most) {
  std::vector<std::int64_t> points;
  const double ratio = std::log(static_cast<double>(symbol.high) / static_cast<double>(symbol.low));
  for (std::size_t i = 0; i < most; ++i) {
    const double x =
        static_cast<double>(symbol.low) *
        std::exp(ratio * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, most - 1)));
    const std::int64_t near =
        symbol.low + static_cast<std::int64_t>(std::llround((x - static_cast<double>(symbol.low)) /
                                                            static_cast<double>(symbol.step))) *
                         symbol.step;
    const std::int64_t value = std::clamp(near, symbol.low, symbol.high);
    if (points.empty() || value > points.back())
      points.push_back(value);
  }
  return points;
}

std::vector<Piece> pieces(const Formula& formula, const ModelForm& model) {
  constexpr std::size_t looked_at = 400;
  const Symbol& symbol = formula.symbols.front();
  Point at;
  for (const Symbol& each : formula.symbols)
    at[each.name] = each.reference;
  const auto regime = [&](std::int64_t value) {
    at[symbol.name] = value;
    return formula.regime(model, at);
  };
  const auto time = [&](std::int64_t value) {
    at[symbol.name] = value;
    return formula.time_ms(model, at);
  };
  std::vector<Piece> out;
  std::int64_t before = symbol.low;
  for (const std::int64_t value : spread_points(symbol, looked_at)) {
    const std::string now = regime(value);
    if (out.empty()) {
      out.push_back({value, value, now, 0, 0});
    } else if (out.back().regime == now) {
      out.back().to = value;
    } else {
      // The switch lies between: halve, on the symbol's steps.
      std::int64_t low = before, high = value;
      while (high - low > symbol.step) {
        const std::int64_t middle = low + (high - low) / symbol.step / 2 * symbol.step;
        (regime(middle) == out.back().regime ? low : high) = middle;
      }
      out.back().to = low;
      out.push_back({high, value, regime(value), 0, 0});
    }
    before = value;
  }
  for (Piece& piece : out) {
    piece.time_from_ms = time(piece.from);
    piece.time_to_ms = time(piece.to);
  }
  return out;
}

} // namespace forewarp::formula

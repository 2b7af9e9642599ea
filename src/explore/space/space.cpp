#include "explore/space/space.h"

#include "launch/parse.h"
#include "support/suggest.h"
#include "support/template.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr std::uint64_t most_points = std::uint64_t{1} << 62;

using Numbers = std::map<std::string, double>;

/// A choice that has to be computed: one expression, or text around expressions.
struct Formula {
  Template parts;
  bool is_text = false;
};

struct Axis {
  std::uint64_t size = 1, stride = 1;
  bool of_defines = false;
};

struct Constraint {
  Expression expression;
  std::size_t depth = 0; ///< axes [0, depth) decide it
};

Result<Formula> parse_formula(const Parameter& parameter, const Choice& choice) {
  const std::string text = without_dots(choice.text), where = "--space " + parameter.name;
  if (choice.kind == Choice::Kind::text_template) {
    auto parts = Template::parse(text, where, choice.column);
    if (!parts)
      return fail(ErrorCode::usage, parts.error().message, parts.error().where,
                  "an expression stands in braces: {n * n}");
    return Formula{*std::move(parts), true};
  }
  auto expression = Expression::parse(text, where, choice.column);
  FOREWARP_TRY(expression);
  Formula formula{{{"", ""}, {}}, false};
  formula.parts.holes.push_back(*std::move(expression));
  return formula;
}

Result<Value> evaluate(const Formula& formula, const Numbers& numbers) {
  if (formula.is_text) {
    auto text = formula.parts.fill(numbers);
    FOREWARP_TRY(text);
    return Value{*std::move(text)};
  }
  const auto number = formula.parts.holes.front().evaluate(numbers);
  FOREWARP_TRY(number);
  return number_value(*number);
}

bool has_dims(const Parameter& p) {
  return p.component < 0 && (p.role == Role::global || p.role == Role::local || p.role == Role::grid);
}

/// Names under which expressions know a parameter.
std::vector<std::string> known_as(const Parameter& parameter) {
  const std::string name = without_dots(parameter.name);
  if (!has_dims(parameter))
    return {name};
  return {name, name + "_x", name + "_y", name + "_z"};
}

void note_value(const Parameter& parameter, const Value& value, Numbers& numbers) {
  const std::string name = without_dots(parameter.name);
  if (value.is_number)
    numbers[name] = value.number;
  if (!has_dims(parameter))
    return;
  const auto size = launch::parse_dim3(value.text, "--space " + parameter.name);
  if (!size)
    return; // said when the launch is made
  numbers[name + "_x"] = static_cast<double>(size->x);
  numbers[name + "_y"] = static_cast<double>(size->y);
  numbers[name + "_z"] = static_cast<double>(size->z);
}

/// Where in the order of ids a parameter stands.
int rank(const Parameter& parameter) {
  return parameter.role == Role::define     ? 0
         : parameter.role == Role::value    ? 1
         : parameter.role == Role::argument ? 2
                                            : 3;
}

} // namespace

struct Space::Parts {
  std::shared_ptr<const Table> table;
  std::vector<Parameter> parameters;
  std::vector<std::size_t> axis_of;
  std::vector<std::vector<Formula>> formulas; ///< by parameter and choice; empty for literals
  std::vector<Axis> axes;
  std::vector<std::size_t> order; ///< parameters, each behind those that it uses
  std::vector<std::size_t> depth; ///< by parameter: axes that decide it
  std::vector<Constraint> constraints;
  Numbers constants;
  std::uint64_t points = 1, per_variant = 1;

  std::size_t table_size() const { return table ? table->names.size() : 0; }
  Result<Value> value(std::size_t p, std::uint64_t digit, const Numbers& numbers) const;
  Result<Configuration> evaluate_all(std::uint64_t id, Numbers& numbers) const;
  /// Depth of the first constraint that the point breaks; empty: it is allowed.
  Result<std::optional<std::size_t>> failed_depth(std::uint64_t id) const;
  Result<void> read(const SpaceSpec& spec);
  Result<void> check_names() const;
  std::map<std::string, std::size_t> owners() const;
  Result<void> settle();
  Result<void> make_axes();
  Result<void> make_order();
  Result<void> make_constraints(const std::vector<std::string>& where);
  Result<std::set<std::size_t>> used_by(const std::set<std::string>& names, const std::string& text,
                                        const std::string& where) const;
};

Result<void> Space::Parts::read(const SpaceSpec& spec) {
  constants = spec.constants;
  table = spec.table;
  if (table)
    for (const std::string& name : table->names) {
      auto parameter = parse_parameter(name + "=0");
      FOREWARP_TRY(parameter);
      parameter->choices.clear();
      parameters.push_back(*std::move(parameter));
    }
  for (const std::string& text : spec.parameters) {
    auto parameter = parse_parameter(text);
    FOREWARP_TRY(parameter);
    parameters.push_back(*std::move(parameter));
  }
  for (Parameter& parameter : parameters)
    if (parameter.role == Role::define && spec.values.contains(parameter.name))
      parameter.role = Role::value;
    else if (parameter.role == Role::define && spec.arguments.contains(parameter.name))
      parameter.role = Role::argument;
  return {};
}

Result<void> Space::Parts::check_names() const {
  if (parameters.empty())
    return fail(ErrorCode::usage, "the space has no parameter", "--space", "add --space 'NAME=VALUES'");
  for (std::size_t a = 0; a < parameters.size(); ++a)
    for (std::size_t b = a + 1; b < parameters.size(); ++b) {
      const Parameter &one = parameters[a], &other = parameters[b];
      const bool launch = one.role != Role::define && one.role != Role::value && one.role != Role::argument;
      const bool twice = one.name == other.name ||
                         (launch && one.role == other.role &&
                          (one.component == other.component || one.component < 0 || other.component < 0));
      const bool both = (one.role == Role::global && other.role == Role::grid) ||
                        (one.role == Role::grid && other.role == Role::global);
      if (twice || both)
        return fail(ErrorCode::usage, fmt::format("'{}' and '{}' set the same thing", one.name, other.name),
                    "--space", both ? "global counts work-items, grid groups: keep one" : "keep one");
    }
  return {};
}

std::map<std::string, std::size_t> Space::Parts::owners() const {
  std::map<std::string, std::size_t> owners;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    for (const std::string& name : known_as(parameters[p]))
      owners[name] = p;
  return owners;
}

Result<void> Space::Parts::settle() {
  std::set<std::string> names;
  for (const auto& [name, owner] : owners())
    names.insert(name);
  for (const auto& [name, number] : constants)
    names.insert(name);
  formulas.resize(parameters.size());
  for (std::size_t p = table_size(); p < parameters.size(); ++p) {
    Parameter& parameter = parameters[p];
    FOREWARP_TRY(settle_choices(parameter, names));
    formulas[p].resize(parameter.choices.size());
    for (std::size_t c = 0; c < parameter.choices.size(); ++c) {
      const Choice& choice = parameter.choices[c];
      if (choice.kind == Choice::Kind::literal)
        continue;
      auto formula = parse_formula(parameter, choice);
      FOREWARP_TRY(formula);
      formulas[p][c] = *std::move(formula);
    }
  }
  return {};
}

Result<void> Space::Parts::make_axes() {
  std::vector<std::size_t> sorted;
  for (std::size_t p = table_size(); p < parameters.size(); ++p)
    sorted.push_back(p);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return rank(parameters[a]) < rank(parameters[b]); });
  axis_of.assign(parameters.size(), 0);
  if (table) {
    axes.push_back({table->rows.size(), 1, true});
    if (table->rows.empty())
      return fail(ErrorCode::usage, "the space is empty", "--space", "the file has no configuration");
  }
  for (const std::size_t p : sorted) {
    axis_of[p] = axes.size();
    axes.push_back({parameters[p].size(), 1, parameters[p].role == Role::define});
  }
  for (std::size_t a = axes.size(); a-- > 0;) {
    axes[a].stride = points;
    if (axes[a].size > most_points / points)
      return fail(ErrorCode::usage, "the space has more than 2^62 points", "--space",
                  "leave out some values");
    points *= axes[a].size;
    if (!axes[a].of_defines)
      per_variant = points;
  }
  return {};
}

Result<std::set<std::size_t>> Space::Parts::used_by(const std::set<std::string>& names,
                                                    const std::string& text, const std::string& where) const {
  const auto known = owners();
  std::set<std::size_t> used;
  for (const std::string& name : names) {
    if (const auto owner = known.find(name); owner != known.end()) {
      used.insert(owner->second);
    } else if (!constants.contains(name)) {
      std::vector<std::string> candidates;
      for (const auto& [other, index] : known)
        candidates.push_back(other);
      for (const auto& [other, number] : constants)
        candidates.push_back(other);
      const auto nearest = nearest_names(name, candidates, 1);
      return fail(ErrorCode::usage, fmt::format("'{}' uses '{}', which is no parameter", text, name),
                  fmt::format("{}: column {}", where, without_dots(text).find(name) + 1),
                  nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest.front()));
    }
  }
  return used;
}

/// Depth first through what each parameter uses; a circle is an error.
Result<void> Space::Parts::make_order() {
  enum class Mark { none, open, done };
  std::vector<Mark> marks(parameters.size(), Mark::none);
  depth.assign(parameters.size(), 0);
  const std::function<Result<void>(std::size_t)> visit = [&](std::size_t p) -> Result<void> {
    if (marks[p] == Mark::done)
      return {};
    if (marks[p] == Mark::open)
      return fail(ErrorCode::usage, fmt::format("'{}' depends on itself", parameters[p].name),
                  fmt::format("--space {}: column {}", parameters[p].name, parameters[p].name.size() + 2),
                  "break the circle of expressions");
    marks[p] = Mark::open;
    depth[p] = axis_of[p] + 1;
    for (std::size_t c = 0; c < formulas[p].size(); ++c)
      for (const Expression& expression : formulas[p][c].parts.holes) {
        const auto used = used_by(expression.names(), expression.text(), "--space " + parameters[p].name);
        FOREWARP_TRY(used);
        for (const std::size_t other : *used) {
          FOREWARP_TRY(visit(other));
          depth[p] = std::max(depth[p], depth[other]);
        }
      }
    marks[p] = Mark::done;
    order.push_back(p);
    return {};
  };
  for (std::size_t p = 0; p < parameters.size(); ++p)
    FOREWARP_TRY(visit(p));
  return {};
}

Result<void> Space::Parts::make_constraints(const std::vector<std::string>& where) {
  for (const std::string& text : where) {
    auto expression = Expression::parse(without_dots(text), "--where");
    if (!expression)
      return fail(ErrorCode::usage, expression.error().message, expression.error().where,
                  expression.error().hint);
    const auto used = used_by(expression->names(), text, "--where");
    FOREWARP_TRY(used);
    Constraint constraint{*std::move(expression), 0};
    for (const std::size_t p : *used)
      constraint.depth = std::max(constraint.depth, depth[p]);
    constraints.push_back(std::move(constraint));
  }
  std::stable_sort(constraints.begin(), constraints.end(),
                   [](const Constraint& a, const Constraint& b) { return a.depth < b.depth; });
  return {};
}

Result<Value> Space::Parts::value(std::size_t p, std::uint64_t digit, const Numbers& numbers) const {
  if (p < table_size())
    return table->rows[digit][p];
  const Parameter& parameter = parameters[p];
  if (parameter.range.count > 0)
    return number_value(parameter.range.at(digit));
  if (parameter.choices[digit].kind == Choice::Kind::literal)
    return parameter.choices[digit].value.text.empty() ? Value{parameter.choices[digit].text}
                                                       : parameter.choices[digit].value;
  return evaluate(formulas[p][digit], numbers);
}

Result<Configuration> Space::Parts::evaluate_all(std::uint64_t id, Numbers& numbers) const {
  Configuration configuration(parameters.size());
  numbers = constants;
  for (const std::size_t p : order) {
    const Axis& axis = axes[axis_of[p]];
    auto result = value(p, id / axis.stride % axis.size, numbers);
    FOREWARP_TRY(result);
    configuration[p] = *std::move(result);
    note_value(parameters[p], configuration[p], numbers);
  }
  return configuration;
}

Result<std::optional<std::size_t>> Space::Parts::failed_depth(std::uint64_t id) const {
  if (constraints.empty())
    return std::nullopt;
  Numbers numbers;
  FOREWARP_TRY(evaluate_all(id, numbers));
  for (const Constraint& constraint : constraints) {
    const auto value = constraint.expression.evaluate(numbers);
    FOREWARP_TRY(value);
    if (*value == 0)
      return constraint.depth;
  }
  return std::nullopt;
}

Space::Space(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Space::Space(Space&&) noexcept = default;
Space& Space::operator=(Space&&) noexcept = default;
Space::~Space() = default;

Result<Space> Space::make(const SpaceSpec& spec) {
  auto parts = std::make_unique<Parts>();
  FOREWARP_TRY(parts->read(spec));
  FOREWARP_TRY(parts->check_names());
  FOREWARP_TRY(parts->settle());
  FOREWARP_TRY(parts->make_axes());
  FOREWARP_TRY(parts->make_order());
  FOREWARP_TRY(parts->make_constraints(spec.where));
  return Space(std::move(parts));
}

const std::vector<Parameter>& Space::parameters() const {
  return parts_->parameters;
}

bool Space::is_derived(std::size_t parameter) const {
  const Parameter& p = parts_->parameters[parameter];
  return p.choices.size() == 1 && p.choices.front().kind != Choice::Kind::literal;
}

std::uint64_t Space::points() const {
  return parts_->points;
}

std::uint64_t Space::points_per_variant() const {
  return parts_->per_variant;
}

Result<Configuration> Space::at(std::uint64_t id) const {
  Numbers numbers;
  return parts_->evaluate_all(id, numbers);
}

Result<bool> Space::allows(std::uint64_t id) const {
  const auto failed = parts_->failed_depth(id);
  FOREWARP_TRY(failed);
  return !failed->has_value();
}

Result<std::optional<std::uint64_t>> Space::next(std::uint64_t id) const {
  while (id < parts_->points) {
    const auto failed = parts_->failed_depth(id);
    FOREWARP_TRY(failed);
    if (!*failed)
      return id;
    if (**failed == 0)
      break;
    const std::uint64_t stride = parts_->axes[**failed - 1].stride;
    id = (id / stride + 1) * stride;
  }
  return std::nullopt;
}

} // namespace forewarp::explore

#include "support/expression.h"

#include "support/suggest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <muParser.h>
#include <mutex>

namespace forewarp {

struct Expression::Parser {
  mu::Parser parser;
  std::mutex alone; ///< muParser keeps the variables and the parsed text
};

namespace {

void add_functions(mu::Parser& parser) {
  parser.DefineFun("floor", [](double x) { return std::floor(x); });
  parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
  parser.DefineFun("round", [](double x) { return std::round(x); });
  parser.DefineFun("mod", [](double a, double b) { return std::fmod(a, b); });
  parser.DefineFun("ceildiv", [](double a, double b) { return std::ceil(a / b); });
}

tl::unexpected<Error> parse_error(const mu::Parser::exception_type& error, const std::string& text,
                                  const std::string& where, std::size_t column) {
  // muParser reads a blank that it puts behind the text.
  const std::size_t position = std::min(static_cast<std::size_t>(error.GetPos()), text.size());
  return fail(ErrorCode::bad_input, fmt::format("'{}': {}", text, error.GetMsg()),
              fmt::format("{}: column {}", where, position + column), "see docs/reference/expressions.md");
}

} // namespace

Expression::Expression() : parser_(std::make_unique<Parser>()) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::parse(const std::string& text, const std::string& where, std::size_t column) {
  Expression expression;
  expression.text_ = text;
  expression.where_ = column > 1 ? fmt::format("{}: column {}", where, column) : where;
  try {
    mu::Parser& parser = expression.parser_->parser;
    add_functions(parser);
    parser.SetExpr(text);
    for (const auto& [name, value] : parser.GetUsedVar())
      expression.names_.insert(name);
  } catch (const mu::Parser::exception_type& error) {
    return parse_error(error, text, where, column);
  }
  return expression;
}

Result<double> Expression::evaluate(const std::map<std::string, double>& values) const {
  std::map<std::string, double> used;
  for (const std::string& name : names_) {
    const auto value = values.find(name);
    if (value == values.end()) {
      std::vector<std::string> known;
      for (const auto& [other, number] : values)
        known.push_back(other);
      const auto nearest = nearest_names(name, known, 1);
      return fail(ErrorCode::bad_input, fmt::format("'{}' uses '{}', which has no value here", text_, name),
                  where_, nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest.front()));
    }
    used.insert(*value);
  }
  const std::lock_guard<std::mutex> lock(parser_->alone);
  try {
    mu::Parser& parser = parser_->parser;
    parser.ClearVar();
    for (auto& [name, value] : used)
      parser.DefineVar(name, &value);
    const double result = parser.Eval();
    if (!std::isfinite(result))
      return fail(ErrorCode::bad_input, fmt::format("'{}' is not a finite number", text_), where_,
                  "check for division by zero");
    return result;
  } catch (const mu::Parser::exception_type& error) {
    return parse_error(error, text_, where_, 1);
  }
}

} // namespace forewarp

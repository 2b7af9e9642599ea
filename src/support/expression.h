// Arithmetic expressions over named numbers (muParser): + - * / ^ ( ) comparisons && || ?: min max abs floor
// ceil round log2 sqrt mod(a,b) ceildiv(a,b).
#pragma once

#include "support/result.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace forewarp {

class Expression {
public:
  /// `where` names the expression in errors (suite and key, or option), which count columns from `column`,
  /// the one at which the expression begins. Errors: bad_input with the column.
  static Result<Expression> parse(const std::string& text, const std::string& where, std::size_t column = 1);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Names that the expression uses.
  const std::set<std::string>& names() const { return names_; }
  /// Value for the given names; for several threads at a time. Errors: bad_input when a name is missing or
  /// the value is not finite.
  Result<double> evaluate(const std::map<std::string, double>& values) const;
  const std::string& text() const { return text_; }

private:
  struct Parser;
  Expression();
  std::string text_, where_;
  std::set<std::string> names_;
  std::unique_ptr<Parser> parser_;
};

} // namespace forewarp

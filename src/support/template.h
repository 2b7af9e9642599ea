// A text with {expressions} in it: "buffer:f32[{size * size}]:random(1)".
#pragma once

#include "support/expression.h"
#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp {

struct Template {
  std::vector<std::string> texts; ///< one more than `holes`
  std::vector<Expression> holes;
  /// `where` names the text in errors, which count columns from `column`, the one at which the text begins.
  /// Errors: bad_input for an open brace and as Expression::parse.
  static Result<Template> parse(const std::string& text, const std::string& where, std::size_t column = 1);
  /// Holes as whole numbers where they are whole. Errors: as Expression::evaluate.
  Result<std::string> fill(const std::map<std::string, double>& values) const;
};

} // namespace forewarp

#include "support/template.h"

#include <cmath>
#include <fmt/format.h>

namespace forewarp {

Result<Template> Template::parse(const std::string& text, const std::string& where, std::size_t column) {
  Template result;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t open = text.find('{', begin);
    result.texts.push_back(text.substr(begin, open - begin));
    if (open == std::string::npos)
      return result;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos)
      return fail(ErrorCode::bad_input, fmt::format("'{}' has an open brace", text),
                  fmt::format("{}: column {}", where, column + open));
    auto hole = Expression::parse(text.substr(open + 1, close - open - 1), where, column + open + 1);
    FOREWARP_TRY(hole);
    result.holes.push_back(std::move(*hole));
    begin = close + 1;
  }
}

Result<std::string> Template::fill(const std::map<std::string, double>& values) const {
  std::string filled = texts.front();
  for (std::size_t i = 0; i < holes.size(); ++i) {
    const auto value = holes[i].evaluate(values);
    FOREWARP_TRY(value);
    filled += *value == std::floor(*value) && std::abs(*value) < 1e15
                  ? fmt::format("{}", static_cast<long long>(*value))
                  : fmt::format("{}", *value);
    filled += texts[i + 1];
  }
  return filled;
}

} // namespace forewarp

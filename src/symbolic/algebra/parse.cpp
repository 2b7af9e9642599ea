#include "symbolic/algebra/parse.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

namespace forewarp::symbolic {
namespace {

class Parser {
public:
  Parser(const std::string& text, const std::string& where,
         const std::function<Result<Expression>(const std::string&)>& value_of)
      : text_(text), where_(where), value_of_(value_of) {}

  Result<Expression> whole() {
    auto value = sum();
    FOREWARP_TRY(value);
    blanks();
    if (at_ != text_.size())
      return wrong(fmt::format("'{}' does not belong here", text_[at_]));
    return value;
  }

private:
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  bool take(char sign) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != sign)
      return false;
    ++at_;
    return true;
  }
  tl::unexpected<Error> wrong(const std::string& message) const {
    return fail(ErrorCode::bad_input, fmt::format("'{}': {}", text_, message),
                fmt::format("{}, column {}", where_, at_ + 1),
                "whole-number arithmetic: + - * / ( ) floor ceildiv mod min max bits 2^a");
  }

  Result<Expression> sum() {
    auto value = product();
    FOREWARP_TRY(value);
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-'))
        return value;
      const auto next = product();
      FOREWARP_TRY(next);
      *value = plus ? *value + *next : *value - *next;
    }
  }
  Result<Expression> product() {
    auto value = power();
    FOREWARP_TRY(value);
    for (;;) {
      if (take('*')) {
        const auto next = power();
        FOREWARP_TRY(next);
        *value = *value * *next;
      } else if (take('/')) {
        const auto next = power();
        FOREWARP_TRY(next);
        const auto number = next->constant();
        if (!number || number->sign() == 0)
          return wrong("a division by something that is no number: write floor(a / b) or ceildiv(a, b)");
        *value = value->scaled(Rational(1) / *number);
      } else {
        return value;
      }
    }
  }
  Result<Expression> power() {
    if (take('-')) {
      const auto value = power();
      FOREWARP_TRY(value);
      return -*value;
    }
    auto value = atom();
    FOREWARP_TRY(value);
    if (!take('^'))
      return value;
    const auto exponent = power();
    FOREWARP_TRY(exponent);
    if (const auto base = value->constant(); base && *base == Rational(2))
      return power_of_two(*exponent);
    const auto times = exponent->whole_constant();
    if (!times || *times < 0 || *times > 16)
      return wrong("only 2^a and whole powers up to 16");
    Expression result = 1;
    for (std::int64_t i = 0; i < *times; ++i)
      result *= *value;
    return result;
  }
  Result<Expression> atom() {
    blanks();
    if (take('(')) {
      auto value = sum();
      FOREWARP_TRY(value);
      if (!take(')'))
        return wrong("')' is missing");
      return value;
    }
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                                  (!word.empty() && text_[at_] == '.')))
      word += text_[at_++];
    if (word.empty())
      return wrong("a number or a name is missing");
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      return number(word);
    if (take('('))
      return call(word);
    return value_of_(word);
  }
  Result<Expression> number(const std::string& word) {
    std::int64_t value = 0;
    for (const char c : word) {
      if (!std::isdigit(static_cast<unsigned char>(c)))
        return wrong(fmt::format("'{}' is no whole number", word));
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{c - '0'}, &value))
        return wrong(fmt::format("'{}' is too large", word));
    }
    return Expression(value);
  }
  Result<Expression> call(const std::string& name) {
    if (name == "floor") // of a quotient
      return floor_call();
    std::vector<Expression> values;
    do {
      auto value = sum();
      FOREWARP_TRY(value);
      values.push_back(*std::move(value));
    } while (take(','));
    if (!take(')'))
      return wrong("')' is missing");
    if ((name == "min" || name == "max") && !values.empty()) {
      Expression result = values[0];
      for (std::size_t i = 1; i < values.size(); ++i)
        result = name == "min" ? minimum(result, values[i]) : maximum(result, values[i]);
      return result;
    }
    if (name == "bits" && values.size() == 1)
      return bit_length(values[0]);
    if (values.size() == 2 && (name == "ceildiv" || name == "mod")) {
      if (const auto below = values[1].constant(); below && below->sign() <= 0)
        return wrong("a division by a number that is not positive");
      return name == "mod" ? modulo(values[0], values[1]) : ceil_div(values[0], values[1]);
    }
    return fail(
        ErrorCode::unsupported,
        fmt::format("'{}': '{}' of {} values is not whole-number arithmetic", text_, name, values.size()),
        where_, "+ - * / ( ) floor(a / b) ceildiv(a, b) mod(a, b) min max bits 2^a");
  }
  Result<Expression> floor_call() {
    const auto above = product_before_slash();
    FOREWARP_TRY(above);
    if (take(')'))
      return floor_div(*above, Expression(1));
    if (!take('/'))
      return wrong("floor takes a quotient: floor(a / b)");
    const auto below = power();
    FOREWARP_TRY(below);
    if (!take(')'))
      return wrong("')' is missing");
    if (const auto number = below->constant(); number && number->sign() <= 0)
      return wrong("a division by a number that is not positive");
    return floor_div(*above, *below);
  }
  /// a * b * c, up to the slash of floor(a * b / c); a sum stands in brackets.
  Result<Expression> product_before_slash() {
    auto value = power();
    FOREWARP_TRY(value);
    while (take('*')) {
      const auto next = power();
      FOREWARP_TRY(next);
      *value = *value * *next;
    }
    return value;
  }

  const std::string& text_;
  const std::string& where_;
  const std::function<Result<Expression>(const std::string&)>& value_of_;
  std::size_t at_ = 0;
};

} // namespace

Result<Expression> parse(const std::string& text, const std::string& where,
                         const std::function<Result<Expression>(const std::string& name)>& value_of) {
  return Parser(text, where, value_of).whole();
}

} // namespace forewarp::symbolic

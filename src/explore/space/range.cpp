#include "explore/space/range.h"

#include "launch/words.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

constexpr const char* range_hint = "a range is lo:hi:+step or lo:hi:xfactor; quotes around it make it a word";
/// Beyond it whole numbers are not exact.
constexpr double most_value = 9007199254740992.0; // 2^53
constexpr double most_values = 1e15, most_factors = 1e5;

/// A part of the range and where it stands.
struct Part {
  const std::string& name;
  std::string_view text;
  std::size_t column;

  tl::unexpected<Error> wrong(std::string message) const {
    return parameter_error(name, column, std::move(message), range_hint);
  }
};

Part part_of(const std::string& name, const Piece& piece, const Piece& part) {
  const std::string_view text = launch::strip(part.text);
  const auto blanks = static_cast<std::size_t>(text.empty() ? 0 : text.data() - part.text.data());
  return {name, text, piece.offset + part.offset + blanks + 1};
}

Result<double> number_in(const Part& part, const char* what) {
  if (part.text.empty())
    return part.wrong(fmt::format("the range has no {}", what));
  const auto number = as_number(part.text);
  if (!number)
    return part.wrong(fmt::format("'{}' is not a number", part.text));
  if (std::fabs(*number) > most_value)
    return part.wrong(fmt::format("{} is too large: whole numbers are exact up to 2^53", part.text));
  return *number;
}

/// Number of values, with room for the last one that rounding put a little beyond `high`.
std::uint64_t arithmetic_count(double low, double high, double step) {
  return static_cast<std::uint64_t>(std::floor((high - low) / step * (1 + 1e-12))) + 1;
}

std::uint64_t geometric_count(double low, double high, double factor) {
  std::uint64_t count = 0;
  for (double at = low; at <= high * (1 + 1e-12); at *= factor)
    ++count;
  return count;
}

Result<Range> with_step(const Part& whole, const Part& step, double low, double high) {
  const auto number = number_in({step.name, step.text.substr(1), step.column + 1}, "step behind '+'");
  FOREWARP_TRY(number);
  if (*number <= 0)
    return step.wrong(fmt::format("a step has to be above 0, and this is {}", *number));
  if (high < low)
    return whole.wrong(fmt::format("the range {} is empty: {} is below {}", whole.text, high, low));
  if ((high - low) / *number > most_values)
    return whole.wrong("the range has more than 10^15 values");
  return Range{low, *number, false, arithmetic_count(low, high, *number)};
}

Result<Range> with_factor(const Part& whole, const Part& factor, double low, double high) {
  const auto number = number_in({factor.name, factor.text.substr(1), factor.column + 1}, "factor behind 'x'");
  FOREWARP_TRY(number);
  if (*number <= 1)
    return factor.wrong(fmt::format("a factor has to be above 1, and this is {}", *number));
  if (low <= 0)
    return whole.wrong(fmt::format("a range with a factor has to begin above 0, and this begins at {}", low));
  if (high < low)
    return whole.wrong(fmt::format("the range {} is empty: {} is below {}", whole.text, high, low));
  if (std::log(high / low) > most_factors * std::log(*number))
    return whole.wrong("the range has more than 100000 values");
  return Range{low, *number, true, geometric_count(low, high, *number)};
}

} // namespace

tl::unexpected<Error> parameter_error(const std::string& name, std::size_t column, std::string message,
                                      std::string hint) {
  return fail(ErrorCode::usage, std::move(message), fmt::format("--space {}: column {}", name, column),
              std::move(hint));
}

std::optional<double> as_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size())
    return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(text).c_str(), nullptr); // infinite or next to 0
  return error == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Result<std::optional<Range>> parse_range(const std::string& name, const Piece& piece) {
  const std::vector<Piece> pieces = split_outside_brackets(piece.text, ':');
  const Part first = part_of(name, piece, pieces[0]);
  if (pieces.size() < 2 || !(first.text.empty() || as_number(first.text)))
    return std::nullopt;
  const Piece all{piece.text, 0};
  const Part whole = part_of(name, piece, all);
  const auto low = number_in(first, "lower bound");
  FOREWARP_TRY(low);
  const auto high = number_in(part_of(name, piece, pieces[1]), "upper bound");
  FOREWARP_TRY(high);
  if (pieces.size() == 2)
    return whole.wrong(fmt::format("the range {} has no step", whole.text));
  const Part third = part_of(name, piece, pieces[2]);
  if (pieces.size() > 3)
    return part_of(name, piece, pieces[3])
        .wrong(fmt::format("the range {} has more than three parts", whole.text));
  if (third.text.empty())
    return third.wrong(fmt::format("the range {} has no step", whole.text));
  if (third.text[0] != '+' && third.text[0] != 'x')
    return third.wrong(fmt::format("'{}' is no step: it begins neither with + nor with x", third.text));
  const auto range =
      third.text[0] == 'x' ? with_factor(whole, third, *low, *high) : with_step(whole, third, *low, *high);
  FOREWARP_TRY(range);
  return *range;
}

} // namespace forewarp::explore

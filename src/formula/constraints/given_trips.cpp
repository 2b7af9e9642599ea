#include "formula/constraints/given_trips.h"

#include "symbolic/algebra/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace forewarp::formula {

using symbolic::Expression;

Result<symbolic::ValueOptions> given_trips(const std::map<std::uint32_t, std::string>& texts) {
  symbolic::ValueOptions options;
  for (const auto& [line, text] : texts) {
    auto value = symbolic::parse(
        text, fmt::format("--trip-count {}", line),
        [](const std::string& name) -> Result<Expression> { return Expression::symbol(name); });
    FOREWARP_TRY(value);
    if (const auto number = value->constant(); number && number->sign() < 0)
      return fail(ErrorCode::bad_input, fmt::format("'{}' iterations are below 0", text),
                  fmt::format("--trip-count {}", line), "a loop runs 0 times or more");
    options.trip_counts.emplace(line, *std::move(value));
  }
  return options;
}

Result<void> check_given(const std::map<std::uint32_t, std::string>& texts,
                         const symbolic::KernelValues& values) {
  std::set<std::uint32_t> lines;
  for (const symbolic::Loop& loop : values.loops())
    if (loop.location.line != 0)
      lines.insert(loop.location.line);
  for (const auto& [line, text] : texts)
    if (std::none_of(values.loops().begin(), values.loops().end(), [line = line](const symbolic::Loop& loop) {
          return loop.given && loop.location.line == line;
        }))
      return fail(ErrorCode::bad_input,
                  fmt::format("no loop of the compiled kernel is left at line {}", line), "--trip-count",
                  lines.empty() ? "the kernel has no loop"
                                : fmt::format("there are loops at {}", fmt::join(lines, ", ")));
  return {};
}

void add_given(const symbolic::KernelValues& values, Formula& formula) {
  std::map<std::uint32_t, std::pair<std::string, std::size_t>> by_line;
  for (const symbolic::Loop& loop : values.loops())
    if (loop.given) {
      auto& [text, count] = by_line[loop.location.line];
      text = loop.trips.text();
      ++count;
    }
  for (const auto& [line, told] : by_line)
    formula.assumptions.push_back(
        told.second == 1
            ? fmt::format("line {}: {} iterations, as given", line, told.first)
            : fmt::format("line {}: {} iterations, as given, of each of the {} loops that the compiler "
                          "made of it",
                          line, told.first, told.second));
}

} // namespace forewarp::formula

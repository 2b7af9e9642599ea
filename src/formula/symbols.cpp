#include "formula/symbols.h"

#include "formula/open_launch.h"
#include "launch/words.h"
#include "support/suggest.h"
#include "symbolic/algebra/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace forewarp::formula {
namespace {

using symbolic::Expression;
using symbolic::Rational;

std::optional<std::int64_t> scalar_of(const facts::Launch& launch, const std::string& name) {
  const auto found = launch.arguments.find(name);
  const auto* scalar =
      found == launch.arguments.end() ? nullptr : std::get_if<facts::ScalarValue>(&found->second);
  if (scalar == nullptr)
    return std::nullopt;
  std::int64_t sign = 1;
  std::string_view text = scalar->text;
  if (text.starts_with('-')) {
    sign = -1;
    text.remove_prefix(1);
  }
  const auto number = launch::whole_number(text);
  return number && *number < (std::uint64_t{1} << 62)
             ? std::optional(sign * static_cast<std::int64_t>(*number))
             : std::nullopt;
}

std::optional<std::int64_t> reference_of(const std::string& name,
                                         const std::optional<launch::LaunchTexts>& texts,
                                         const facts::Launch& launch) {
  if (texts)
    if (const auto found = texts->values.find(name); found != texts->values.end())
      return static_cast<std::int64_t>(found->second);
  return scalar_of(launch, name);
}

std::vector<std::string> names_of(const std::optional<launch::LaunchTexts>& texts,
                                  const facts::Launch& launch) {
  std::set<std::string> names;
  if (texts)
    for (const auto& [name, value] : texts->values)
      names.insert(name);
  for (const auto& [name, value] : launch.arguments)
    if (scalar_of(launch, name))
      names.insert(name);
  return {names.begin(), names.end()};
}

tl::unexpected<Error> not_a_range(const std::string& text) {
  return fail(ErrorCode::usage, fmt::format("'{}' is no symbol", text), "--symbols",
              "write NAME, NAME=LOW:HIGH or NAME=LOW:HIGH:+STEP, whole numbers of at least 1");
}

class Reader {
public:
  Reader(const std::vector<Symbol>& symbols, const std::optional<launch::LaunchTexts>& texts)
      : symbols_(symbols), texts_(texts) {}

  /// Of a text of the launch file; nothing where it is no whole number.
  Result<std::optional<Expression>> value(const std::string& text, const std::string& key) {
    if (text.find('{') == std::string::npos) {
      const bool negative = text.starts_with('-');
      const auto number = launch::whole_number(std::string_view(text).substr(negative ? 1 : 0));
      if (!number || *number > INT64_MAX / 2)
        return std::optional<Expression>();
      const auto size = static_cast<std::int64_t>(*number);
      return std::optional(Expression(negative ? -size : size));
    }
    const bool whole = text.starts_with('{') && text.find('}') == text.size() - 1;
    if (!whole)
      return names_a_symbol(text) ? wrong(text, key) : Result<std::optional<Expression>>(std::nullopt);
    auto read = symbolic::parse(text.substr(1, text.size() - 2), fmt::format("{}: {}", texts_->file, key),
                                [this](const std::string& name) { return named(name); });
    if (!read) {
      if (names_a_symbol(text))
        return tl::unexpected<Error>(read.error());
      return std::optional<Expression>();
    }
    if (!read->known())
      return wrong(text, key);
    return std::optional(*std::move(read));
  }

  bool names_a_symbol(const std::string& text) {
    bool named = false;
    std::string word;
    bool inside = false;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
        word += c;
        continue;
      }
      for (const Symbol& symbol : symbols_)
        named = named || (inside && symbol.name == word);
      word.clear();
      inside = c == '{' || (inside && c != '}');
    }
    return named;
  }
  const std::set<std::string>& used() const { return used_; }

private:
  Result<Expression> named(const std::string& name) {
    for (const Symbol& symbol : symbols_)
      if (symbol.name == name) {
        used_.insert(name);
        return Expression::symbol(name);
      }
    const auto found = texts_->values.find(name);
    if (found == texts_->values.end())
      return fail(ErrorCode::bad_input, fmt::format("'{}' has no value", name), texts_->file);
    if (found->second != std::floor(found->second) || std::abs(found->second) > 1e15)
      return fail(ErrorCode::unsupported, fmt::format("'{}' = {} is no whole number", name, found->second),
                  texts_->file, "sizes are whole numbers");
    return Expression(static_cast<std::int64_t>(found->second));
  }
  tl::unexpected<Error> wrong(const std::string& text, const std::string& key) const {
    return fail(ErrorCode::unsupported,
                fmt::format("'{}' of '{}' is no whole-number expression of the symbols", text, key),
                texts_->file, "one expression in braces, of + - * / floor ceildiv mod min max 2^a");
  }
  const std::vector<Symbol>& symbols_;
  const std::optional<launch::LaunchTexts>& texts_;
  std::set<std::string> used_;
};

/// buffer:TYPE[COUNT]...: its bytes, where COUNT is one expression.
Result<std::optional<Expression>> buffer_bytes(const std::string& text, const std::string& key,
                                               Reader& reader) {
  const std::size_t colon = text.find(':'), open = text.find('['), close = text.find(']');
  if (colon == std::string::npos || open == std::string::npos || close == std::string::npos || close < open)
    return std::optional<Expression>();
  const auto type = facts::scalar_type_from_string(text.substr(colon + 1, open - colon - 1));
  const auto count = reader.value(text.substr(open + 1, close - open - 1), key);
  if (!type || !count || !*count)
    return std::optional<Expression>();
  return std::optional(**count * Expression(static_cast<std::int64_t>(facts::size_bytes(*type))));
}

std::array<std::uint64_t, 3> axes_of(const facts::Dim3& d) {
  return {d.x, d.y, d.z};
}

} // namespace

Result<Symbol> parse_symbol(const std::string& text, const std::optional<launch::LaunchTexts>& texts,
                            const facts::Launch& launch) {
  Symbol symbol;
  const std::size_t equals = text.find('=');
  symbol.name = text.substr(0, equals);
  const auto reference = reference_of(symbol.name, texts, launch);
  if (!reference) {
    const std::vector<std::string> names = names_of(texts, launch);
    const auto nearest = nearest_names(symbol.name, names, 1);
    return fail(ErrorCode::bad_input, fmt::format("nothing of the launch is called '{}'", symbol.name),
                "--symbols",
                !nearest.empty() ? fmt::format("did you mean '{}'?", nearest.front())
                : names.empty()  ? "the launch has no [values] and no whole-number argument"
                                 : fmt::format("there are {}", fmt::join(names, ", ")));
  }
  symbol.reference = *reference;
  if (equals == std::string::npos) {
    if (*reference < 1)
      return fail(ErrorCode::usage, fmt::format("'{}' is {} in the launch", symbol.name, *reference),
                  "--symbols", fmt::format("give a range: {}=LOW:HIGH", symbol.name));
    while (symbol.step < 32 && *reference % (symbol.step * 2) == 0)
      symbol.step *= 2;
    symbol.low = std::max<std::int64_t>(1, *reference / 8 / symbol.step) * symbol.step;
    symbol.high = *reference * 8;
    return symbol;
  }
  std::vector<std::string> parts(1);
  for (const char c : text.substr(equals + 1))
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  const auto low = launch::whole_number(parts[0]);
  const auto high = parts.size() > 1 ? launch::whole_number(parts[1]) : std::nullopt;
  const bool stepped = parts.size() == 3 && parts[2].starts_with('+');
  const auto step = stepped ? launch::whole_number(std::string_view(parts[2]).substr(1)) : std::nullopt;
  constexpr std::uint64_t most = std::uint64_t{1} << 48;
  if (!low || !high || parts.size() > 3 || (parts.size() == 3 && (!step || *step == 0)) || *low < 1 ||
      *high < *low || *high > most)
    return not_a_range(text);
  symbol.low = static_cast<std::int64_t>(*low);
  symbol.high = static_cast<std::int64_t>(*high);
  symbol.step = step ? static_cast<std::int64_t>(*step) : 1;
  const std::int64_t nearest = std::clamp(*reference, symbol.low, symbol.high);
  symbol.reference = symbol.low + (nearest - symbol.low) / symbol.step * symbol.step;
  return symbol;
}

bool Constraint::holds(const std::map<std::string, std::int64_t>& at) const {
  const auto number = symbolic::evaluate(value, at);
  if (number && (divisor > 0 ? number->whole() && number->numerator() % divisor == 0 : number->sign() >= 0))
    return true;
  // Numbers of items, groups and iterations are not negative; more is not asked of them.
  std::map<std::string, Expression> values;
  symbolic::Ranges others;
  for (const auto& [name, size] : at)
    values[name] = size;
  for (const symbolic::Conjunction& all : when.any_of)
    for (const symbolic::Comparison& c : all)
      for (const std::string& name : c.value.symbols())
        if (!at.contains(name))
          others[name] = {Rational(0), std::nullopt};
  return symbolic::simplify(when, values, others).is_never();
}

Result<OpenLaunch> open_launch(const std::vector<Symbol>& symbols,
                               const std::optional<launch::LaunchTexts>& texts, const facts::Launch& launch,
                               const facts::LaunchShape& shape, unsigned warp_width) {
  OpenLaunch out;
  out.launch.warp_width = warp_width;
  Reader reader(symbols, texts);
  std::set<std::string> used;
  for (const Symbol& symbol : symbols)
    out.launch.ranges[symbol.name] = {Rational(symbol.low), Rational(symbol.high)};
  for (const auto& [name, value] : launch.arguments) {
    if (const auto number = scalar_of(launch, name))
      out.launch.arguments[name] = Expression(*number);
    const bool in_file = texts && texts->arguments.contains(name);
    for (const Symbol& symbol : symbols)
      if (!in_file && symbol.name == name) {
        out.launch.arguments[name] = Expression::symbol(name);
        used.insert(name);
      }
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    out.launch.group_size[axis] = static_cast<std::int64_t>(axes_of(shape.group_size)[axis]);
    out.launch.groups[axis] = static_cast<std::int64_t>(axes_of(shape.groups)[axis]);
  }
  if (texts) {
    for (const std::string& text : texts->source_texts)
      if (reader.names_a_symbol(text))
        return fail(
            ErrorCode::unsupported, fmt::format("'{}' changes with a symbol", text), texts->file,
            "a symbol may not change the source, its options or dynamic shared memory: make a formula "
            "for each value");
    for (std::size_t axis = 0; axis < texts->local.size() && axis < 3; ++axis)
      if (reader.names_a_symbol(texts->local[axis]))
        return fail(
            ErrorCode::unsupported,
            fmt::format("the size of a group is '{}', which changes with a symbol", texts->local[axis]),
            texts->file, "a group's size is a number: make a formula for each value");
    const bool by_groups = !texts->grid.empty();
    const std::vector<std::string>& sizes = by_groups ? texts->grid : texts->global;
    for (std::size_t axis = 0; axis < sizes.size() && axis < 3; ++axis) {
      const auto size = reader.value(sizes[axis], by_groups ? "grid" : "global");
      FOREWARP_TRY(size);
      if (!*size)
        continue;
      const Expression local = out.launch.group_size[axis];
      const Expression ranged = symbolic::simplify(**size, out.launch.ranges);
      out.launch.groups[axis] = by_groups ? ranged : symbolic::floor_div(ranged, local);
      const Expression left = by_groups ? Expression(0) : symbolic::modulo(ranged, local);
      const auto same = [&](const Constraint& known) {
        return known.value == ranged && known.divisor == out.launch.group_size[axis];
      };
      if (!(left == Expression(0)) && std::none_of(out.constraints.begin(), out.constraints.end(), same))
        out.constraints.push_back({.text = fmt::format("{} is a multiple of {} (whole groups)", ranged.text(),
                                                       out.launch.group_size[axis]),
                                   .value = ranged,
                                   .divisor = out.launch.group_size[axis]});
    }
    for (const auto& [name, text] : texts->arguments) {
      if (text.starts_with("buffer")) {
        const auto bytes = buffer_bytes(text, name, reader);
        FOREWARP_TRY(bytes);
        if (*bytes)
          out.buffer_bytes += **bytes;
        continue;
      }
      const auto value = reader.value(text, name);
      FOREWARP_TRY(value);
      if (*value)
        out.launch.arguments[name] = **value;
    }
    used.insert(reader.used().begin(), reader.used().end());
  }
  for (const Symbol& symbol : symbols)
    if (!used.contains(symbol.name))
      return fail(ErrorCode::bad_input, fmt::format("the launch does not depend on '{}'", symbol.name),
                  "--symbols", "name a value that sizes or arguments use");
  for (const Expression& groups : out.launch.groups)
    if (!symbolic::never_negative(groups - Expression(1), out.launch.ranges))
      out.constraints.push_back({.text = fmt::format("{} >= 1 (at least one group)", groups.text()),
                                 .value = groups - Expression(1)});
  return out;
}

} // namespace forewarp::formula

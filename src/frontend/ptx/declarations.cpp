#include "frontend/ptx/declarations.h"

#include "frontend/ptx/registers.h"

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

constexpr std::uint64_t most_elements = 1ULL << 32;
constexpr std::uint64_t most_registers = 1U << 20;

/// What stands before the name: ".align 16 .v4 .b32 .ptr .global".
struct Prefix {
  Declaration declaration;
  std::uint64_t lanes = 1;
};

Result<unsigned> read_number(Cursor& cursor, std::uint64_t most) {
  const std::string_view word = cursor.word();
  const auto number = integer_of(word);
  if (!number || *number > most)
    return tl::unexpected(cursor.error("'" + std::string(word) + "' is no number that can stand here"));
  return static_cast<unsigned>(*number);
}

Result<void> read_prefix_word(Cursor& cursor, std::string_view word, Prefix& prefix) {
  Declaration& made = prefix.declaration;
  if (word == "align") {
    const auto align = read_number(cursor, 4096);
    FOREWARP_TRY(align);
    if (*align == 0 || (*align & (*align - 1)) != 0)
      return tl::unexpected(cursor.error("an alignment is a power of two"));
    made.align = *align;
  } else if (word == "v2" || word == "v4" || word == "v8") {
    prefix.lanes = static_cast<std::uint64_t>(word[1] - '0');
  } else if (word == "ptr") {
    made.is_pointer = true;
  } else if (made.is_pointer &&
             (word == "global" || word == "const" || word == "shared" || word == "local")) {
    made.pointee_space = word;
  } else if (word == "texref" || word == "surfref" || word == "samplerref") {
    made.opaque = word;
  } else if (const auto type = type_word(word)) {
    made.type = *type;
  } else {
    return tl::unexpected(cursor.error("'." + std::string(word) + "' is not known in a declaration"));
  }
  return {};
}

/// Leaves the cursor behind the type, or behind what stands between ".ptr" and the name.
Result<Prefix> read_prefix(Cursor& cursor, std::string_view space) {
  Prefix prefix;
  prefix.declaration.space = space;
  if (space == "texref" || space == "surfref" || space == "samplerref")
    prefix.declaration.opaque = space;
  while (cursor.take('.')) {
    const std::string_view word = cursor.word();
    FOREWARP_TRY(read_prefix_word(cursor, word, prefix));
  }
  if (prefix.declaration.type.kind == '\0' && prefix.declaration.opaque.empty())
    return tl::unexpected(cursor.error("a declaration without a type"));
  return prefix;
}

/// "[16][4]" or "[]"; multiplies the elements.
Result<void> read_dimensions(Cursor& cursor, Declaration& made) {
  while (cursor.take('[')) {
    made.is_array = true;
    if (cursor.take(']')) {
      made.elements = 0;
      continue;
    }
    const auto size = integer_of(cursor.word());
    if (!size || !cursor.take(']') || *size > most_elements || made.elements * *size > most_elements)
      return tl::unexpected(cursor.error("the size of '" + made.name + "' is no number that can stand here"));
    made.elements *= *size;
  }
  return {};
}

/// "{1, {2, 3}}" or one value, up to a comma or semicolon outside of braces. `cursor` stands behind "=".
Result<void> read_values(Cursor& cursor, Declaration& made) {
  std::string current;
  int depth = 0, parentheses = 0;
  const auto finish = [&] {
    if (const std::string_view value = trimmed(current); !value.empty())
      made.values.emplace_back(value);
    current.clear();
  };
  for (;;) {
    const char c = cursor.peek();
    if (c == '\0')
      return tl::unexpected(cursor.cut_off("a variable's values"));
    if (depth == 0 && (c == ',' || c == ';'))
      break;
    cursor.take(c);
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '{' || c == '}') {
      depth += c == '{' ? 1 : -1;
      finish();
    } else if (c == ',' && parentheses == 0) {
      finish();
    } else {
      current += c;
    }
  }
  finish();
  return {};
}

Result<void> read_name(Cursor& cursor, Declaration& made) {
  made.line = cursor.line();
  made.name = cursor.word();
  if (made.name.empty())
    return tl::unexpected(cursor.error("a declaration without a name"));
  if (cursor.take('<')) {
    const auto count = read_number(cursor, most_registers);
    FOREWARP_TRY(count);
    made.count = *count;
    if (!cursor.take('>'))
      return tl::unexpected(cursor.error("'>' is missing behind the number of registers"));
  }
  FOREWARP_TRY(read_dimensions(cursor, made));
  if (cursor.take('='))
    FOREWARP_TRY(read_values(cursor, made));
  if (made.is_array && made.elements == 0)
    made.elements = made.values.size();
  return {};
}

Result<void> read_names(Cursor& cursor, const Prefix& prefix, std::vector<Declaration>& out) {
  Declaration made = prefix.declaration;
  made.elements = prefix.lanes;
  made.is_array = prefix.lanes > 1;
  if (prefix.lanes > 1 && made.space == "reg")
    return tl::unexpected(
        cursor.error("registers of several values are not modelled", ErrorCode::unsupported));
  FOREWARP_TRY(read_name(cursor, made));
  out.push_back(std::move(made));
  return {};
}

} // namespace

Result<std::vector<Declaration>> read_declarations(Cursor& cursor, std::string_view space) {
  std::vector<Declaration> made;
  const auto prefix = read_prefix(cursor, space);
  FOREWARP_TRY(prefix);
  do {
    FOREWARP_TRY(read_names(cursor, *prefix, made));
  } while (cursor.take(','));
  if (!cursor.take(';'))
    return tl::unexpected(cursor.at_end() ? cursor.cut_off("a declaration")
                                          : cursor.error("';' is missing behind the declaration of '" +
                                                         made.back().name + "'"));
  return made;
}

Result<std::vector<Declaration>> read_parameters(Cursor& cursor) {
  std::vector<Declaration> made;
  if (cursor.take(')'))
    return made;
  do {
    if (cursor.take('_')) // nothing is returned
      continue;
    if (!cursor.take('.'))
      return tl::unexpected(cursor.at_end() ? cursor.cut_off("a list of parameters")
                                            : cursor.error("a parameter begins with .param or .reg"));
    const std::string space(cursor.word());
    if (space != "param" && space != "reg")
      return tl::unexpected(cursor.error("'." + space + "' begins no parameter"));
    const auto prefix = read_prefix(cursor, space);
    FOREWARP_TRY(prefix);
    FOREWARP_TRY(read_names(cursor, *prefix, made));
  } while (cursor.take(','));
  if (!cursor.take(')'))
    return tl::unexpected(cursor.at_end() ? cursor.cut_off("a list of parameters")
                                          : cursor.error("')' is missing behind the parameters"));
  return made;
}

} // namespace forewarp::frontend::ptx

#include "frontend/ptx/syntax.h"

#include "frontend/ptx/cursor.h"
#include "frontend/ptx/declarations.h"
#include "frontend/ptx/registers.h"

#include <algorithm>
#include <charconv>

namespace forewarp::frontend::ptx {
namespace {

constexpr unsigned oldest_isa = 3, newest_isa = 9;

bool is_variable_space(std::string_view word) {
  static constexpr std::string_view spaces[] = {"reg",   "param",  "shared",  "const",     "global",
                                                "local", "texref", "surfref", "samplerref"};
  return std::find(std::begin(spaces), std::end(spaces), word) != std::end(spaces);
}

/// Numbers of a line in order, words passed over.
std::vector<unsigned> numbers_of(std::string_view text) {
  std::vector<unsigned> numbers;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \t,\r", at), text.size());
    unsigned number = 0;
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + end, number);
    if (error == std::errc() && rest == text.data() + end)
      numbers.push_back(number);
    at = end + 1;
  }
  return numbers;
}

/// "1 7 3, function_name $L__info_string0, inlined_at 1 20 5".
SourcePlace place_of(std::string_view text) {
  SourcePlace place;
  const std::vector<unsigned> own = numbers_of(text.substr(0, text.find(',')));
  if (own.size() >= 2) {
    place.file = own[0];
    place.line = own[1];
    place.column = own.size() > 2 ? own[2] : 0;
  }
  if (const std::size_t at = text.find("inlined_at"); at != std::string_view::npos)
    if (const std::vector<unsigned> outer = numbers_of(text.substr(at)); outer.size() >= 2) {
      place.inlined = true;
      place.at_file = outer[0];
      place.at_line = outer[1];
      place.at_column = outer.size() > 2 ? outer[2] : 0;
    }
  return place;
}

class BodyReader {
public:
  /// `inner`: the closing brace of the body ends it; else the text's end does.
  BodyReader(Cursor& cursor, bool inner) : cursor_(cursor), inner_(inner) {}

  Result<std::vector<Item>> run() {
    int depth = 0;
    for (;;) {
      const char c = cursor_.peek();
      if (c == '\0') {
        if (inner_ || depth > 0)
          return tl::unexpected(cursor_.cut_off("a function's body"));
        return std::move(items_);
      }
      if (c == ';') {
        cursor_.take(c);
      } else if (c == '{' || c == '}') {
        cursor_.take(c);
        depth += c == '{' ? 1 : -1;
        if (depth < 0 && inner_)
          return std::move(items_);
        if (depth < 0)
          return tl::unexpected(cursor_.error("'}' without '{'"));
        add(c == '{' ? Item::Kind::open : Item::Kind::close);
      } else if (c == '.') {
        FOREWARP_TRY(directive());
      } else if (cursor_.at_label()) {
        FOREWARP_TRY(label());
      } else {
        FOREWARP_TRY(statement());
      }
    }
  }

private:
  Item& add(Item::Kind kind) {
    items_.push_back(Item{kind, cursor_.line()});
    return items_.back();
  }

  Result<void> directive() {
    cursor_.take('.');
    const unsigned line = cursor_.line();
    const std::string_view word = cursor_.word();
    std::string_view text;
    if (word == "loc") {
      add(Item::Kind::place).place = place_of(cursor_.rest_of_line());
    } else if (is_variable_space(word)) {
      auto made = read_declarations(cursor_, word);
      FOREWARP_TRY(made);
      add(Item::Kind::declarations).declarations = std::move(*made);
      items_.back().line = line;
    } else if (word == "pragma") {
      if (!cursor_.until(';', text))
        return tl::unexpected(cursor_.cut_off("a pragma"));
      if (text.find("nounroll") != std::string_view::npos)
        add(Item::Kind::no_unroll);
    } else {
      return tl::unexpected(cursor_.error("unknown directive '." + std::string(word) + "'"));
    }
    return {};
  }

  /// "name:", with the targets of an indirect branch or call behind it.
  Result<void> label() {
    Item& made = add(Item::Kind::label);
    made.name = cursor_.word();
    cursor_.take(':');
    if (cursor_.peek() != '.')
      return {};
    Cursor ahead = cursor_;
    ahead.take('.');
    const std::string word(ahead.word());
    if (word != "branchtargets" && word != "calltargets" && word != "callprototype")
      return {};
    std::string_view text;
    if (!ahead.until(';', text))
      return tl::unexpected(cursor_.cut_off("a list of targets"));
    made.kind = word == "branchtargets" ? Item::Kind::targets : Item::Kind::other;
    made.targets = split_operands(text);
    cursor_ = ahead;
    return {};
  }

  Result<void> statement() {
    const unsigned line = cursor_.line();
    std::string_view text;
    if (!cursor_.until(';', text) && (inner_ || trimmed(text).empty()))
      return tl::unexpected(cursor_.cut_off("a statement"));
    items_.push_back(Item{Item::Kind::statement, line});
    items_.back().statement = statement_of(text, line);
    return {};
  }

  Cursor& cursor_;
  bool inner_;
  std::vector<Item> items_;
};

class FileReader {
public:
  FileReader(std::string_view text, const std::string& path) : cursor_(text, path) {}

  Result<File> run() {
    if (cursor_.peek() != '.' || Cursor(cursor_).rest_of_line().substr(0, 8) != ".version")
      return tl::unexpected(
          cursor_.error("a PTX file begins with .version", ErrorCode::bad_input,
                        "machine code (a cubin) is not PTX: cuobjdump -ptx shows what PTX it holds"));
    while (!cursor_.at_end()) {
      if (!cursor_.take('.'))
        return tl::unexpected(cursor_.error("'" + first_word() + "' outside of a function"));
      FOREWARP_TRY(directive(cursor_.word()));
    }
    return std::move(file_);
  }

private:
  std::string first_word() {
    const std::string_view word = cursor_.peek_word();
    return word.empty() ? std::string(1, cursor_.peek()) : std::string(word);
  }

  Result<void> directive(std::string_view word) {
    if (word == "version")
      return version();
    if (word == "target") {
      file_.target_line = cursor_.line();
      file_.target = cursor_.word();
      cursor_.rest_of_line();
      return {};
    }
    if (word == "address_size")
      return cursor_.word() == "64"
                 ? Result<void>()
                 : tl::unexpected(cursor_.error("addresses of 32 bits are not read", ErrorCode::unsupported,
                                                "compile for 64 bits (-m64)"));
    if (word == "file")
      return source_name();
    if (word == "section")
      return section();
    if (word == "visible" || word == "weak" || word == "common" || word == "extern" || word == "noreturn" ||
        word == "attribute") {
      is_extern_ = is_extern_ || word == "extern";
      std::string_view passed;
      return word != "attribute" || cursor_.until(')', passed)
                 ? Result<void>()
                 : tl::unexpected(cursor_.cut_off("an attribute"));
    }
    if (word == "entry" || word == "func")
      return function(word == "entry");
    if (word == "pragma" || word == "alias") {
      std::string_view passed;
      return cursor_.until(';', passed) ? Result<void>() : tl::unexpected(cursor_.cut_off("a directive"));
    }
    if (is_variable_space(word) && word != "reg" && word != "param")
      return variables(word);
    return tl::unexpected(cursor_.error("unknown directive '." + std::string(word) + "'"));
  }

  Result<void> version() {
    const std::string text(cursor_.word(true));
    const std::size_t dot = text.find('.');
    const auto major = integer_of(text.substr(0, dot));
    if (dot == std::string::npos || !major)
      return tl::unexpected(cursor_.error("'" + text + "' is no version of the PTX ISA"));
    file_.major = static_cast<unsigned>(*major);
    file_.minor = static_cast<unsigned>(integer_of(text.substr(dot + 1)).value_or(0));
    if (file_.major < oldest_isa || file_.major > newest_isa)
      return tl::unexpected(
          cursor_.error("PTX ISA " + text + " is not among those that are read (3.0 to 9.x)",
                        ErrorCode::unsupported, "compile with a toolkit whose PTX is among them"));
    return {};
  }

  Result<void> source_name() {
    const auto number = integer_of(cursor_.word());
    const std::string_view rest = cursor_.rest_of_line();
    const std::size_t begin = rest.find('"'), end = rest.find('"', begin + 1);
    if (!number || end == std::string_view::npos)
      return tl::unexpected(cursor_.error("a .file directive has a number and a name"));
    file_.sources[static_cast<unsigned>(*number)] = rest.substr(begin + 1, end - begin - 1);
    return {};
  }

  Result<void> section() {
    cursor_.word(true);
    cursor_.take('.');
    cursor_.word(true);
    if (!cursor_.take('{') || !cursor_.skip_braces())
      return tl::unexpected(cursor_.cut_off("a section"));
    return {};
  }

  Result<void> variables(std::string_view space) {
    auto made = read_declarations(cursor_, space);
    FOREWARP_TRY(made);
    for (Declaration& each : *made) {
      each.is_extern = is_extern_;
      file_.variables.push_back(std::move(each));
    }
    is_extern_ = false;
    return {};
  }

  Result<void> function(bool is_kernel) {
    Function made;
    made.is_kernel = is_kernel;
    is_extern_ = false;
    if (!is_kernel && cursor_.take('(')) {
      auto results = read_parameters(cursor_);
      FOREWARP_TRY(results);
      made.results = std::move(*results);
    }
    made.line = cursor_.line();
    made.name = cursor_.word();
    if (made.name.empty())
      return tl::unexpected(cursor_.error("a function without a name"));
    if (cursor_.take('(')) {
      auto parameters = read_parameters(cursor_);
      FOREWARP_TRY(parameters);
      made.parameters = std::move(*parameters);
    }
    while (cursor_.take('.'))
      FOREWARP_TRY(tuning(made, cursor_.word()));
    if (cursor_.take('{')) {
      made.has_body = true;
      auto body = BodyReader(cursor_, true).run();
      FOREWARP_TRY(body);
      made.body = std::move(*body);
    } else if (!cursor_.take(';')) {
      return tl::unexpected(
          cursor_.at_end() ? cursor_.cut_off("a function")
                           : cursor_.error("'" + first_word() + "' before the body of '" + made.name + "'"));
    }
    file_.functions.push_back(std::move(made));
    return {};
  }

  /// ".maxntid 256, 1, 1" and its like.
  Result<void> tuning(Function& made, std::string_view word) {
    static constexpr std::string_view without_numbers[] = {"noreturn", "explicitcluster",
                                                           "blocksareclusters"};
    if (std::find(std::begin(without_numbers), std::end(without_numbers), word) != std::end(without_numbers))
      return {};
    if (word == "pragma" || word == "attribute" || word == "abi_preserve" || word == "abi_preserve_control") {
      std::string_view passed;
      return cursor_.until(word == "attribute" ? ')' : ';', passed)
                 ? Result<void>()
                 : tl::unexpected(cursor_.cut_off("a directive"));
    }
    static constexpr std::string_view with_numbers[] = {"reqntid",           "maxntid", "minnctapersm",
                                                        "reqnctapercluster", "maxnreg", "maxnctapersm",
                                                        "maxclusterrank"};
    if (std::find(std::begin(with_numbers), std::end(with_numbers), word) == std::end(with_numbers))
      return tl::unexpected(cursor_.error("unknown directive '." + std::string(word) + "'"));
    std::array<unsigned, 3> numbers = {1, 1, 1};
    std::size_t count = 0;
    do {
      const auto number = integer_of(cursor_.word());
      if (!number || *number > UINT32_MAX || count == numbers.size())
        return tl::unexpected(cursor_.error("the numbers of '." + std::string(word) + "' are not known"));
      numbers[count++] = static_cast<unsigned>(*number);
    } while (cursor_.take(','));
    if (word == "reqntid")
      made.required_threads = numbers;
    else if (word == "maxntid")
      made.most_threads = numbers;
    else if (word == "minnctapersm")
      made.groups_per_sm = numbers[0];
    else if (word == "reqnctapercluster")
      made.cluster = numbers;
    return {};
  }

  Cursor cursor_;
  File file_;
  bool is_extern_ = false;
};

} // namespace

Result<File> read_file_text(std::string_view text, const std::string& path) {
  const std::string plain = without_comments(text);
  return FileReader(plain, path).run();
}

Result<std::vector<Item>> read_body(std::string_view text) {
  const std::string plain = without_comments(text);
  Cursor cursor(plain, "");
  return BodyReader(cursor, false).run();
}

} // namespace forewarp::frontend::ptx

#include "launch/matrix_market.h"

#include "launch/buffer_file.h"
#include "launch/words.h"
#include "support/text_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>

namespace forewarp::launch {
namespace {

using facts::ScalarType;

constexpr std::string_view suffix = ".mtx";

struct Entry {
  std::uint64_t row, column;
  double value;
};

/// Words of one line, by blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string lower(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool read_real(std::string_view word, double& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

class Reader {
public:
  Reader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Result<CompressedRows> read() {
    FOREWARP_TRY(header());
    FOREWARP_TRY(sizes());
    FOREWARP_TRY(entries());
    return compress();
  }

private:
  tl::unexpected<Error> wrong(const std::string& message) const {
    return fail(
        ErrorCode::bad_input, message, fmt::format("{}:{}", where_, line_),
        "a Matrix Market file of coordinates is read: real, integer or pattern; general or symmetric");
  }

  /// The next line that is no comment and not empty.
  std::optional<std::string_view> next_line(bool comments = false) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++line_;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && (comments || line[first] != '%'))
        return line;
    }
    return std::nullopt;
  }

  Result<void> header() {
    const auto line = next_line(true);
    const auto words = words_of(line.value_or(""));
    if (words.size() != 5 || lower(words[0]) != "%%matrixmarket" || lower(words[1]) != "matrix")
      return wrong("the first line is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    if (lower(words[2]) != "coordinate")
      return wrong(fmt::format("the matrix is '{}', not sparse", words[2]));
    const std::string field = lower(words[3]), symmetry = lower(words[4]);
    if (field != "real" && field != "integer" && field != "pattern" && field != "double")
      return wrong(fmt::format("entries are '{}'", words[3]));
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
      return wrong(fmt::format("the symmetry is '{}'", words[4]));
    pattern_ = field == "pattern";
    symmetric_ = symmetry != "general";
    mirror_sign_ = symmetry == "skew-symmetric" ? -1 : 1;
    return {};
  }

  Result<void> sizes() {
    const auto line = next_line();
    const auto words = words_of(line.value_or(""));
    const auto number = [&](std::size_t k) {
      return k < words.size() ? whole_number(words[k]) : std::nullopt;
    };
    const auto rows = number(0), columns = number(1), promised = number(2);
    if (words.size() != 3 || !rows || !columns || !promised)
      return wrong("a line 'ROWS COLUMNS ENTRIES' has to come here");
    if (*rows == 0 || *columns == 0 || *rows > max_contents_bytes || *promised > max_contents_bytes)
      return wrong(
          fmt::format("{} rows, {} columns and {} entries are none or too many", *rows, *columns, *promised));
    out_.rows = *rows;
    out_.columns = *columns;
    promised_ = *promised;
    return {};
  }

  Result<void> entries() {
    for (std::uint64_t k = 0; k < promised_; ++k) {
      const auto line = next_line();
      if (!line)
        return wrong(fmt::format("{} entries are promised, the file ends after {}", promised_, k));
      const auto words = words_of(*line);
      const auto row = words.size() > 1 ? whole_number(words[0]) : std::nullopt;
      const auto column = words.size() > 1 ? whole_number(words[1]) : std::nullopt;
      double value = 1;
      const bool has_value = pattern_ || (words.size() > 2 && read_real(words[2], value));
      if (!row || !column || !has_value)
        return wrong(pattern_ ? "an entry 'ROW COLUMN' has to come here"
                              : "an entry 'ROW COLUMN VALUE' has to come here");
      if (*row == 0 || *column == 0 || *row > out_.rows || *column > out_.columns)
        return wrong(fmt::format("entry ({}, {}) lies outside of {} x {}; indices begin at 1", *row, *column,
                                 out_.rows, out_.columns));
      entries_.push_back({*row - 1, *column - 1, value});
      if (!symmetric_ || *row == *column)
        continue;
      if (*row > out_.columns || *column > out_.rows)
        return wrong("a symmetric matrix has to be square");
      entries_.push_back({*column - 1, *row - 1, mirror_sign_ * value});
    }
    if (next_line())
      return wrong(fmt::format("there are more than the {} entries that are promised", promised_));
    return {};
  }

  CompressedRows compress() {
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    out_.row_starts.assign(out_.rows + 1, 0);
    for (const Entry& entry : entries_) {
      ++out_.row_starts[entry.row + 1];
      out_.column.push_back(entry.column);
      out_.value.push_back(entry.value);
    }
    std::partial_sum(out_.row_starts.begin(), out_.row_starts.end(), out_.row_starts.begin());
    return std::move(out_);
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0, line_ = 0;
  bool pattern_ = false, symmetric_ = false;
  double mirror_sign_ = 1;
  std::uint64_t promised_ = 0;
  std::vector<Entry> entries_;
  CompressedRows out_;
};

template <class To, class From> void append(const std::vector<From>& from, std::vector<std::uint8_t>& bytes) {
  for (const From& value : from) {
    const To number = static_cast<To>(value);
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&number);
    bytes.insert(bytes.end(), raw, raw + sizeof number);
  }
}

/// False: no such number fits into the type.
template <class From>
bool append_as(ScalarType type, const std::vector<From>& from, std::vector<std::uint8_t>& bytes) {
  const double most = from.empty() ? 0 : static_cast<double>(*std::max_element(from.begin(), from.end()));
  switch (type) {
  case ScalarType::i32:
    append<std::int32_t>(from, bytes);
    return most <= std::numeric_limits<std::int32_t>::max();
  case ScalarType::u32:
    append<std::uint32_t>(from, bytes);
    return most <= std::numeric_limits<std::uint32_t>::max();
  case ScalarType::i64:
    append<std::int64_t>(from, bytes);
    return true;
  case ScalarType::u64:
    append<std::uint64_t>(from, bytes);
    return true;
  case ScalarType::f32:
    append<float>(from, bytes);
    return true;
  case ScalarType::f64:
    append<double>(from, bytes);
    return true;
  default:
    return false;
  }
}

} // namespace

Result<CompressedRows> parse_matrix_market(std::string_view text, const std::string& where) {
  return Reader(text, where).read();
}

bool is_matrix_part(std::string_view path) {
  const std::size_t mark = path.rfind('#');
  return path.ends_with(suffix) || (mark != std::string_view::npos && path.substr(0, mark).ends_with(suffix));
}

Result<void> load_matrix_part(facts::BufferValue& buffer, const std::string& path_and_part) {
  const std::size_t mark = path_and_part.rfind('#');
  const std::string path = path_and_part.substr(0, mark);
  const std::string part = mark == std::string::npos ? "" : path_and_part.substr(mark + 1);
  if (part != "row_starts" && part != "columns" && part != "values")
    return fail(ErrorCode::usage, fmt::format("'{}' is no part of a matrix", part), path_and_part,
                fmt::format("write @{}#row_starts, #columns or #values", path));
  const auto text = read_file(path, "matrix file", max_contents_bytes);
  FOREWARP_TRY(text);
  const auto matrix = parse_matrix_market(*text, path);
  FOREWARP_TRY(matrix);
  const bool is_value = part == "values";
  const bool is_float = buffer.type == ScalarType::f32 || buffer.type == ScalarType::f64;
  std::vector<std::uint8_t> bytes;
  const bool fits = is_value            ? append_as(buffer.type, matrix->value, bytes)
                    : is_float          ? false
                    : part == "columns" ? append_as(buffer.type, matrix->column, bytes)
                                        : append_as(buffer.type, matrix->row_starts, bytes);
  if (!fits)
    return fail(
        ErrorCode::bad_input, fmt::format("the {} do not fit into {}", part, facts::to_string(buffer.type)),
        path, is_value ? "use f32, f64 or a whole number type of 32 or 64 bits" : "use i32, u32, i64 or u64");
  const std::uint64_t count = bytes.size() / facts::size_bytes(buffer.type);
  if (count == 0)
    return fail(ErrorCode::bad_input, "holds no entries", path);
  if (buffer.count != 0 && buffer.count != count)
    return fail(ErrorCode::bad_input,
                fmt::format("holds {} {}, but the buffer has {}", count, part, buffer.count), path,
                "leave the count out: buffer:TYPE[]:@FILE.mtx#PART");
  buffer.count = count;
  buffer.contents.kind = facts::BufferContents::Kind::bytes;
  buffer.contents.bytes = std::move(bytes);
  return {};
}

} // namespace forewarp::launch

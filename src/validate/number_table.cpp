#include "validate/number_table.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace forewarp::validate {
namespace {

/// The number that a word begins with; empty: none.
std::string number_of(const std::string& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return word.substr(0, static_cast<std::size_t>(end - word.c_str()));
}

struct Line {
  std::string words; ///< in front of the first number
  std::vector<std::string> numbers;
};

Line parse(const std::string& text) {
  Line line;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (std::string number = number_of(word); !number.empty())
      line.numbers.push_back(std::move(number));
    else if (line.numbers.empty())
      line.words += line.words.empty() ? word : " " + word;
  return line;
}

} // namespace

Result<CsvTable> read_numbers(const std::string& path, const std::vector<std::string>& columns) {
  std::ifstream file(path);
  if (!file)
    return fail(ErrorCode::not_found, "the file cannot be opened", path, "check --data");
  CsvTable table;
  std::size_t needed = 0;
  for (const std::string& name : columns) {
    const bool optional = name.ends_with('?');
    table.columns.push_back(optional ? name.substr(0, name.size() - 1) : name);
    needed += optional ? 0 : 1;
  }
  const bool has_words = !columns.empty() && columns.front() == words_column;
  for (std::string text; std::getline(file, text);) {
    Line line = parse(text);
    if (line.numbers.empty() || (!has_words && !line.words.empty()))
      continue;
    if (has_words)
      line.numbers.insert(line.numbers.begin(), line.words);
    if (line.numbers.size() < needed || line.numbers.size() > columns.size()) {
      ++table.malformed_rows;
      continue;
    }
    line.numbers.resize(columns.size());
    table.rows.push_back(std::move(line.numbers));
  }
  return table;
}

} // namespace forewarp::validate

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

std::vector<std::string> numbers_of(const std::string& line) {
  std::vector<std::string> numbers;
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (std::string number = number_of(word); !number.empty())
      numbers.push_back(std::move(number));
    else if (numbers.empty())
      break;
  return numbers;
}

} // namespace

Result<CsvTable> read_numbers(const std::string& path, const std::vector<std::string>& columns) {
  std::ifstream file(path);
  if (!file)
    return fail(ErrorCode::not_found, "the file cannot be opened", path, "check --data");
  CsvTable table;
  table.columns = columns;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> numbers = numbers_of(line);
    if (numbers.size() == columns.size())
      table.rows.push_back(std::move(numbers));
    else if (!numbers.empty())
      ++table.malformed_rows;
  }
  return table;
}

} // namespace forewarp::validate

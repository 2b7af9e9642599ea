// A table of text in columns: the one place that pads.
#pragma once

#include <string>
#include <vector>

namespace forewarp::report {

enum class Align { left, right };

class Table {
public:
  struct Column {
    std::string heading;
    Align align = Align::right;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Heading, a rule and the rows, each line behind `indent` blanks, without trailing blanks.
  std::string to_string(std::size_t indent = 2) const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace forewarp::report

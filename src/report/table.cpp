#include "report/table.h"

#include <algorithm>

namespace forewarp::report {
namespace {

/// Characters, not bytes: names may hold UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::to_string(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(width_of(columns_[c].heading));
    for (const auto& row : rows_)
      widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  const auto line = [&](const auto& cell_of) {
    std::string out(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string cell = cell_of(c);
      const std::string padding(widths[c] - width_of(cell), ' ');
      out += c == 0 ? "" : "  ";
      out += columns_[c].align == Align::left ? cell + padding : padding + cell;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  };
  line([&](std::size_t c) { return columns_[c].heading; });
  line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : rows_)
    line([&](std::size_t c) { return row[c]; });
  return text;
}

} // namespace forewarp::report

#include "port/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace forewarp::port {
namespace {

RegionMark swept_mark(const SourceLoop& loop) {
  RegionMark mark = mark_of(loop);
  mark.swept = true;
  return mark;
}

bool is_at(const SourceLoop& loop, const RegionMark& mark) {
  return loop.file == mark.file && loop.line == mark.line && loop.column == mark.column;
}

bool file_matches(const std::string& file, const std::string& wanted) {
  return wanted.empty() || file == wanted ||
         std::filesystem::path(file).filename() == std::filesystem::path(wanted).filename();
}

struct Place {
  std::string file;
  std::uint32_t line = 0;
};

Result<Place> parse_place(const std::string& word) {
  Place place;
  const std::size_t colon = word.rfind(':');
  const std::string number = colon == std::string::npos ? word : word.substr(colon + 1);
  place.file = colon == std::string::npos ? "" : word.substr(0, colon);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place.line);
  if (error != std::errc() || end != number.data() + number.size() || place.line == 0)
    return fail(ErrorCode::usage, "'" + word + "' is no FILE:LINE", "--region");
  return place;
}

Result<RegionMark> mark_at(const std::vector<SourceLoop>& loops, const std::string& word) {
  const auto place = parse_place(word);
  FOREWARP_TRY(place);
  const SourceLoop* nearest = nullptr;
  auto distance = [&](const SourceLoop& loop) {
    return loop.line > place->line ? loop.line - place->line : place->line - loop.line;
  };
  for (const SourceLoop& loop : loops) {
    if (!file_matches(loop.file, place->file))
      continue;
    if (loop.line == place->line)
      return mark_of(loop);
    if (!nearest || distance(loop) < distance(*nearest))
      nearest = &loop;
  }
  return fail(ErrorCode::not_found, "no loop begins in that line", word,
              nearest ? fmt::format("the nearest loop begins in {}:{}", nearest->file, nearest->line)
                      : "the file has no loop");
}

/// The loop around `mark` that is another mark; null: none.
const RegionMark* outer_mark(const std::vector<SourceLoop>& loops, const std::vector<RegionMark>& marks,
                             const RegionMark& mark) {
  const auto self =
      std::find_if(loops.begin(), loops.end(), [&](const SourceLoop& loop) { return is_at(loop, mark); });
  if (self == loops.end())
    return nullptr;
  for (int at = self->parent; at >= 0; at = loops[static_cast<std::size_t>(at)].parent)
    for (const RegionMark& other : marks)
      if (is_at(loops[static_cast<std::size_t>(at)], other))
        return &other;
  return nullptr;
}

bool contains(const std::vector<RegionMark>& marks, const RegionMark& mark) {
  return std::any_of(marks.begin(), marks.end(), [&](const RegionMark& other) {
    return other.file == mark.file && other.line == mark.line && other.column == mark.column;
  });
}

} // namespace

RegionMark mark_of(const SourceLoop& loop) {
  RegionMark mark;
  mark.file = loop.file;
  mark.line = loop.line;
  mark.column = loop.column;
  mark.function = loop.function;
  return mark;
}

std::vector<RegionMark> inner_marks(const std::vector<SourceLoop>& loops, const RegionMark& mark) {
  std::vector<RegionMark> inner;
  for (const SourceLoop& loop : loops)
    if (loop.parent >= 0 && is_at(loops[static_cast<std::size_t>(loop.parent)], mark)) {
      inner.push_back(swept_mark(loop));
      inner.back().inside = mark.inside.empty() ? fmt::format("{}:{}", mark.file, mark.line) : mark.inside;
    }
  return inner;
}

Result<std::vector<RegionMark>> choose_regions(const std::vector<SourceLoop>& loops,
                                               const std::vector<RegionMark>& pragmas,
                                               const std::vector<std::string>& places, bool all_loops,
                                               Nesting nesting) {
  std::vector<RegionMark> marks = pragmas;
  for (const std::string& place : places) {
    auto mark = mark_at(loops, place);
    FOREWARP_TRY(mark);
    if (!contains(marks, *mark))
      marks.push_back(*std::move(mark));
  }
  if (all_loops)
    for (const SourceLoop& loop : loops) {
      RegionMark mark = swept_mark(loop);
      const bool holds_mark = std::any_of(marks.begin(), marks.end(), [&](const RegionMark& other) {
        return outer_mark(loops, {mark}, other) != nullptr;
      });
      if (loop.parent < 0 && !contains(marks, mark) && !holds_mark)
        marks.push_back(std::move(mark));
    }
  if (marks.empty())
    return fail(ErrorCode::bad_input, "no loop is marked", "",
                "put '#pragma forewarp parallel' before a loop, or use --region FILE:LINE or --all-loops");
  if (nesting == Nesting::allowed)
    return marks;
  for (const RegionMark& mark : marks)
    if (const RegionMark* outer = outer_mark(loops, marks, mark))
      return fail(ErrorCode::bad_input, fmt::format("the region lies inside the one of line {}", outer->line),
                  fmt::format("{}:{}", mark.file, mark.line), "mark one of the two");
  return marks;
}

} // namespace forewarp::port

#include "launch/run_index.h"

#include "support/named.h"
#include "support/text_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace forewarp::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_index_bytes = std::uint64_t{1} << 30;

struct Line {
  std::string kernel, file, why;
};

std::optional<Line> line_of(const std::string& text) {
  const auto words = nlohmann::json::parse(text, nullptr, false);
  if (!words.is_object() || !words.contains("kernel") || !words["kernel"].is_string())
    return std::nullopt;
  return Line{words["kernel"], words.value("file", std::string()), words.value("why", std::string())};
}

Result<std::vector<Line>> read(const fs::path& index) {
  const auto text = read_file(index.string(), "index of a run's launches", most_index_bytes);
  FOREWARP_TRY(text);
  std::vector<Line> lines;
  for (std::size_t begin = 0, number = 1; begin < text->size(); ++number) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    auto line = line_of(text->substr(begin, end - begin));
    if (!line)
      return fail(ErrorCode::bad_input, "is no launch of a run", fmt::format("{}:{}", index.string(), number),
                  "name a folder that forewarp run --keep FOLDER has written");
    lines.push_back(*std::move(line));
    begin = end + 1;
  }
  return lines;
}

bool is_called(const std::string& kernel, const std::string& name) {
  return kernel == name || kernel.substr(0, kernel.find('(')) == name ||
         kernel.substr(0, kernel.find_first_of("<(")) == name;
}

Result<void> check_name(const std::vector<Line>& lines, const std::string& name, const fs::path& index) {
  std::vector<std::string> all, called;
  for (const Line& line : lines) {
    if (std::find(all.begin(), all.end(), line.kernel) != all.end())
      continue;
    all.push_back(line.kernel);
    if (is_called(line.kernel, name))
      called.push_back(line.kernel);
  }
  if (called.empty())
    return refuse_name({"the run has launched no kernel", index.string(), ErrorCode::not_found}, name, all);
  if (called.size() > 1 && std::find(called.begin(), called.end(), name) == called.end())
    return fail(ErrorCode::usage, fmt::format("the run has launched several kernels '{}'", name),
                index.string(), fmt::format("give --kernel one of: {}", fmt::join(called, "; ")));
  return {};
}

} // namespace

std::string run_index_line(const std::string& kernel, const std::string& file, const std::string& why) {
  nlohmann::ordered_json words = {{"kernel", kernel}};
  words[file.empty() ? "why" : "file"] = file.empty() ? why : file;
  return words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<std::string> launch_of_run(const std::string& run, const std::string& kernel, std::uint64_t number) {
  std::error_code ignored;
  const fs::path index = fs::is_directory(run, ignored) ? fs::path(run) / run_index_name : fs::path(run);
  const auto lines = read(index);
  FOREWARP_TRY(lines);
  if (!kernel.empty())
    FOREWARP_TRY(check_name(*lines, kernel, index));
  const bool whole =
      std::any_of(lines->begin(), lines->end(), [&](const Line& line) { return line.kernel == kernel; });
  std::uint64_t count = 0;
  for (const Line& line : *lines) {
    if (!kernel.empty() && (whole ? line.kernel != kernel : !is_called(line.kernel, kernel)))
      continue;
    if (++count != number)
      continue;
    if (line.file.empty())
      return fail(ErrorCode::unsupported, fmt::format("launch {} was not kept: {}", number, line.why),
                  index.string());
    return (index.parent_path() / line.file).string();
  }
  return fail(ErrorCode::not_found,
              fmt::format("the run has {} launches{}, not {}", count,
                          kernel.empty() ? "" : " of '" + kernel + "'", number),
              index.string(), fmt::format("give --launch a number from 1 to {}", count));
}

} // namespace forewarp::launch

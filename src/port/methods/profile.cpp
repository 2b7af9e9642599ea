#include "port/methods/profile.h"

#include "support/text_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

namespace forewarp::port {
namespace {

constexpr std::uint64_t max_profile_bytes = 1ULL << 30;

using Costs = std::map<std::string, double>;

/// "grid::solve(int)" and "grid::solve'2" (callgrind's recursion) without what stands behind the name.
std::string plain_name(std::string name) {
  name = name.substr(0, name.find('('));
  name = name.substr(0, name.find('\''));
  while (!name.empty() && name.back() == ' ')
    name.pop_back();
  return name;
}

std::string last_name(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// callgrind.out: cost lines belong to the function named last; a line behind `calls=` is the callee's cost.
class Callgrind {
public:
  Costs read(const std::string& text) {
    std::istringstream stream(text);
    bool of_a_call = false;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("fn="))
        function_ = name_of(line.substr(3));
      else if (line.starts_with("cfn="))
        name_of(line.substr(4)); // a callee's number may get its name here
      else if (line.starts_with("calls="))
        of_a_call = true;
      else if (!line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '+' ||
                                 line[0] == '-' || line[0] == '*')) {
        const auto words = words_of(line);
        const auto cost = words.size() > 1 ? number(words[1]) : std::nullopt;
        if (!of_a_call && cost)
          costs_[function_] += *cost;
        of_a_call = false;
      }
    }
    return std::move(costs_);
  }

private:
  /// "(3) solve" names number 3, "(3)" is it again.
  std::string name_of(const std::string& text) {
    if (!text.starts_with("("))
      return text;
    const std::size_t end = text.find(')');
    const std::string id = text.substr(0, end);
    if (end != std::string::npos && end + 2 < text.size())
      names_[id] = text.substr(end + 2);
    return names_[id];
  }

  std::map<std::string, std::string> names_;
  std::string function_;
  Costs costs_;
};

/// gprof's flat profile: percent, cumulative seconds, seconds, then maybe calls and two times a call, then
/// the name.
Costs read_gprof(const std::string& text) {
  Costs costs;
  std::istringstream stream(text);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    const auto words = words_of(line);
    if (words.size() >= 2 && words[0] == "time" && words[1] == "seconds")
      inside = true;
    else if (inside && words.empty())
      break;
    else if (inside && words.size() >= 4 && number(words[0])) {
      std::size_t at = 3;
      while (at + 1 < words.size() && number(words[at]))
        ++at;
      std::string name = words[at];
      for (std::size_t i = at + 1; i < words.size(); ++i)
        name += " " + words[i];
      costs[name] += number(words[2]).value_or(0);
    }
  }
  return costs;
}

/// "5581ab3c solve+0x12 (/usr/bin/x)": the symbol; empty: no frame.
std::string symbol_of(const std::vector<std::string>& words, std::size_t at) {
  if (at + 2 >= words.size() || words[at].find_first_not_of("0123456789abcdef") != std::string::npos)
    return "";
  std::string name = words[at + 1];
  for (std::size_t i = at + 2; i + 1 < words.size(); ++i)
    name += " " + words[i];
  return name.substr(0, name.rfind("+0x"));
}

/// Place of a header's "456.789:"; the number of words in a line that is none. perf moves short names of
/// programs to the right, so that a header may begin with blanks as frames do.
std::size_t time_of(const std::vector<std::string>& words) {
  for (std::size_t i = 2; i < words.size(); ++i)
    if (words[i].ends_with(":") && number(words[i].substr(0, words[i].size() - 1)))
      return i;
  return words.size();
}

/// perf script: a header that ends in "event:", the innermost frame on the same line or on the next.
Costs read_perf(const std::string& text) {
  Costs costs;
  std::istringstream stream(text);
  double weight = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#'))
      continue;
    std::size_t frame = 0;
    if (const std::size_t time = time_of(words); time != words.size()) {
      // "name 123 456.789: 1000 cycles:u: frame": the period is the number before the event.
      std::size_t event = time + 1;
      while (event < words.size() && !words[event].ends_with(":"))
        ++event;
      if (event == words.size())
        continue;
      weight = event == time + 1 ? 1 : number(words[event - 1]).value_or(1);
      frame = event + 1;
    }
    const std::string symbol = symbol_of(words, frame);
    if (symbol.empty() || weight == 0)
      continue;
    costs[symbol] += weight;
    weight = 0; // the callers
  }
  return costs;
}

Costs read_any(const std::string& text) {
  if (text.find("\nfn=") != std::string::npos && text.find("events:") != std::string::npos)
    return Callgrind().read(text);
  if (text.find("cumulative") != std::string::npos && text.find("self") != std::string::npos)
    return read_gprof(text);
  return read_perf(text);
}

} // namespace

Result<std::vector<FunctionShare>> parse_profile(const std::string& text, const std::string& where) {
  std::map<std::string, double> plain;
  double all = 0;
  for (const auto& [name, cost] : read_any(text)) {
    plain[plain_name(name)] += cost;
    all += cost;
  }
  if (all <= 0)
    return fail(
        ErrorCode::bad_input, "no samples of perf script, gprof or callgrind", where,
        "perf script > FILE; gprof PROGRAM gmon.out > FILE; valgrind --tool=callgrind's callgrind.out.*");
  std::vector<FunctionShare> shares;
  for (const auto& [name, cost] : plain)
    shares.push_back({name, cost / all});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const FunctionShare& a, const FunctionShare& b) { return a.share > b.share; });
  return shares;
}

Result<std::vector<FunctionShare>> read_profile(const std::string& path) {
  const auto text = read_file(path, "profile", max_profile_bytes);
  FOREWARP_TRY(text);
  return parse_profile(*text, path);
}

double share_of(const std::vector<FunctionShare>& profile, const std::string& function) {
  double share = -1;
  for (const FunctionShare& one : profile)
    if (last_name(one.function) == last_name(plain_name(function)))
      share = std::max(share, 0.0) + one.share;
  return share;
}

} // namespace forewarp::port

#include "gpu/names/names.h"

#include <algorithm>

namespace forewarp::gpu {

std::string squeeze(std::string_view name) {
  std::string squeezed;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z')
      squeezed += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      squeezed += c;
  }
  return squeezed;
}

std::vector<std::string> name_forms(std::string_view name, const std::vector<std::string>& prefixes) {
  std::vector<std::string> forms = {squeeze(name)};
  bool shorter = true;
  while (shorter) {
    shorter = false;
    for (const std::string& prefix : prefixes) {
      const std::string& last = forms.back();
      if (!prefix.empty() && last.size() > prefix.size() && last.starts_with(prefix)) {
        forms.push_back(last.substr(prefix.size()));
        shorter = true;
        break;
      }
    }
  }
  return forms;
}

std::string board_number(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find(' ', start), name.size());
    const std::string_view word = name.substr(start, end - start);
    if ((word.size() == 3 || word.size() == 4) && std::all_of(word.begin(), word.end(), is_digit))
      return squeeze(name.substr(start));
    start = end + 1;
  }
  return {};
}

} // namespace forewarp::gpu

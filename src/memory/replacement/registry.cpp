#include "memory/replacement/replacement.h"

namespace forewarp::memory {
namespace {

struct Row {
  std::string_view name;
  std::unique_ptr<Replacement> (*make)(std::uint64_t sets, unsigned ways);
};
constexpr Row table[] = {{"lru", nullptr}, {"fifo", make_fifo}, {"random", make_random}};

} // namespace

std::unique_ptr<Replacement> make_replacement(std::string_view name, std::uint64_t sets, unsigned ways) {
  for (const Row& row : table)
    if (row.name == name && row.make)
      return row.make(sets, ways);
  return nullptr;
}

const std::vector<std::string>& replacement_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Row& row : table)
      out.emplace_back(row.name);
    return out;
  }();
  return names;
}

} // namespace forewarp::memory

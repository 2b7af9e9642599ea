#include "memory/replacement/replacement.h"

#include "support/named.h"

namespace forewarp::memory {
namespace {

struct Row {
  std::string_view name;
  std::unique_ptr<Replacement> (*make)(std::uint64_t sets, unsigned ways);
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {{"lru", nullptr}, {"fifo", make_fifo}, {"random", make_random}};
  return rows;
}

} // namespace

std::unique_ptr<Replacement> make_replacement(std::string_view name, std::uint64_t sets, unsigned ways) {
  const Row* row = find_row(table(), name);
  return row != nullptr && row->make != nullptr ? row->make(sets, ways) : nullptr;
}

const std::vector<std::string>& replacement_names() {
  static const std::vector<std::string> names = names_of(table());
  return names;
}

} // namespace forewarp::memory

#include "simt/exec/matrices/tensor_store.h"

#include <algorithm>

namespace forewarp::simt {

void TensorStore::clear() {
  std::ranges::fill(known_, std::uint8_t{0});
  taken_.clear();
}

std::optional<std::uint32_t> TensorStore::allocate(std::uint32_t count) {
  std::uint32_t first = 0;
  for (const auto& [column, taken] : taken_) {
    if (column - first >= count)
      break;
    first = column + taken;
  }
  if (count > columns || first + count > columns) // the sum of a huge count wraps
    return std::nullopt;
  taken_[first] = count;
  forget(first, count);
  return first;
}

bool TensorStore::read(unsigned lane, unsigned column, std::uint32_t& word) const {
  const std::size_t at = std::size_t{lane} * columns + column;
  if (lane >= lanes || column >= columns || known_.empty() || known_[at] == 0)
    return false;
  word = words_[at];
  return true;
}

void TensorStore::write(unsigned lane, unsigned column, std::uint32_t word, bool is_known) {
  if (lane >= lanes || column >= columns || (!is_known && known_.empty()))
    return;
  words_.resize(std::size_t{lanes} * columns);
  known_.resize(words_.size());
  const std::size_t at = std::size_t{lane} * columns + column;
  words_[at] = word;
  known_[at] = is_known ? 1 : 0;
}

void TensorStore::forget(unsigned first_column, unsigned count) {
  if (known_.empty() || first_column >= columns)
    return;
  for (unsigned lane = 0; lane < lanes; ++lane)
    std::fill_n(known_.begin() + lane * columns + first_column, std::min(count, columns - first_column),
                std::uint8_t{0});
}

} // namespace forewarp::simt

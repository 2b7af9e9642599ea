// The tensor memory of one group: 128 lanes of 512 words (PTX ISA, "Tensor memory").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace forewarp::simt {

class TensorStore {
public:
  static constexpr unsigned lanes = 128, columns = 512;

  void clear();
  /// The first columns in a row that are free, with a new content; none: there are not so many.
  std::optional<std::uint32_t> allocate(std::uint32_t count);
  void release(std::uint32_t column) { taken_.erase(column); }

  /// Outside: unknown. False: it is not known.
  bool read(unsigned lane, unsigned column, std::uint32_t& word) const;
  void write(unsigned lane, unsigned column, std::uint32_t word, bool is_known);
  void forget(unsigned first_column, unsigned count);

private:
  std::vector<std::uint32_t> words_; ///< empty until something is written
  std::vector<std::uint8_t> known_;
  std::map<std::uint32_t, std::uint32_t> taken_; ///< first column: how many
};

} // namespace forewarp::simt

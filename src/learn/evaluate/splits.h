// Which rows are tested, and which may be learned from while they are.
#pragma once

#include "learn/training_rows.h"

#include <cstdint>

namespace forewarp::learn {

struct Split {
  std::vector<std::size_t> train, test;
};

/// Relatives (rows of the tested row's family) may be learned from, or not.
enum class Relatives : std::uint8_t { kept, left_out };

/// Rows that accuracy is judged on: the measured ones; all where none is.
std::vector<std::size_t> judged_rows(const TrainingTable& table);

/// Are there two rows of one family?
bool has_relatives(const TrainingTable& table);

/// A split for each judged row.
std::vector<Split> leave_one_out(const TrainingTable& table, Relatives relatives);

/// A split for each family that has judged rows, or, of more than `most` families, for `folds` groups of
/// them.
std::vector<Split> leave_families_out(const TrainingTable& table, std::size_t most, std::size_t folds,
                                      std::uint64_t seed);

/// X's protocol (section 5.1.1): in each of `sets` splits the tested rows are of `size` families drawn at
/// random, one row each; nothing of these families is learned from.
std::vector<Split> random_sets(const TrainingTable& table, std::size_t sets, std::size_t size,
                               std::uint64_t seed);

TrainingTable rows_of(const TrainingTable& table, const std::vector<std::size_t>& rows);

} // namespace forewarp::learn

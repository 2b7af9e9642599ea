// From rows to a model that knows how good it is.
#pragma once

#include "learn/evaluate/cross_validation.h"
#include "learn/model/model_file.h"

namespace forewarp::learn {

/// With fewer, a cross-validation says nothing.
inline constexpr std::size_t fewest_training_rows = 10;

struct TrainOptions {
  DynamicOptions dynamic;
  StaticOptions statics;
  std::uint64_t seed = 1; ///< of everything that is drawn
  bool force = false;     ///< a model that is worse than its baseline too; it is marked
};

/// The kind follows from the table's extractor. Cross-validated without relatives: a family at a time, or ten
/// groups of them where there are more than 64. Errors: as train_dynamic and train_static; bad_input (worse
/// than the mean or the most frequent class by its own cross-validation, and not forced).
Result<ModelFile> train(const TrainingTable& table, const TrainOptions& options);

} // namespace forewarp::learn

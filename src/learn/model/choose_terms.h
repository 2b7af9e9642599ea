// How many terms a regression may have, when the rows are to say.
#pragma once

#include "learn/model/dynamic_model.h"

namespace forewarp::learn {

/// StepwiseOptions::most_terms with this value: the number is chosen on the training rows.
inline constexpr std::size_t terms_by_validation = static_cast<std::size_t>(-1);

/// The one of 1, 2, 3, 4 and 6 terms whose error is least when groups of the table's own families are left
/// out in turn; the smaller of equals. What is tested from outside stays unseen: a cross-validation around it
/// is a nested one. Errors: as train_dynamic.
Result<std::size_t> choose_terms(const TrainingTable& table, const DynamicOptions& options);

} // namespace forewarp::learn

// Times of many GPUs in a table of their own, beside one table of features.
#pragma once

#include "learn/training_rows.h"

namespace forewarp::learn {

/// `times`: columns region, provenance, and one for each GPU (and CPU), in ms; empty: not run there. Rows of
/// `rows` without a GPU time get the one of `gpu` (its column is the one that `gpu_name` calls so) and, where
/// `cpu` is a column, the CPU time too; rows that have none there either are left out.
/// Errors (bad_input): `gpu` is empty; no column region, provenance, or of the GPU; a region that stands
/// twice.
Result<TextTable> join_times(const TextTable& rows, const TextTable& times, const std::string& gpu,
                             const std::string& cpu,
                             const std::function<std::string(const std::string&)>& gpu_name);

} // namespace forewarp::learn

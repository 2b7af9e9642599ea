// The tables of built-ins. The engine joins them; a name must stand in one only (tested).
#pragma once

#include "frontend/lowering/builtin_call.h"

#include <span>

namespace forewarp::frontend::lowering {

std::span<const Row> work_item_rows();
std::span<const Row> math_rows();
std::span<const Row> fast_math_rows();
std::span<const Row> common_rows(); ///< OpenCL 6.12.4 and 6.12.5: clamp, mix, dot, cross, ...
std::span<const Row> integer_rows();
std::span<const Row> relational_rows();
std::span<const Row> memory_rows(); ///< vloadn, vstoren, prefetch, async copies
std::span<const Row> atomic_rows();
std::span<const Row> sync_rows();       ///< barriers and fences
std::span<const Row> collective_rows(); ///< sub-groups and work-group functions
std::span<const Row> image_rows();
std::span<const Row> cuda_rows();  ///< names of the own CUDA headers
std::span<const Row> other_rows(); ///< printf, shuffle, ...

/// dot and dot_acc_sat of vectors of four bytes; null: of others. Of two tables.
llvm::Value* emit_dot_of_bytes(BuiltinCall& call);

/// All tables, in a fixed order.
std::vector<std::span<const Row>> all_tables();
/// The row for a base name; convert_<type>_<mode> has rules of its own. Null: unknown.
const Row* find_row(const std::string& base_name);

} // namespace forewarp::frontend::lowering

#include "frontend/lowering/tables/tables.h"

#include "frontend/lowering/convert.h"

#include <llvm/ADT/StringMap.h>

namespace forewarp::frontend::lowering {

std::vector<std::span<const Row>> all_tables() {
  return {work_item_rows(),  math_rows(),   fast_math_rows(), common_rows(), integer_rows(),
          relational_rows(), memory_rows(), atomic_rows(),    sync_rows(),   collective_rows(),
          image_rows(),      other_rows(),  cuda_rows()};
}

const Row* find_row(const std::string& base_name) {
  static const llvm::StringMap<const Row*> index = [] {
    llvm::StringMap<const Row*> rows;
    for (auto table : all_tables())
      for (const Row& row : table)
        rows.try_emplace(row.name, &row);
    return rows;
  }();
  if (auto found = index.find(base_name); found != index.end())
    return found->second;
  return base_name.starts_with("convert_") ? &convert_row() : nullptr;
}

} // namespace forewarp::frontend::lowering

// The mnemonic table: one row a mnemonic, by group in this folder. Branches and the program's end are
// flow.cpp's.
#include "lift/amd/rows/rows.h"

#include <unordered_map>

namespace forewarp::lift::amd {
namespace {

using Table = std::unordered_map<std::string_view, Row>;

Table make_table() {
  Table table;
  for (const auto rows :
       {scalar_rows(), scalar_memory_rows(), integer_rows(), wide_integer_rows(), float_rows(), double_rows(),
        half_rows(), packed_rows(), conversion_rows(), lane_rows()})
    for (const MnemonicRow& row : rows)
      table.insert({row.mnemonic, row.row});
  return table;
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (name.starts_with(part))
      return true;
  return false;
}

} // namespace

Row row_of(std::string_view mnemonic) {
  static const Table table = make_table();
  if (const auto found = table.find(mnemonic); found != table.end())
    return found->second;
  for (Row (*const by_name)(std::string_view) : {comparison_row, access_row, local_access_row, product_row})
    if (const Row row = by_name(mnemonic))
      return row;
  return nullptr;
}

bool needs_branch(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic;
  if (name.starts_with("ds_"))
    return name.find("permute") == std::string_view::npos && name.find("swizzle") == std::string_view::npos &&
           name != "ds_nop";
  return starts_with_any(name, {"global_load", "global_store", "global_atomic", "flat_load", "flat_store",
                                "flat_atomic", "buffer_load", "buffer_store", "buffer_atomic", "scratch_load",
                                "scratch_store"});
}

} // namespace forewarp::lift::amd

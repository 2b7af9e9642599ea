// LDS, by what the name says: "ds_read2st64_b32", "ds_write_b8_d16_hi", "ds_add_rtn_u32".
#include "lift/amd/rows/memory/accesses.h"
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

Value* local_pointer(Lifter& l, std::uint64_t offset) {
  Value* address = l.b.CreateAdd(
      l.u32(l.starts("ds_read") || l.starts("ds_load") || l.contains("_rtn_") ? 1 : 0), l.word(offset));
  return l.b.CreateGEP(l.b.getInt8Ty(), &l.local_data(), address);
}

std::string_view behind(std::string_view name, std::string_view front) {
  return name.starts_with(front) ? name.substr(front.size()) : std::string_view();
}

/// The first of these that the name begins with is left out.
std::string_view behind_any(std::string_view name, std::initializer_list<std::string_view> fronts) {
  for (const std::string_view front : fronts)
    if (name.starts_with(front))
      return name.substr(front.size());
  return {};
}

/// Two addresses in steps of the width, or of 64 of them.
std::uint64_t offset_of(const Lifter& l, const char* which, unsigned bytes, bool far) {
  return static_cast<std::uint64_t>(l.at().modifier(which, 0)) * bytes * (far ? 64 : 1);
}

void read_two(Lifter& l, bool far) {
  const unsigned bytes = l.ends("b64") ? 8 : 4;
  // The result may lie where the address is.
  Value* first = local_pointer(l, offset_of(l, "offset0", bytes, far));
  Value* second = local_pointer(l, offset_of(l, "offset1", bytes, far));
  load_into(l, 0, first, {bytes});
  load_into(l, 0, second, {bytes}, bytes / 4);
}
void write_two(Lifter& l, bool far) {
  const unsigned bytes = l.ends("b64") ? 8 : 4;
  store_from(l, 1, local_pointer(l, offset_of(l, "offset0", bytes, far)), {bytes});
  store_from(l, 2, local_pointer(l, offset_of(l, "offset1", bytes, far)), {bytes});
}

void local_access(Lifter& l) {
  const std::string_view name = l.at().mnemonic;
  if (l.at().has("gds"))
    return l.refuse("memory of all groups");
  const auto offset = static_cast<std::uint64_t>(l.at().modifier("offset", 0));
  if (name.starts_with("ds_read2_") || name.starts_with("ds_load_2addr_b"))
    return read_two(l, false);
  if (name.starts_with("ds_read2st64_") || name.starts_with("ds_load_2addr_stride64_"))
    return read_two(l, true);
  if (name.starts_with("ds_write2_") || name.starts_with("ds_store_2addr_b"))
    return write_two(l, false);
  if (name.starts_with("ds_write2st64_") || name.starts_with("ds_store_2addr_stride64_"))
    return write_two(l, true);
  if (const auto what = behind_any(name, {"ds_read_", "ds_load_"}); !what.empty()) {
    const auto width = width_named(what);
    return width ? load_into(l, 0, local_pointer(l, offset), *width) : l.refuse("this access");
  }
  if (const auto what = behind_any(name, {"ds_write_", "ds_store_"}); !what.empty()) {
    const auto width = width_named(what);
    return width ? store_from(l, 1, local_pointer(l, offset), *width) : l.refuse("this access");
  }
  // Result, address, value; without a result the first is left out.
  const bool returns = name.find("_rtn_") != std::string_view::npos;
  std::string how(behind(name, "ds_"));
  if (const std::size_t at = how.find("_rtn"); at != std::string::npos && !how.starts_with("wrxchg"))
    how.erase(at, 4);
  if (how.starts_with("cmpst") || how.starts_with("cmpstore"))
    return l.refuse("this exchange");
  const auto result = returns ? std::optional<std::size_t>(0) : std::nullopt;
  if (!atomic(l, how, local_pointer(l, offset), returns ? 2 : 1, result))
    l.refuse("this operation");
}

} // namespace

Row local_access_row(std::string_view mnemonic) {
  return mnemonic.starts_with("ds_") ? local_access : nullptr;
}

} // namespace forewarp::lift::amd

// Bulk copies (cp.async.bulk), tiles by tensor maps, their groups, and tensor maps that the kernel writes
// (facts/tensor_map.h says where). Not modelled: columns of images in the modes im2col::w.
#include "facts/tensor_map.h"
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <optional>

namespace forewarp::frontend::ptx {
namespace {

llvm::CallInst* call_engine(Expansion& e, const std::string& name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* call =
      lowering::call_marker(e.b, "engine." + name, result, arguments, lowering::MarkerEffect::memory_write);
  call->setConvergent();
  return call;
}

/// "[map, {x, y}]" -> "[map]", x, y; without coordinates as it is.
std::vector<std::string> words_of(const std::string& operand) {
  if (operand.size() < 2 || operand.front() != '[' || operand.back() != ']')
    return {};
  std::vector<std::string> words;
  for (const std::string& part : split_operands(std::string_view(operand).substr(1, operand.size() - 2)))
    for (const std::string& piece : pieces_of(part))
      words.push_back(piece);
  if (!words.empty())
    words.front() = "[" + words.front() + "]";
  return words;
}

/// .multicast::cluster: bits of the groups that get the copy, an operand behind the barrier. False: it is not
/// there.
bool read_groups(Expansion& e, const Statement& s, std::size_t index, llvm::Value*& groups) {
  if (!s.has("multicast::cluster"))
    return true;
  llvm::Value* bits =
      index < s.operands.size() ? e.registers.read(s.operands[index], e.b.getInt16Ty()) : nullptr;
  groups = bits ? e.b.CreateZExt(bits, e.b.getInt32Ty()) : nullptr;
  return groups != nullptr;
}

/// The copy's pieces, one after the other; at each the barrier hears of the bytes, where there is one.
bool copy_pieces(Expansion& e, const std::string& shape, llvm::ArrayRef<llvm::Value*> operands,
                 llvm::Value* barrier, llvm::Value* groups, const std::string& write = ".write") {
  return e.repeat([&]() -> llvm::Value* {
    if (groups)
      call_engine(e, "spread", e.b.getVoidTy(), {groups});
    call_engine(e, shape + ".read", e.b.getVoidTy(), operands);
    if (!write.empty())
      call_engine(e, shape + write, e.b.getVoidTy(), operands);
    if (barrier)
      call_engine(e, "arrive", e.b.getVoidTy(), {barrier});
    return call_engine(e, "more", e.b.getInt1Ty(), {});
  });
}

/// Shared memory is the destination.
bool goes_in(const Statement& s) {
  const auto of = [&](std::string_view word) {
    return std::find_if(s.modifiers.begin(), s.modifiers.end(),
                        [&](const std::string& modifier) { return modifier.starts_with(word); });
  };
  return of("shared") < of("global");
}

/// How what is there is changed: replaced, or ".combine.add.f32" of cp.reduce, whose tensors' maps say the
/// type.
/// "": no such operation.
std::string write_of(const Statement& s) {
  if (!s.has("reduce"))
    return ".write";
  for (const std::string& word : s.modifiers)
    if (word == "add" || word == "min" || word == "max" || word == "inc" || word == "dec" || word == "and" ||
        word == "or" || word == "xor")
      return ".combine." + word + "." + (s.has("tensor") ? "map" : s.modifiers.back());
  return "";
}

/// Into L2 only: what is read goes nowhere. [global], size; [map, {x, ...}].
bool prefetch_bulk(Expansion& e, const std::vector<llvm::Value*>& operands, const std::string& shape) {
  llvm::SmallVector<llvm::Value*, 8> all = {
      llvm::ConstantPointerNull::get(llvm::PointerType::get(e.context(), spaces::shared))};
  all.append(operands.begin(), operands.end());
  if (std::find(all.begin(), all.end(), nullptr) != all.end())
    return false;
  return copy_pieces(e, shape, all, nullptr, nullptr, "");
}

/// [shared], [global], size, [barrier]; outwards [global], [shared], size.
bool copy_bytes(Expansion& e, const Statement& s, bool in) {
  if (s.operands.size() < (in ? 4U : 3U))
    return false;
  llvm::Value* shared = e.registers.address(s.operands[in ? 0 : 1], spaces::shared);
  llvm::Value* global = e.registers.address(s.operands[in ? 1 : 0], spaces::global);
  llvm::Value* bytes = e.registers.read(s.operands[2], e.b.getInt32Ty());
  llvm::Value* barrier = in ? e.registers.address(s.operands[3], spaces::shared) : nullptr;
  llvm::Value* groups = nullptr;
  if (!shared || !global || !bytes || (in && !barrier) || !read_groups(e, s, 4, groups))
    return false;
  return copy_pieces(e, in ? "bytes.in" : "bytes.out", {shared, global, bytes}, barrier, groups, write_of(s));
}

/// To another group of the cluster, whose barrier hears of it: [shared::cluster], [shared::cta], size,
/// [barrier].
bool copy_across(Expansion& e, const Statement& s) {
  if (s.operands.size() != 4)
    return false;
  llvm::Value* to = e.registers.address(s.operands[0], spaces::shared);
  llvm::Value* from = e.registers.address(s.operands[1], spaces::shared);
  llvm::Value* bytes = e.registers.read(s.operands[2], e.b.getInt32Ty());
  llvm::Value* barrier = e.registers.address(s.operands[3], spaces::shared);
  if (!to || !from || !bytes || !barrier)
    return false;
  return copy_pieces(e, "bytes.across", {from, to, bytes}, barrier, nullptr, write_of(s));
}

/// "2d", "rows" (gather4, scatter4: a column and four rows), "columns" (im2col: coordinates, then offsets).
std::string form_of_tile(const Statement& s, std::size_t coordinates) {
  if (s.has_any({"tile::gather4", "tile::scatter4"}))
    return "rows";
  return s.has_any({"im2col", "im2col_no_offs"}) ? "columns" : std::to_string(coordinates) + "d";
}

/// The map and where the tile begins; `offsets`: the operand with those of im2col, behind all others.
bool read_place(Expansion& e, const Statement& s, const std::string& place, std::size_t offsets,
                std::vector<llvm::Value*>& operands, std::string& form) {
  const std::vector<std::string> words = words_of(place);
  if (words.size() < 2 || words.size() > 1 + facts::most_tensor_dimensions)
    return false;
  form = form_of_tile(s, words.size() - 1);
  if (form == "rows" && words.size() != 6)
    return e.refuse("a column and four rows are asked for");
  operands.push_back(e.registers.address(words[0], spaces::generic));
  for (std::size_t d = 1; d < words.size(); ++d)
    operands.push_back(e.registers.read(words[d], e.b.getInt32Ty()));
  if (form != "columns")
    return true;
  if (words.size() < 4)
    return e.refuse("tensors of images have three dimensions at least");
  for (std::size_t d = 0; d < words.size() - 3; ++d) {
    llvm::Value* offset = e.b.getInt32(0);
    if (s.has("im2col")) {
      const std::vector<std::string> pieces =
          offsets < s.operands.size() ? pieces_of(s.operands[offsets]) : std::vector<std::string>{};
      llvm::Value* read = d < pieces.size() ? e.registers.read(pieces[d], e.b.getInt16Ty()) : nullptr;
      offset = read ? e.b.CreateZExt(read, e.b.getInt32Ty()) : nullptr;
    }
    operands.push_back(offset);
  }
  return true;
}

/// [shared], [map, {x, ...}], [barrier] {, {offsets}}; outwards [map, {x, ...}], [shared].
bool copy_tile(Expansion& e, const Statement& s, bool in) {
  if (s.operands.size() < (in ? 3U : 2U))
    return false;
  std::vector<llvm::Value*> operands = {e.registers.address(s.operands[in ? 0 : 1], spaces::shared)};
  std::string form;
  if (!read_place(e, s, s.operands[in ? 1 : 0], 3, operands, form))
    return false;
  llvm::Value* barrier = in ? e.registers.address(s.operands[2], spaces::shared) : nullptr;
  llvm::Value* groups = nullptr;
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end() || (in && !barrier) ||
      !read_groups(e, s, s.has("im2col") ? 4 : 3, groups))
    return false;
  return copy_pieces(e, (in ? "tile.in." : "tile.out.") + form, operands, barrier, groups, write_of(s));
}

bool prefetch(Expansion& e, const Statement& s) {
  std::vector<llvm::Value*> operands;
  if (!s.has("tensor")) {
    if (s.operands.size() < 2)
      return false;
    return prefetch_bulk(e,
                         {e.registers.address(s.operands[0], spaces::global),
                          e.registers.read(s.operands[1], e.b.getInt32Ty())},
                         "bytes.in");
  }
  std::string form;
  return !s.operands.empty() && read_place(e, s, s.operands[0], 1, operands, form) &&
         prefetch_bulk(e, operands, "tile.in." + form);
}

bool wait_for_bulk_groups(Expansion& e, const Statement& s) {
  const auto groups = s.operands.size() == 1 ? integer_of(s.operands[0]) : std::nullopt;
  const auto* constant =
      groups || s.operands.size() != 1
          ? nullptr
          : llvm::dyn_cast_or_null<llvm::ConstantInt>(e.registers.read(s.operands[0], e.b.getInt32Ty()));
  if (!groups && !constant)
    return false;
  call_engine(e, "wait." + std::to_string(groups ? *groups : constant->getZExtValue()), e.b.getVoidTy(), {});
  return true;
}

/// All copies of the thread so far will have arrived: with .noinc this is one of the arrivals that the
/// barrier counts on, else one more of its own.
bool arrive_after_copies(Expansion& e, const Statement& s) {
  llvm::Value* address = s.operands.size() == 1 ? barrier_address(e, s, s.operands[0]) : nullptr;
  if (!address)
    return false;
  call_meeting(e, s.has("noinc") ? "arrive_copied" : "copied", e.b.getVoidTy(), address, e.b.getInt32(1));
  return true;
}

bool copy(Expansion& e, const Statement& s) {
  if (!s.has("async") || !s.has_any({"bulk", "mbarrier"}))
    return false;
  if (s.has("mbarrier"))
    return arrive_after_copies(e, s);
  if (s.has("commit_group"))
    return call_engine(e, "commit", e.b.getVoidTy(), {}) != nullptr;
  if (s.has("wait_group"))
    return wait_for_bulk_groups(e, s);
  if (s.has_any({"im2col::w", "im2col::w::128"}))
    return e.refuse("columns of images with a halo (im2col::w) are not modelled: use .im2col or tiles");
  if (s.has("prefetch"))
    return prefetch(e, s);
  if (write_of(s).empty())
    return e.refuse("it names no operation that combines");
  if (s.has("shared::cluster") && s.has("shared::cta"))
    return copy_across(e, s);
  if (!s.has("global"))
    return false;
  const bool in = goes_in(s);
  return s.has("tensor") ? copy_tile(e, s, in) : copy_bytes(e, s, in);
}

/// Where a field of a map lies: that of the first dimension, distance between dimensions.
struct Field {
  unsigned first = 0, step = 0;
};

std::optional<Field> field_of(const Statement& s) {
  namespace fields = facts::tensor_map_fields;
  for (const std::string& word : s.modifiers) {
    const int found = llvm::StringSwitch<int>(word)
                          .Case("global_address", fields::address)
                          .Case("rank", fields::rank)
                          .Case("elemtype", fields::type)
                          .Case("swizzle_mode", fields::swizzle)
                          .Case("box_dim", fields::box)
                          .Case("global_dim", fields::extents)
                          .Case("global_stride", fields::strides)
                          .Case("element_stride", fields::element_steps)
                          .Default(-1);
    if (found < 0)
      continue;
    const bool one =
        word == "global_address" || word == "rank" || word == "elemtype" || word == "swizzle_mode";
    return Field{static_cast<unsigned>(found), one ? 0U : word == "global_stride" ? 8U : 4U};
  }
  return std::nullopt;
}

llvm::Value* map_address(Expansion& e, const Statement& s, const std::string& operand, bool shared) {
  return e.registers.address(operand, shared            ? spaces::shared
                                      : s.has("global") ? spaces::global
                                                        : spaces::generic);
}

bool replace_field(Expansion& e, const Statement& s) {
  const auto field = field_of(s);
  if (!field) // what fills places outside of the tensor, how interleaved: nothing that is modelled
    return s.has_any({"fill_mode", "interleave_layout", "swizzle_atomicity"});
  const bool by_dimension = field->step > 0;
  if (s.operands.size() != (by_dimension ? 3U : 2U))
    return false;
  const auto dimension = by_dimension ? integer_of(s.operands[1]) : std::optional<std::uint64_t>(0);
  const bool wide = s.modifiers.back() == "b64";
  llvm::Value* address = map_address(e, s, s.operands[0], s.has_any({"shared::cta", "shared"}));
  llvm::Value* value = e.registers.read(s.operands.back(), wide ? e.b.getInt64Ty() : e.b.getInt32Ty());
  if (!dimension || *dimension >= facts::most_tensor_dimensions || !address || !value)
    return false;
  llvm::Value* place =
      e.b.CreateConstGEP1_64(e.b.getInt8Ty(), address, field->first + *dimension * field->step);
  e.b.CreateAlignedStore(value, place, llvm::Align(wide ? 8 : 4));
  return true;
}

/// tensormap.cp_fenceproxy.global.shared::cta... [to], [from], 0x80
bool publish(Expansion& e, const Statement& s) {
  if (s.operands.size() != 3)
    return false;
  llvm::Value *to = map_address(e, s, s.operands[0], false), *from = map_address(e, s, s.operands[1], true);
  if (!to || !from)
    return false;
  constexpr unsigned step = 16;
  llvm::Type* words = llvm::FixedVectorType::get(e.b.getInt32Ty(), 4);
  for (unsigned at = 0; at < facts::tensor_map_bytes; at += step) {
    llvm::Value* part =
        e.b.CreateAlignedLoad(words, e.b.CreateConstGEP1_64(e.b.getInt8Ty(), from, at), llvm::Align(step));
    e.b.CreateAlignedStore(part, e.b.CreateConstGEP1_64(e.b.getInt8Ty(), to, at), llvm::Align(step));
  }
  return true;
}

bool tensor_map(Expansion& e, const Statement& s) {
  return s.has("replace") ? replace_field(e, s) : s.has("cp_fenceproxy") && publish(e, s);
}

constexpr Operation rows[] = {
    {"cp", copy,
     ".async.bulk between .global and .shared, and from .shared::cta to .shared::cluster, "
     ".async.bulk.tensor.1d to .5d of tiles by a tensor map, .tile::gather4 and .tile::scatter4, .im2col; "
     ".reduce.async.bulk and .reduce.async.bulk.tensor; "
     ".mbarrier::complete_tx::bytes, .bulk_group, .multicast::cluster; .commit_group, .wait_group, "
     ".prefetch into L2; "
     ".async.mbarrier.arrive, .noinc"},
    {"tensormap", tensor_map,
     ".replace.tile of address, extents, strides, box, rank, type and swizzle; .cp_fenceproxy"},
};

} // namespace

std::span<const Operation> bulk_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx

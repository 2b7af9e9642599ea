// tcgen05: products into tensor memory, asked for by one thread and made beside the warps, of one group or of
// a pair. Not modelled: rates of moves from and to tensor memory beyond one register a lane and cycle; sparse
// factors. Values are computed of plain products (kinds f16, tf32, f8f6f4 of 8 bits, i8).
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <optional>

namespace forewarp::frontend::ptx {
namespace {

using lowering::MarkerEffect;

bool is_pair(const Statement& s) {
  return s.has("cta_group::2");
}

llvm::Value* word(Expansion& e, const std::string& operand) {
  return e.registers.read(operand, e.b.getInt32Ty());
}

/// An address in brackets, maybe with an offset.
llvm::Value* tensor_address(Expansion& e, const std::string& operand) {
  const auto [base, offset] = llvm::StringRef(operand).drop_front().drop_back().split('+');
  llvm::Value* start = word(e, base.trim().str());
  if (!start || !llvm::StringRef(operand).contains('+'))
    return start;
  llvm::Value* behind = word(e, offset.trim().str());
  return behind ? e.b.CreateAdd(start, behind) : nullptr;
}

llvm::CallInst* call_tensor(Expansion& e, const std::string& name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Value*> arguments) {
  return lowering::call_marker(e.b, "tensor_memory." + name, result, arguments, MarkerEffect::memory_write);
}

/// alloc [place], columns
bool allocate(Expansion& e, const Statement& s) {
  llvm::Value* place = s.operands.size() == 2 ? barrier_address(e, s, s.operands[0]) : nullptr;
  llvm::Value* columns = place ? word(e, s.operands[1]) : nullptr;
  if (!columns)
    return false;
  e.b.CreateAlignedStore(call_tensor(e, "alloc", e.b.getInt32Ty(), columns), place, llvm::Align(4));
  return true;
}

/// dealloc address, columns; cp [address], descriptor; shift [address]
bool change(Expansion& e, const Statement& s, const char* name) {
  llvm::Value* address = s.operands.empty()             ? nullptr
                         : s.operands[0].front() == '[' ? tensor_address(e, s.operands[0])
                                                        : word(e, s.operands[0]);
  return address && call_tensor(e, name, e.b.getVoidTy(), address);
}

/// Depth of a product (PTX ISA, "tcgen05", shapes of matrices) and the bits of its factors; 0: another kind.
std::pair<unsigned, unsigned> depth_of(const Statement& s) {
  for (const std::string& word : s.modifiers)
    if (llvm::StringRef kind = word; kind.consume_front("kind::"))
      return llvm::StringSwitch<std::pair<unsigned, unsigned>>(kind)
          .Case("f16", {16, 16})
          .Case("tf32", {8, 32})
          .Cases("f8f6f4", "i8", "mxf8f6f4", {32, 8})
          .Cases("mxf4", "mxf4nvf4", {64, 4})
          .Default({0, 0});
  return {0, 0};
}

/// Forms whose values are not modelled: what they leave is unknown.
bool is_plain(const Statement& s) {
  return !s.has_any({"ws", "ashift", "block_scale", "block16", "block32"}) && s.operands.size() == 5 &&
         !s.has_any({"kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
}

std::optional<std::uint64_t> descriptor_of(Expansion& e, const std::string& operand) {
  const auto known = e.descriptors.find(operand);
  if (known != e.descriptors.end() && known->second)
    return known->second;
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(word(e, operand));
  return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
}

/// mma [d], a, b, instruction descriptor, {scales,} enable: the descriptor has N / 8 in bits 17 to 22 and M /
/// 16 in bits 24 to 28. `a`: a descriptor, or [address].
bool multiply(Expansion& e, const Statement& s) {
  const auto [k, bits] = depth_of(s);
  if (k == 0 || s.has("sp") || s.operands.size() < 5)
    return false;
  const auto description = descriptor_of(e, s.operands[3]);
  if (!description)
    return e.refuse("the shape of the product, in its instruction descriptor, is no constant");
  const std::uint64_t words = *description;
  const std::uint64_t m = (words >> 24 & 31) * 16 / (is_pair(s) ? 2 : 1), n = (words >> 17 & 63) * 8;
  if (m == 0 || n == 0)
    return e.refuse("the instruction descriptor names no shape");
  llvm::SmallVector<llvm::Value*, 5> operands = {tensor_address(e, s.operands[0])};
  std::string form = ".other";
  if (is_plain(s)) {
    const bool in_tensor_memory = s.operands[1].front() == '[';
    form = in_tensor_memory ? ".inside" : "";
    operands.push_back(in_tensor_memory ? tensor_address(e, s.operands[1])
                                        : e.registers.read(s.operands[1], e.b.getInt64Ty()));
    operands.push_back(e.registers.read(s.operands[2], e.b.getInt64Ty()));
    operands.push_back(e.b.getInt32(static_cast<std::uint32_t>(words)));
    operands.push_back(e.registers.read(s.operands[4], e.b.getInt1Ty()));
  }
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end())
    return false;
  call_tensor(e,
              "mma.m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k) + ".b" +
                  std::to_string(bits) + (is_pair(s) ? ".pair" : "") + form,
              e.b.getVoidTy(), operands);
  return true;
}

/// The barrier hears of all products so far; with .multicast::cluster those at its place in several groups.
bool commit(Expansion& e, const Statement& s) {
  const bool in_several = s.has("multicast::cluster");
  llvm::Value* place =
      s.operands.size() == (in_several ? 2 : 1) ? barrier_address(e, s, s.operands[0]) : nullptr;
  llvm::Value* groups = in_several && place ? e.registers.read(s.operands[1], e.b.getInt16Ty()) : nullptr;
  if (!place || (in_several && !groups))
    return false;
  if (!in_several)
    return call_meeting(e, "arrive_multiplied", e.b.getVoidTy(), place, e.b.getInt32(1));
  return lowering::call_marker(e.b, "meeting.arrive_multiplied_in", e.b.getVoidTy(),
                               {place, e.b.getInt32(1), e.b.CreateZExt(groups, e.b.getInt32Ty())},
                               MarkerEffect::memory_write);
}

/// "32x32b" of the modifiers; what packs or unpacks halves is ".other": values unknown.
std::string spread_of(const Statement& s) {
  const auto spread = std::find_if(s.modifiers.begin(), s.modifiers.end(), [](const std::string& word) {
    return word.starts_with("32x") || word.starts_with("16x");
  });
  return spread == s.modifiers.end() || s.has_any({"pack::16b", "unpack::16b"})
             ? s.has("16x32bx2") ? "other_twice" : "other"
             : *spread;
}

/// Operands of a move: lanes 16 to 31 of 16x32bx2 have columns of their own.
std::size_t operands_of_move(const Statement& s) {
  return s.has("16x32bx2") ? 3 : 2;
}

/// ld {registers}, [address] {, columns between halves}
bool load(Expansion& e, const Statement& s) {
  if (s.operands.size() != operands_of_move(s))
    return false;
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  llvm::SmallVector<llvm::Type*, 8> types(results.size(), e.b.getInt32Ty());
  llvm::SmallVector<llvm::Value*, 2> operands = {tensor_address(e, s.operands[1])};
  if (s.operands.size() > 2)
    operands.push_back(word(e, s.operands[2]));
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end())
    return false;
  llvm::Value* made = call_tensor(e, "ld.x" + std::to_string(results.size()) + "." + spread_of(s),
                                  llvm::StructType::get(e.context(), types), operands);
  for (unsigned i = 0; i < results.size(); ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

/// st [address], {columns between halves,} {registers}
bool store(Expansion& e, const Statement& s) {
  if (s.operands.size() != operands_of_move(s))
    return false;
  const std::vector<std::string> sources = pieces_of(s.operands.back());
  llvm::SmallVector<llvm::Value*, 8> values = {tensor_address(e, s.operands[0])};
  if (s.operands.size() > 2)
    values.push_back(word(e, s.operands[1]));
  for (const std::string& source : sources)
    values.push_back(word(e, source));
  if (std::find(values.begin(), values.end(), nullptr) != values.end())
    return false;
  call_tensor(e, "st.x" + std::to_string(sources.size()) + "." + spread_of(s), e.b.getVoidTy(), values);
  return true;
}

bool tensor_memory(Expansion& e, const Statement& s) {
  if (s.has("alloc"))
    return allocate(e, s);
  if (s.has("dealloc"))
    return change(e, s, "free");
  if (s.has_any({"relinquish_alloc_permit", "fence::before_thread_sync", "fence::after_thread_sync",
                 "wait::ld", "wait::st"}))
    return true;
  if (s.has("mma"))
    return multiply(e, s);
  if (s.has("commit"))
    return commit(e, s);
  if (s.has("cp") || s.has("shift")) // scales and rows moved inside: made in the products' order
    return change(e, s, "forget");
  return s.has("ld") ? load(e, s) : s.has("st") && store(e, s);
}

constexpr Operation rows[] = {
    {"tcgen05", tensor_memory,
     ".alloc, .dealloc, .mma of kinds f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 whose descriptor is a "
     "constant, "
     ".commit, .ld, .st, .cp, .wait, .fence, of one group and of pairs; values of the first four kinds, but "
     "of .ws "
     "and .ashift, and of what .ld and .st move without .pack"},
};

} // namespace

std::span<const Operation> tensor_memory_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx

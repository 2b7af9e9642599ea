// tcgen05: products into tensor memory, asked for by one thread and made beside the warps. Values in tensor
// memory are unknown; an address there is the number of the allocation's first column, which is 0 for each.
// Not modelled: rates of moves from and to tensor memory beyond one register a lane and cycle; pairs of
// groups; sparse factors.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/asynchronous/meetings.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

using lowering::MarkerEffect;

bool is_pair(const Statement& s) {
  return s.has("cta_group::2");
}

bool allocate(Expansion& e, const Statement& s) {
  llvm::Value* place = s.operands.size() == 2 ? barrier_address(e, s, s.operands[0]) : nullptr;
  if (!place)
    return false;
  e.b.CreateAlignedStore(e.b.getInt32(0), place, llvm::Align(4));
  return true;
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

/// mma [d], a, b, instruction descriptor, {scales,} enable: the descriptor has N / 8 in bits 17 to 22 and M /
/// 16 in bits 24 to 28.
bool multiply(Expansion& e, const Statement& s) {
  const auto [k, bits] = depth_of(s);
  if (k == 0 || s.has("sp") || s.operands.size() < 5)
    return false;
  const auto* description =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(e.registers.read(s.operands[3], e.b.getInt32Ty()));
  if (!description)
    return e.refuse("the shape of the product, in its instruction descriptor, is no constant");
  const std::uint64_t words = description->getZExtValue();
  const std::uint64_t m = (words >> 24 & 31) * 16, n = (words >> 17 & 63) * 8;
  if (m == 0 || n == 0)
    return e.refuse("the instruction descriptor names no shape");
  lowering::call_marker(e.b,
                        "tensor_memory.mma.m" + std::to_string(m) + "n" + std::to_string(n) + "k" +
                            std::to_string(k) + ".b" + std::to_string(bits),
                        e.b.getVoidTy(), {}, MarkerEffect::memory_write);
  return true;
}

/// The barrier hears of all products so far.
bool commit(Expansion& e, const Statement& s) {
  if (s.has("multicast::cluster"))
    return e.refuse("arrivals in several groups of a cluster are not modelled");
  llvm::Value* place = s.operands.size() == 1 ? barrier_address(e, s, s.operands[0]) : nullptr;
  if (!place)
    return false;
  call_meeting(e, "arrive_multiplied", e.b.getVoidTy(), place, e.b.getInt32(1));
  return true;
}

/// ld {registers}, [address]
bool load(Expansion& e, const Statement& s) {
  if (s.operands.size() < 2)
    return false;
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  llvm::Type* word = e.b.getInt32Ty();
  llvm::SmallVector<llvm::Type*, 8> types(results.size(), word);
  llvm::Value* made =
      lowering::call_marker(e.b, "tensor_memory.ld.x" + std::to_string(results.size()),
                            llvm::StructType::get(e.context(), types), {}, MarkerEffect::memory_write);
  for (unsigned i = 0; i < results.size(); ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

/// st [address], {registers}
bool store(Expansion& e, const Statement& s) {
  if (s.operands.size() != 2)
    return false;
  const std::vector<std::string> sources = pieces_of(s.operands[1]);
  llvm::SmallVector<llvm::Value*, 8> values;
  for (const std::string& source : sources)
    if (values.push_back(e.registers.read(source, e.b.getInt32Ty())); !values.back())
      return false;
  lowering::call_marker(e.b, "tensor_memory.st.x" + std::to_string(sources.size()), e.b.getVoidTy(), values,
                        MarkerEffect::memory_write);
  return true;
}

bool tensor_memory(Expansion& e, const Statement& s) {
  if (is_pair(s))
    return e.refuse("products of pairs of groups are not modelled");
  if (s.has("alloc"))
    return allocate(e, s);
  if (s.has_any({"dealloc", "relinquish_alloc_permit", "fence::before_thread_sync",
                 "fence::after_thread_sync", "wait::ld", "wait::st"}))
    return true;
  if (s.has("mma"))
    return multiply(e, s);
  if (s.has("commit"))
    return commit(e, s);
  if (s.has("cp") || s.has("shift")) // scales and rows moved inside: made in the products' order
    return true;
  return s.has("ld") ? load(e, s) : s.has("st") && store(e, s);
}

constexpr Operation rows[] = {
    {"tcgen05", tensor_memory,
     ".alloc, .dealloc, .mma of kinds f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 whose descriptor is a "
     "constant, "
     ".commit, .ld, .st, .cp, .wait, .fence, of one group; values are unknown"},
};

} // namespace

std::span<const Operation> tensor_memory_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx

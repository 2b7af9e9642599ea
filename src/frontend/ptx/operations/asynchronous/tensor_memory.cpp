// tcgen05: products into tensor memory, asked for by one thread and made beside the warps, of one group or of
// a pair. Not modelled: rates of moves from and to tensor memory beyond one register a lane and cycle. Values
// are not computed of sparse factors, .ws, .ashift, fp4 of a depth of 96, and what .shift moves.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/arithmetic.h"
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

/// Scales of a row along k; 0: none.
unsigned scales_of(const Statement& s) {
  if (!s.has("block_scale"))
    return 0;
  if (s.has("kind::mxf8f6f4"))
    return 1;
  return s.has_any({"scale_vec::4X", "block16"}) ? 4 : 2;
}

/// Bits of the instruction descriptor: of a register as the text says them.
KnownBits descriptor_of(Expansion& e, const std::string& operand) {
  const auto known = e.descriptors.find(operand);
  if (known != e.descriptors.end() && known->second.mask != 0)
    return known->second;
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(word(e, operand));
  return constant ? KnownBits{0xFFFFFFFF, constant->getZExtValue()} : KnownBits{};
}

/// What stands behind the instruction descriptor.
struct Extras {
  std::string words;                         ///< of the marker
  llvm::SmallVector<llvm::Value*, 8> values; ///< the flag, then scales' addresses or masks of lanes
};

/// {[scales of a], [scales of b] | {lanes that stay}, } flag {, power of two that the sums are divided by}
bool read_extras(Expansion& e, const Statement& s, std::size_t at, Extras& extras) {
  const auto take = [&](llvm::Value* value) {
    extras.values.push_back(value);
    return value != nullptr;
  };
  llvm::SmallVector<llvm::Value*, 8> further;
  if (const unsigned scales = scales_of(s); scales > 0) {
    if (s.operands.size() != at + 3)
      return false;
    extras.words += ".scaled" + std::to_string(scales);
    further = {tensor_address(e, s.operands[at]), tensor_address(e, s.operands[at + 1])};
    at += 2;
  } else if (s.operands[at].front() == '{') {
    const std::vector<std::string> masks = pieces_of(s.operands[at]);
    if (masks.size() != (is_pair(s) ? 8U : 4U))
      return e.refuse("the mask of lanes has " + std::to_string(masks.size()) + " words");
    extras.words += ".lanes";
    for (const std::string& mask : masks)
      further.push_back(word(e, mask));
    ++at;
  }
  if (at >= s.operands.size() || !take(e.registers.read(s.operands[at], e.b.getInt1Ty())))
    return false;
  if (at + 1 < s.operands.size() && !s.has("ws")) {
    const auto power = integer_of(s.operands[at + 1]);
    if (!power || *power > 15)
      return e.refuse("'" + s.operands[at + 1] + "' is no power of two that sums are divided by");
    extras.words += ".divided" + std::to_string(*power);
  }
  extras.values.append(further.begin(), further.end());
  return std::find(further.begin(), further.end(), nullptr) == further.end();
}

/// mma [d], a, b, {[metadata],} instruction descriptor, ...: the descriptor has N / 8 in bits 17 to 22 and M
/// / 16 in bits 24 to 28. `a`: a descriptor, or [address].
bool multiply(Expansion& e, const Statement& s) {
  auto [k, bits] = depth_of(s);
  const bool sparse = s.has("sp");
  const std::size_t at = sparse ? 4 : 3;
  if (k == 0 || s.operands.size() < at + 2)
    return false;
  constexpr std::uint64_t shape = 63ULL << 17 | 31ULL << 24;
  const KnownBits description = descriptor_of(e, s.operands[at]);
  if ((description.mask & shape) != shape)
    return e.refuse(
        "the shape of the product, in bits 17 to 28 of its instruction descriptor, is no constant: "
        "compile the kernel for one shape");
  const std::uint64_t words = description.value;
  const std::uint64_t m = (words >> 24 & 31) * 16 / (is_pair(s) ? 2 : 1), n = (words >> 17 & 63) * 8;
  if (m == 0 || n == 0)
    return e.refuse("the instruction descriptor names no shape");
  const bool longer = bits == 4 && (words >> 31 & 1) != 0; // of fp4 alone
  k = longer ? 96 : sparse ? 2 * k : k;
  llvm::SmallVector<llvm::Value*, 8> operands = {tensor_address(e, s.operands[0])};
  std::string form = ".other";
  if (!sparse && !longer && !s.has_any({"ws", "ashift"})) {
    const bool in_tensor_memory = s.operands[1].front() == '[';
    form = in_tensor_memory ? ".inside" : "";
    operands.push_back(in_tensor_memory ? tensor_address(e, s.operands[1])
                                        : e.registers.read(s.operands[1], e.b.getInt64Ty()));
    operands.push_back(e.registers.read(s.operands[2], e.b.getInt64Ty()));
    operands.push_back(word(e, s.operands[at]));
    Extras extras;
    if (!read_extras(e, s, at + 1, extras))
      return false;
    form += extras.words;
    operands.append(extras.values.begin(), extras.values.end());
  }
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end())
    return false;
  call_tensor(e,
              "mma.m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k) + ".b" +
                  std::to_string(bits) + (is_pair(s) ? ".pair" : "") + (sparse ? ".sparse" : "") + form,
              e.b.getVoidTy(), operands);
  return true;
}

/// cp [address], descriptor: which warps get which rows, and what is spread to bytes, are words of the
/// marker. Not modelled: copies of a pair, and those of four rows.
bool copy_inside(Expansion& e, const Statement& s) {
  llvm::Value* to = s.operands.size() == 2 ? tensor_address(e, s.operands[0]) : nullptr;
  llvm::Value* from = to ? e.registers.read(s.operands[1], e.b.getInt64Ty()) : nullptr;
  if (!from)
    return false;
  if (is_pair(s) || s.has("4x256b"))
    return call_tensor(e, "forget", e.b.getVoidTy(), to);
  std::string name = "cp";
  for (const char* shape : {"128x256b", "128x128b", "64x128b", "32x128b"})
    if (s.has(shape))
      name += std::string(".") + shape;
  name += s.has("warpx2::02_13") ? ".halves" : s.has("warpx2::01_23") ? ".neighbours" : "";
  name += s.has("b6x16_p32") ? ".of6" : s.has("b4x16_p64") ? ".of4" : "";
  return call_tensor(e, name, e.b.getVoidTy(), {to, from});
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

/// "32x32b" of the modifiers, with ".packed" where a register holds the halves of two columns.
std::string spread_of(const Statement& s) {
  const auto spread = std::find_if(s.modifiers.begin(), s.modifiers.end(), [](const std::string& word) {
    return word.starts_with("32x") || word.starts_with("16x");
  });
  if (spread == s.modifiers.end())
    return "other";
  return *spread + (s.has_any({"pack::16b", "unpack::16b"}) ? ".packed" : "");
}

/// ld.red: the smallest or largest of a lane's words, made by the load itself.
llvm::Value* reduced(Expansion& e, const Statement& s, llvm::ArrayRef<llvm::Value*> words) {
  const bool larger = s.has("max"), floats = s.kind() == 'f';
  Statement extreme = s;
  extreme.operation = larger ? "max" : "min";
  std::erase_if(extreme.modifiers, [](const std::string& word) {
    return word != "abs" && word != "NaN" && word != "f32" && word != "u32" && word != "s32";
  });
  const Arithmetic* row = find_arithmetic(extreme);
  llvm::Value* made = nullptr;
  for (llvm::Value* each : words) {
    llvm::Value* value = floats ? part(e.b.CreateBitCast(each, e.b.getFloatTy())) : each;
    if (row != nullptr)
      made = made ? part(row->emit(e.b, extreme, {made, value})) : value;
  }
  return made;
}

/// Operands of a move without the result of a reduction: lanes 16 to 31 of 16x32bx2 have columns of their
/// own.
std::size_t operands_of_move(const Statement& s) {
  return s.has("16x32bx2") ? 3 : 2;
}

/// ld {registers}, [address] {, columns between halves}
bool load(Expansion& e, const Statement& s) {
  const std::size_t behind = s.has("red") ? 2 : 1; // the address
  if (s.operands.size() + 1 != operands_of_move(s) + behind)
    return false;
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  llvm::SmallVector<llvm::Type*, 8> types(results.size(), e.b.getInt32Ty());
  llvm::SmallVector<llvm::Value*, 2> operands = {tensor_address(e, s.operands[behind])};
  if (s.operands.size() > behind + 1)
    operands.push_back(word(e, s.operands[behind + 1]));
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end())
    return false;
  llvm::Value* made = call_tensor(e, "ld.x" + std::to_string(results.size()) + "." + spread_of(s),
                                  llvm::StructType::get(e.context(), types), operands);
  llvm::SmallVector<llvm::Value*, 8> words;
  for (unsigned i = 0; i < results.size(); ++i) {
    words.push_back(e.b.CreateExtractValue(made, i));
    if (!e.registers.write(results[i], words.back()))
      return false;
  }
  return behind == 1 || e.registers.write(s.operands[1], reduced(e, s, words));
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
  if (s.has("cp"))
    return copy_inside(e, s);
  if (s.has("shift")) // rows moved inside: made in the products' order
    return change(e, s, "forget");
  return s.has("ld") ? load(e, s) : s.has("st") && store(e, s);
}

constexpr Operation rows[] = {
    {"tcgen05", tensor_memory,
     ".alloc, .dealloc, .mma and .mma.sp of kinds f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 whose "
     "descriptor "
     "names a constant shape, .ws, .ashift, masks of lanes, .commit, .ld, .ld.red, .st, .cp, .shift, .wait, "
     ".fence, of "
     "one group and of pairs; values but of .sp, .ws, .ashift, .shift, and of .cp of pairs and of four rows"},
};

} // namespace

std::span<const Operation> tensor_memory_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx

#include "frontend/ptx/operations/matrices/warpgroup.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

/// "f32x64" of 64 values of one type, the name of their record; "": of several types, or none.
std::string kind_of(llvm::ArrayRef<llvm::Type*> types) {
  if (types.empty() ||
      std::any_of(types.begin(), types.end(), [&](llvm::Type* t) { return t != types.front(); }))
    return "";
  return lowering::type_suffix(types.front()) + "x" + std::to_string(types.size());
}

/// A call that gives `names` new values, made of what they hold.
bool call_on(Expansion& e, const std::vector<std::string>& names, const std::string& marker,
             llvm::SmallVector<llvm::Value*, 8> arguments, llvm::Value* behind = nullptr) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const std::string& name : names) {
    llvm::Value* held = e.registers.value(name);
    if (!held)
      return e.refuse("'" + name + "' is not declared");
    types.push_back(held->getType());
    arguments.push_back(held);
  }
  if (behind)
    arguments.push_back(behind);
  const std::string kind = kind_of(types);
  if (kind.empty())
    return false;
  llvm::CallInst* made =
      lowering::call_marker(e.b, marker + "." + kind, llvm::StructType::get(e.context(), types), arguments,
                            lowering::MarkerEffect::memory_write);
  for (unsigned i = 0; i < names.size(); ++i)
    if (!e.registers.write(names[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

/// What stands behind the factors: a flag (are the sums added?), signs of a and b, and for halves whether a
/// (in memory) and b lie across k. False, with the refusal: they are no constants.
struct Flags {
  llvm::Value* adds = nullptr; ///< null: always, or never as `words` say
  std::string words;           ///< ".at.bt.an.bn.by_flag.anew" as far as they hold
};

bool read_flags(Expansion& e, const Statement& s, bool in_registers, Flags& flags) {
  flags.adds = e.registers.read(s.operands[3], e.b.getInt1Ty());
  if (!flags.adds)
    return false;
  constexpr std::string_view signs[] = {".an", ".bn"}, layouts[] = {".at", ".bt"};
  for (std::size_t i = 4; i < s.operands.size(); ++i) {
    const auto* constant =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(e.registers.read(s.operands[i], e.b.getInt32Ty()));
    const std::size_t layout = i - 6 + (in_registers ? 1 : 0);
    if (!constant || i >= 8 || (i >= 6 && layout > 1))
      return e.refuse("'" + s.operands[i] + "' is no constant sign or layout of a factor");
    if (i < 6 ? constant->isMinusOne() : constant->isOne())
      flags.words += i < 6 ? signs[i - 4] : layouts[layout];
  }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(flags.adds);
  if (!constant) {
    flags.words += ".by_flag";
    return true;
  }
  flags.words += constant->isZero() ? ".anew" : "";
  flags.adds = nullptr;
  return true;
}

unsigned bits_of(const std::string& type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases("f16", "bf16", 16)
      .Case("tf32", 32)
      .Cases("e4m3", "e5m2", "s8", "u8", 8)
      .Case("b1", 1)
      .Default(0);
}

/// 256 bits along k (of sparse factors twice as many), 8 to 256 columns, and as many registers as the warp's
/// part of 16 rows has words.
bool fits_shape(llvm::StringRef shape, const std::vector<std::string>& types, std::size_t sums,
                std::size_t registers_of_a, bool is_sparse) {
  unsigned n = 0, k = 0;
  if (!shape.consume_front("m64n") || shape.consumeInteger(10, n) || !shape.consume_front("k") ||
      shape.getAsInteger(10, k))
    return false;
  return n >= 8 && n <= 256 && n % 8 == 0 && k * bits_of(types[1]) == (is_sparse ? 512 : 256) &&
         bits_of(types[1]) == bits_of(types[2]) && sums == n / (types[0] == "f16" ? 4 : 2) &&
         (registers_of_a == 0 || registers_of_a == 4);
}

/// "sync.aligned.m64n128k16.f32.f16.f16 {d...}, a, b, scale, ...": a is a descriptor or registers.
bool multiply(Expansion& e, const Statement& statement) {
  Statement s = statement;
  llvm::Value* metadata = nullptr;
  std::string selected;
  if (const bool is_sparse = s.has("sp");
      is_sparse && s.operands.size() > 5) { // behind b: metadata, a pair of lanes
    metadata = e.registers.read(s.operands[3], e.b.getInt32Ty());
    const auto pair = integer_of(s.operands[4]);
    if (!metadata || !pair || *pair > 1)
      return e.refuse("'" + s.operands[4] + "' is no constant choice of a pair of lanes");
    selected = ".sparse.pair" + std::to_string(*pair);
    s.operands.erase(s.operands.begin() + 3, s.operands.begin() + 5);
  }
  const auto shape = std::find_if(s.modifiers.begin(), s.modifiers.end(),
                                  [](const std::string& word) { return word.starts_with("m64n"); });
  std::vector<std::string> types; // of d, a and b
  for (auto word = shape; word != s.modifiers.end(); ++word)
    if (word != shape && *word != "satfinite" && *word != "and" && *word != "popc")
      types.push_back(*word);
  if (s.has("sp") != (metadata != nullptr) || s.operands.size() < 4 || types.size() != 3)
    return false;
  const std::vector<std::string> sums = pieces_of(s.operands[0]);
  const bool in_registers = s.operands[1].front() == '{';
  if (!fits_shape(*shape, types, sums.size(), in_registers ? pieces_of(s.operands[1]).size() : 0,
                  metadata != nullptr))
    return e.refuse("operands or types do not fit the shape " + *shape);
  Flags flags;
  if (!read_flags(e, s, in_registers, flags))
    return false;
  llvm::SmallVector<llvm::Value*, 8> factors;
  if (flags.adds)
    factors.push_back(flags.adds);
  const std::size_t before = factors.size();
  for (const std::string& piece : pieces_of(s.operands[1]))
    factors.push_back(e.registers.read(piece, in_registers ? e.b.getInt32Ty() : e.b.getInt64Ty()));
  factors.push_back(e.registers.read(s.operands[2], e.b.getInt64Ty()));
  if (std::find(factors.begin(), factors.end(), nullptr) != factors.end())
    return false;
  const std::string marker = "wgmma." + *shape + "." + types[1] + (in_registers ? ".registers" : ".memory") +
                             std::to_string(factors.size() - before) + "." + types[2] + "." + types[0] +
                             flags.words + (s.has("satfinite") ? ".satfinite" : "") +
                             (s.has("and") ? ".and" : "") + selected;
  return call_on(e, sums, marker, std::move(factors), metadata);
}

} // namespace

bool expand_warpgroup(Expansion& e, const Statement& s) {
  if (s.has("mma_async"))
    return multiply(e, s);
  if (s.has("commit_group"))
    e.b.CreateCall(e.b.GetInsertBlock()->getModule()->getOrInsertFunction(
        "llvm.nvvm.wgmma.commit_group.sync.aligned",
        e.b.getVoidTy())); // by name: LLVM 19 has no such intrinsic
  if (s.has("fence") || s.has("commit_group"))
    return true;
  if (!s.has("wait_group") || s.operands.size() != 1)
    return false;
  std::vector<std::string> sums; // addresses that are held back with them keep their values
  for (const std::string& name : e.sums)
    if (const Register* held = e.registers.find_register(name); held && held->type->isFloatTy())
      sums.push_back(name);
  return sums.empty() || call_on(e, sums, "wgmma.wait." + s.operands[0], {});
}

} // namespace forewarp::frontend::ptx

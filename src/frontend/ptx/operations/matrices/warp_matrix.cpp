// wmma.load, .mma and .store as the products of mma.sync and plain accesses. No document says which elements
// a lane holds of a wmma fragment, and programs may not ask; here they are those of mma.sync (PTX ISA,
// "Matrix Fragments for mma"), as in data/include/mma.h: of eight rows each lane has row lane / 4, and a word
// of neighbours along k by lane % 4. The first factor's rows and the second one's columns count as rows.
#include "frontend/ptx/operations/matrices/warp_matrix.h"

#include "frontend/ptx/operations/memory.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <optional>

namespace forewarp::frontend::ptx {
namespace {

struct Shape {
  unsigned m = 0, n = 0, k = 0;
};

std::optional<Shape> shape_of(const Statement& s) {
  for (const llvm::StringRef word : s.modifiers) {
    Shape shape;
    llvm::StringRef rest = word;
    if (rest.consume_front("m") && !rest.consumeInteger(10, shape.m) && rest.consume_front("n") &&
        !rest.consumeInteger(10, shape.n) && rest.consume_front("k") && !rest.getAsInteger(10, shape.k))
      return shape;
  }
  return std::nullopt;
}

/// Element types in order: "f32.f16.f16.f32".
std::vector<std::string> element_words(const Statement& s) {
  std::vector<std::string> words;
  for (const std::string& word : s.modifiers)
    if (const auto type = type_word(word); type && type->kind != 'p')
      words.push_back(word);
  return words;
}

unsigned element_bits(const std::string& type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases("f16", "bf16", 16)
      .Cases("f32", "tf32", "s32", 32)
      .Case("f64", 64)
      .Cases("s8", "u8", 8)
      .Cases("s4", "u4", 4)
      .Case("b1", 1)
      .Default(0);
}

/// Words that a lane holds: `words` of each of `tiles` of eight rows, of `of_word` elements.
struct Fragment {
  unsigned tiles = 0, words = 0, of_word = 1, bits = 0;
  bool transposed = false; ///< sums whose rows are columns
  unsigned count() const { return tiles * words; }
};

std::optional<Fragment> factor_fragment(unsigned rows, unsigned depth, const std::string& type) {
  Fragment made;
  made.bits = element_bits(type);
  made.of_word = std::max(1U, made.bits > 0 ? 32 / made.bits : 0);
  made.tiles = rows / 8;
  made.words = depth / (4 * made.of_word);
  return made.bits > 0 && made.count() > 0 ? std::optional(made) : std::nullopt;
}

/// Sums are held in pairs of a row; of 8 rows and 32 columns those of the transposed product.
std::optional<Fragment> sum_fragment(const Shape& shape, const std::string& type) {
  Fragment made;
  made.transposed = shape.m < shape.n;
  made.bits = element_bits(type);
  made.of_word = 2;
  made.tiles = std::max(shape.m, shape.n) / 8;
  made.words = std::min(shape.m, shape.n) / 8;
  if (shape.m == 16)
    made.tiles = made.words = 2;
  return made.bits >= 16 && made.count() > 0 ? std::optional(made) : std::nullopt;
}

/// Of PTX's registers the sums of a word take one where they are halves.
bool holds_pairs(const Fragment& fragment, bool is_sum) {
  return is_sum && fragment.bits > 16;
}

/// A fragment in memory: load and store walk it alike.
class Placed {
public:
  Placed(Expansion& e, const Statement& s, const Fragment& fragment, bool across, std::size_t address,
         std::size_t step)
      : e_(e), fragment_(fragment), across_(across),
        step_(s.operands.size() > step ? e.registers.read(s.operands[step], e.b.getInt32Ty()) : nullptr),
        base_(e.registers.address(s.operands[address], space_of(s))) {
    if (base_ && step_) {
      llvm::Value* lane = e_.b.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
      row_ = e_.b.CreateLShr(lane, 2);
      place_ = e_.b.CreateMul(e_.b.CreateAnd(lane, 3), e_.b.getInt32(fragment.of_word));
    }
  }
  bool is_known() const { return base_ && step_; }
  /// Elements that lie one behind the other in memory; else each alone.
  bool in_one() const { return !across_; }

  /// Of element `index` of a word.
  llvm::Value* address(unsigned tile, unsigned word, unsigned index) {
    llvm::Value* row = e_.b.CreateAdd(row_, e_.b.getInt32(8 * tile));
    llvm::Value* at = e_.b.CreateAdd(place_, e_.b.getInt32(4 * fragment_.of_word * word + index));
    llvm::Value* far = e_.b.CreateMul(across_ ? at : row, step_);
    llvm::Value* offset = e_.b.CreateAdd(far, across_ ? row : at);
    if (fragment_.bits < 8) // of whole words
      return e_.b.CreateGEP(e_.b.getInt8Ty(), base_,
                            wide(e_.b.CreateUDiv(offset, e_.b.getInt32(8 / fragment_.bits))));
    return e_.b.CreateGEP(e_.b.getIntNTy(fragment_.bits), base_, wide(offset));
  }

private:
  llvm::Value* wide(llvm::Value* offset) { return e_.b.CreateZExt(offset, e_.b.getInt64Ty()); }

  Expansion& e_;
  const Fragment& fragment_;
  bool across_; ///< rows are neighbours in memory
  llvm::Value *step_, *base_, *row_ = nullptr, *place_ = nullptr;
};

/// The fragment that a load or store names, and whether it is one of sums.
struct Moved {
  Fragment fragment;
  bool is_sum = false, across = false;
};

std::optional<Moved> moved_by(const Statement& s, const Shape& shape) {
  const std::vector<std::string> types = element_words(s);
  if (types.size() != 1 || s.has("row") == s.has("col"))
    return std::nullopt;
  Moved made;
  std::optional<Fragment> fragment;
  if (s.has("a"))
    fragment = factor_fragment(shape.m, shape.k, types[0]);
  else if (s.has("b"))
    fragment = factor_fragment(shape.n, shape.k, types[0]);
  else
    fragment = sum_fragment(shape, types[0]);
  if (!fragment)
    return std::nullopt;
  made.fragment = *fragment;
  made.is_sum = !s.has("a") && !s.has("b");
  made.across = s.has("b") ? s.has("row") : s.has("col");
  if (made.is_sum && fragment->transposed)
    made.across = !made.across;
  return made;
}

/// The elements of one word as a vector, from memory.
llvm::Value* load_word(Expansion& e, Placed& placed, const Fragment& fragment, unsigned tile, unsigned word) {
  const unsigned bytes = std::max(1U, fragment.of_word * fragment.bits / 8);
  if (placed.in_one() || fragment.of_word == 1 || fragment.bits < 8)
    return e.b.CreateAlignedLoad(e.b.getIntNTy(8 * bytes), placed.address(tile, word, 0), llvm::Align(bytes));
  llvm::Type* one = e.b.getIntNTy(fragment.bits);
  llvm::Value* made = llvm::PoisonValue::get(llvm::FixedVectorType::get(one, fragment.of_word));
  for (unsigned i = 0; i < fragment.of_word; ++i) {
    llvm::Value* element =
        e.b.CreateAlignedLoad(one, placed.address(tile, word, i), llvm::Align(fragment.bits / 8));
    made = e.b.CreateInsertElement(made, element, i);
  }
  return e.b.CreateBitCast(made, e.b.getIntNTy(8 * bytes));
}

/// The bits of element `index` of a word.
llvm::Value* element_of(Expansion& e, llvm::Value* word, const Fragment& fragment, unsigned index) {
  return e.b.CreateTrunc(e.b.CreateLShr(word, std::uint64_t{index} * fragment.bits),
                         e.b.getIntNTy(fragment.bits));
}

/// wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r...}, [p], step; halves are twice as many registers as
/// they need in the manual's fragments of factors: those behind hold the same again.
bool load(Expansion& e, const Statement& s) {
  const auto shape = shape_of(s);
  const auto moved = shape ? moved_by(s, *shape) : std::nullopt;
  if (!moved || s.operands.size() != 3)
    return false;
  const Fragment& fragment = moved->fragment;
  const std::vector<std::string> names = pieces_of(s.operands[0]);
  const unsigned of_word = holds_pairs(fragment, moved->is_sum) ? 2 : 1, held = fragment.count() * of_word;
  if (names.size() < held || names.size() % held != 0)
    return e.refuse("the number of registers is not that of the shape");
  Placed placed(e, s, fragment, moved->across, 1, 2);
  if (!placed.is_known())
    return false;
  std::vector<llvm::Value*> values;
  for (unsigned tile = 0; tile < fragment.tiles; ++tile)
    for (unsigned word = 0; word < fragment.words; ++word) {
      llvm::Value* loaded = load_word(e, placed, fragment, tile, word);
      for (unsigned i = 0; i < of_word; ++i)
        values.push_back(of_word == 1 ? loaded : element_of(e, loaded, fragment, i));
    }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Register* held_in = e.registers.find_register(names[i]);
    if (!held_in || !e.registers.write(names[i], as_bits(e.b, values[i % held], held_in->type)))
      return false;
  }
  return true;
}

/// wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [p], {r...}, step
bool store(Expansion& e, const Statement& s) {
  const auto shape = shape_of(s);
  const auto moved = shape ? moved_by(s, *shape) : std::nullopt;
  if (!moved || !moved->is_sum || s.operands.size() != 3)
    return false;
  const Fragment& fragment = moved->fragment;
  const std::vector<std::string> names = pieces_of(s.operands[1]);
  const bool in_pairs = holds_pairs(fragment, true);
  if (names.size() != fragment.count() * (in_pairs ? 2 : 1))
    return e.refuse("the number of registers is not that of the shape");
  Placed placed(e, s, fragment, moved->across, 0, 2);
  if (!placed.is_known())
    return false;
  llvm::Type *one = e.b.getIntNTy(fragment.bits), *pair = e.b.getIntNTy(2 * fragment.bits);
  for (unsigned at = 0; at < fragment.count(); ++at) {
    const unsigned tile = at / fragment.words, word = at % fragment.words;
    llvm::Value* both = in_pairs ? nullptr : e.registers.read(names[at], pair);
    llvm::Value* elements[2];
    for (unsigned i = 0; i < 2; ++i) {
      elements[i] = in_pairs ? e.registers.value(names[2 * at + i])
                    : both   ? element_of(e, both, fragment, i)
                             : nullptr;
      if (!elements[i])
        return false;
      elements[i] = as_bits(e.b, elements[i], one);
    }
    if (!placed.in_one()) {
      for (unsigned i = 0; i < 2; ++i)
        e.b.CreateAlignedStore(elements[i], placed.address(tile, word, i), llvm::Align(fragment.bits / 8));
      continue;
    }
    llvm::Value* vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(one, 2));
    vector = e.b.CreateInsertElement(vector, elements[0], std::uint64_t{0});
    vector = e.b.CreateInsertElement(vector, elements[1], std::uint64_t{1});
    e.b.CreateAlignedStore(vector, placed.address(tile, word, 0), llvm::Align(fragment.bits / 4));
  }
  return true;
}

/// The product of mma.sync that stands behind one of wmma: its name, rows and types.
struct Piece {
  std::string name;
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  unsigned tiles = 2; ///< of eight rows
};

Piece piece_of(const Shape& shape, const Statement& s, const std::string& a, const std::string& b,
               bool in_half) {
  Piece made;
  std::string name = "llvm.nvvm.mma.";
  if (a == "b1")
    name += s.has("and") ? "and.popc." : "xor.popc.";
  made.tiles = shape.m == 8 && shape.n == 8 ? 1 : 2;
  name += (made.tiles == 1 ? "m8" : "m16") + ("n8k" + std::to_string(shape.k)) + ".row.col.";
  name += s.has("satfinite") && element_bits(a) < 16 && a != "b1" ? "satfinite." : "";
  name += a == "f16" ? (in_half ? "f16.f16" : "f32.f32") : a == b ? a : a + "." + b;
  made.id = llvm::Function::lookupIntrinsicID(name);
  made.name = std::move(name);
  return made;
}

/// The registers of an operand as they are held.
bool read_all(Expansion& e, const std::string& operand, std::vector<llvm::Value*>& values) {
  for (const std::string& name : pieces_of(operand)) {
    values.push_back(e.registers.value(name));
    if (!values.back())
      return e.refuse("'" + name + "' is no register that has a value");
  }
  return true;
}

/// Words of sums as singles or halves of `bits` each, taken apart or put together.
std::vector<llvm::Value*> sums_of(Expansion& e, const std::vector<llvm::Value*>& held, bool held_in_half,
                                  bool in_half) {
  if (held_in_half == in_half)
    return held;
  std::vector<llvm::Value*> made;
  auto* halves = llvm::FixedVectorType::get(e.b.getHalfTy(), 2);
  if (held_in_half) {
    for (llvm::Value* word : held)
      for (unsigned i = 0; i < 2; ++i)
        made.push_back(
            e.b.CreateFPExt(e.b.CreateExtractElement(e.b.CreateBitCast(word, halves), i), e.b.getFloatTy()));
    return made;
  }
  for (std::size_t i = 0; i + 1 < held.size(); i += 2) {
    llvm::Value* pair = llvm::PoisonValue::get(halves);
    for (unsigned j = 0; j < 2; ++j) {
      llvm::Value* single = as_bits(e.b, held[i + j], e.b.getFloatTy());
      pair = e.b.CreateInsertElement(pair, e.b.CreateFPTrunc(single, e.b.getHalfTy()), j);
    }
    made.push_back(e.b.CreateBitCast(pair, e.b.getInt32Ty()));
  }
  return made;
}

struct Factors {
  std::vector<llvm::Value*> rows, columns, sums;
  Fragment of_rows, of_columns, of_sums;
};

/// One call for each pair of tiles of rows and each tile of columns; the new sums.
std::vector<llvm::Value*> multiply_pieces(Expansion& e, const Factors& f, const Piece& piece,
                                          unsigned of_word) {
  const llvm::FunctionType* type = llvm::Intrinsic::getType(e.context(), piece.id);
  std::vector<llvm::Value*> made = f.sums;
  for (unsigned first = 0; first < f.of_rows.tiles; first += piece.tiles)
    for (unsigned column = 0; column < f.of_columns.tiles; ++column) {
      std::vector<llvm::Value*> inputs;
      for (unsigned word = 0; word < f.of_rows.words; ++word)
        for (unsigned tile = first; tile < first + piece.tiles; ++tile)
          inputs.push_back(f.rows[tile * f.of_rows.words + word]);
      for (unsigned word = 0; word < f.of_columns.words; ++word)
        inputs.push_back(f.columns[column * f.of_columns.words + word]);
      std::vector<std::size_t> places;
      for (unsigned tile = first; tile < first + piece.tiles; ++tile)
        for (unsigned i = 0; i < of_word; ++i)
          places.push_back((std::size_t{tile} * f.of_sums.words + column) * of_word + i);
      for (const std::size_t place : places)
        inputs.push_back(f.sums[place]);
      if (inputs.size() != type->getNumParams())
        return {};
      for (unsigned i = 0; i < inputs.size(); ++i)
        inputs[i] = as_bits(e.b, inputs[i], type->getParamType(i));
      llvm::Value* product = e.b.CreateIntrinsic(piece.id, {}, inputs);
      for (unsigned i = 0; i < places.size(); ++i)
        made[places[i]] = e.b.CreateExtractValue(product, i);
    }
  return made;
}

/// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {d...}, {a...}, {b...}, {c...} of halves; of all others
/// with the types of d, a, b and c.
bool multiply(Expansion& e, const Statement& s) {
  const auto shape = shape_of(s);
  const std::vector<std::string> types = element_words(s);
  if (!shape || s.operands.size() != 4 || (types.size() != 2 && types.size() != 4))
    return false;
  const bool of_halves = types.size() == 2;
  const std::string a = of_halves ? "f16" : types[1], b = of_halves ? "f16" : types[2];
  const bool result_in_half = types.front() == "f16", sums_in_half = types.back() == "f16",
             in_half = result_in_half && sums_in_half;
  const Piece piece = piece_of(*shape, s, a, b, in_half);
  const auto left = factor_fragment(shape->m, shape->k, a), right = factor_fragment(shape->n, shape->k, b),
             sum = sum_fragment(*shape, in_half     ? "f16"
                                        : of_halves ? "f32"
                                                    : types.front());
  if (piece.id == llvm::Intrinsic::not_intrinsic || !left || !right || !sum)
    return false;
  Factors f{.of_rows = *left, .of_columns = *right, .of_sums = *sum};
  std::vector<llvm::Value*> sums;
  if (!read_all(e, s.operands[1], f.rows) || !read_all(e, s.operands[2], f.columns) ||
      !read_all(e, s.operands[3], sums))
    return false;
  f.sums = sums_of(e, sums, sums_in_half, in_half);
  const unsigned of_word = in_half ? 1 : 2;
  if (f.rows.size() < left->count() || f.columns.size() < right->count() ||
      f.sums.size() != sum->count() * of_word)
    return e.refuse("the number of registers is not that of the shape");
  if (sum->transposed) {
    std::swap(f.rows, f.columns);
    std::swap(f.of_rows, f.of_columns);
  }
  const std::vector<llvm::Value*> made =
      sums_of(e, multiply_pieces(e, f, piece, of_word), in_half, result_in_half);
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  if (made.size() != results.size())
    return e.refuse("the number of registers is not that of the shape");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Register* held_in = e.registers.find_register(results[i]);
    if (!held_in || !e.registers.write(results[i], as_bits(e.b, made[i], held_in->type)))
      return false;
  }
  return true;
}

/// Without a stride the matrix's own rows or columns lie one behind the other.
Statement with_step(const Statement& s) {
  Statement made = s;
  if (const auto shape = shape_of(s); shape && s.operands.size() == 2) {
    const unsigned rows = s.has("b") ? shape->k : shape->m, columns = s.has("a") ? shape->k : shape->n;
    made.operands.push_back(std::to_string(s.has("row") ? columns : rows));
  }
  return made;
}

} // namespace

bool expand_warp_matrix(Expansion& e, const Statement& s) {
  if (s.has("load"))
    return load(e, with_step(s));
  if (s.has("store"))
    return store(e, with_step(s));
  return s.has("mma") && multiply(e, s);
}

} // namespace forewarp::frontend::ptx

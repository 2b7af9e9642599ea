#include "frontend/ptx/operations/matrices/marked_product.h"

#include "frontend/lowering/builtin_call.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace forewarp::frontend::ptx {
namespace {

/// What stands in the instruction's name.
struct Form {
  unsigned m = 0, n = 0, k = 0;
  std::string shape, d, a, b, c, scale; ///< scale: type of the block scales, "": none
  bool sparse = false, saturates = false;
  bool packed = false; ///< factors of 4 bits lie two in a byte (kind mxf4, mxf4nvf4)
  unsigned scales = 0; ///< of a row, along k
};

bool read_shape(llvm::StringRef word, Form& form) {
  form.shape = word.str();
  return word.consume_front("m") && !word.consumeInteger(10, form.m) && word.consume_front("n") &&
         !word.consumeInteger(10, form.n) && word.consume_front("k") && !word.getAsInteger(10, form.k);
}

/// Words that are no shape, layout or type.
bool read_qualifier(llvm::StringRef word, Form& form) {
  if (word == "sync" || word == "aligned" || word == "block_scale" || word == "kind::f8f6f4")
    return true;
  if (word == "kind::mxf8f6f4" || word == "kind::mxf4" || word == "kind::mxf4nvf4") {
    form.packed = word != "kind::mxf8f6f4";
    if (form.scales == 0)
      form.scales = word == "kind::mxf8f6f4" ? 1 : 2;
    return true;
  }
  if (word.consume_front("scale_vec::"))
    return !word.consumeInteger(10, form.scales) && word == "X";
  if (word == "satfinite")
    return form.saturates = true;
  return (word == "sp" || word == "sp::ordered_metadata") && (form.sparse = true);
}

/// The types of d, a, b, c and of the scales stand behind the layouts.
std::optional<Form> read_form(const Statement& s) {
  Form form;
  std::vector<std::string> words;
  for (const std::string& word : s.modifiers)
    if (!read_qualifier(word, form))
      words.push_back(word);
  const std::size_t wanted = form.scales > 0 ? 8 : 7;
  if (words.size() != wanted || !read_shape(words[0], form) || words[1] != "row" || words[2] != "col")
    return std::nullopt;
  form.d = words[3];
  form.a = words[4];
  form.b = words[5];
  form.c = words[6];
  if (form.scales > 0)
    form.scale = words[7];
  return form;
}

unsigned factor_bits(const Form& form, const std::string& type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases("f16", "bf16", 16)
      .Case("tf32", 32)
      .Case("f64", 64)
      .Cases("s4", "u4", 4)
      .Case("e2m1", form.packed ? 4 : 8)
      .Cases("e4m3", "e5m2", "e3m2", "e2m3", "s8", "u8", 8)
      .Default(0);
}

/// Values of operand `index` as `type`; false: one is not declared, or they are not `count`.
bool read_values(Expansion& e, const Statement& s, std::size_t index, std::size_t count, llvm::Type* type,
                 llvm::SmallVectorImpl<llvm::Value*>& values) {
  const std::vector<std::string> pieces = pieces_of(s.operands[index]);
  if (pieces.size() != count)
    return e.refuse("'" + s.operands[index] + "' are " + std::to_string(pieces.size()) + " registers where " +
                    std::to_string(count) + " are of the product");
  for (const std::string& piece : pieces) {
    values.push_back(e.registers.read(piece, type));
    if (!values.back())
      return false;
  }
  return true;
}

/// "{2, 1}" or "0": constants that choose among lanes and bytes, as ".2.1".
bool read_choices(Expansion& e, const Statement& s, std::size_t index, std::string& words) {
  for (const std::string& piece : pieces_of(s.operands[index])) {
    const auto* constant =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(e.registers.read(piece, e.b.getInt32Ty()));
    if (!constant || constant->getZExtValue() > 3)
      return e.refuse("'" + s.operands[index] + "' is no constant choice of a lane or byte");
    words += "." + std::to_string(constant->getZExtValue());
  }
  return true;
}

/// The metadata of sparse factors, then the scales of both; their choices go into the marker's name.
bool read_extras(Expansion& e, const Statement& s, const Form& form,
                 llvm::SmallVectorImpl<llvm::Value*>& values, std::string& words) {
  std::size_t at = 4;
  if (form.sparse) {
    words += ".sparse";
    if (!read_values(e, s, at, 1, e.b.getInt32Ty(), values) || !read_choices(e, s, at + 1, words))
      return false;
    at += 2;
  }
  if (form.scales == 0)
    return true;
  words += ".scaled." + std::to_string(form.scales) + "." + form.scale;
  for (unsigned factor = 0; factor < 2; ++factor, at += 2)
    if (!read_values(e, s, at, 1, e.b.getInt32Ty(), values) || !read_choices(e, s, at + 1, words))
      return false;
  return true;
}

} // namespace

bool expand_marked_product(Expansion& e, const Statement& s) {
  const auto form = read_form(s);
  if (!form || s.operands.size() != 4U + (form->sparse ? 2 : 0) + (form->scales > 0 ? 4 : 0))
    return false;
  constexpr unsigned lanes = 32;
  const unsigned register_bits = form->a == "f64" ? 64 : 32;
  const unsigned a_bits = factor_bits(*form, form->a), b_bits = factor_bits(*form, form->b);
  const unsigned of_sum = form->d == "f16" ? 2 : 1; // in a register
  if (a_bits == 0 || b_bits == 0 || form->c != form->d || form->m != 16 || form->n != 8)
    return false;
  llvm::Type* word = form->a == "f64" ? e.b.getDoubleTy() : e.b.getInt32Ty();
  llvm::Type* sum = form->d == "f32" ? e.b.getFloatTy() : word;
  const unsigned sums = form->m * form->n / lanes / of_sum;
  llvm::SmallVector<llvm::Value*, 16> values;
  std::string extras;
  if (!read_values(e, s, 1, form->m * form->k * a_bits / register_bits / lanes / (form->sparse ? 2 : 1), word,
                   values) ||
      !read_values(e, s, 2, form->n * form->k * b_bits / register_bits / lanes, word, values) ||
      !read_values(e, s, 3, sums, sum, values) || !read_extras(e, s, *form, values, extras))
    return false;
  const auto named = [&](const std::string& type) { return form->packed && type == "e2m1" ? "fp4" : type; };
  const std::vector<std::string> results = pieces_of(s.operands[0]);
  if (results.size() != sums)
    return e.refuse("'" + s.operands[0] + "' does not fit the shape " + form->shape);
  const llvm::SmallVector<llvm::Type*, 4> types(sums, sum);
  llvm::CallInst* made =
      lowering::call_marker(e.b,
                            "mma." + form->shape + ".row.col." + named(form->a) + "." + named(form->b) + "." +
                                form->d + (form->saturates ? ".satfinite" : "") + extras + "." +
                                lowering::type_suffix(sum) + "x" + std::to_string(sums),
                            llvm::StructType::get(e.context(), types), values, lowering::MarkerEffect::pure);
  made->setConvergent();
  for (unsigned i = 0; i < sums; ++i)
    if (!e.registers.write(results[i], e.b.CreateExtractValue(made, i)))
      return false;
  return true;
}

} // namespace forewarp::frontend::ptx

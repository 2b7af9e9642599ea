// multimem: one address of several GPUs' memory. One GPU is predicted, so its own memory stands for all: a
// load that reduces reads what is there, a store or reduction changes it. What goes over the links takes no
// time.
#include "frontend/ptx/operations/operations.h"

namespace forewarp::frontend::ptx {
namespace {

/// "multimem.ld_reduce.add.acc::f32.v4.bf16x2" -> "ld.v4.bf16x2".
bool as_own_memory(Expansion& e, const Statement& s) {
  Statement plain = s;
  std::erase_if(plain.modifiers, [](const std::string& word) { return word.starts_with("acc::"); });
  if (s.has("ld_reduce")) {
    plain.operation = "ld";
    for (const char* word : {"ld_reduce", "add", "min", "max", "and", "or", "xor"})
      std::erase(plain.modifiers, word);
  } else if (s.has("st")) {
    plain.operation = "st";
    std::erase(plain.modifiers, "st");
  } else if (s.has("red")) {
    plain.operation = "red";
    std::erase(plain.modifiers, "red");
  } else {
    return false;
  }
  plain.predicate.clear();
  return expand(e, plain);
}

constexpr Operation multimem_row_list[] = {
    {"multimem", as_own_memory, ".ld_reduce, .st, .red: as ld, st and red of the one GPU's own memory"},
};

} // namespace

std::span<const Operation> multimem_rows() {
  return multimem_row_list;
}

} // namespace forewarp::frontend::ptx

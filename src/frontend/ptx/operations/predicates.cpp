// Further results that are predicates: lop3 with a boolean behind it, and which memory an address is of.
#include "facts/trace.h"
#include "frontend/ptx/operations/arithmetic.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Constants.h>

namespace forewarp::frontend::ptx {
namespace {

/// lop3.or.b32 d|p, a, b, c, table, q: p of "d is not zero" and q.
bool logic_with_predicate(Expansion& e, const Statement& s) {
  const bool any = s.has("or");
  if ((!any && !s.has("and")) || s.operands.size() != 6)
    return false;
  const std::size_t bar = s.operands[0].find('|');
  if (bar == std::string::npos)
    return false;
  Statement plain = s;
  std::erase(plain.modifiers, any ? "or" : "and");
  plain.operands.pop_back();
  llvm::Type* word = e.b.getInt32Ty();
  llvm::SmallVector<llvm::Value*, 4> sources;
  for (std::size_t i = 1; i < plain.operands.size(); ++i)
    if (sources.push_back(e.registers.read(plain.operands[i], word)); !sources.back())
      return false;
  llvm::Value* other = e.registers.read(s.operands[5], e.b.getInt1Ty());
  llvm::Value* made = other ? logic_of_three(e.b, plain, sources) : nullptr;
  if (!made)
    return e.refuse("the table is no constant");
  llvm::Value* some = part(e.b.CreateICmpNE(made, e.b.getInt32(0)));
  llvm::Value* predicate = part(any ? e.b.CreateOr(some, other) : e.b.CreateAnd(some, other));
  return e.registers.write(trimmed(std::string_view(s.operands[0]).substr(0, bar)), made) &&
         e.registers.write(trimmed(std::string_view(s.operands[0]).substr(bar + 1)), predicate);
}

/// isspacep.global p, a: windows of the interpreter's own address space (facts/trace.h).
bool is_of_space(Expansion& e, const Statement& s) {
  llvm::Value* address = s.operands.size() == 2 ? e.registers.read(s.operands[1], e.b.getInt64Ty()) : nullptr;
  if (!address)
    return false;
  const auto between = [&](std::uint64_t begin, std::uint64_t end) {
    llvm::Value* inside = part(e.b.CreateSub(address, e.b.getInt64(begin)));
    return e.b.CreateICmpULT(inside, e.b.getInt64(end - begin));
  };
  namespace windows = facts::windows;
  llvm::Value* made = s.has("global") ? e.b.CreateICmpUGE(address, e.b.getInt64(windows::global))
                      : s.has_any({"shared", "shared::cta"}) ? between(windows::shared, windows::cluster)
                      : s.has("shared::cluster")             ? between(windows::shared, windows::local)
                      : s.has("local")                       ? between(windows::local, windows::constant)
                      : s.has("const")                       ? between(windows::constant, windows::parameter)
                      : s.has("param") || s.has("param::entry") ? between(windows::parameter, windows::global)
                                                                : nullptr;
  return made && e.registers.write(s.operands[0], made);
}

constexpr Operation predicate_row_list[] = {
    {"isspacep", is_of_space, ".global, .shared, .shared::cta, .shared::cluster, .local, .const, .param"},
    {"lop3", logic_with_predicate, ".or, .and with a predicate result"},
};

} // namespace

std::span<const Operation> predicate_rows() {
  return predicate_row_list;
}

} // namespace forewarp::frontend::ptx

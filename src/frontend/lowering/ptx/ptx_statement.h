// The text of inline PTX, taken apart; and the values that its registers hold.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend::lowering {

/// "ld.global.v2.u32 {%0, %1}, [%2+8];" -> ld; global v2 u32; {$0, $1}, [$2+8].
struct PtxStatement {
  std::string text; ///< as written
  std::string operation;
  std::vector<std::string> modifiers, operands;
  std::string predicate; ///< of "@p ..."; "": always
  bool unless = false;   ///< "@!p ..."

  bool has(std::string_view modifier) const;
  /// Bits of the last type modifier (".u32": 32; ".pred": 1); 0: none.
  unsigned bits() const;
  /// 'u', 's', 'b', 'f' or 'p' of the same.
  char kind() const;
};

/// Statements in order; scopes' braces and comments are dropped.
std::vector<PtxStatement> ptx_statements(std::string text);

/// The pieces of "{a, b}"; the operand itself where it has no braces.
std::vector<std::string> ptx_pieces(const std::string& operand);

/// What the registers of one piece of inline assembly hold: its operands "$0", "$1", ... and those that it
/// declares.
class PtxRegisters {
public:
  explicit PtxRegisters(llvm::IRBuilder<>& builder) : b_(builder) {}

  void declare(const std::string& name) { values_[name] = nullptr; }
  void set(const std::string& name, llvm::Value* value) { values_[name] = value; }
  llvm::Value* value(const std::string& name) const;
  bool knows(const std::string& name) const { return values_.count(name) != 0; }
  /// False: there is no such register, or no value.
  bool write(const std::string& name, llvm::Value* value);

  /// An operand as `type` (integer or float of some width): a register, a special register or a number. Null:
  /// none of these.
  llvm::Value* read(const std::string& operand, llvm::Type* type);
  /// The address in "[register+offset]", in LLVM's address space `space`: 0, or 3 for shared memory. Null:
  /// not of that form.
  llvm::Value* address(const std::string& operand, unsigned space);
  const std::map<std::string, llvm::Value*>& values() const { return values_; }

private:
  llvm::Value* number(const std::string& text, llvm::Type* type);
  llvm::Value* special(const std::string& name);
  llvm::IRBuilder<>& b_;
  std::map<std::string, llvm::Value*> values_;
};

/// The bits of `value` as `type`: bits are kept, cut or filled with zeros.
llvm::Value* as_bits(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type);

} // namespace forewarp::frontend::lowering

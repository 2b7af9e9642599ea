// What the names of PTX hold: registers of nested scopes, special registers, numbers, and variables'
// addresses.
#pragma once

#include "frontend/ptx/statement.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::frontend::ptx {

/// LLVM's numbers of the address spaces.
namespace spaces {
inline constexpr unsigned generic = 0, global = 1, shared = 3, constant = 4, local = 5, parameter = 101;
}

/// A register. It lies in a slot on the stack, which SROA takes away again, or is a value that nobody writes.
struct Register {
  llvm::Type* type = nullptr;
  char kind = '\0'; ///< of its type word (statement.h); 0: of an operand of inline assembly
  llvm::Value* value = nullptr;
  llvm::AllocaInst* slot = nullptr;
};

/// iN or the float of N bits of one element ("f16x2": half); null: a type that no register can have.
llvm::Type* element_type(llvm::LLVMContext& context, TypeWord type);
/// What arithmetic of this type takes: <2 x half> for "f16x2", else the element. Null as above.
llvm::Type* value_type(llvm::LLVMContext& context, TypeWord type);
/// What a register of this type holds: i32 for "f16x2".
llvm::Type* register_type(llvm::LLVMContext& context, TypeWord type);

class Registers {
public:
  /// `checks`: operands must have the width that their statement asks for (files); else they are cut or
  /// filled.
  Registers(llvm::IRBuilder<>& builder, llvm::Function& function, bool checks);

  void open_scope() { scopes_.emplace_back(); }
  /// False: none is open.
  bool close_scope();

  void declare(std::string_view name, TypeWord type);
  /// "%r<65>": %r0 to %r64.
  void declare_range(std::string_view prefix, unsigned count, TypeWord type);
  /// Without a value, of LLVM's type.
  void declare_as(std::string_view name, llvm::Type* type);
  /// A value that is never written.
  void bind(std::string_view name, llvm::Value* value);
  /// A variable or parameter at `pointer`.
  void place(std::string_view name, llvm::Value* pointer);

  bool knows(std::string_view name) { return find(name) != nullptr; }
  const Register* find_register(std::string_view name) { return find(name); }
  llvm::Value* find_place(std::string_view name) const;
  /// As it is held; null: no such register.
  llvm::Value* value(std::string_view name);
  /// Narrower integers are extended by their sign or with zeros. False: there is no such register, or no
  /// value.
  bool write(std::string_view name, llvm::Value* value, bool is_signed = false);

  /// An operand as `type`: a register, a special register, a variable's address or a number; "!" before a
  /// predicate. Null: none of these, or of another width where widths are checked.
  llvm::Value* read(std::string_view operand, llvm::Type* type);
  /// A register of at least `type`'s width, cut to it (ld, st, cvt), or what `read` takes.
  llvm::Value* read_wide(std::string_view operand, llvm::Type* type);
  /// The address in "[register+offset]", "[variable+offset]" or "[number]", as a pointer to LLVM's address
  /// space `space`. Null: not of that form.
  llvm::Value* address(std::string_view operand, unsigned space);

  /// What is wrong with the operand that came back null last; "": nothing to say.
  const std::string& complaint() const { return complaint_; }
  void complain(std::string text) { complaint_ = std::move(text); }

private:
  struct Range {
    std::string prefix;
    unsigned count;
    TypeWord type;
  };
  struct Scope {
    llvm::StringMap<Register> registers;
    llvm::StringMap<llvm::Value*> places;
    std::vector<Range> ranges;
  };
  Register* find(std::string_view name);
  Register make(TypeWord type, std::string_view name);
  llvm::AllocaInst* slot(llvm::Type* type, std::string_view name);
  llvm::Value* load(const Register& held);
  llvm::Value* number(std::string_view text, llvm::Type* type);
  llvm::Value* special(std::string_view name);

  llvm::IRBuilder<>& b_;
  llvm::Function& function_;
  bool checks_;
  std::vector<Scope> scopes_;
  std::string complaint_;
};

/// The bits of `value` as `type`: bits are kept, cut or filled with zeros.
llvm::Value* as_bits(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type);

/// Of a number as PTX writes integers: "12", "-3", "0x1F", "017", "0b11", with U behind it. Nothing: none.
std::optional<std::uint64_t> integer_of(std::string_view text);

} // namespace forewarp::frontend::ptx

// Where a statement's IR goes, and the one door to all operations: files and inline assembly come through it.
#pragma once

#include "frontend/ptx/addresses/known_bits.h"
#include "frontend/ptx/registers.h"
#include "frontend/ptx/statement.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::frontend::ptx {

class Expansion {
public:
  /// IR goes before `at`, which stays behind all of it. `checks`: widths of registers are checked (files).
  Expansion(llvm::Instruction& at, bool checks);

  llvm::IRBuilder<> b;
  Registers registers;
  /// Registers that hold sums of products of a warp group, which a wait holds back.
  std::vector<std::string> sums;
  /// Of registers that describe a tensor product: what the text says of their bits.
  std::map<std::string, KnownBits> descriptors;

  llvm::LLVMContext& context() { return b.getContext(); }
  llvm::Instruction& at() const { return *at_; }
  /// Further IR goes before `at`.
  void move_to(llvm::Instruction& at);
  /// Runs `body` in a branch of its own, where `condition` holds.
  bool where(llvm::Value* condition, const std::function<bool()>& body);
  /// Runs `body` in a loop of its own that goes on while its value holds. False where that is null.
  bool repeat(const std::function<llvm::Value*()>& body);
  /// The condition code of add.cc and its like; null before the first.
  llvm::Value* carry();
  void set_carry(llvm::Value* carry);

  /// Always false: what is wrong with the statement, beyond that it is not modelled.
  bool refuse(std::string why) {
    registers.complain(std::move(why));
    return false;
  }

private:
  llvm::Instruction* at_;
  llvm::AllocaInst* carry_ = nullptr;
};

/// One row of the table of operations. The first row of a name that takes the statement is used.
struct Operation {
  const char* name;
  bool (*expand)(Expansion&, const Statement&);
  const char* forms; ///< what is covered, in words of the PTX document (docs/reference/ptx.md)
};

/// The table, in alphabetical order.
std::vector<Operation> all_operations();

/// Puts the IR of a statement in place, under its predicate. False: not modelled, or wrong, as
/// `registers.complaint()` says. Branches, calls and declarations are not among the operations.
bool expand(Expansion& expansion, const Statement& statement);

} // namespace forewarp::frontend::ptx

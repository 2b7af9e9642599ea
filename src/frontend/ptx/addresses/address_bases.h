// Which part of a number that is used as an address is its base.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace forewarp::frontend::ptx {

/// How sure it is that a number is an address: the greater of two summands is the base.
enum class Rank : std::uint8_t { none, loaded, argument, pointer };

class AddressBases {
public:
  explicit AddressBases(llvm::Function& function);
  Rank rank(llvm::Value* number) const;

  struct Parts {
    llvm::Value *base, *offset;
    bool subtracts;
  };
  /// base + offset, base - offset. Nothing: no summand is a base.
  std::optional<Parts> split(llvm::BinaryOperator& sum) const;
  /// Whether `number` is `argument` with offsets, by one way at least.
  bool leads_to(llvm::Value* number, const llvm::Argument* argument) const;

private:
  Rank find_rank(llvm::Instruction& number) const;
  llvm::DenseMap<const llvm::Value*, Rank> ranks_; ///< of instructions; looked up, never walked
};

} // namespace forewarp::frontend::ptx

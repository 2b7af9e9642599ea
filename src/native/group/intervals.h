// Code that finds, for a whole group, the least and the greatest value that an item's expression takes.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <optional>

namespace forewarp::native {

/// Both i64, signed.
struct Interval {
  llvm::Value *least = nullptr, *most = nullptr;
};

class Intervals {
public:
  /// Of an item's function; `builder` stands in another one. `same`: what stands there for values of the
  /// item's function; `size`: of the group.
  Intervals(llvm::IRBuilder<>& builder, const llvm::Function& item,
            llvm::DenseMap<const llvm::Value*, llvm::Value*> same, const std::array<llvm::Value*, 3>& size);

  /// Empty: it rests on more than ids, arguments and what is the same in all items.
  std::optional<Interval> of(llvm::Value& value);
  /// The value where it is the same in all items; else null.
  llvm::Value* common(llvm::Value& value);
  /// Whether no step on the way to what was asked for has left its type.
  llvm::Value* sound() const { return sound_; }

private:
  std::optional<Interval> of_varying(llvm::Value& value);
  std::optional<Interval> of_binary(llvm::BinaryOperator& at);
  std::optional<Interval> of_address(llvm::GetElementPtrInst& at);
  Interval scaled(const Interval& by, llvm::Value* factor);
  Interval sum(const Interval& a, const Interval& b);
  /// Within the signed values of `bits` bits, or the answer is not sound.
  Interval fits(const Interval& interval, unsigned bits);
  void want(llvm::Value* holds) { sound_ = builder_.CreateAnd(sound_, holds); }

  llvm::IRBuilder<>& builder_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> same_;
  llvm::DenseMap<const llvm::Value*, std::optional<Interval>> known_;
  llvm::Value* sound_ = nullptr;
};

} // namespace forewarp::native

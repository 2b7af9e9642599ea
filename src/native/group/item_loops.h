// Loops over the work-items of a group.
#pragma once

#include "native/flatten.h"

#include <array>
#include <functional>

namespace forewarp::native {

struct ItemAt {
  std::array<llvm::Value*, 3> index = {}; ///< x, y, z
  llvm::Value* item = nullptr;            ///< linear
};

/// A function of one item that all items of a group run.
struct ItemRun {
  std::array<llvm::Value*, 3> size = {};
  /// Items do not use each other's memory: what they do may be done side by side.
  bool independent = false;
  unsigned common = 0;                 ///< which argument leads to what the items have in common; 0: none
  llvm::Value* common_place = nullptr; ///< what is given for it
  std::function<void(llvm::Function& item, const ItemAt& at, llvm::MDNode* independent)> call;
};

/// for z { for y { for x { call } } } at the builder's place, which is behind them afterwards. Where the
/// checks of a function hold for the whole group they are made once.
void run_items(llvm::IRBuilder<>& builder, llvm::Function& item, const ItemRun& run);

/// The library hears which item runs before what it may have to name it for.
void tell_item_before_calls(llvm::Function& body);

} // namespace forewarp::native

// An item's function without the checks (bounds.h) that hold for the whole group, and how to know that they
// do.
#pragma once

#include <llvm/IR/Function.h>

#include <optional>

namespace forewarp::native {

struct Guarded {
  llvm::Function* unchecked = nullptr; ///< as the item's function; some checks are not in it
  llvm::Function* holds = nullptr;     ///< i1 (group, arguments, common): it may be used for the group
};

/// `common`: which argument of the item's function leads to what is the same in all items; 0: none does.
/// Empty: no check is worth it.
std::optional<Guarded> guard_item(llvm::Function& item, unsigned common);

} // namespace forewarp::native

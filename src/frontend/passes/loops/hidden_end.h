// A loop whose end an analysis does not see.
#pragma once

namespace llvm {
class CallBase;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace forewarp::frontend {

/// While this stands, `evolution` does not see the value that the loop runs up to; it still knows the number
/// of iterations, from the hidden value. LLVM 19 would make of a loop of at most four iterations that is to
/// get four copies a chain of four that each may end; NVIDIA's compiler keeps copies and rest apart, so that
/// lanes with three iterations and lanes with four run one after the other. Nothing is hidden where the
/// number of iterations would be lost.
class HiddenEnd {
public:
  HiddenEnd(llvm::Loop& loop, llvm::ScalarEvolution& evolution);
  ~HiddenEnd();
  HiddenEnd(const HiddenEnd&) = delete;
  HiddenEnd& operator=(const HiddenEnd&) = delete;

private:
  void show();
  llvm::CallBase* hidden_ = nullptr;
};

} // namespace forewarp::frontend

// OpenCL 6.12.12 (shuffle) and 6.12.13 (printf), and what the compiler itself leaves behind.
#include "frontend/lowering/lower.h"
#include "frontend/lowering/tables/tables.h"

namespace forewarp::frontend::lowering {

namespace {

llvm::Value* emit_printf(BuiltinCall& call) {
  call.assume("printf is left out: its time is not modelled");
  return call.type()->isVoidTy() ? done(call) : llvm::Constant::getNullValue(call.type());
}

/// shuffle(x, mask), shuffle2(x, y, mask): constant masks become shufflevector in the optimiser.
llvm::Value* emit_shuffle(BuiltinCall& call) {
  llvm::Value* mask = call.arg(call.count() - 1);
  llvm::Value* source = call.arg(0);
  unsigned n = llvm::cast<llvm::FixedVectorType>(source->getType())->getNumElements();
  if (call.count() == 3) {
    llvm::SmallVector<int, 32> both;
    for (unsigned i = 0; i < 2 * n; ++i)
      both.push_back(static_cast<int>(i));
    source = call.b.CreateShuffleVector(call.arg(0), call.arg(1), both);
    n *= 2;
  }
  llvm::Value* masked = call.b.CreateAnd(mask, llvm::ConstantInt::get(mask->getType(), n - 1));
  return call.per_component(call.type(), {masked}, [&](llvm::ArrayRef<llvm::Value*> index) {
    return call.b.CreateExtractElement(source, index[0]);
  });
}

constexpr Row other_row_list[] = {
    {"printf", emit_printf},
    {"shuffle", emit_shuffle},
    {"shuffle2", emit_shuffle},
};

} // namespace

std::span<const Row> other_rows() {
  return other_row_list;
}

} // namespace forewarp::frontend::lowering

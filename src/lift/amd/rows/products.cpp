// Matrix products of a wave: their sums are unknown values; what they cost is the machine step's.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Function.h>

namespace forewarp::lift::amd {
namespace {

void product(Lifter& l) {
  const Operand& to = l.operand(0);
  for (unsigned k = 0; k < to.width; ++k)
    l.set(0, l.call("forewarp.machine.unknown", l.b.getInt32Ty(), {l.u32(1), l.u32(2)}), k);
}

} // namespace

Row product_row(std::string_view mnemonic) {
  const bool known =
      mnemonic.starts_with("v_mfma_") || mnemonic.starts_with("v_smfmac_") || mnemonic.starts_with("v_wmma_");
  return known ? product : nullptr;
}

} // namespace forewarp::lift::amd

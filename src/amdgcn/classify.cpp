// Rates behind the classes: "RDNA 2 Instruction Set Architecture" and "Vega / MI200 Instruction Set
// Architecture" (AMD), and the schedule models of LLVM's SISchedule.td.
#include "amdgcn/classify.h"

#include <llvm/ADT/SmallVector.h>

#include <array>
#include <utility>

namespace forewarp::amdgcn {

namespace {

using facts::OpClass;
using llvm::StringRef;

bool any_of(StringRef name, std::initializer_list<StringRef> parts) {
  for (StringRef part : parts)
    if (name.contains(part))
      return true;
  return false;
}

OpClass memory_class(OpClass load, OpClass store, OpClass atomic, StringRef name) {
  if (name.contains("ATOMIC"))
    return atomic;
  return name.contains("STORE") || name.contains("WRITE") ? store : load;
}

OpClass lds_class(StringRef name) {
  if (any_of(name, {"PERMUTE", "SWIZZLE"}))
    return OpClass::shuffle;
  if (name.starts_with("DS_READ") || name.starts_with("DS_LOAD"))
    return OpClass::load_shared;
  if (name.starts_with("DS_WRITE") || name.starts_with("DS_STORE"))
    return OpClass::store_shared;
  return OpClass::atomic_shared;
}

std::optional<OpClass> scalar_class(StringRef name) {
  if (any_of(name, {"S_LOAD", "S_BUFFER_LOAD"}))
    return OpClass::scalar_load;
  if (name.starts_with("S_BARRIER"))
    return OpClass::barrier;
  if (name.starts_with("S_BRANCH") || name.starts_with("S_CBRANCH") || name.starts_with("S_SETPC") ||
      name.starts_with("S_SWAPPC") || name.starts_with("S_ENDPGM"))
    return OpClass::branch;
  if (name.starts_with("S_WAIT") || name.starts_with("S_NOP") || name.starts_with("S_CLAUSE") ||
      name.starts_with("S_DELAY_ALU") || name.starts_with("S_INST_PREFETCH") ||
      name.starts_with("S_SET_INST_PREFETCH") || name.starts_with("S_SLEEP") ||
      name.starts_with("S_CODE_END"))
    return std::nullopt;
  if (any_of(name, {"DCACHE", "GL1_INV", "ICACHE"}))
    return OpClass::fence;
  return OpClass::scalar_alu;
}

/// Quarter rate: rcp, rsq, sqrt, exp, log, sin, cos of any width. v_exp's and v_log's names begin so; frexp
/// and ldexp are ordinary operations.
bool transcendental(StringRef name) {
  return name.starts_with("V_RCP") || name.starts_with("V_RSQ") || name.starts_with("V_SQRT") ||
         name.starts_with("V_EXP_") || name.starts_with("V_LOG_") || name.starts_with("V_SIN_") ||
         name.starts_with("V_COS_");
}

OpClass float_class(StringRef name, OpClass fma, OpClass mul, OpClass add, OpClass compare) {
  if (any_of(name, {"_FMA", "_MAD", "_MAC", "_DOT", "DIV_FMAS", "DIV_FIXUP"}))
    return fma;
  if (any_of(name, {"_MUL", "_LDEXP"}))
    return mul;
  if (any_of(name, {"_CMP", "_MIN", "_MAX", "_MED3", "_CLASS"}))
    return compare;
  return add;
}

OpClass vector_class(StringRef name) {
  if (any_of(name, {"_MFMA_", "_WMMA_", "_SMFMAC_", "_SWMMAC_"}))
    return OpClass::tensor_mma;
  if (name.starts_with("V_CVT_F32_UBYTE") || name.starts_with("V_CVT_OFF"))
    return OpClass::cvt_narrow;
  if (name.starts_with("V_CVT"))
    return name.contains("F64") ? OpClass::cvt_64 : OpClass::cvt_32;
  if (transcendental(name))
    return OpClass::sfu;
  if (any_of(name, {"READLANE", "READFIRSTLANE", "WRITELANE", "_MOV", "ACCVGPR", "SWAP"}))
    return OpClass::move;
  if (name.contains("_F64"))
    return float_class(name, OpClass::fp64_fma, OpClass::fp64_mul, OpClass::fp64_add,
                       OpClass::fp64_minmax_cmp);
  if (name.starts_with("V_PK_") && any_of(name, {"_F16", "_I16", "_U16", "_B16"}))
    return float_class(name, OpClass::fp16_fma, OpClass::fp16_mul, OpClass::fp16_add, OpClass::fp16_add);
  if (name.contains("_F32") || name.contains("_F16"))
    return float_class(name, OpClass::fp32_fma, OpClass::fp32_mul, OpClass::fp32_add,
                       OpClass::fp32_minmax_cmp);
  if (any_of(name, {"MUL_HI_U32", "MUL_HI_I32"}))
    return name.contains("24") ? OpClass::int_add : OpClass::int_mul_hi;
  if (any_of(name, {"MAD_U64", "MAD_I64"}))
    return OpClass::int_mul_wide;
  if (any_of(name, {"MUL_LO_U32", "MUL_LO_I32"}))
    return OpClass::int_mul;
  if (any_of(name, {"_BFE", "_BFI", "_PERM", "ALIGNBIT", "ALIGNBYTE", "_BFM", "_PACK_", "_SAD", "_LERP"}))
    return OpClass::int_bitfield;
  if (any_of(name, {"_BCNT", "_FFB", "_CLZ", "_CTZ", "_BFREV", "_MBCNT", "_CLS"}))
    return OpClass::int_bitcount;
  if (any_of(name, {"_ADD", "_SUB", "_MAD", "_MUL", "_DOT"})) // 16 and 24 bits too: full rate
    return OpClass::int_add;
  if (any_of(name, {"_CMP", "_MIN", "_MAX", "_MED3", "_CNDMASK"}))
    return OpClass::int_minmax_cmp;
  if (any_of(name, {"LSHL", "LSHR", "ASHR"}))
    return OpClass::int_shift;
  return OpClass::int_logic;
}

} // namespace

std::optional<OpClass> classify_amd(StringRef name, bool in_scratch) {
  if (name.starts_with("S_"))
    return scalar_class(name);
  if (name.starts_with("DS_"))
    return lds_class(name);
  if (any_of(name, {"_INV", "_WB"}) && (name.starts_with("BUFFER_") || name.starts_with("GLOBAL_")))
    return OpClass::fence;
  if (name.starts_with("SCRATCH_") || (in_scratch && !name.starts_with("V_")))
    return memory_class(OpClass::load_local, OpClass::store_local, OpClass::atomic_global, name);
  if (name.starts_with("GLOBAL_") || name.starts_with("FLAT_") || name.starts_with("BUFFER_") ||
      name.starts_with("TBUFFER_"))
    return memory_class(OpClass::load_global, OpClass::store_global, OpClass::atomic_global, name);
  if (name.starts_with("IMAGE_"))
    return memory_class(OpClass::load_texture, OpClass::store_global, OpClass::atomic_global, name);
  if (name.starts_with("V_"))
    return vector_class(name);
  if (name.starts_with("SI_RETURN") || name.starts_with("ATOMIC_FENCE"))
    return OpClass::branch;
  return std::nullopt;
}

/// "V_MFMA_F32_32X32X4_2B_F16": 32 * 32 * 4 of halves, in two blocks. The factors' type comes last.
MatrixProduct matrix_product(StringRef name) {
  using Factor = MatrixProduct::Factor;
  MatrixProduct product;
  llvm::SmallVector<StringRef, 8> words;
  name.split(words, '_');
  StringRef type;
  for (StringRef word : words) {
    unsigned m = 0, n = 0, k = 0, blocks = 0;
    if (StringRef rest = word; product.multiply_adds == 0 && !rest.consumeInteger(10, m) &&
                               rest.consume_front("X") && !rest.consumeInteger(10, n) &&
                               rest.consume_front("X") && !rest.consumeInteger(10, k)) {
      product.multiply_adds = m * n * k;
      type = rest; // older names: "32X32X8F16"
    } else if (StringRef times = word;
               product.multiply_adds > 0 && !times.consumeInteger(10, blocks) && times == "B") {
      product.multiply_adds *= blocks;
    } else if (product.multiply_adds > 0 && type.empty()) {
      type = word;
    }
  }
  product.factor = type.starts_with("BF16")                               ? Factor::bf16
                   : type.starts_with("XF32")                             ? Factor::xf32
                   : type.starts_with("F32")                              ? Factor::f32
                   : type.starts_with("F64")                              ? Factor::f64
                   : any_of(type, {"I8", "U8", "FP8", "BF8", "I4", "U4"}) ? Factor::bits_8
                                                                          : Factor::half;
  return product;
}

bool is_wide_integer(StringRef name) {
  if (name.starts_with("V_CMP"))
    return any_of(name, {"_I64", "_U64"});
  return name.starts_with("V_LSH") ? name.contains("_B64")
                                   : name.starts_with("V_ASHR") && name.contains("_I64");
}

unsigned width_of_amd(StringRef name) {
  static constexpr std::array<std::pair<const char*, unsigned>, 17> widths = {{{"DWORDX16", 64},
                                                                               {"DWORDX8", 32},
                                                                               {"DWORDX4", 16},
                                                                               {"DWORDX3", 12},
                                                                               {"DWORDX2", 8},
                                                                               {"B128", 16},
                                                                               {"B96", 12},
                                                                               {"B64", 8},
                                                                               {"U64", 8},
                                                                               {"F64", 8},
                                                                               {"_X2", 8},
                                                                               {"BYTE", 1},
                                                                               {"SHORT", 2},
                                                                               {"_U8", 1},
                                                                               {"_I8", 1},
                                                                               {"16", 2},
                                                                               {"B8", 1}}};
  for (const auto& [part, bytes] : widths)
    if (name.contains(part))
      return bytes;
  return 4;
}

} // namespace forewarp::amdgcn

// Calls: LLVM intrinsics, the target's intrinsics and the markers of ir/builtins.h.
#include "codegen/markers/expansions.h"
#include "codegen/nvidia/select/lowering.h"
#include "ir/builtins.h"
#include "ir/sincos_mark.h"
#include "ir/variable_name.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace forewarp::codegen {

namespace {

using facts::no_value;

/// Intrinsics that are one operation, or a fixed short list, per component.
struct Simple {
  std::string_view prefix;
  OpClass narrow, wide; ///< values up to 32 bits; 64 bits
  int narrow_count = 1, wide_count = 1;
  std::optional<OpClass> rest =
      {}; ///< all but the first of `wide_count`: one comparison, then selects of halves
};

constexpr Simple simple[] = {
    {"llvm.fma.", OpClass::fp32_fma, OpClass::fp64_fma},
    {"llvm.fmuladd.", OpClass::fp32_fma, OpClass::fp64_fma},
    {"llvm.minnum.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 1, 5, OpClass::int_minmax_cmp},
    {"llvm.maxnum.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 1, 5, OpClass::int_minmax_cmp},
    {"llvm.minimum.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 2, 6, OpClass::int_minmax_cmp},
    {"llvm.maximum.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 2, 6, OpClass::int_minmax_cmp},
    {"llvm.nvvm.fmin.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 1, 5, OpClass::int_minmax_cmp},
    {"llvm.nvvm.fmax.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp, 1, 5, OpClass::int_minmax_cmp},
    {"llvm.nvvm.fma.", OpClass::fp32_fma, OpClass::fp64_fma},
    {"llvm.nvvm.mul.", OpClass::fp32_mul, OpClass::fp64_mul},
    {"llvm.nvvm.add.", OpClass::fp32_add, OpClass::fp64_add},
    {"llvm.is.fpclass.", OpClass::fp32_minmax_cmp, OpClass::fp64_minmax_cmp},
    {"llvm.smin.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 1, 4},
    {"llvm.smax.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 1, 4},
    {"llvm.umin.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 1, 4},
    {"llvm.umax.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 1, 4},
    {"llvm.abs.", OpClass::int_add, OpClass::int_add, 1, 4},
    {"llvm.scmp.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 3, 6},
    {"llvm.ucmp.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp, 3, 6},
    {"llvm.ctpop.", OpClass::int_bitcount, OpClass::int_bitcount, 1, 3},
    {"llvm.ctlz.", OpClass::int_bitcount, OpClass::int_bitcount, 2, 6,
     OpClass::int_add}, // FLO counts from below
    {"llvm.cttz.", OpClass::int_bitcount, OpClass::int_bitcount, 2, 6},
    {"llvm.bitreverse.", OpClass::int_bitcount, OpClass::int_bitcount, 1, 2},
    {"llvm.bswap.", OpClass::int_bitfield, OpClass::int_bitfield, 1, 2},
    {"llvm.fshl.", OpClass::int_shift, OpClass::int_shift, 1, 2},
    {"llvm.fshr.", OpClass::int_shift, OpClass::int_shift, 1, 2},
    {"llvm.amdgcn.rcp.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.rsq.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.sin.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.cos.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.cvt.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.amdgcn.exp2.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.log.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.sqrt.", OpClass::sfu, OpClass::sfu},
    {"llvm.amdgcn.update.dpp.", OpClass::move, OpClass::move, 1, 2},
    {"llvm.amdgcn.mbcnt.", OpClass::int_bitcount, OpClass::int_bitcount},
    {"llvm.nvvm.prmt", OpClass::int_bitfield, OpClass::int_bitfield},
    // In the time of one addition: Pascal's white paper, 47 Tops of 3840 lanes at 1.53 GHz.
    {"forewarp.dot4.", OpClass::int_add, OpClass::int_add},
    // F2FP packs and unpacks two 8-bit floats; rate: that of conversions from 32-bit floats.
    {"forewarp.fp8.", OpClass::cvt_32, OpClass::cvt_32},
    {"forewarp.cvt.", OpClass::cvt_32, OpClass::cvt_32},
    {"forewarp.unknown.", OpClass::move, OpClass::move},
    // At the rate of an addition too: AMD's "Vega ISA" and "CDNA3 ISA", V_DOT4_I32_I8 and its kin.
    {"llvm.amdgcn.sdot", OpClass::int_add, OpClass::int_add},
    {"llvm.amdgcn.udot", OpClass::int_add, OpClass::int_add},
    {"llvm.amdgcn.sudot", OpClass::int_add, OpClass::int_add},
    {"llvm.amdgcn.fdot2", OpClass::fp32_fma, OpClass::fp32_fma},
    {"llvm.nvvm.mulhi.", OpClass::int_mul_hi, OpClass::int_mul_wide, 1, 6},
    {"llvm.nvvm.mul24.", OpClass::int_mul, OpClass::int_mul},
    {"llvm.nvvm.sad.", OpClass::int_minmax_cmp, OpClass::int_minmax_cmp},
    {"llvm.nvvm.saturate.", OpClass::fp32_add, OpClass::fp64_minmax_cmp},
    {"llvm.nvvm.fabs.", OpClass::fp32_add, OpClass::fp64_add},
    {"llvm.nvvm.ceil.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.nvvm.floor.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.nvvm.trunc.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.nvvm.round.", OpClass::cvt_32, OpClass::cvt_64},
    // Conversions of floats with a rounding: f2i.rn, d2ll.rm, ...
    {"llvm.nvvm.f2", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.nvvm.d2", OpClass::cvt_64, OpClass::cvt_64},
    {"llvm.sadd.sat.", OpClass::int_add, OpClass::int_add, 4, 6},
    {"llvm.uadd.sat.", OpClass::int_add, OpClass::int_add, 2, 4},
    {"llvm.ssub.sat.", OpClass::int_add, OpClass::int_add, 4, 6},
    {"llvm.usub.sat.", OpClass::int_add, OpClass::int_add, 2, 4},
    {"llvm.sadd.with.overflow.", OpClass::int_add, OpClass::int_add, 3, 5},
    {"llvm.uadd.with.overflow.", OpClass::int_add, OpClass::int_add, 2, 4},
    {"llvm.ssub.with.overflow.", OpClass::int_add, OpClass::int_add, 3, 5},
    {"llvm.usub.with.overflow.", OpClass::int_add, OpClass::int_add, 2, 4},
    {"llvm.smul.with.overflow.", OpClass::int_mul_wide, OpClass::int_mul_wide, 3, 8},
    {"llvm.umul.with.overflow.", OpClass::int_mul_wide, OpClass::int_mul_wide, 2, 8},
    {"llvm.fptosi.sat.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.fptoui.sat.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.convert.", OpClass::cvt_32, OpClass::cvt_64},
    {"llvm.canonicalize.", OpClass::fp32_add, OpClass::fp64_add},
    {"llvm.ptrmask.", OpClass::int_logic, OpClass::int_logic, 1, 2},
};

/// Calls that are no operation.
constexpr std::string_view free_calls[] = {
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.invariant.",
    "llvm.experimental.noalias",
    "llvm.expect.",
    "llvm.annotation",
    "llvm.var.annotation",
    "llvm.ptr.annotation",
    "llvm.nvvm.ptr.",
    "llvm.ssa.copy.",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.nvvm.move.",
    "llvm.launder.",
    "llvm.strip.",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.pseudoprobe",
    "llvm.fake.use",
    "llvm.amdgcn.wave.barrier",
    "llvm.amdgcn.s.setprio",
    "llvm.amdgcn.s.sleep",
    "llvm.amdgcn.s.sendmsg",
    "llvm.amdgcn.s.waitcnt",
    "llvm.amdgcn.iglp.opt",
    "llvm.amdgcn.sched.",
    "llvm.amdgcn.kernarg.segment.ptr",
    "llvm.amdgcn.implicitarg.ptr",
    "llvm.amdgcn.dispatch.ptr",
    "llvm.objectsize.",
    "llvm.is.constant.",
    "llvm.arithmetic.fence",
    "llvm.nvvm.annotation",
    "llvm.nvvm.wgmma.fence",
    "llvm.nvvm.setmaxnreg",
    "llvm.nvvm.griddepcontrol",
    "llvm.prefetch",
    "llvm.trap",
    "llvm.ubsantrap",
};

bool starts_with_any(llvm::StringRef name, std::span<const std::string_view> prefixes) {
  for (std::string_view prefix : prefixes)
    if (name.starts_with(prefix))
      return true;
  return false;
}

} // namespace

/// Work-item functions: lane-dependent ones are a special-register read, launch sizes come from the constant
/// bank.
bool Lowering::select_work_item(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "llvm.readcyclecounter" || name == "llvm.readsteadycounter") {
    emit_each(call, {OpClass::move});
    return true;
  }
  const bool ptx = name.starts_with("llvm.nvvm.read.ptx.sreg.");
  const bool amd = name.starts_with("llvm.amdgcn.work");
  const bool marker = name.starts_with("forewarp.item.");
  if (!ptx && !amd && !marker)
    return false;
  const bool size = name.contains(".ntid.") || name.contains(".nctaid.") || name.contains("_size") ||
                    name.contains("num_groups") || name.contains("work_dim") || name.contains("warpsize");
  if (amd || size || name.contains("warp_count")) {
    define(call, {no_value}); // AMD: preloaded registers
    return true;
  }
  if (name == "forewarp.item.warp" || name == "forewarp.item.lane")
    emit_each(call, {OpClass::move, OpClass::int_shift});
  else
    emit_each(call, {OpClass::move});
  return true;
}

bool Lowering::select_simple_intrinsic(const llvm::CallBase& call, llvm::StringRef name) {
  for (const Simple& row : simple) {
    if (!name.starts_with(row.prefix))
      continue;
    const llvm::Type* type = call.getArgOperand(0)->getType();
    unsigned width = bits(type);
    if (!call.getType()->isStructTy())
      width = std::max(width, bits(call.getType()));
    OpClass op = width > 32 ? row.wide : row.narrow;
    if (width == 16 && type->isFPOrFPVectorTy() && row.narrow == OpClass::fp32_fma)
      op = OpClass::fp16_fma;
    std::vector<OpClass> ops(static_cast<std::size_t>(width > 32 ? row.wide_count : row.narrow_count), op);
    if (row.rest)
      std::fill(ops.begin() + 1, ops.end(), *row.rest);
    if (call.getType()->isStructTy()) {
      const std::uint32_t made = emit_chain(ops, sources_of(call), type).front();
      define(call, Registers(components(call.getType()), made));
    } else {
      emit_each(call, ops);
    }
    return true;
  }
  return false;
}

namespace {

/// Of a sine or cosine: what it takes beside the cosine or sine of the same argument that stands before it in
/// its block. The argument of floats is reduced once; sincos leaves by one slow path, too. Doubles share
/// nothing but where sincos is called.
std::string_view row_beside(const llvm::Instruction& call, std::string_view row) {
  const bool of_doubles = call.getType()->isDoubleTy();
  if ((row != "sin" && row != "cos") || (!call.getType()->isFloatTy() && !of_doubles) ||
      llvm::isa<llvm::Constant>(call.getOperand(0)))
    return row;
  const llvm::Intrinsic::ID partner = row == "sin" ? llvm::Intrinsic::cos : llvm::Intrinsic::sin;
  for (const llvm::User* user : call.getOperand(0)->users()) {
    const auto* other = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (other == nullptr || other->getIntrinsicID() != partner || other->getParent() != call.getParent() ||
        !other->comesBefore(&call))
      continue;
    const bool one_call = call.hasMetadata(llvm::StringRef(ir::builtins::sincos)) &&
                          other->hasMetadata(llvm::StringRef(ir::builtins::sincos));
    if (one_call)
      return "sincos_rest";
    return of_doubles ? row : "sin_beside_cos";
  }
  return row;
}

} // namespace

Result<void> Lowering::emit_function(const llvm::Instruction& instruction, llvm::StringRef name) {
  std::string_view row = math_function({name.data(), name.size()});
  const llvm::Type* type =
      instruction.getType()->isStructTy() ? instruction.getOperand(0)->getType() : instruction.getType();
  const bool wide = bits(type) == 64 || bits(instruction.getOperand(0)->getType()) == 64;
  if (!wide && instruction.getType()->isFPOrFPVectorTy() && !instruction.getType()->isStructTy()) {
    const bool loose = instruction.hasApproxFunc();
    const float ulps = llvm::isa<llvm::FPMathOperator>(instruction)
                           ? llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy()
                           : 0.0F;
    if (loose || (row == "sqrt" && ulps >= 2.0F)) {
      const std::string fast = std::string(row) + "_approx";
      if (!expansion(fast, float_).empty()) {
        emit_each(instruction, expansion(fast, float_), beside(fast, float_), guard(fast, float_));
        return {};
      }
    }
  }
  row = row_beside(instruction, row);
  if (row == "pow" && !wide && llvm::isa<llvm::Constant>(instruction.getOperand(1)))
    row = "pow_by_constant";
  const std::vector<OpClass> ops = expansion(row, wide ? "f64" : float_);
  if (ops.empty())
    return fail(ErrorCode::unsupported,
                fmt::format("function '{}' has no row in the table of math operations", name.str()),
                ir::function_name(function_.getName().str()),
                "report it; the machine step names what it does not know");
  if (instruction.getType()->isStructTy()) {
    const std::uint32_t made = emit_chain(ops, sources_of(instruction), type).front();
    define(instruction, Registers(components(instruction.getType()), made));
  } else {
    const std::string_view of_type = wide ? "f64" : float_;
    emit_each(instruction, ops, beside(row, of_type), guard(row, of_type));
  }
  return {};
}

Result<void> Lowering::select_call(const llvm::CallBase& call) {
  if (call.isInlineAsm() && call.getType()->isVoidTy()) {
    emit_void(OpClass::branch,
              {}); // the target's own "exit;" behind a trap: assembly of the source ends in the front end
    return {};
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return fail(ErrorCode::unsupported, "indirect call or inline assembly",
                ir::function_name(function_.getName().str()), "the machine step models direct code only");
  const llvm::StringRef name = callee->getName();
  if (starts_with_any(name, free_calls)) {
    if (!call.getType()->isVoidTy() && call.arg_size() > 0)
      define(call, registers_of(call.getArgOperand(0)));
    return {};
  }
  if (select_work_item(call, name))
    return {};
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    select_copy(*copy);
    return {};
  }
  if (name.starts_with("llvm.nvvm.barrier") || name == "llvm.amdgcn.s.barrier" ||
      name == "forewarp.grid.barrier") {
    emit_void(OpClass::barrier, {});
    if (!call.getType()->isVoidTy()) // one that also counts: its result is read from a special register
      define(call, {emit(OpClass::move, {}, call.getType())});
    return {};
  }
  if (name.starts_with("llvm.nvvm.membar") || name.starts_with("llvm.nvvm.fence")) {
    emit_void(OpClass::fence, {});
    return {};
  }
  if (name.starts_with("llvm.nvvm.cp.async.")) {
    select_copy_group(call, name);
    return {};
  }
  if (llvm::StringRef meeting = name; meeting.consume_front(llvm::StringRef(ir::builtins::meeting_prefix))) {
    select_meeting(call, meeting);
    return {};
  }
  if (llvm::StringRef engine = name; engine.consume_front(llvm::StringRef(ir::builtins::engine_prefix))) {
    select_engine(call, engine);
    return {};
  }
  if (llvm::StringRef memory = name; memory.consume_front("forewarp.tensor_memory.")) {
    select_tensor_memory(call, memory);
    return {};
  }
  if (name.starts_with("forewarp.cluster.")) { // MAPA and its like: one integer operation
    define(call, {emit(OpClass::int_add, sources_of(call), call.getType())});
    return {};
  }
  if (name.starts_with("llvm.nvvm.wgmma.commit_group")) { // a mark on the product before it
    products_.add_commit(*call.getParent(), block_->ops.size());
    return {};
  }
  if (llvm::StringRef matrix = name; matrix.consume_front(llvm::StringRef(ir::builtins::matrix_prefix))) {
    select_matrix_exchange(call, matrix);
    return {};
  }
  if (name.starts_with("llvm.nvvm.mma.") || name.starts_with("llvm.nvvm.wmma.") ||
      name.starts_with("llvm.amdgcn.mfma.") || name.starts_with("llvm.amdgcn.smfmac.") ||
      name.starts_with("llvm.amdgcn.wmma.") || name.starts_with("forewarp.wgmma.") ||
      name.starts_with("forewarp.mma.")) {
    select_matrix_product(call, name);
    return {};
  }
  if (!math_function({name.data(), name.size()}).empty())
    return emit_function(call, name);
  if (select_simple_intrinsic(call, name))
    return {};
  return select_warp_call(call, name);
}

} // namespace forewarp::codegen

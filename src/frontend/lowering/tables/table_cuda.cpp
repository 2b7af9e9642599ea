// What the own CUDA headers (data/include/forewarp_cuda) leave for the lowering under names of their own:
// fw_*.
#include "frontend/lowering/cuda_atomics.h"
#include "frontend/lowering/group_exchange.h"
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace forewarp::frontend::lowering {

namespace {

using Effect = BuiltinCall::Effect;

constexpr const char *wrapping_increment = "forewarp-wrapping-increment",
                     *wrapping_decrement = "forewarp-wrapping-decrement";

/// T fw_shuffle*(T, unsigned), int fw_reduce_*(int): the marker's type is the value's.
llvm::Value* emit_exchange(BuiltinCall& call) {
  llvm::SmallVector<llvm::Value*, 2> arguments(call.call.args());
  return call.marker(std::string(call.row.word) + "." + type_suffix(call.type()), call.type(), arguments,
                     Effect::convergent);
}

llvm::Value* emit_vote(BuiltinCall& call) {
  return call.marker(call.row.word, call.b.getInt32Ty(), {call.arg(0)}, Effect::convergent);
}

llvm::Value* emit_ballot(BuiltinCall& call) {
  return call.marker("warp.ballot", call.b.getInt64Ty(), {call.arg(0)}, Effect::convergent);
}

llvm::Value* emit_position(BuiltinCall& call) {
  return call.marker(call.row.word, call.b.getInt32Ty(), {});
}

/// Wrapping increment or decrement, relaxed as all of CUDA's atomics. NVPTX's IR passes would expand it to a
/// loop of compare-and-swap although the hardware has it: until `restore_wrapping_atomics` it hides as a
/// subtraction in a synchronisation scope of its own (scopes are never dropped, unlike metadata).
llvm::Value* emit_wrapping(BuiltinCall& call) {
  const auto operation = static_cast<llvm::AtomicRMWInst::BinOp>(call.row.code);
  if (call.nvidia())
    return wrapping_atomic(call.b, operation, call.arg(0), call.arg(1));
  return call.b.CreateAtomicRMW(operation, call.arg(0), call.arg(1), llvm::Align(4),
                                llvm::AtomicOrdering::Monotonic, llvm::SyncScope::System);
}

// __ldg: every access through the pointer is an invariant load from global memory.

void mark_invariant(llvm::Instruction& load) {
  load.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
}

/// Type of the parts in which a struct is copied: its first member's where all have one size, words
/// otherwise.
llvm::Type* part_type(llvm::MemCpyInst& copy, std::uint64_t bytes) {
  llvm::Type* part = llvm::Type::getInt32Ty(copy.getContext());
  if (auto* target = llvm::dyn_cast<llvm::AllocaInst>(copy.getDest()->stripPointerCasts()))
    if (auto* record = llvm::dyn_cast<llvm::StructType>(target->getAllocatedType());
        record && record->getNumElements() > 0 && record->getElementType(0)->isSingleValueType())
      part = record->getElementType(0);
  std::uint64_t part_bytes = copy.getModule()->getDataLayout().getTypeStoreSize(part).getFixedValue();
  return part_bytes > 0 && bytes % part_bytes == 0 ? part : nullptr;
}

constexpr std::uint64_t largest_copy_bytes = 64;

/// float4 becomes four loads, which the target's passes merge again: the optimiser splits a vector load whose
/// parts are used one by one and drops its marks.
void replace_copy(llvm::MemCpyInst& copy, llvm::Value* source) {
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  std::uint64_t bytes = length ? length->getZExtValue() : 0;
  llvm::Type* part = bytes > 0 && bytes <= largest_copy_bytes ? part_type(copy, bytes) : nullptr;
  llvm::IRBuilder<> b(&copy);
  if (!part)
    b.CreateMemCpy(copy.getRawDest(), copy.getDestAlign(), source, copy.getSourceAlign(), copy.getLength());
  std::uint64_t step = part ? copy.getModule()->getDataLayout().getTypeStoreSize(part).getFixedValue() : 1;
  for (std::uint64_t at = 0; part && at < bytes; at += step) {
    auto aligned = [&](llvm::MaybeAlign base) { return llvm::commonAlignment(base.valueOrOne(), at); };
    llvm::LoadInst* load = b.CreateAlignedLoad(part, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), source, at),
                                               aligned(copy.getSourceAlign()));
    mark_invariant(*load);
    b.CreateAlignedStore(load, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy.getRawDest(), at),
                         aligned(copy.getDestAlign()));
  }
  copy.eraseFromParent();
}

llvm::Value* emit_read_only(BuiltinCall& call) {
  llvm::Value* global = call.b.CreateAddrSpaceCast(call.arg(0), call.b.getPtrTy(1));
  llvm::SmallVector<llvm::User*, 4> users(call.call.users());
  for (llvm::User* user : users) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setOperand(llvm::LoadInst::getPointerOperandIndex(), global);
      mark_invariant(*load);
    } else if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
               copy && copy->getRawSource() == &call.call)
      replace_copy(*copy, global);
  }
  return call.b.CreateAddrSpaceCast(global, call.type());
}

/// The coordinates from argument `first` on: a number, or a vector as OpenCL has them.
llvm::Value* coordinates_from(BuiltinCall& call, unsigned first) {
  const unsigned axes = call.count() - first;
  if (axes == 1)
    return call.arg(first);
  llvm::Type* coordinate = call.arg(first)->getType();
  // OpenCL's 3-D coordinates have a fourth component.
  llvm::Value* at = llvm::Constant::getNullValue(llvm::FixedVectorType::get(coordinate, axes == 2 ? 2 : 4));
  for (unsigned i = 0; i < axes; ++i)
    at = call.b.CreateInsertElement(at, call.arg(first + i), i);
  return at;
}

/// Surfaces count bytes along x.
std::string surface_suffix(const BuiltinCall& call) {
  return call.row.code != 0 ? ".b" : "";
}

/// <4 x T> fw_texture_<dim>_<type>(const void* texture, coordinates...): a read without a sampler of its own.
llvm::Value* emit_texture(BuiltinCall& call) {
  llvm::Value* at = coordinates_from(call, 1);
  std::string name = std::string("image.read.") + call.row.word + "." + type_suffix(call.type()) + "." +
                     type_suffix(call.arg(1)->getType()) + (call.count() == 2 ? ".s" : "") +
                     surface_suffix(call);
  llvm::Value* no_sampler = call.b.getInt32(-1);
  llvm::Value* zero_lod = llvm::ConstantFP::get(call.b.getFloatTy(), 0);
  return call.marker(name, call.type(), {call.arg(0), no_sampler, at, zero_lod}, Effect::memory_read);
}

/// void fw_surface_write_<dim>_<type>(void* surface, <4 x T> texel, coordinates...)
llvm::Value* emit_surface_write(BuiltinCall& call) {
  std::string name = std::string("image.write.") + call.row.word + "." + type_suffix(call.arg(1)->getType()) +
                     (call.count() == 3 ? ".s" : "") + surface_suffix(call);
  return call.marker(name, call.b.getVoidTy(), {call.arg(0), coordinates_from(call, 2), call.arg(1)},
                     Effect::memory_write);
}

llvm::Value* emit_group_vote(BuiltinCall& call) {
  return group_vote(call, static_cast<Vote>(call.row.code), call.arg(0));
}

llvm::Value* emit_group_barrier(BuiltinCall& call) {
  return find_row("barrier")->emit(call);
}

/// NVIDIA's compilers inline their library's code before they know it for a power: x^2 and x^0.5 are computed
/// as any other (nvcc 13.0); a power of constants is one.
llvm::Value* emit_library_pow(BuiltinCall& call) {
  llvm::Value *x = call.arg(0), *y = call.arg(1);
  const bool is_constant = llvm::isa<llvm::Constant>(x) && llvm::isa<llvm::Constant>(y);
  if (!call.nvidia() || is_constant)
    return call.intrinsic(llvm::Intrinsic::pow, {call.type()}, {x, y});
  return call.marker("math.pow." + type_suffix(call.type()), call.type(), {x, y});
}

/// The last step of a barrier of the grid (data/include/cooperative_groups.h): the group's own, behind which
/// all groups have arrived.
llvm::Value* emit_grid_barrier(BuiltinCall& call) {
  llvm::CallInst* barrier = call.marker("grid.barrier", call.b.getVoidTy(), {}, Effect::memory_write);
  barrier->getCalledFunction()->setConvergent();
  return barrier;
}

llvm::Value* emit_assumption(BuiltinCall& call) {
  call.assume(call.row.word);
  return done(call);
}

llvm::Value* emit_warp_barrier(BuiltinCall& call) {
  return find_row("sub_group_barrier")->emit(call);
}

/// Clang turns device printf into vprintf(format, packed arguments).
llvm::Value* emit_printf(BuiltinCall& call) {
  return find_row("printf")->emit(call);
}

/// int fw_print(format, packed arguments): of kernels that this machine executes.
llvm::Value* emit_kept_printf(BuiltinCall& call) {
  return call.marker("print", call.type(), {call.arg(0), call.arg(1)}, Effect::memory_write);
}

#define FOREWARP_SURFACE(dimension)                                                                          \
  {"fw_surface_" dimension "_f32", emit_texture, 1, dimension},                                              \
      {"fw_surface_" dimension "_i32", emit_texture, 1, dimension},                                          \
      {"fw_surface_" dimension "_i16", emit_texture, 1, dimension},                                          \
      {"fw_surface_" dimension "_i8", emit_texture, 1, dimension},                                           \
      {"fw_surface_write_" dimension "_f32", emit_surface_write, 1, dimension},                              \
      {"fw_surface_write_" dimension "_i32", emit_surface_write, 1, dimension},                              \
      {"fw_surface_write_" dimension "_i16", emit_surface_write, 1, dimension}, {                            \
    "fw_surface_write_" dimension "_i8", emit_surface_write, 1, dimension                                    \
  }

#define FOREWARP_TEXTURE(source, dimension)                                                                  \
  {"fw_texture_" source "_f32", emit_texture, 0, dimension},                                                 \
      {"fw_texture_" source "_i32", emit_texture, 0, dimension},                                             \
      {"fw_texture_" source "_i16", emit_texture, 0, dimension}, {                                           \
    "fw_texture_" source "_i8", emit_texture, 0, dimension                                                   \
  }

constexpr Row cuda_row_list[] = {
    {"fw_grid_barrier", emit_grid_barrier},
    {"fw_assume_heap", emit_assumption, 0,
     "an allocation in the kernel costs one atomic on one counter, less than allocators need; memory is not "
     "used again"},
    {"fw_assume_xorwow", emit_assumption, 0,
     "XORWOW's first states are not cuRAND's: what depends on the random numbers is alike only on average"},
    {"fw_shuffle", emit_exchange, 0, "warp.shuffle"},
    {"fw_shuffle_up", emit_exchange, 0, "warp.shuffle_up"},
    {"fw_shuffle_down", emit_exchange, 0, "warp.shuffle_down"},
    {"fw_shuffle_xor", emit_exchange, 0, "warp.shuffle_xor"},
    {"fw_reduce_add", emit_exchange, 0, "warp.reduce_add"},
    {"fw_reduce_min", emit_exchange, 0, "warp.reduce_min"},
    {"fw_reduce_max", emit_exchange, 0, "warp.reduce_max"},
    {"fw_reduce_umin", emit_exchange, 0, "warp.reduce_umin"},
    {"fw_reduce_umax", emit_exchange, 0, "warp.reduce_umax"},
    {"fw_reduce_and", emit_exchange, 0, "warp.reduce_and"},
    {"fw_reduce_or", emit_exchange, 0, "warp.reduce_or"},
    {"fw_reduce_xor", emit_exchange, 0, "warp.reduce_xor"},
    {"fw_ballot", emit_ballot},
    {"fw_any", emit_vote, 0, "warp.any"},
    {"fw_all", emit_vote, 0, "warp.all"},
    {"fw_group_any", emit_group_vote, static_cast<unsigned>(Vote::any)},
    {"fw_group_all", emit_group_vote, static_cast<unsigned>(Vote::all)},
    {"fw_group_count", emit_group_vote, static_cast<unsigned>(Vote::count)},
    {"fw_barrier", emit_group_barrier},
    {"fw_warp_barrier", emit_warp_barrier},
    {"fw_lane", emit_position, 0, "item.lane"},
    {"fw_warp", emit_position, 0, "item.warp"},
    {"fw_atomic_inc", emit_wrapping, llvm::AtomicRMWInst::UIncWrap},
    {"fw_atomic_dec", emit_wrapping, llvm::AtomicRMWInst::UDecWrap},
    {"fw_read_only", emit_read_only},
    FOREWARP_TEXTURE("buffer", "1db"),
    FOREWARP_TEXTURE("1d", "1d"),
    FOREWARP_TEXTURE("2d", "2d"),
    FOREWARP_TEXTURE("3d", "3d"),
    FOREWARP_SURFACE("1d"),
    FOREWARP_SURFACE("2d"),
    FOREWARP_SURFACE("3d"),
    {"library_pow", emit_library_pow},
    {"vprintf", emit_printf},
    {"fw_print", emit_kept_printf},
};

} // namespace

std::span<const Row> cuda_rows() {
  return cuda_row_list;
}

llvm::Value* wrapping_atomic(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst::BinOp operation,
                             llvm::Value* address, llvm::Value* value) {
  const char* scope = operation == llvm::AtomicRMWInst::UIncWrap ? wrapping_increment : wrapping_decrement;
  return builder.CreateAtomicRMW(llvm::AtomicRMWInst::Sub, address, value, llvm::Align(4),
                                 llvm::AtomicOrdering::Monotonic,
                                 builder.getContext().getOrInsertSyncScopeID(scope));
}

void restore_wrapping_atomics(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::SyncScope::ID increment = context.getOrInsertSyncScopeID(wrapping_increment);
  const llvm::SyncScope::ID decrement = context.getOrInsertSyncScopeID(wrapping_decrement);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      if (!atomic || (atomic->getSyncScopeID() != increment && atomic->getSyncScopeID() != decrement))
        continue;
      atomic->setOperation(atomic->getSyncScopeID() == increment ? llvm::AtomicRMWInst::UIncWrap
                                                                 : llvm::AtomicRMWInst::UDecWrap);
      atomic->setSyncScopeID(llvm::SyncScope::System);
    }
}

} // namespace forewarp::frontend::lowering

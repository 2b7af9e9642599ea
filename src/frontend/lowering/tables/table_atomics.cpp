// Atomics: OpenCL 1.x atomic_* / atom_* (6.12.11) and the C11 form of 2.0 and later. Memory order and scope
// arguments are evaluated and dropped: an operation is relaxed, at device scope. NOT modelled: the cost of
// stronger orders.
#include "frontend/lowering/tables/tables.h"

namespace forewarp::frontend::lowering {

namespace {

using Op = llvm::AtomicRMWInst;
constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;

llvm::SyncScope::ID scope(BuiltinCall& call) {
  return call.b.getContext().getOrInsertSyncScopeID(call.nvidia() ? "" : "agent");
}

llvm::Value* rmw(BuiltinCall& call, Op::BinOp op, llvm::Value* value) {
  return call.b.CreateAtomicRMW(op, call.arg(0), value, llvm::MaybeAlign(), relaxed, scope(call));
}

Op::BinOp operation(BuiltinCall& call, unsigned value_position) {
  auto op = static_cast<Op::BinOp>(call.row.code);
  llvm::Type* type = call.arg(value_position)->getType();
  bool is_float = type->isFloatingPointTy();
  bool is_unsigned = call.is_unsigned(value_position);
  switch (op) {
  case Op::Add:
    return is_float ? Op::FAdd : op;
  case Op::Sub:
    return is_float ? Op::FSub : op;
  case Op::Min:
    return is_float ? Op::FMin : is_unsigned ? Op::UMin : op;
  case Op::Max:
    return is_float ? Op::FMax : is_unsigned ? Op::UMax : op;
  default:
    return op;
  }
}

llvm::Value* emit_rmw(BuiltinCall& call) {
  return rmw(call, operation(call, 1), call.arg(1));
}

llvm::Value* emit_increment(BuiltinCall& call) {
  return rmw(call, static_cast<Op::BinOp>(call.row.code), llvm::ConstantInt::get(call.type(), 1));
}

llvm::Value* exchange_if_equal(BuiltinCall& call, llvm::Value* expected, llvm::Value* desired) {
  return call.b.CreateAtomicCmpXchg(call.arg(0), expected, desired, llvm::MaybeAlign(), relaxed, relaxed,
                                    scope(call));
}

llvm::Value* emit_compare_exchange(BuiltinCall& call) {
  return call.b.CreateExtractValue(exchange_if_equal(call, call.arg(1), call.arg(2)), 0);
}

// C11 forms.

llvm::Align natural(BuiltinCall& call, llvm::Type* type) {
  return llvm::Align(call.module().getDataLayout().getTypeStoreSize(type).getFixedValue());
}

/// atomic_compare_exchange_*(object, expected pointer, desired, ...).
llvm::Value* emit_compare_exchange_by_pointer(BuiltinCall& call) {
  llvm::Type* type = call.arg(2)->getType();
  llvm::Value* integer_desired = call.arg(2);
  llvm::Type* integer = call.b.getIntNTy(type->getPrimitiveSizeInBits());
  if (!type->isIntegerTy())
    integer_desired = call.b.CreateBitCast(call.arg(2), integer);
  llvm::Value* expected = call.b.CreateAlignedLoad(integer, call.arg(1), natural(call, type));
  llvm::Value* pair = exchange_if_equal(call, expected, integer_desired);
  // Storing the old value also on success writes what is there already.
  call.b.CreateAlignedStore(call.b.CreateExtractValue(pair, 0), call.arg(1), natural(call, type));
  return call.b.CreateZExtOrTrunc(call.b.CreateExtractValue(pair, 1), call.type());
}

llvm::Value* emit_atomic_load(BuiltinCall& call) {
  llvm::LoadInst* load = call.b.CreateAlignedLoad(call.type(), call.arg(0), natural(call, call.type()));
  load->setAtomic(relaxed, scope(call));
  return load;
}

llvm::Value* emit_atomic_store(BuiltinCall& call) {
  llvm::StoreInst* store =
      call.b.CreateAlignedStore(call.arg(1), call.arg(0), natural(call, call.arg(1)->getType()));
  store->setAtomic(relaxed, scope(call));
  return store;
}

llvm::Value* emit_init(BuiltinCall& call) {
  return call.b.CreateAlignedStore(call.arg(1), call.arg(0), natural(call, call.arg(1)->getType()));
}

llvm::Value* emit_flag_set(BuiltinCall& call) {
  llvm::Value* old = rmw(call, Op::Xchg, call.b.getInt32(1));
  return call.b.CreateZExtOrTrunc(call.b.CreateICmpNE(old, call.b.getInt32(0)), call.type());
}

llvm::Value* emit_flag_clear(BuiltinCall& call) {
  llvm::StoreInst* store = call.b.CreateAlignedStore(call.b.getInt32(0), call.arg(0), llvm::Align(4));
  store->setAtomic(relaxed, scope(call));
  return store;
}

constexpr Row atomic_row_list[] = {
    {"atomic_add", emit_rmw, Op::Add},
    {"atomic_sub", emit_rmw, Op::Sub},
    {"atomic_xchg", emit_rmw, Op::Xchg},
    {"atomic_min", emit_rmw, Op::Min},
    {"atomic_max", emit_rmw, Op::Max},
    {"atomic_and", emit_rmw, Op::And},
    {"atomic_or", emit_rmw, Op::Or},
    {"atomic_xor", emit_rmw, Op::Xor},
    {"atomic_inc", emit_increment, Op::Add},
    {"atomic_dec", emit_increment, Op::Sub},
    {"atomic_cmpxchg", emit_compare_exchange},
    {"atom_add", emit_rmw, Op::Add},
    {"atom_sub", emit_rmw, Op::Sub},
    {"atom_xchg", emit_rmw, Op::Xchg},
    {"atom_min", emit_rmw, Op::Min},
    {"atom_max", emit_rmw, Op::Max},
    {"atom_and", emit_rmw, Op::And},
    {"atom_or", emit_rmw, Op::Or},
    {"atom_xor", emit_rmw, Op::Xor},
    {"atom_inc", emit_increment, Op::Add},
    {"atom_dec", emit_increment, Op::Sub},
    {"atom_cmpxchg", emit_compare_exchange},
    {"atomic_fetch_add", emit_rmw, Op::Add},
    {"atomic_fetch_sub", emit_rmw, Op::Sub},
    {"atomic_fetch_min", emit_rmw, Op::Min},
    {"atomic_fetch_max", emit_rmw, Op::Max},
    {"atomic_fetch_and", emit_rmw, Op::And},
    {"atomic_fetch_or", emit_rmw, Op::Or},
    {"atomic_fetch_xor", emit_rmw, Op::Xor},
    {"atomic_exchange", emit_rmw, Op::Xchg},
    {"atomic_fetch_add_explicit", emit_rmw, Op::Add},
    {"atomic_fetch_sub_explicit", emit_rmw, Op::Sub},
    {"atomic_fetch_min_explicit", emit_rmw, Op::Min},
    {"atomic_fetch_max_explicit", emit_rmw, Op::Max},
    {"atomic_fetch_and_explicit", emit_rmw, Op::And},
    {"atomic_fetch_or_explicit", emit_rmw, Op::Or},
    {"atomic_fetch_xor_explicit", emit_rmw, Op::Xor},
    {"atomic_exchange_explicit", emit_rmw, Op::Xchg},
    {"atomic_compare_exchange_strong", emit_compare_exchange_by_pointer},
    {"atomic_compare_exchange_weak", emit_compare_exchange_by_pointer},
    {"atomic_compare_exchange_strong_explicit", emit_compare_exchange_by_pointer},
    {"atomic_compare_exchange_weak_explicit", emit_compare_exchange_by_pointer},
    {"atomic_load", emit_atomic_load},
    {"atomic_load_explicit", emit_atomic_load},
    {"atomic_store", emit_atomic_store},
    {"atomic_store_explicit", emit_atomic_store},
    {"atomic_init", emit_init},
    {"atomic_flag_test_and_set", emit_flag_set},
    {"atomic_flag_test_and_set_explicit", emit_flag_set},
    {"atomic_flag_clear", emit_flag_clear},
    {"atomic_flag_clear_explicit", emit_flag_clear},
};

} // namespace

std::span<const Row> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::frontend::lowering

// Addresses, loads, stores, atomics, copies.
#include "codegen/nvidia/select/lowering.h"
#include "ir/address_spaces.h"
#include "ir/builtins.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace forewarp::codegen {

using facts::no_value;
using llvm::Instruction;

namespace {

/// Two shifts for the halves of a byte offset and an addition with carry: what a 64-bit address costs where
/// the wide multiply-add is a longer sequence.
constexpr unsigned shift_and_add_instructions = 4;

struct SpaceOps {
  OpClass load, store, atomic;
};

SpaceOps space_ops(unsigned space, bool nvidia) {
  switch (space) {
  case 3:
    return {OpClass::load_shared, OpClass::store_shared, OpClass::atomic_shared};
  case 4:
    if (nvidia)
      return {OpClass::load_constant, OpClass::store_global, OpClass::atomic_global};
    return {OpClass::load_global, OpClass::store_global, OpClass::atomic_global};
  case 5:
    return {OpClass::load_local, OpClass::store_local, OpClass::atomic_global};
  default:
    return {OpClass::load_global, OpClass::store_global, OpClass::atomic_global};
  }
}

bool is_async_copy(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(llvm::StringRef(ir::builtins::async_copy));
}

bool is_constant_address(const llvm::Value* pointer) {
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (gep && !gep->hasAllConstantIndices())
    return false;
  return llvm::isa<llvm::Constant, llvm::Argument>(
      gep ? gep->getPointerOperand()->stripInBoundsConstantOffsets()
          : pointer->stripInBoundsConstantOffsets());
}

} // namespace

/// One multiply-add a variable index into a 64-bit address (IMAD.WIDE: base + extended index * scale),
/// add-with-carry pairs where the index is 64 bits itself; one op in 32-bit spaces, of which NVIDIA's
/// constant banks are one (LDC c[bank][register + immediate], the bank holds 64 KiB).
void Lowering::select_address(const llvm::GetElementPtrInst& gep) {
  const bool constant_bank = nvidia_ && gep.getAddressSpace() == 4;
  const bool wide = bits(gep.getType()) == 64 && !constant_bank;
  const llvm::Type* type = gep.getType()->getScalarType();
  llvm::SmallVector<std::uint32_t, 8> running;
  collect(gep.getPointerOperand(), running);
  std::uint32_t last = running.empty() ? no_value : running.front();
  bool any = false;
  for (auto it = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); it != end; ++it) {
    const llvm::Value* index = it.getOperand();
    if (llvm::isa<llvm::Constant>(index) || it.isStruct())
      continue;
    const std::uint64_t scale = it.getSequentialElementStride(layout_).getFixedValue();
    llvm::SmallVector<std::uint32_t, 8> sources;
    collect(index, sources);
    const llvm::SmallVector<std::uint32_t, 8> sources_without_base = sources;
    if (last != no_value)
      sources.push_back(last);
    const auto* made = llvm::dyn_cast<Instruction>(index);
    const bool product = made && folding_.absorbed(made) &&
                         (made->getOpcode() == Instruction::Shl || made->getOpcode() == Instruction::Mul);
    if (!wide) {
      const bool base_is_immediate = last == no_value;
      if (base_is_immediate && scale == 1 && !product && sources.size() == 1)
        last = sources.front(); // the shared variable's address is the immediate offset
      else if (nvidia_ && !any && !product)
        last = narrow_address(gep, *index, scale, sources);
      else
        last = emit(std::has_single_bit(scale) ? OpClass::int_add : OpClass::int_mul, sources, type);
      any = true;
      continue;
    }
    any = true;
    if (product || is_extended_from_32(index)) {
      const bool add_only = !product && scale == 1;
      if (!product && std::has_single_bit(scale) && !add_only &&
          machine_.timing(OpClass::int_mul_wide).instructions > shift_and_add_instructions) {
        const std::uint32_t offset = shifted_index(*index, scale, sources_without_base, type);
        last = emit(OpClass::int_add, {offset, last}, type);
        last = emit(OpClass::int_add, {last}, type);
        continue;
      }
      if (!add_only && last == no_value)
        use_scale(scale);
      last = emit(add_only ? OpClass::int_add : OpClass::int_mul_wide, sources, type);
      if (add_only)
        last = emit(OpClass::int_add, {last}, type);
    } else {
      if (!std::has_single_bit(scale)) {
        last = emit(OpClass::int_mul_wide, sources, type);
        last = emit(OpClass::int_mul, {last}, type);
      } else {
        last = emit(OpClass::int_add, sources, type);
        last = emit(OpClass::int_add, {last}, type);
      }
    }
  }
  if (!any) { // a pointer carried on with a constant added
    last = emit(OpClass::int_add, running, type);
    if (wide)
      last = emit(OpClass::int_add, {last}, type);
  }
  define(gep, {last});
}

std::uint32_t Lowering::narrow_address(const llvm::GetElementPtrInst& gep, const llvm::Value& index,
                                       std::uint64_t scale, llvm::ArrayRef<std::uint32_t> sources) {
  const llvm::Value* variable = &index;
  while (const auto* made = llvm::dyn_cast<Instruction>(variable)) {
    const bool constant_added =
        made->getOpcode() == Instruction::Add && folding_.fate(made) == Fate::alias && !folding_.known(made);
    if (!constant_added && !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(made))
      break;
    variable = made->getOperand(0);
  }
  const llvm::Value* base = gep.getPointerOperand();
  for (const NarrowAddress& address : narrow_addresses_)
    if (address.base == base && address.index == variable && address.scale == scale &&
        dominators_.dominates(address.block, gep.getParent()))
      return address.made;
  const std::uint32_t made = emit(std::has_single_bit(scale) ? OpClass::int_add : OpClass::int_mul, sources,
                                  gep.getType()->getScalarType());
  narrow_addresses_.push_back({base, variable, scale, gep.getParent(), made});
  return made;
}

/// The halves of index * scale; made once for all bases that it is added to.
std::uint32_t Lowering::shifted_index(const llvm::Value& index, std::uint64_t scale,
                                      llvm::ArrayRef<std::uint32_t> sources, const llvm::Type* type) {
  const llvm::BasicBlock* here = current_->getParent();
  for (const auto& [value, size, made, block] : offsets_)
    if (value == &index && size == scale && dominators_.dominates(block, here))
      return made;
  const std::uint32_t low = emit(OpClass::int_shift, sources, type);
  llvm::SmallVector<std::uint32_t, 8> both(sources);
  both.push_back(low);
  const std::uint32_t offset = emit(OpClass::int_shift, both, type);
  offsets_.emplace_back(&index, scale, offset, here);
  return offset;
}

/// One register for all components that an operation loads: they are ready together.
Registers Lowering::loaded_registers(const llvm::Type& type, unsigned parts) {
  const unsigned count = components(&type);
  const std::size_t each = std::max(1U, count / std::max(1U, parts));
  Registers results;
  for (unsigned c = 0; c < count; ++c) {
    if (c % each == 0) {
      results.push_back(new_register(type.getScalarType()));
      const std::size_t bytes = each * ((bits(&type) + 7) / 8);
      sizes_[results.back()] = std::max(sizes_[results.back()], static_cast<std::uint8_t>((bytes + 3) / 4));
    } else {
      results.push_back(results.back());
    }
  }
  return results;
}

/// A wide load at the place of its first member stands for all of them; the others' events have no operation.
bool Lowering::load_joined(const llvm::LoadInst& load, llvm::ArrayRef<std::uint32_t> sources, OpClass op) {
  auto first = merges_.joined.find(&load);
  if (first == merges_.joined.end())
    return false;
  if (first->second != &load)
    return true; // defined with the first
  const auto& group = merges_.groups[&load];
  Registers results;
  for (const llvm::LoadInst* member : group) {
    results.push_back(new_register(member->getType()));
    define(*member, {results.back()});
  }
  emit_memory(op, sources, {results.front()}, static_cast<unsigned>(4 * group.size()), 1);
  for (std::size_t i = 1; i < results.size(); ++i)
    values_[group[i]] = {results.front()}; // ready together
  sizes_[results.front()] = static_cast<std::uint8_t>(group.size());
  return true;
}

/// The store of an asynchronous copy is the instruction of its load (LDGSTS), which reads its place, too.
bool Lowering::joins_copy(const llvm::StoreInst& store, llvm::ArrayRef<std::uint32_t> place) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(store.getValueOperand());
  if (!is_async_copy(store) || load == nullptr || load->getParent() != store.getParent())
    return false;
  const auto from = site_index_.find(load), to = site_index_.find(&store);
  if (from == site_index_.end() || to == site_index_.end())
    return false;
  const auto copy = std::find_if(block_->ops.rbegin(), block_->ops.rend(),
                                 [&](const facts::MachineOp& op) { return op.site == from->second; });
  if (copy == block_->ops.rend())
    return false;
  copy->stores_site = to->second;
  for (const std::uint32_t source : place)
    if (copy->source_count < copy->sources.size())
      copy->sources[copy->source_count++] = source;
  return true;
}

/// The multiply-add of an address reads the element size from a register when its base is in the constant
/// bank.
void Lowering::use_scale(std::uint64_t scale) {
  if (!nvidia_ || std::find(scales_.begin(), scales_.end(), scale) != scales_.end())
    return;
  scales_.push_back(scale);
  emit_void(OpClass::move, {});
}

Result<void> Lowering::select_memory(const Instruction& instruction) {
  llvm::SmallVector<std::uint32_t, 8> sources;
  const llvm::Value* pointer = llvm::getPointerOperand(&instruction);
  if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = rmw->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    pointer = exchange->getPointerOperand();
  collect(pointer, sources);
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const SpaceOps ops = space_ops(space, nvidia_);

  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    llvm::Type* type = load->getType();
    const bool constant_bank =
        space == ir::nvptx_parameter_space || (nvidia_ && space == 4 && is_constant_address(pointer));
    if (constant_bank && sources.empty()) {
      define(instruction, Registers(components(type), no_value)); // an operand of whoever reads it
      return {};
    }
    const auto bytes = static_cast<unsigned>(layout_.getTypeStoreSize(type).getFixedValue());
    if (load_joined(*load, sources, ops.load))
      return {};
    if (is_async_copy(instruction)) {
      const std::uint32_t arrived = new_register(llvm::Type::getInt1Ty(type->getContext())); // takes no room
      emit_memory(ops.load, sources, {arrived}, bytes, 1);
      copies_.add_load(*load->getParent(), arrived);
      return {};
    }
    const unsigned piece =
        std::min<unsigned>({16U, std::max(1U, static_cast<unsigned>(load->getAlign().value())),
                            std::max(4U, std::bit_floor(bytes))});
    const unsigned parts = (bytes + piece - 1) / piece;
    const Registers results = loaded_registers(*type, parts);
    OpClass op = space == ir::nvptx_parameter_space ? OpClass::load_constant : ops.load;
    if (!nvidia_ && op == OpClass::load_global && !divergence_.is_divergent(pointer) && space == 4)
      op = OpClass::scalar_load;
    emit_memory(op, sources, results, bytes, parts);
    define(instruction, results);
    return {};
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (joins_copy(*store, sources))
      return {};
    if (!is_async_copy(instruction))
      collect(store->getValueOperand(), sources);
    const auto bytes =
        static_cast<unsigned>(layout_.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
    const unsigned piece =
        std::min<unsigned>({16U, std::max(1U, static_cast<unsigned>(store->getAlign().value())),
                            std::max(4U, std::bit_floor(bytes))});
    emit_memory(ops.store, sources, {}, bytes, (bytes + piece - 1) / piece);
    block_->ops.back().fills = instruction.hasMetadata(llvm::StringRef(ir::builtins::async_fill));
    return {};
  }
  llvm::SmallVector<std::uint32_t, 8> inputs = sources_of(instruction);
  Registers results;
  const llvm::Type* value = instruction.getType();
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
    value = llvm::cast<llvm::AtomicCmpXchgInst>(instruction).getCompareOperand()->getType();
  if (!instruction.use_empty())
    results.push_back(new_register(value));
  emit_memory(ops.atomic, inputs, results, bits(value) / 8, 1);
  if (results.empty())
    return {};
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
    const std::uint32_t success =
        emit(OpClass::int_minmax_cmp, {results.front()}, llvm::Type::getInt1Ty(instruction.getContext()));
    results.push_back(success);
  }
  define(instruction, results);
  return {};
}

/// memcpy, memmove, memset of a known length: pieces of the alignment's size, as the back end unrolls them.
/// One site: its event stands for the destination; the loads of a copy carry none.
void Lowering::select_copy(const llvm::MemIntrinsic& intrinsic) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  const std::uint64_t bytes = length ? length->getZExtValue() : 64;
  const std::uint64_t piece = std::clamp<std::uint64_t>(intrinsic.getDestAlign().valueOrOne().value(), 1, 16);
  const auto count = static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / piece, 1, 256));
  llvm::SmallVector<std::uint32_t, 8> sources = sources_of(intrinsic);
  std::uint32_t value = no_value;
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    const OpClass load = space_ops(transfer->getSourceAddressSpace(), nvidia_).load;
    for (unsigned i = 0; i < count; ++i) {
      value = emit(load, sources, llvm::Type::getInt32Ty(intrinsic.getContext()));
      block_->ops.back().width_bytes = static_cast<std::uint16_t>(piece);
    }
  }
  if (value != no_value)
    sources.push_back(value);
  emit_memory(space_ops(intrinsic.getDestAddressSpace(), nvidia_).store, sources, {},
              static_cast<unsigned>(count * piece), count);
}

} // namespace forewarp::codegen

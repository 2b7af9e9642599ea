// Addresses, loads, stores, atomics.
#include "simt/decode/decoder.h"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace forewarp::simt {
namespace {

facts::MemorySpace static_space(unsigned address_space, ir::TargetFamily family) {
  switch (address_space) {
  case 3:
    return facts::MemorySpace::shared;
  case 4:
    return family == ir::TargetFamily::amd ? facts::MemorySpace::global : facts::MemorySpace::constant;
  case 5:
    return facts::MemorySpace::local;
  case 101:
    return facts::MemorySpace::parameter;
  default:
    return facts::MemorySpace::global;
  }
}

std::optional<AtomicOp> atomic_op(llvm::AtomicRMWInst::BinOp op) {
  using A = llvm::AtomicRMWInst;
  switch (op) {
  case A::Xchg:
    return AtomicOp::exchange;
  case A::Add:
    return AtomicOp::add;
  case A::Sub:
    return AtomicOp::sub;
  case A::And:
    return AtomicOp::and_;
  case A::Nand:
    return AtomicOp::nand;
  case A::Or:
    return AtomicOp::or_;
  case A::Xor:
    return AtomicOp::xor_;
  case A::Max:
    return AtomicOp::max;
  case A::Min:
    return AtomicOp::min;
  case A::UMax:
    return AtomicOp::umax;
  case A::UMin:
    return AtomicOp::umin;
  case A::FAdd:
    return AtomicOp::fadd;
  case A::FSub:
    return AtomicOp::fsub;
  case A::FMax:
    return AtomicOp::fmax;
  case A::FMin:
    return AtomicOp::fmin;
  case A::UIncWrap:
    return AtomicOp::inc;
  case A::UDecWrap:
    return AtomicOp::dec;
  default:
    return std::nullopt;
  }
}

} // namespace

std::uint32_t Decoder::site_of(const llvm::Instruction& instruction) const {
  auto found = site_index_.find(&instruction);
  return found == site_index_.end() ? no_site : found->second;
}

std::vector<MemoryComponent> Decoder::components(llvm::Type* type, const Slots& slots) {
  std::vector<MemoryComponent> result;
  const std::vector<Leaf> parts = leaves(type);
  for (std::size_t k = 0; k < parts.size() && k < slots.size(); ++k)
    result.push_back({slots[k], parts[k].lane, static_cast<std::uint8_t>(parts[k].bytes),
                      static_cast<std::uint16_t>(parts[k].offset_bytes)});
  return result;
}

std::vector<std::uint32_t> Decoder::objects_of(const llvm::Value* pointer) {
  constexpr unsigned any_depth = 0;
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, any_depth);
  std::vector<std::uint32_t> out;
  for (const llvm::Value* object : objects) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    const bool overlaps = variable != nullptr && variable->isDeclaration(); // `extern __shared__` arrays
    if (overlaps || !llvm::isa<llvm::Argument, llvm::GlobalVariable, llvm::AllocaInst>(object))
      return {};
    out.push_back(
        object_index_.try_emplace(object, static_cast<std::uint32_t>(object_index_.size())).first->second);
  }
  return out;
}

void Decoder::describe_sites() {
  for (const ir::Numbering::Site& site : numbering_.sites) {
    const llvm::Instruction& instruction = *site.instruction;
    facts::MemorySite out;
    out.block = site.block;
    out.index_in_block = site.index_in_block;
    out.location = ir::location_of(instruction, module_.files);
    llvm::Type* type = instruction.getType();
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      out.kind = facts::AccessKind::store;
      type = store->getValueOperand()->getType();
    } else if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      out.kind = facts::AccessKind::atomic;
      pointer = atomic->getPointerOperand();
    } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      out.kind = facts::AccessKind::atomic;
      pointer = exchange->getPointerOperand();
      type = exchange->getNewValOperand()->getType();
    } else if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      out.kind = facts::AccessKind::store;
      pointer = memory->getRawDest();
      type = nullptr;
      if (const auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength()))
        out.width_bytes = static_cast<std::uint32_t>(length->getZExtValue());
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      llvm::StringRef name = call->getCalledFunction()->getName();
      if (name.starts_with("forewarp.image.write") || name.starts_with("llvm.nvvm.sust"))
        out.kind = facts::AccessKind::store;
      if (name.starts_with("llvm.nvvm.atomic") || name.starts_with("forewarp.atomic."))
        out.kind = facts::AccessKind::atomic;
      if (name.contains(".image.") || name.contains("nvvm.tex") || name.contains("nvvm.su") ||
          name.contains("tld4"))
        out.space = facts::MemorySpace::texture;
      pointer = call->arg_size() > 0 && call->getArgOperand(0)->getType()->isPointerTy()
                    ? call->getArgOperand(0)
                    : nullptr;
    }
    out.returns_value = out.kind == facts::AccessKind::load || !instruction.use_empty();
    if (pointer) {
      if (out.space != facts::MemorySpace::texture)
        out.space = static_space(pointer->getType()->getPointerAddressSpace(), module_.family);
      const llvm::Value* base = pointer;
      for (int depth = 0; depth < 16; ++depth) {
        if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(base))
          base = gep->getPointerOperand();
        else if (llvm::Operator::getOpcode(base) == llvm::Instruction::AddrSpaceCast)
          base = llvm::cast<llvm::Operator>(base)->getOperand(0);
        else
          break;
      }
      if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base)) {
        out.buffer = argument->getArgNo() < kernel_.parameters.size()
                         ? kernel_.parameters[argument->getArgNo()].name
                         : argument->getName().str();
      } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
        out.buffer = program_.variables[variable_of(*global)].name;
      }
    }
    if (type && type->isSized() && !type->isVoidTy())
      out.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue());
    program_.sites.push_back(std::move(out));
  }
}

void Decoder::decode_gep(const llvm::GetElementPtrInst& gep) {
  if (gep.getType()->isVectorTy())
    return reject("vectors of pointers are not supported");
  const unsigned index_bits = layout_.getIndexTypeSizeInBits(gep.getType());
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt fixed(index_bits, 0);
  if (!gep.collectOffset(layout_, index_bits, variable, fixed))
    return reject("this address computation is not supported");
  struct Term {
    std::int32_t slot;
    std::uint64_t scale;
  };
  std::vector<Term> terms;
  for (const auto& [index, scale] : variable) {
    const unsigned width = index->getType()->getIntegerBitWidth();
    std::int32_t at = slot(index);
    if (width < 64) {
      const std::int32_t wide = new_register();
      integer_resize(true, width, 64, wide, at);
      at = wide;
    }
    terms.push_back({at, static_cast<std::uint64_t>(scale.getSExtValue())});
  }
  std::int32_t sum = slot(gep.getPointerOperand());
  const std::uint64_t offset = static_cast<std::uint64_t>(fixed.getSExtValue());
  if (terms.empty() && offset == 0)
    return alias(gep, {sum});
  const std::int32_t d = define(gep).front();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const std::int32_t next = k + 1 == terms.size() && offset == 0 ? d : new_register();
    put(LaneOp::mad64, next, terms[k].slot, constant(LaneType::quad, terms[k].scale), sum);
    sum = next;
  }
  if (offset != 0)
    put(LaneOp::add64, d, sum, constant(LaneType::quad, offset));
}

void Decoder::emit_load(const llvm::Instruction& at, const llvm::Value* pointer, llvm::Type* type,
                        const Slots& out) {
  MemoryOp op;
  op.site = site_of(at);
  op.kind = facts::AccessKind::load;
  op.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue());
  op.components = components(type, out);
  op.uniform_address = uniformity_.uniform(pointer);
  op.objects = objects_of(pointer);
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t address = slot(pointer);
  emit_special(Special::load, out.front(), static_cast<std::uint32_t>(program_.memory_ops.size() - 1))
      .slots.a = address;
}

void Decoder::decode_load(const llvm::LoadInst& load) {
  emit_load(load, load.getPointerOperand(), load.getType(), define(load));
}

void Decoder::decode_store(const llvm::StoreInst& store) {
  MemoryOp op;
  op.site = site_of(store);
  op.kind = facts::AccessKind::store;
  llvm::Type* type = store.getValueOperand()->getType();
  op.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue());
  op.components = components(type, slots(store.getValueOperand()));
  op.uniform_address = uniformity_.uniform(store.getPointerOperand());
  op.objects = objects_of(store.getPointerOperand());
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t address = slot(store.getPointerOperand());
  emit_special(Special::store, no_slot, static_cast<std::uint32_t>(program_.memory_ops.size() - 1)).slots.a =
      address;
}

void Decoder::decode_atomic(const llvm::AtomicRMWInst& atomic) {
  const std::optional<AtomicOp> kind = atomic_op(atomic.getOperation());
  if (!kind || !(atomic.getType()->isIntegerTy() || atomic.getType()->isPointerTy() ||
                 atomic.getType()->isFloatTy() || atomic.getType()->isDoubleTy()))
    return reject("this atomic operation is not supported");
  MemoryOp op;
  op.site = site_of(atomic);
  op.kind = facts::AccessKind::atomic;
  op.atomic = *kind;
  op.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(atomic.getType()).getFixedValue());
  const Slots d = define(atomic);
  op.components = components(atomic.getType(), d);
  op.uniform_address = false;
  op.objects = objects_of(atomic.getPointerOperand());
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t address = slot(atomic.getPointerOperand()), value = slot(atomic.getValOperand());
  Instruction& out =
      emit_special(Special::atomic, d.front(), static_cast<std::uint32_t>(program_.memory_ops.size() - 1));
  out.slots.a = address;
  out.slots.b = value;
}

/// "add.f16.i32(ptr, i32)": two halves in a word.
bool Decoder::decode_short_atomic(const llvm::CallBase& call, llvm::StringRef name) {
  const auto kind = llvm::StringSwitch<std::optional<AtomicOp>>(name.rsplit('.').first)
                        .Case("add.f16", AtomicOp::add_f16)
                        .Case("min.f16", AtomicOp::min_f16)
                        .Case("max.f16", AtomicOp::max_f16)
                        .Case("add.bf16", AtomicOp::add_bf16)
                        .Case("min.bf16", AtomicOp::min_bf16)
                        .Case("max.bf16", AtomicOp::max_bf16)
                        .Default(std::nullopt);
  if (!kind || call.arg_size() != 2)
    return false;
  MemoryOp op;
  op.site = site_of(call);
  op.kind = facts::AccessKind::atomic;
  op.atomic = *kind;
  op.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(call.getType()).getFixedValue());
  const Slots d = define(call);
  op.components = components(call.getType(), d);
  op.objects = objects_of(call.getArgOperand(0));
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t address = slot(call.getArgOperand(0)), value = slot(call.getArgOperand(1));
  Instruction& out =
      emit_special(Special::atomic, d.front(), static_cast<std::uint32_t>(program_.memory_ops.size() - 1));
  out.slots.a = address;
  out.slots.b = value;
  return true;
}

void Decoder::decode_compare_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  llvm::Type* type = exchange.getNewValOperand()->getType();
  MemoryOp op;
  op.site = site_of(exchange);
  op.kind = facts::AccessKind::atomic;
  op.atomic = AtomicOp::exchange;
  op.width_bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(type).getFixedValue());
  const Slots d = define(exchange); // old value, success
  op.components = components(type, {d[0]});
  op.components.push_back({d[1], LaneType::bit, 0, 0});
  op.objects = objects_of(exchange.getPointerOperand());
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t address = slot(exchange.getPointerOperand()),
                     expected = slot(exchange.getCompareOperand()), value = slot(exchange.getNewValOperand());
  Instruction& out = emit_special(Special::compare_exchange, d[0],
                                  static_cast<std::uint32_t>(program_.memory_ops.size() - 1));
  out.slots.a = address;
  out.slots.b = value;
  out.slots.c = expected;
}

void Decoder::decode_memory_intrinsic(const llvm::CallBase& call) {
  const auto& memory = llvm::cast<llvm::MemIntrinsic>(call);
  MemoryOp op;
  op.site = site_of(call);
  op.kind = facts::AccessKind::store;
  op.length_slot = slot(memory.getLength());
  op.length_type = leaves(memory.getLength()->getType()).front().lane;
  program_.memory_ops.push_back(std::move(op));
  const std::int32_t target = slot(memory.getRawDest()), source = slot(call.getArgOperand(1));
  Instruction& out =
      emit_special(llvm::isa<llvm::MemSetInst>(memory) ? Special::fill_memory : Special::copy_memory, no_slot,
                   static_cast<std::uint32_t>(program_.memory_ops.size() - 1));
  out.slots.a = target;
  out.slots.b = source;
}

void Decoder::decode_alloca(const llvm::AllocaInst& alloca) {
  const auto size = alloca.getAllocationSize(layout_);
  if (!size || size->isScalable())
    return reject("a private array of variable size is not supported");
  const std::uint64_t align = alloca.getAlign().value();
  program_.frame_bytes = (program_.frame_bytes + align - 1) / align * align;
  put(LaneOp::add64, define(alloca).front(), group_value(GroupValue::frame),
      constant(LaneType::quad, program_.frame_bytes));
  program_.frame_bytes += size->getFixedValue();
}

} // namespace forewarp::simt

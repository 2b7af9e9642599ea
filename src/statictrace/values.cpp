#include "statictrace/values.h"

#include "ir/variable_name.h"
#include "simt/exec/gather.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <bit>

namespace forewarp::statictrace {

using llvm::Instruction;

KernelAnalyses::KernelAnalyses(llvm::Function& function)
    : dominators(function), loops(dominators), assumptions(function),
      library_table(llvm::Triple(function.getParent()->getTargetTriple())), library(library_table),
      evolution(function, library, assumptions, dominators, loops) {}

Result<std::unique_ptr<LaunchValues>> bind_launch(const simt::Program& program,
                                                  const ir::KernelModule& module,
                                                  const ir::KernelSignature& kernel,
                                                  const facts::Launch& launch) {
  auto values = std::make_unique<LaunchValues>();
  auto shape = simt::resolve_shape(module, kernel, launch);
  FOREWARP_TRY(shape);
  values->shape = *shape;
  auto binding = simt::bind_arguments(program, kernel, launch, *shape, values->memory);
  FOREWARP_TRY(binding);
  values->binding = std::move(*binding);
  const llvm::Function& function = *module.module().getFunction(kernel.symbol);
  for (const llvm::Argument& argument : function.args()) {
    const unsigned k = argument.getArgNo();
    if (k >= program.parameters.size() || program.parameters[k].components.size() != 1)
      continue;
    const std::int32_t slot = program.parameters[k].components.front().slot;
    for (const simt::SlotValue& value : values->binding.slots)
      if (value.slot == slot && value.known)
        values->known[&argument] = value.value;
  }
  for (const llvm::GlobalVariable& variable : module.module().globals()) {
    const std::string name = ir::variable_name(variable.getName().str(), kernel.symbol);
    const auto same = [&](const simt::Variable& other) { return other.name == name; };
    if (std::ranges::count_if(program.variables, same) != 1) // of another kernel, or two of one name
      continue;
    const auto found = std::ranges::find_if(program.variables, same) - program.variables.begin();
    values->known[&variable] = values->binding.variable_addresses[static_cast<std::size_t>(found)];
  }
  return values;
}

Values::Values(const llvm::Function& function, KernelAnalyses& analyses, LaunchValues& launch,
               unsigned warp_width)
    : function_(function), analyses_(analyses), launch_(launch), width_(warp_width) {
  for (const llvm::Loop* loop : analyses.loops.getLoopsInPreorder())
    loop_numbers_.insert({loop, static_cast<unsigned>(loop_numbers_.size())});
  loop_states_.resize(loop_numbers_.size());
  for (const llvm::BasicBlock& block : function) {
    const llvm::Loop* loop = analyses.loops.getLoopFor(&block);
    for (const llvm::Instruction& instruction : block) {
      numbers_.insert({&instruction, static_cast<unsigned>(numbers_.size())});
      loop_of_.push_back(loop == nullptr ? 0 : 1 + loop_numbers_.lookup(loop));
    }
  }
  memos_.resize(numbers_.size());
}

void Values::start_warp(const facts::Dim3& group, unsigned warp) {
  const facts::LaunchShape& shape = launch_.shape;
  const auto own = [](std::uint64_t index, std::uint64_t whole, std::uint64_t items) {
    return std::min(whole, items - std::min(items, index * whole));
  };
  group_ = group;
  group_size_ = {own(group.x, shape.group_size.x, shape.global_items.x),
                 own(group.y, shape.group_size.y, shape.global_items.y),
                 own(group.z, shape.group_size.z, shape.global_items.z)};
  warp_ = warp;
  warp_lanes_ = 0;
  for (unsigned l = 0; l < width_; ++l) {
    const std::uint64_t item = static_cast<std::uint64_t>(warp) * width_ + l;
    if (item < group_size_.count())
      warp_lanes_ |= std::uint64_t{1} << l;
    item_[0][l] = item % group_size_.x;
    item_[1][l] = item / group_size_.x % group_size_.y;
    item_[2][l] = item / group_size_.x / group_size_.y;
  }
  for (Memo& memo : memos_)
    memo.version = UINT64_MAX;
  arrivals_.clear();
}

void Values::enter(const llvm::Loop& loop, std::uint64_t active) {
  LoopState& state = loop_states_[loop_numbers_.lookup(&loop)];
  state.iteration = 0;
  state.version = ++clock_;
  state.active = active;
  state.some_left = false;
}

void Values::iterate(const llvm::Loop& loop, std::uint64_t active, std::uint64_t iteration) {
  LoopState& state = loop_states_[loop_numbers_.lookup(&loop)];
  for (std::uint64_t gone = state.active & ~active; gone != 0; gone &= gone - 1) {
    state.left_at[static_cast<unsigned>(std::countr_zero(gone))] = state.iteration;
    state.some_left = true;
  }
  state.active = active;
  state.iteration = iteration;
  state.version = ++clock_;
}

void Values::arrive(const llvm::BasicBlock& block, const std::vector<Arrival>& from) {
  arrivals_[&block] = from;
  for (const llvm::PHINode& phi : block.phis())
    memos_[numbers_.lookup(&phi)].version = UINT64_MAX;
}

unsigned Values::bits_of(const llvm::Type* type) const {
  if (type->isPointerTy())
    return function_.getDataLayout().getPointerTypeSizeInBits(const_cast<llvm::Type*>(type));
  return type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
}

std::uint64_t Values::version_of(const llvm::Instruction& instruction) const {
  const unsigned loop = loop_of_[numbers_.lookup(&instruction)];
  return loop == 0 ? 0 : loop_states_[loop - 1].version;
}

/// Number of the iteration that each lane is in, or was in when it left.
Lanes Values::iteration_lanes(const llvm::Loop& loop) const {
  const LoopState& now = state(loop);
  if (!now.some_left)
    return Lanes::all(now.iteration);
  Lanes out;
  out.known = true;
  out.uniform = false;
  for (unsigned l = 0; l < width_; ++l)
    out.at[l] = (now.active >> l & 1) != 0 ? now.iteration : std::min(now.left_at[l], now.iteration);
  return out;
}

const Lanes& Values::value(const llvm::Value* value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr) {
    std::unique_ptr<Lanes>& kept = constants_[value];
    if (!kept) {
      Lanes made = Lanes::unknown();
      if (const auto found = launch_.known.find(value); found != launch_.known.end())
        made = Lanes::all(found->second);
      else if (const auto* plain = llvm::dyn_cast<llvm::Constant>(value))
        made = constant(*plain);
      constants_[value] = std::make_unique<Lanes>(made);
    }
    return *constants_[value];
  }
  Memo& memo = memos_[numbers_.lookup(instruction)];
  const std::uint64_t version = version_of(*instruction);
  static const Lanes unknown = Lanes::unknown();
  if (memo.open) // rests on itself
    return unknown;
  if (memo.version != version) {
    memo.open = true;
    memo.lanes = fresh(*instruction);
    memo.open = false;
    memo.version = version;
  }
  return memo.lanes;
}

Lanes Values::constant(const llvm::Constant& constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return number->getBitWidth() <= 64 ? Lanes::all(number->getZExtValue()) : Lanes::unknown();
  if (llvm::isa<llvm::ConstantPointerNull>(constant))
    return Lanes::all(0);
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&constant))
    return address(*gep);
  if (const auto* made = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
    if (made->isCast() && bits_of(made->getType()) > 0)
      return value(made->getOperand(0));
  return Lanes::unknown();
}

Lanes Values::fresh(const llvm::Instruction& instruction) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    const llvm::Loop* loop = analyses_.loops.getLoopFor(phi->getParent());
    return loop != nullptr && loop->getHeader() == phi->getParent() ? header_phi(*phi, *loop) : merged(*phi);
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return parameter_load(*load);
  const unsigned bits = bits_of(instruction.getType());
  if (bits == 0 || bits > 64)
    return Lanes::unknown();
  if (const auto* made = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return binary(made->getOpcode(), value(made->getOperand(0)), value(made->getOperand(1)), bits);
  if (const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    const unsigned of = bits_of(compared->getOperand(0)->getType());
    if (of == 0)
      return Lanes::unknown();
    const Lanes a = value(compared->getOperand(0));
    return each_lane(a, value(compared->getOperand(1)), width_, [&](std::uint64_t x, std::uint64_t y) {
      return static_cast<std::uint64_t>(compare(compared->getPredicate(), x, y, of));
    });
  }
  if (const auto* made = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return cast(*made);
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction))
    return address(*gep);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const Lanes which = value(select->getCondition());
    if (!which.known)
      return Lanes::unknown();
    if (which.uniform)
      return value(which.at[0] != 0 ? select->getTrueValue() : select->getFalseValue());
    const Lanes a = value(select->getTrueValue()), b = value(select->getFalseValue());
    if (!a.known || !b.known)
      return Lanes::unknown();
    Lanes out = a;
    out.uniform = false;
    for (unsigned l = 0; l < width_; ++l)
      out.at[l] = which[l] != 0 ? a[l] : b[l];
    return out;
  }
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return value(frozen->getOperand(0));
  if (const auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call(*called);
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    if (const auto* checked = llvm::dyn_cast<llvm::WithOverflowInst>(part->getAggregateOperand()))
      return of_checked(*checked, part->getIndices().front() == 1);
  return Lanes::unknown();
}

bool Values::compare(llvm::CmpInst::Predicate predicate, std::uint64_t a, std::uint64_t b, unsigned bits) {
  const llvm::APInt x(64, low_bits(a, bits)), y(64, low_bits(b, bits));
  if (!llvm::CmpInst::isSigned(predicate))
    return llvm::ICmpInst::compare(x, y, predicate);
  return llvm::ICmpInst::compare(llvm::APInt(64, static_cast<std::uint64_t>(as_signed(a, bits))),
                                 llvm::APInt(64, static_cast<std::uint64_t>(as_signed(b, bits))), predicate);
}

Lanes Values::binary(unsigned opcode, const Lanes& first, const Lanes& second, unsigned bits) const {
  // One known operand decides where the other cannot matter.
  const auto is_all = [&](const Lanes& lanes, std::uint64_t number) {
    return lanes.known && lanes.uniform && low_bits(lanes.at[0], bits) == number;
  };
  const bool product = opcode == Instruction::And || opcode == Instruction::Mul;
  if (product && (is_all(first, 0) || is_all(second, 0)))
    return Lanes::all(0);
  if (opcode == Instruction::Or && bits == 1 && (is_all(first, 1) || is_all(second, 1)))
    return Lanes::all(1);
  bool undefined = false;
  const Lanes out = each_lane(first, second, width_, [&](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
    const std::int64_t x = as_signed(a, bits), y = as_signed(b, bits);
    switch (opcode) {
    case Instruction::Add:
      return low_bits(a + b, bits);
    case Instruction::Sub:
      return low_bits(a - b, bits);
    case Instruction::Mul:
      return low_bits(a * b, bits);
    case Instruction::And:
      return a & b;
    case Instruction::Or:
      return a | b;
    case Instruction::Xor:
      return low_bits(a ^ b, bits);
    case Instruction::Shl:
      return b >= bits ? 0 : low_bits(a << b, bits);
    case Instruction::LShr:
      return b >= bits ? 0 : low_bits(a, bits) >> b;
    case Instruction::AShr:
      return low_bits(static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(b, 63)), bits);
    case Instruction::UDiv:
    case Instruction::URem:
      if (low_bits(b, bits) == 0)
        return 0; // of a lane that does not take part
      return opcode == Instruction::UDiv ? low_bits(a, bits) / low_bits(b, bits)
                                         : low_bits(a, bits) % low_bits(b, bits);
    case Instruction::SDiv:
    case Instruction::SRem:
      if (y == 0 || y == -1)
        return y == 0 || opcode == Instruction::SRem ? 0 : low_bits(0 - a, bits);
      return low_bits(static_cast<std::uint64_t>(opcode == Instruction::SDiv ? x / y : x % y), bits);
    default:
      undefined = true;
      return 0;
    }
  });
  return undefined ? Lanes::unknown() : out;
}

Lanes Values::cast(const llvm::CastInst& cast) {
  const unsigned from = bits_of(cast.getOperand(0)->getType()), to = bits_of(cast.getType());
  if (from == 0 || to == 0 || from > 64 || to > 64)
    return Lanes::unknown();
  const Lanes in = value(cast.getOperand(0));
  const bool is_signed = cast.getOpcode() == Instruction::SExt;
  return each_lane(in, in, width_, [&](std::uint64_t a, std::uint64_t) {
    return low_bits(is_signed ? static_cast<std::uint64_t>(as_signed(a, from)) : low_bits(a, from), to);
  });
}

Lanes Values::address(const llvm::GEPOperator& gep) {
  if (gep.getType()->isVectorTy())
    return Lanes::unknown();
  Lanes sum = value(gep.getPointerOperand());
  const llvm::DataLayout& layout = function_.getDataLayout();
  for (auto it = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); it != end && sum.known; ++it) {
    if (llvm::StructType* type = it.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue();
      const std::uint64_t offset =
          layout.getStructLayout(type)->getElementOffset(static_cast<unsigned>(field));
      sum = each_lane(sum, sum, width_, [&](std::uint64_t a, std::uint64_t) { return a + offset; });
      continue;
    }
    const std::uint64_t stride = it.getSequentialElementStride(layout).getFixedValue();
    const unsigned bits = bits_of(it.getOperand()->getType());
    if (bits == 0)
      return Lanes::unknown();
    sum = each_lane(sum, value(it.getOperand()), width_, [&](std::uint64_t a, std::uint64_t index) {
      return a + static_cast<std::uint64_t>(as_signed(index, bits)) * stride;
    });
  }
  return sum;
}

Lanes Values::parameter_load(const llvm::LoadInst& load) {
  if (ir::is_memory_site(load) || bits_of(load.getType()) == 0)
    return Lanes::unknown();
  const Lanes& place = value(load.getPointerOperand());
  if (!place.known || !place.uniform)
    return Lanes::unknown();
  const auto bytes =
      static_cast<unsigned>(function_.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
  const simt::Span span = launch_.memory.read(place.at[0], bytes);
  if (span.begin == span.end || place.at[0] + bytes > span.end || bytes > 8)
    return Lanes::unknown();
  const std::uint64_t at = place.at[0] - span.begin;
  if (!span.all_known && !simt::all_known(span.known + at, bytes))
    return Lanes::unknown();
  return Lanes::all(simt::read_bytes(span.data + at, bytes));
}

/// A phi behind branches: what each lane brought along its edge.
Lanes Values::merged(const llvm::PHINode& phi) {
  const unsigned bits = bits_of(phi.getType());
  const auto found = arrivals_.find(phi.getParent());
  if (bits == 0 || found == arrivals_.end() || found->second.empty())
    return Lanes::unknown();
  const std::vector<Arrival> from = found->second;
  if (from.size() == 1)
    return value(phi.getIncomingValueForBlock(from.front().from));
  Lanes out;
  out.known = true;
  out.uniform = false;
  out.at.fill(0);
  for (const Arrival& arrival : from) {
    const Lanes& incoming = value(phi.getIncomingValueForBlock(arrival.from));
    if (!incoming.known)
      return Lanes::unknown();
    for (std::uint64_t rest = arrival.lanes; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<unsigned>(std::countr_zero(rest));
      out.at[l] = incoming[l];
    }
  }
  return out;
}

} // namespace forewarp::statictrace

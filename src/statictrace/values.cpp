#include "statictrace/values.h"

#include "ir/variable_name.h"
#include "simt/gather.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
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

Lanes Values::work_item(llvm::StringRef name) const {
  const facts::LaunchShape& shape = launch_.shape;
  const auto each = [&](const std::array<std::uint64_t, most_lanes>& at) {
    Lanes out;
    out.known = true;
    out.uniform = false;
    out.at = at;
    return out;
  };
  const unsigned axis = name.ends_with(".x") ? 0 : name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 3;
  if (axis < 3) {
    const auto of = [&](const facts::Dim3& size) { return axis == 0 ? size.x : axis == 1 ? size.y : size.z; };
    llvm::StringRef what = name.drop_back(2);
    what = what.substr(what.rfind("sreg.") == llvm::StringRef::npos ? 0 : what.rfind("sreg.") + 5);
    what.consume_front("llvm.amdgcn.");
    what.consume_front("forewarp.item.");
    if (what == "tid" || what == "workitem.id")
      return each(item_[axis]);
    if (what == "ctaid" || what == "workgroup.id")
      return Lanes::all(of(group_));
    if (what == "ntid" || what == "local_size")
      return Lanes::all(of(group_size_));
    if (what == "nctaid" || what == "num_groups")
      return Lanes::all(of(shape.groups));
    if (what == "global_size")
      return Lanes::all(of(shape.global_items));
    if (what == "enqueued_size")
      return Lanes::all(of(shape.group_size));
    return Lanes::unknown();
  }
  if (name.ends_with("laneid") || name == "forewarp.item.lane") {
    std::array<std::uint64_t, most_lanes> lanes{};
    for (unsigned l = 0; l < width_; ++l)
      lanes[l] = l;
    return each(lanes);
  }
  if (name.ends_with("sreg.warpid") || name == "forewarp.item.warp")
    return Lanes::all(warp_);
  if (name.ends_with("nwarpid") || name == "forewarp.item.warp_count")
    return Lanes::all((group_size_.count() + width_ - 1) / width_);
  if (name.ends_with("warpsize"))
    return Lanes::all(width_);
  if (name == "forewarp.item.work_dim")
    return Lanes::all(shape.global_items.z > 1 ? 3 : shape.global_items.y > 1 ? 2 : 1);
  return Lanes::unknown();
}

Lanes Values::call(const llvm::CallBase& call) {
  const llvm::Function* called = call.getCalledFunction();
  if (called == nullptr)
    return Lanes::unknown();
  const llvm::StringRef name = called->getName();
  if (name.contains("read.ptx.sreg.") || name.starts_with("forewarp.item.") ||
      name.starts_with("llvm.amdgcn.work"))
    return work_item(name);
  const unsigned bits = bits_of(call.getType());
  if (call.arg_size() == 0 || bits_of(call.getArgOperand(0)->getType()) == 0)
    return Lanes::unknown();
  const Lanes a = value(call.getArgOperand(0));
  const auto one = [&](const auto& f) {
    return each_lane(a, a, width_, [&](std::uint64_t x, std::uint64_t) { return low_bits(f(x), bits); });
  };
  const auto two = [&](const auto& f) { return each_lane(a, value(call.getArgOperand(1)), width_, f); };
  switch (called->getIntrinsicID()) {
  case llvm::Intrinsic::umin:
    return two([](std::uint64_t x, std::uint64_t y) { return std::min(x, y); });
  case llvm::Intrinsic::umax:
    return two([](std::uint64_t x, std::uint64_t y) { return std::max(x, y); });
  case llvm::Intrinsic::smin:
    return two(
        [&](std::uint64_t x, std::uint64_t y) { return as_signed(x, bits) < as_signed(y, bits) ? x : y; });
  case llvm::Intrinsic::smax:
    return two(
        [&](std::uint64_t x, std::uint64_t y) { return as_signed(x, bits) > as_signed(y, bits) ? x : y; });
  case llvm::Intrinsic::usub_sat:
    return two([](std::uint64_t x, std::uint64_t y) { return x > y ? x - y : 0; });
  case llvm::Intrinsic::abs:
    return one([&](std::uint64_t x) { return as_signed(x, bits) < 0 ? 0 - x : x; });
  case llvm::Intrinsic::ctpop:
    return one([&](std::uint64_t x) { return static_cast<std::uint64_t>(std::popcount(low_bits(x, bits))); });
  case llvm::Intrinsic::ctlz:
    return one([&](std::uint64_t x) {
      return static_cast<std::uint64_t>(std::countl_zero(low_bits(x, bits))) - (64 - bits);
    });
  case llvm::Intrinsic::cttz:
    return one([&](std::uint64_t x) {
      return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::countr_zero(low_bits(x, bits))), bits);
    });
  case llvm::Intrinsic::expect:
    return a;
  case llvm::Intrinsic::fshl:
    if (call.getArgOperand(0) == call.getArgOperand(1)) { // a rotation
      const Lanes by = value(call.getArgOperand(2));
      return each_lane(a, by, width_, [&](std::uint64_t x, std::uint64_t n) {
        n %= bits;
        return n == 0 ? x : low_bits(x << n | low_bits(x, bits) >> (bits - n), bits);
      });
    }
    return Lanes::unknown();
  default:
    return Lanes::unknown();
  }
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

Lanes Values::header_phi(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (bits_of(phi.getType()) == 0)
    return Lanes::unknown();
  if (analyses_.evolution.isSCEVable(phi.getType())) {
    const llvm::SCEV* scev = analyses_.evolution.getSCEV(const_cast<llvm::PHINode*>(&phi));
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(scev);
        unknown == nullptr || unknown->getValue() != &phi)
      if (const Lanes lanes = value(scev); lanes.known)
        return lanes;
  }
  const auto induction = induction_of(phi, loop);
  if (!induction)
    return Lanes::unknown();
  const Lanes start = value(induction->start), step = value(induction->step);
  return apply(*induction, start, step, iteration_lanes(loop));
}

Lanes Values::after(const Induction& induction, std::uint64_t updates) {
  const Lanes start = value(induction.start), step = value(induction.step);
  return apply(induction, start, step, Lanes::all(updates));
}

/// The closed form: linear for sums and differences, geometric for products, quotients and shifts.
Lanes Values::apply(const Induction& induction, const Lanes& start, const Lanes& step, const Lanes& times) {
  const unsigned bits = bits_of(induction.update->getType());
  const unsigned opcode = induction.update->getOpcode();
  if (bits == 0 || !start.known || !step.known)
    return Lanes::unknown();
  if (opcode == Instruction::Add || (opcode == Instruction::Sub && !induction.step_first)) {
    const Lanes moved = binary(Instruction::Mul, step, times, bits);
    return binary(opcode, start, moved, bits);
  }
  Lanes out;
  out.known = true;
  out.uniform = start.uniform && step.uniform && times.uniform;
  const auto one = [](std::uint64_t number) { return Lanes::all(number); };
  for (unsigned l = 0; l < (out.uniform ? 1 : width_); ++l) {
    std::uint64_t now = start[l], left = times[l];
    if (opcode == Instruction::Xor || opcode == Instruction::Sub) // to and fro
      left %= 2;
    else if (opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr) {
      const std::uint64_t by = std::min<std::uint64_t>(step[l] * std::min<std::uint64_t>(left, 64), 64);
      now = by >= bits && opcode != Instruction::AShr ? 0 : binary(opcode, one(now), one(by), bits).at[0];
      left = 0;
    }
    for (; left > 0; --left) { // powers: beyond 64 factors of 2 or more nothing is left
      const std::uint64_t next = (induction.step_first ? binary(opcode, one(step[l]), one(now), bits)
                                                       : binary(opcode, one(now), one(step[l]), bits))
                                     .at[0];
      if (next == now)
        break;
      now = next;
    }
    out.at[l] = now;
  }
  return out;
}

Lanes Values::value(const llvm::SCEV* scev) {
  const unsigned bits = bits_of(scev->getType());
  const auto fold = [&](const llvm::SCEVNAryExpr& all, const auto& f) {
    Lanes out = value(all.getOperand(0));
    for (unsigned k = 1; k < all.getNumOperands() && out.known; ++k)
      out = f(out, value(all.getOperand(k)));
    return out;
  };
  const auto largest = [&](bool is_signed, bool most) {
    return [this, bits, is_signed, most](const Lanes& a, const Lanes& b) {
      return each_lane(a, b, width_, [&](std::uint64_t x, std::uint64_t y) {
        const bool less =
            is_signed ? as_signed(x, bits) < as_signed(y, bits) : low_bits(x, bits) < low_bits(y, bits);
        return less != most ? x : y;
      });
    };
  };
  switch (scev->getSCEVType()) {
  case llvm::scConstant: {
    const llvm::APInt& number = llvm::cast<llvm::SCEVConstant>(scev)->getAPInt();
    return number.getBitWidth() <= 64 ? Lanes::all(number.getZExtValue()) : Lanes::unknown();
  }
  case llvm::scUnknown:
    return value(llvm::cast<llvm::SCEVUnknown>(scev)->getValue());
  case llvm::scAddExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev),
                [&](const Lanes& a, const Lanes& b) { return binary(Instruction::Add, a, b, bits); });
  case llvm::scMulExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev),
                [&](const Lanes& a, const Lanes& b) { return binary(Instruction::Mul, a, b, bits); });
  case llvm::scUDivExpr:
    return binary(Instruction::UDiv, value(llvm::cast<llvm::SCEVUDivExpr>(scev)->getLHS()),
                  value(llvm::cast<llvm::SCEVUDivExpr>(scev)->getRHS()), bits);
  case llvm::scSMaxExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(true, true));
  case llvm::scUMaxExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(false, true));
  case llvm::scSMinExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(true, false));
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr:
    return fold(*llvm::cast<llvm::SCEVNAryExpr>(scev), largest(false, false));
  case llvm::scTruncate:
  case llvm::scZeroExtend:
  case llvm::scSignExtend:
  case llvm::scPtrToInt: {
    const llvm::SCEV* inner = llvm::cast<llvm::SCEVCastExpr>(scev)->getOperand();
    const unsigned from = bits_of(inner->getType());
    const bool is_signed = scev->getSCEVType() == llvm::scSignExtend;
    const Lanes in = value(inner);
    return each_lane(in, in, width_, [&](std::uint64_t a, std::uint64_t) {
      return low_bits(is_signed ? static_cast<std::uint64_t>(as_signed(a, from)) : low_bits(a, from), bits);
    });
  }
  case llvm::scAddRecExpr: { // sum of operand k times (iteration over k)
    const auto* recurrence = llvm::cast<llvm::SCEVAddRecExpr>(scev);
    const Lanes iteration = iteration_lanes(*recurrence->getLoop());
    Lanes sum = value(recurrence->getOperand(0));
    for (unsigned k = 1; k < recurrence->getNumOperands() && sum.known; ++k) {
      const Lanes choose = each_lane(iteration, iteration, width_, [&](std::uint64_t n, std::uint64_t) {
        unsigned __int128 product = 1;
        for (unsigned j = 0; j < k; ++j)
          product = n < j ? 0 : product * (n - j) / (j + 1);
        return static_cast<std::uint64_t>(product);
      });
      sum = binary(Instruction::Add, sum,
                   binary(Instruction::Mul, value(recurrence->getOperand(k)), choose, bits), bits);
    }
    return sum;
  }
  default:
    return Lanes::unknown();
  }
}

} // namespace forewarp::statictrace

#include "simt/group_places.h"

#include "simt/argument_words.h"
#include "simt/arguments.h"
#include "simt/group_accesses.h"
#include "simt/index_nodes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstring>
#include <optional>

namespace forewarp::simt {
namespace {

using namespace index;

constexpr std::uint64_t most_operations = std::uint64_t{1} << 25;

class Slice : public IndexNodes {
public:
  Slice(const llvm::Function& function, const ir::KernelSignature& kernel, const facts::Launch& launch,
        const facts::LaunchShape& shape)
      : layout_(function.getParent()->getDataLayout()), kernel_(kernel), launch_(launch), shape_(shape),
        dominators_(const_cast<llvm::Function&>(function)) {
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.mayWriteToMemory() &&
          (!llvm::isa<llvm::IntrinsicInst>(instruction) || llvm::isa<llvm::MemIntrinsic>(instruction)))
        note_write(instruction);
  }

  /// The node of a value, of a vector (index arithmetic that LLVM put side by side) that of one component;
  /// -1: it cannot be told.
  int node_of(const llvm::Value* value, unsigned component = 0) {
    const std::pair key(value, value->getType()->isVectorTy() ? component : 0U);
    const auto [known, is_new] = nodes_of_.try_emplace(key, -1); // a cycle cannot be told
    if (!is_new)
      return known->second;
    const int made = make(value, key.second);
    nodes_of_[key] = made;
    return made;
  }

private:
  /// Buffers that the kernel writes; all of them where a write may go anywhere. A volatile load, as copies
  /// and matrices are read by, writes nothing; a call reaches what it is given.
  void note_write(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      note_written(*store->getPointerOperand());
    else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      for (const llvm::Use& given : call->args())
        if (given->getType()->isPointerTy())
          note_written(*given);
    } else if (!llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction))
      writes_anywhere_ = true;
  }

  void note_written(const llvm::Value& pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(&pointer);
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
      written_.insert(argument->getArgNo());
    else if (!llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(object))
      writes_anywhere_ = true;
  }

  /// A number that the kernel reads from a buffer whose contents are given and that it does not write: which
  /// expert a block of rows belongs to.
  int load_node(const llvm::LoadInst& load, unsigned width) {
    const auto* argument =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
    if (!argument || !load.getType()->isIntegerTy() || width % 8 != 0 || writes_anywhere_ ||
        written_.contains(argument->getArgNo()) || argument->getArgNo() >= kernel_.parameters.size())
      return -1;
    const auto given = find_argument(launch_, kernel_.parameters[argument->getArgNo()], argument->getArgNo());
    const auto* buffer =
        given == launch_.arguments.end() ? nullptr : std::get_if<facts::BufferValue>(&given->second);
    const int offset = node_of(load.getPointerOperand());
    if (!buffer || buffer->contents.kind != facts::BufferContents::Kind::bytes || offset < 0)
      return -1;
    return add({.op = load_op, .a = offset, .width = width, .value = add(*buffer), .rests = apart({offset})});
  }

  int constant(std::uint64_t value, unsigned width = 64) {
    return add({.width = width, .value = cut(value, width)});
  }

  static std::optional<unsigned> width_of(const llvm::Type* of_value) {
    const llvm::Type* type = of_value->getScalarType();
    if (type->isPointerTy())
      return 64;
    if (type->isFloatTy() || type->isDoubleTy())
      return type->isFloatTy() ? 32 : 64;
    if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
      return std::nullopt;
    return type->getIntegerBitWidth();
  }

  int make(const llvm::Value* value, unsigned component) {
    const auto width = width_of(value->getType());
    if (!width)
      return -1;
    if (value->getType()->isVectorTy() || llvm::isa<llvm::ExtractElementInst>(value))
      if (const auto moved = moved_component(value, component))
        return *moved;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
      return constant(number->getZExtValue(), *width);
    if (llvm::isa<llvm::GlobalVariable, llvm::ConstantPointerNull>(value))
      return constant(0);
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return argument_node(*argument, *width);
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value))
      return gep->getType()->isVectorTy() ? -1 : address(*gep);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return entry_value(*phi, component);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
      return load_node(*load, *width);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value))
      return call_node(*call, *width, component);
    const auto* operation = llvm::dyn_cast<llvm::Operator>(value);
    return operation ? operation_node(*operation, *width, component) : -1;
  }

  /// Where a component only comes from somewhere else. Nothing: it is computed.
  std::optional<int> moved_component(const llvm::Value* value, unsigned component) {
    if (const auto* taken = llvm::dyn_cast<llvm::ExtractElementInst>(value)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(taken->getIndexOperand());
      return index ? node_of(taken->getVectorOperand(), static_cast<unsigned>(index->getZExtValue())) : -1;
    }
    if (const auto* all = llvm::dyn_cast<llvm::Constant>(value)) {
      const llvm::Constant* one = all->getAggregateElement(component);
      return one && llvm::isa<llvm::ConstantInt>(one) ? node_of(one) : -1;
    }
    if (const auto* put = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(put->getOperand(2));
      if (!index)
        return -1;
      return index->getZExtValue() == component ? node_of(put->getOperand(1))
                                                : node_of(put->getOperand(0), component);
    }
    if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value)) {
      const int from = shuffle->getMaskValue(component);
      const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
      if (from < 0 || !type)
        return -1;
      const auto place = static_cast<unsigned>(from), first = type->getNumElements();
      return place < first ? node_of(shuffle->getOperand(0), place)
                           : node_of(shuffle->getOperand(1), place - first);
    }
    return std::nullopt;
  }

  /// Pointers are places common to all groups.
  int argument_node(const llvm::Argument& argument, unsigned width) {
    const unsigned position = argument.getArgNo();
    if (argument.getType()->isPointerTy())
      return constant(0);
    if (position >= kernel_.parameters.size())
      return -1;
    const auto given = find_argument(launch_, kernel_.parameters[position], position);
    const auto* scalar =
        given == launch_.arguments.end() ? nullptr : std::get_if<facts::ScalarValue>(&given->second);
    const auto bytes = scalar ? scalar_bytes(kernel_.parameters[position], *scalar)
                              : Result<std::vector<std::uint8_t>>(fail(ErrorCode::launch, ""));
    if (!bytes || bytes->size() > 8)
      return -1;
    std::uint64_t value = 0;
    std::memcpy(&value, bytes->data(), bytes->size());
    return constant(value, width);
  }

  int address(const llvm::GEPOperator& gep) {
    const unsigned bits = layout_.getIndexTypeSizeInBits(gep.getType());
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt fixed(bits, 0);
    int sum = node_of(gep.getPointerOperand());
    if (sum < 0 || !gep.collectOffset(layout_, bits, variable, fixed))
      return -1;
    for (const auto& [index, scale] : variable) {
      const int at = node_of(index);
      if (at < 0)
        return -1;
      const int wide = unary(llvm::Instruction::SExt, at, 64, node_width(at));
      sum = pair(llvm::Instruction::Add, sum,
                 pair(llvm::Instruction::Mul, wide,
                      constant(static_cast<std::uint64_t>(scale.getSExtValue())), 64, false),
                 64, false);
    }
    return pair(llvm::Instruction::Add, sum, constant(static_cast<std::uint64_t>(fixed.getSExtValue())), 64,
                false);
  }

  /// What a loop starts with, or what the branch before chose; a meeting of more paths cannot be told.
  int entry_value(const llvm::PHINode& phi, unsigned component) {
    llvm::SmallVector<unsigned, 2> entries;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (!dominators_.dominates(phi.getParent(), phi.getIncomingBlock(i)))
        entries.push_back(i);
    if (entries.empty())
      return -1;
    const auto value = [&](unsigned entry) { return phi.getIncomingValue(entries[entry]); };
    if (llvm::all_of(entries, [&](unsigned i) { return phi.getIncomingValue(i) == value(0); }))
      return node_of(value(0), component);
    const auto chosen_first =
        entries.size() == 2 ? chosen(phi, entries[0], entries[1]) : std::optional<Chosen>();
    if (!chosen_first)
      return -1;
    const int a = node_of(value(0), component), b = node_of(value(1), component),
              condition = node_of(chosen_first->condition);
    if (a < 0 || b < 0 || condition < 0)
      return -1;
    return add({.op = llvm::Instruction::Select,
                .a = condition,
                .b = chosen_first->when_true ? a : b,
                .c = chosen_first->when_true ? b : a,
                .width = node_width(a),
                .rests = apart({condition, a, b})});
  }

  struct Chosen {
    const llvm::Value* condition = nullptr;
    bool when_true = false; ///< the first of the two
  };
  /// The branch whose sides two paths come from: LLVM puts one round a long division that may be a short one.
  std::optional<Chosen> chosen(const llvm::PHINode& phi, unsigned first, unsigned second) const {
    const llvm::DomTreeNode* node = dominators_.getNode(phi.getParent());
    if (!node || !node->getIDom())
      return std::nullopt;
    const llvm::BasicBlock* before = node->getIDom()->getBlock();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return std::nullopt;
    const auto comes_by = [&](unsigned incoming, unsigned side) {
      const llvm::BasicBlock *from = phi.getIncomingBlock(incoming), *to = branch->getSuccessor(side);
      return (from == before && to == phi.getParent()) ||
             dominators_.dominates(llvm::BasicBlockEdge(before, to), from);
    };
    for (const bool when_true : {true, false})
      if (comes_by(first, when_true ? 0 : 1) && comes_by(second, when_true ? 1 : 0))
        return Chosen{branch->getCondition(), when_true};
    return std::nullopt;
  }

  int call_node(const llvm::CallBase& call, unsigned width, unsigned component) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee)
      return -1;
    llvm::StringRef name = callee->getName();
    const auto axis = [&] { return static_cast<std::uint64_t>(name.back() - 'x'); };
    const auto of = [&](const facts::Dim3& d) { return axis() == 0 ? d.x : axis() == 1 ? d.y : d.z; };
    if (name.starts_with("llvm.nvvm.read.ptx.sreg.ctaid.") || name.starts_with("llvm.amdgcn.workgroup.id."))
      return add({.op = group_op, .width = width, .value = axis(), .rests = Rests::linearly});
    if (name.starts_with("llvm.nvvm.read.ptx.sreg.tid.") || name.starts_with("llvm.amdgcn.workitem.id.") ||
        name == "llvm.nvvm.read.ptx.sreg.laneid")
      return constant(0, width);
    if (name.starts_with("llvm.nvvm.read.ptx.sreg.ntid."))
      return constant(of(shape_.group_size), width);
    if (name.starts_with("llvm.nvvm.read.ptx.sreg.nctaid."))
      return constant(of(shape_.groups), width);
    if (name.starts_with("llvm.nvvm.shfl.sync.idx.i32")) // of the first lane: all stand for work-item 0
      return node_of(call.getArgOperand(1));
    if (name.starts_with("llvm.amdgcn.readfirstlane"))
      return node_of(call.getArgOperand(0));
    const Op step = llvm::StringSwitch<Op>(name)
                        .StartsWith("llvm.abs.", absolute)
                        .StartsWith("llvm.nvvm.rcp.approx.", reciprocal)
                        .Case("forewarp.machine.narrow_up", narrow_up)
                        .Case("forewarp.machine.flush", flushed)
                        .StartsWith("llvm.trunc.", whole_part)
                        .StartsWith("llvm.fptoui.sat.", to_unsigned)
                        .StartsWith("llvm.fptosi.sat.", to_signed)
                        .Default(0);
    if (step != 0) {
      const int from = node_of(call.getArgOperand(0), component);
      return from < 0 ? -1 : converted_node(step, from, width);
    }
    const Op op = llvm::StringSwitch<Op>(name.rsplit('.').first)
                      .Case("llvm.smin", signed_min)
                      .Case("llvm.smax", signed_max)
                      .Case("llvm.umin", unsigned_min)
                      .Case("llvm.umax", unsigned_max)
                      .Default(0);
    if (op == 0)
      return -1;
    const int a = node_of(call.getArgOperand(0), component), b = node_of(call.getArgOperand(1), component);
    return a < 0 || b < 0 ? -1 : pair(op, a, b, width, false);
  }

  int operation_node(const llvm::Operator& operation, unsigned width, unsigned component) {
    using I = llvm::Instruction;
    const unsigned opcode = operation.getOpcode();
    if (opcode == I::BitCast && operation.getType() != operation.getOperand(0)->getType() &&
        (operation.getType()->isVectorTy() || operation.getOperand(0)->getType()->isVectorTy()))
      return -1; // components of another size
    llvm::SmallVector<int, 3> sources;
    for (const llvm::Value* operand : operation.operand_values()) {
      if (sources.size() == 3)
        return -1;
      sources.push_back(node_of(operand, component));
      if (sources.back() < 0)
        return -1;
    }
    const auto width_at = [&](std::size_t i) { return node_width(sources[i]); };
    switch (opcode) {
    case I::Freeze:
    case I::AddrSpaceCast:
      return sources[0];
    case I::SExt:
      return unary(I::SExt, sources[0], width, width_at(0));
    case I::ZExt:
    case I::Trunc:
    case I::PtrToInt:
    case I::IntToPtr:
    case I::BitCast:
      return unary(I::ZExt, sources[0], width, width_at(0));
    case I::UIToFP:
    case I::SIToFP:
      return converted_node(opcode, sources[0], width);
    case I::ICmp:
      return add({.op = compare_op,
                  .a = sources[0],
                  .b = sources[1],
                  .c = static_cast<int>(width_at(0)),
                  .width = 1,
                  .value = llvm::cast<llvm::ICmpInst>(operation).getPredicate(),
                  .rests = apart(sources)});
    case I::Select:
      return add({.op = I::Select,
                  .a = sources[0],
                  .b = sources[1],
                  .c = sources[2],
                  .width = width,
                  .rests = apart(sources)});
    default:
      break;
    }
    if (!llvm::Instruction::isBinaryOp(opcode) || !operation.getType()->isIntOrIntVectorTy())
      return -1;
    const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation);
    return pair(opcode, sources[0], sources[1], width, disjoint && disjoint->isDisjoint());
  }

  Rests apart(llvm::ArrayRef<int> sources) const {
    for (const int each : sources)
      if (rests(each) != Rests::not_at_all)
        return Rests::otherwise;
    return Rests::not_at_all;
  }

  /// No sum of multiples any more.
  int converted_node(Op op, int a, unsigned width) {
    return add({.op = op, .a = a, .width = width, .value = node_width(a), .rests = apart({a})});
  }
  int unary(Op op, int a, unsigned width, unsigned from) {
    return add({.op = op, .a = a, .width = width, .value = from, .rests = rests(a)});
  }

  int pair(Op op, int a, int b, unsigned width, bool is_sum) {
    using I = llvm::Instruction;
    const bool sum = op == I::Add || op == I::Sub || is_sum;
    const bool multiple =
        (op == I::Mul && (rests(a) == Rests::not_at_all || rests(b) == Rests::not_at_all)) ||
        (op == I::Shl && rests(b) == Rests::not_at_all);
    const Rests made = sum || multiple ? std::max(rests(a), rests(b)) : apart({a, b});
    return add({.op = op, .a = a, .b = b, .width = width, .rests = made});
  }

  const llvm::DataLayout& layout_;
  const ir::KernelSignature& kernel_;
  const facts::Launch& launch_;
  const facts::LaunchShape& shape_;
  llvm::DominatorTree dominators_;
  llvm::SmallSet<unsigned, 8> written_; ///< positions of arguments
  bool writes_anywhere_ = false;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, int> nodes_of_; // looked up, never walked
};

} // namespace

std::vector<std::vector<std::int64_t>> group_places(const ir::KernelModule& module,
                                                    const ir::KernelSignature& kernel,
                                                    const facts::Launch& launch,
                                                    const facts::LaunchShape& shape) {
  const llvm::Function* function = module.module().getFunction(kernel.symbol);
  if (!function || function->isDeclaration() || shape.groups.count() < 2)
    return {};
  const ir::Numbering numbering = ir::number(*function);
  Slice slice(*function, kernel, launch, shape);
  std::vector<std::pair<std::size_t, int>> wanted;
  for (std::size_t site = 0; site < numbering.sites.size(); ++site) {
    const llvm::Value* pointer = address_of(*numbering.sites[site].instruction);
    const int node = pointer && is_shared_by_groups(*pointer) ? slice.node_of(pointer) : -1;
    if (node >= 0 && slice.rests(node) == Rests::otherwise)
      wanted.emplace_back(site, node);
  }
  const std::uint64_t groups = shape.groups.count();
  if (wanted.empty() || groups > most_operations / (slice.size() + wanted.size()))
    return {};
  std::vector<std::vector<std::int64_t>> places(numbering.sites.size());
  for (const auto& [site, node] : wanted)
    places[site].reserve(groups);
  std::vector<std::uint64_t> values = slice.values_in({0, 0, 0});
  const std::vector<std::size_t> changing = slice.changing(wanted);
  for (std::uint64_t z = 0; z < shape.groups.z; ++z)
    for (std::uint64_t y = 0; y < shape.groups.y; ++y)
      for (std::uint64_t x = 0; x < shape.groups.x; ++x) {
        slice.move({x, y, z}, changing, values);
        for (const auto& [site, node] : wanted)
          places[site].push_back(static_cast<std::int64_t>(values[static_cast<std::size_t>(node)]));
      }
  for (std::vector<std::int64_t>& of_site : places)
    if (!of_site.empty() && is_plane(of_site, shape.groups))
      of_site.clear();
  return places;
}

} // namespace forewarp::simt

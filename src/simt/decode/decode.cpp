// Blocks, edges, phi moves, terminators.
#include "simt/decode/decode.h"

#include "simt/analysis/asked_values.h"
#include "simt/decode/decoder.h"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace forewarp::simt {
namespace {

/// By a hint's weights (Clang gives the expected way 2000 to 1); a way that is only more frequent is none.
std::optional<bool> expected_way(const llvm::BranchInst& branch) {
  constexpr std::uint64_t sure = 1000;
  std::uint64_t taken = 0, other = 0;
  if (!llvm::extractBranchWeights(branch, taken, other) ||
      std::max(taken, other) < sure * std::min(taken, other))
    return std::nullopt;
  return taken > other;
}

} // namespace

Decoder::Decoder(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                 const llvm::Function& function)
    : module_(module), kernel_(kernel), function_(function), layout_(module.module().getDataLayout()),
      uniformity_(function), numbering_(ir::number(function)) {
  program_.warp_width = module.warp_width;
  program_.files = module.files;
  std::fill(std::begin(program_.warp_values), std::end(program_.warp_values), no_slot);
  std::fill(std::begin(program_.group_values), std::end(program_.group_values), no_slot);
  for (std::uint32_t site = 0; site < numbering_.sites.size(); ++site)
    site_index_[numbering_.sites[site].instruction] = site;
}

void Decoder::reject(const std::string& what) {
  if (error_)
    return;
  std::string where;
  const facts::SourceLocation at = program_.locations[current_origin_];
  if (at.line != 0 && at.file < program_.files.size())
    where = fmt::format("{}:{}:{}", program_.files[at.file], at.line, at.column);
  error_ = Error{ErrorCode::unsupported, what, where, {}};
}

Result<Program> Decoder::decode() {
  program_.locations.push_back({});
  number_blocks();
  collect_loops();
  describe_sites();
  declare_parameters();
  llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
  std::uint32_t rank = 0;
  for (const llvm::BasicBlock* block : order) {
    program_.blocks[block_index_[block]].rank = rank++;
    decode_block(*block);
    if (error_)
      return tl::unexpected<Error>(*error_);
  }
  // Phi operands may be defined in blocks that come later: moves are made when all slots are known.
  for (const llvm::BasicBlock* block : order) {
    Block& out = program_.blocks[block_index_[block]];
    current_ = block->getTerminator();
    std::uint32_t edge = out.terminator.first_edge;
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(current_)) {
      add_phi_moves(*block, *choice->getDefaultDest(), program_.edges[edge++]);
      for (const auto& handler : choice->cases())
        add_phi_moves(*block, *handler.getCaseSuccessor(), program_.edges[edge++]);
    } else {
      for (const llvm::BasicBlock* next : llvm::successors(block))
        add_phi_moves(*block, *next, program_.edges[edge++]);
    }
    if (error_)
      return tl::unexpected<Error>(*error_);
  }
  describe_replays();
  add_asked_code(program_);
  return std::move(program_);
}

void Decoder::number_blocks() {
  for (const llvm::BasicBlock& block : function_)
    block_index_.try_emplace(&block, static_cast<std::uint32_t>(block_index_.size()));
  program_.blocks.resize(block_index_.size());
}

void Decoder::collect_loops() {
  for (const llvm::BasicBlock& block : function_)
    if (uniformity_.loops().isLoopHeader(&block))
      loop_of_header_[&block] = program_.loops++;
}

void Decoder::declare_parameters() {
  for (const llvm::Argument& argument : function_.args()) {
    ParameterSlots parameter;
    parameter.used = !argument.use_empty();
    Slots slots;
    if (argument.hasByValAttr() || argument.hasByRefAttr()) {
      parameter.by_value_memory = true;
      llvm::Type* type =
          argument.hasByValAttr() ? argument.getParamByValType() : argument.getParamByRefType();
      parameter.size_bytes = static_cast<std::uint32_t>(layout_.getTypeAllocSize(type).getFixedValue());
      slots.push_back(new_shared_slot());
      parameter.components.push_back({slots.back(), LaneType::quad, 0, 8});
    } else {
      parameter.is_pointer = argument.getType()->isPointerTy();
      parameter.size_bytes =
          static_cast<std::uint32_t>(layout_.getTypeAllocSize(argument.getType()).getFixedValue());
      for (const Leaf& leaf : leaves(argument.getType())) {
        slots.push_back(new_shared_slot());
        parameter.components.push_back({slots.back(), leaf.lane, leaf.offset_bytes, leaf.bytes});
      }
    }
    values_[&argument] = slots;
    program_.parameters.push_back(std::move(parameter));
  }
}

void Decoder::decode_block(const llvm::BasicBlock& block) {
  Block& out = program_.blocks[block_index_[&block]];
  out.first = static_cast<std::uint32_t>(program_.code.size());
  for (const llvm::Instruction& instruction : block) {
    current_ = &instruction;
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
      continue;
    program_.locations.push_back(ir::location_of(instruction, module_.files));
    current_origin_ = static_cast<std::uint32_t>(program_.locations.size() - 1);
    if (llvm::isa<llvm::PHINode>(instruction)) {
      for (std::int32_t slot : define(instruction))
        out.phi_slots.push_back(slot);
      continue;
    }
    ++out.ir_instructions;
    if (instruction.isTerminator()) {
      decode_terminator(instruction, out);
      break;
    }
    decode_instruction(instruction);
    if (error_)
      return;
  }
  out.end = static_cast<std::uint32_t>(program_.code.size());
}

void Decoder::decode_instruction(const llvm::Instruction& instruction) {
  current_uniform_ = !instruction.getType()->isVoidTy() && uniformity_.uniform(&instruction);
  current_broadcast_ = current_uniform_ && uniformity_.read_by_lanes(&instruction);
  const std::size_t before = program_.code.size();
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    decode_binary(*binary);
  else if (const auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    decode_unary(*unary);
  else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    decode_compare(*compare);
  else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    decode_select(*choice);
  else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    decode_cast(*cast);
  else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    decode_gep(*gep);
  else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    decode_load(*load);
  else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    decode_store(*store);
  else if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    decode_atomic(*atomic);
  else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    decode_compare_exchange(*exchange);
  else if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    decode_alloca(*alloca);
  else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    decode_call(*call);
  else if (llvm::isa<llvm::FreezeInst>(instruction))
    alias(instruction, slots(instruction.getOperand(0)));
  else if (!llvm::isa<llvm::FenceInst>(instruction))
    decode_vector(instruction);
  if (!instruction.getType()->isVoidTy() && !error_ && !current_uniform_ &&
      uniformity_.needs_preserve(instruction))
    mark_preserved(before);
}

/// Results (not temporaries) of the instructions from `first` on keep the lanes that do not take part.
void Decoder::mark_preserved(std::size_t first) {
  const Slots results = slots(current_);
  for (std::size_t at = first; at < program_.code.size(); ++at) {
    Instruction& out = program_.code[at];
    out.preserve = out.special == Special::load || out.special == Special::atomic ||
                   out.special == Special::compare_exchange || out.special == Special::texture ||
                   std::find(results.begin(), results.end(), out.slots.destination) != results.end();
  }
}

void Decoder::make_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  Edge edge;
  edge.target = block_index_[&to];
  if (auto found = loop_of_header_.find(&to); found != loop_of_header_.end()) {
    edge.loop = found->second;
    edge.action = uniformity_.loops().getLoopFor(&to)->contains(&from) ? Edge::LoopAction::repeat
                                                                       : Edge::LoopAction::enter;
  }
  program_.edges.push_back(edge);
}

void Decoder::add_phi_moves(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Edge& edge) {
  edge.first_move = static_cast<std::uint32_t>(program_.moves.size());
  std::vector<PhiMove> moves;
  for (const llvm::PHINode& phi : to.phis()) {
    current_ = &phi;
    const Slots source = slots(phi.getIncomingValueForBlock(&from)), destination = slots(&phi);
    const std::vector<Leaf> parts = leaves(phi.getType());
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (source[k] != destination[k])
        moves.push_back({destination[k], source[k], parts[k].lane, uniformity_.uniform(&phi)});
  }
  // Parallel copy: a source that an earlier move overwrites goes through a temporary.
  std::vector<PhiMove> first;
  for (std::size_t k = 0; k < moves.size(); ++k) {
    const bool clash = std::any_of(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(k),
                                   [&](const PhiMove& m) { return m.destination == moves[k].source; });
    if (clash) {
      const std::int32_t temporary = new_register();
      first.push_back({temporary, moves[k].source, moves[k].type, moves[k].uniform});
      moves[k].source = temporary;
    }
  }
  program_.moves.insert(program_.moves.end(), first.begin(), first.end());
  program_.moves.insert(program_.moves.end(), moves.begin(), moves.end());
  edge.move_count = static_cast<std::uint32_t>(first.size() + moves.size());
}

void Decoder::decode_terminator(const llvm::Instruction& terminator, Block& out) {
  Terminator& t = out.terminator;
  const llvm::BasicBlock& block = *terminator.getParent();
  const bool lanes_exit = ends_lanes(terminator);
  t.location = current_origin_;
  t.first_edge = static_cast<std::uint32_t>(program_.edges.size());
  if (llvm::isa<llvm::ReturnInst>(terminator)) {
    t.kind = Terminator::Kind::exit;
  } else if (llvm::isa<llvm::UnreachableInst>(terminator)) {
    t.kind = Terminator::Kind::unreachable;
  } else if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    t.kind = branch->isConditional() ? Terminator::Kind::branch : Terminator::Kind::jump;
    if (branch->isConditional()) {
      t.condition = slot(branch->getCondition());
      t.expected = expected_way(*branch);
    }
    for (unsigned k = 0; k < branch->getNumSuccessors();
         ++k) // `successors()` has them in the order of operands
      make_edge(block, *branch->getSuccessor(k));
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) {
    t.kind = Terminator::Kind::switch_;
    t.condition = slot(choice->getCondition());
    t.condition_type = leaves(choice->getCondition()->getType()).front().lane;
    make_edge(block, *choice->getDefaultDest());
    for (const auto& handler : choice->cases()) {
      t.case_values.push_back(handler.getCaseValue()->getZExtValue());
      make_edge(block, *handler.getCaseSuccessor());
    }
  } else {
    reject(fmt::format("terminator '{}' is not supported", terminator.getOpcodeName()));
    return;
  }
  if (lanes_exit) // its edges only say where lanes that go on meet
    t.kind = Terminator::Kind::exit;
  if (const llvm::BasicBlock* join = uniformity_.reconvergence_of(&block))
    t.reconverge = block_index_[join];
  const llvm::Loop* loop = uniformity_.loops().getLoopFor(&block);
  if (t.kind == Terminator::Kind::branch && loop) {
    const bool first_leaves = !loop->contains(terminator.getSuccessor(0));
    const bool second_leaves = !loop->contains(terminator.getSuccessor(1));
    if (first_leaves != second_leaves) {
      t.exit_of_loop = loop_of_header_[loop->getHeader()];
      t.leaves_when_true = first_leaves;
      t.is_latch = loop->isLoopLatch(&block);
    }
  }
}

Result<Program> decode(const ir::KernelModule& module, const ir::KernelSignature& kernel) {
  const llvm::Function* function =
      module.module().getFunction(kernel.symbol.empty() ? kernel.name : kernel.symbol);
  if (!function || function->isDeclaration())
    return fail(ErrorCode::not_found, fmt::format("kernel '{}' has no body in the module", kernel.name));
  if (module.warp_width != 32 && module.warp_width != 64)
    return fail(ErrorCode::unsupported, fmt::format("warps of {} lanes are not supported", module.warp_width),
                {}, "32 and 64 are");
  return Decoder(module, kernel, *function).decode();
}

} // namespace forewarp::simt

#include "port/static/region.h"

#include "ir/loops/induction.h"
#include "port/static/describe.h"
#include "port/static/nest.h"
#include "port/static/scalars.h"
#include "port/static/written_loads.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace forewarp::port {
namespace {

bool same_file(llvm::StringRef left, llvm::StringRef right) {
  const auto plain = [](llvm::StringRef path) {
    llvm::SmallString<128> text(path);
    llvm::sys::path::remove_dots(text, true);
    return text;
  };
  return left == right || plain(left) == plain(right);
}

const llvm::Function* defined_callee(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

/// Redirects calls to functions with a body to copies of them, the copies' calls too.
void copy_callees(StaticRegion& region, const std::vector<llvm::BasicBlock*>& blocks) {
  std::map<const llvm::Function*, llvm::Function*> copies;
  std::vector<llvm::BasicBlock*> pending = blocks;
  while (!pending.empty()) {
    llvm::BasicBlock* block = pending.back();
    pending.pop_back();
    for (llvm::Instruction& instruction : *block) {
      const llvm::Function* callee = defined_callee(instruction);
      if (!callee || std::find(region.callees.begin(), region.callees.end(), callee) != region.callees.end())
        continue;
      llvm::Function*& copy = copies[callee];
      if (!copy) {
        llvm::ValueToValueMapTy map;
        copy = llvm::CloneFunction(const_cast<llvm::Function*>(callee), map);
        copy->setLinkage(llvm::GlobalValue::InternalLinkage);
        copy->setComdat(nullptr);
        region.callees.push_back(copy);
        region.called.insert(callee->getName().str());
        for (llvm::BasicBlock& inner : *copy)
          pending.push_back(&inner);
      }
      llvm::cast<llvm::CallBase>(instruction).setCalledFunction(copy);
    }
  }
}

/// A call starts a block: what the callee records then stands before what follows the call, and after the
/// header of the loop that holds it.
void split_at_calls(llvm::Function& function, const StaticRegion& region) {
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  std::vector<llvm::Instruction*> calls;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (const llvm::Function* callee = defined_callee(instruction);
          callee && std::find(region.callees.begin(), region.callees.end(), callee) != region.callees.end())
        calls.push_back(&instruction);
  for (llvm::Instruction* call : calls)
    if ((call->getParent()->getFirstNonPHIOrDbg() != call || loops.isLoopHeader(call->getParent())) &&
        !call->isTerminator())
      call->getParent()->splitBasicBlock(call);
}

/// Does it stand in what push_back or the like became?
bool grows_a_vector(const llvm::Instruction& instruction) {
  for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at != nullptr; at = at->getInlinedAt())
    if (const llvm::DISubprogram* function = at->getScope()->getSubprogram())
      for (const char* name : {"push_back", "emplace_back", "_M_realloc_insert", "_M_realloc_append"})
        if (function->getName().starts_with(name))
          return true;
  return false;
}

/// Fills the static part of one region's facts.
class Describer {
public:
  Describer(StaticRegion& region, const std::vector<SourceLoop>& source_loops)
      : region_(region), facts_(region.facts), source_loops_(source_loops) {}

  void describe() {
    Knowledge knowledge(*region_.function);
    llvm::Loop* outermost = knowledge.loops.getLoopFor(region_.header);
    facts_.location = {file_index(region_.mark.file), region_.mark.line, region_.mark.column};
    add_loops(*outermost, facts::no_region_index, knowledge);
    count_candidates(*outermost, knowledge.evolution);
    for (llvm::BasicBlock& block : *region_.function)
      if (outermost->contains(&block))
        add_block(block, knowledge.loops);
    for (llvm::Function* callee : region_.callees) {
      Knowledge inner(*callee);
      for (llvm::Loop* loop : inner.loops)
        add_loops(*loop, facts::no_region_index, inner);
      for (llvm::BasicBlock& block : *callee)
        add_block(block, inner.loops);
    }
    facts_.candidates = region_.candidates;
    describe_blocks();
    if (ends_inside_) // after what calls inside may be the reason of
      add_unmapped_note();
    llvm::Loop* loop = outermost;
    for (std::uint32_t level = 0; level < region_.candidates; ++level) {
      for (auto& dependence : scalar_dependences(*loop, level, knowledge.evolution))
        facts_.dependences.push_back(std::move(dependence));
      if (level + 1 < region_.candidates)
        loop = loop->getSubLoops().front();
    }
    facts_.value_count = static_cast<std::uint32_t>(values_.size());
  }

private:
  std::uint32_t file_index(const std::string& file) {
    const auto at = std::find(facts_.files.begin(), facts_.files.end(), file);
    if (at == facts_.files.end())
      facts_.files.push_back(file);
    return static_cast<std::uint32_t>(std::find(facts_.files.begin(), facts_.files.end(), file) -
                                      facts_.files.begin());
  }

  /// Of what was inlined, the line of the region's file that called it, when there is one.
  facts::SourceLocation place(const llvm::DebugLoc& location) {
    if (!location)
      return {};
    const llvm::DILocation* own = location.get();
    while (own && !same_file(own->getFilename(), region_.mark.file))
      own = own->getInlinedAt();
    if (!own)
      own = location.get();
    return {file_index(own->getFilename().str()), own->getLine(), own->getColumn()};
  }

  std::string source_variable(const facts::SourceLocation& at) const {
    for (const SourceLoop& loop : source_loops_)
      if (loop.line == at.line && loop.column == at.column && same_file(loop.file, facts_.files[at.file]))
        return loop.variable;
    return {};
  }

  void add_loops(llvm::Loop& loop, std::uint32_t parent, Knowledge& knowledge) {
    const auto index = static_cast<std::uint32_t>(facts_.loops.size());
    facts::RegionLoop described;
    described.parent = parent;
    described.location = place(loop.getStartLoc());
    described.variable = source_variable(described.location);
    llvm::PHINode* induction = induction_of(loop, knowledge.evolution, described.variable);
    described.step = induction ? ir::step_of(*induction, loop, knowledge.evolution) : 0;
    const llvm::Loop* outer = loop.getParentLoop();
    described.perfectly_nested = outer && outer->getSubLoops().size() == 1 && holds_only(*outer, loop);
    facts_.loops.push_back(described);
    region_.loop_headers.push_back(loop.getHeader());
    region_.inductions.push_back(induction);
    loops_of_[loop.getHeader()] = index;
    for (llvm::Loop* inner : loop.getSubLoops())
      add_loops(*inner, index, knowledge);
  }

  /// Candidates are loops 0, 1, 2: add_loops numbers a chain in order. Iterations can be handed to threads
  /// where their number is known before the loop begins.
  void count_candidates(const llvm::Loop& outermost, llvm::ScalarEvolution& evolution) {
    if (!is_counted(outermost, evolution))
      ends_inside_ = true;
    region_.candidates = 1;
    for (const llvm::Loop* loop = &outermost; region_.candidates < max_parallel_loops; ++region_.candidates) {
      loop = candidate_inside(*loop, evolution);
      if (loop == nullptr)
        break;
    }
  }

  void add_unmapped_note() {
    facts::Note note;
    note.severity = facts::Note::Severity::invalid;
    note.location = facts_.location;
    note.text = "the loop in line " + std::to_string(region_.mark.line) +
                " decides inside itself when it ends: its iterations cannot be handed to threads";
    note.remedy = "write it as a for loop whose number of iterations is known before it begins";
    facts_.notes.push_back(std::move(note));
  }

  void add_block(llvm::BasicBlock& block, const llvm::LoopInfo& loops) {
    block_ids_[&block] = static_cast<std::uint32_t>(region_.blocks.size());
    region_.blocks.push_back(&block);
    facts::RegionBlock described;
    if (const llvm::Loop* loop = loops.getLoopFor(&block); loop && loops_of_.contains(loop->getHeader())) {
      described.loop = loops_of_.at(loop->getHeader());
      described.loop_header = loop->getHeader() == &block;
    }
    facts_.blocks.push_back(described);
    if (const llvm::Loop* loop = loops.getLoopFor(&block))
      loops_.push_back(const_cast<llvm::Loop*>(loop));
    for (llvm::Instruction& instruction : block)
      if (!instruction.getType()->isVoidTy() &&
          (is_operation(instruction) || llvm::isa<llvm::PHINode>(instruction)))
        values_.emplace(&instruction, static_cast<std::uint32_t>(values_.size()));
    const auto control = loop_control(loops_);
    control_.insert(control.begin(), control.end());
    loops_.clear();
  }

  std::uint32_t value_of(const llvm::Value* value) const {
    const auto found = values_.find(value);
    return found == values_.end() ? facts::no_region_index : found->second;
  }

  void describe_blocks() {
    addresses_ = address_only(region_.blocks);
    for (std::uint32_t id = 0; id < region_.blocks.size(); ++id) {
      facts::RegionBlock& described = facts_.blocks[id];
      described.first_instruction = static_cast<std::uint32_t>(facts_.instructions.size());
      described.first_site = static_cast<std::uint32_t>(facts_.sites.size());
      for (llvm::Instruction& instruction : *region_.blocks[id]) {
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
          add_phi(*phi, described);
        else if (is_operation(instruction))
          add_instruction(instruction, id);
      }
      described.instruction_count =
          static_cast<std::uint32_t>(facts_.instructions.size()) - described.first_instruction;
      described.site_count = static_cast<std::uint32_t>(facts_.sites.size()) - described.first_site;
      if (described.instruction_count > 0)
        described.location = facts_.instructions[described.first_instruction].location;
    }
  }

  void add_phi(const llvm::PHINode& phi, facts::RegionBlock& described) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (const auto from = block_ids_.find(phi.getIncomingBlock(i)); from != block_ids_.end())
        described.phis.push_back({from->second, value_of(&phi), value_of(phi.getIncomingValue(i))});
  }

  void add_instruction(llvm::Instruction& instruction, std::uint32_t block) {
    facts::RegionInstruction described;
    described.op = op_of(instruction);
    described.bits = bits_of(instruction);
    described.block = block;
    described.value = value_of(&instruction);
    described.location = place(instruction.getDebugLoc());
    described.role = control_.contains(&instruction)     ? facts::RegionRole::loop_control
                     : addresses_.contains(&instruction) ? facts::RegionRole::address_only
                                                         : facts::RegionRole::compute;
    std::size_t next = 0;
    for (const llvm::Value* operand : instruction.operand_values())
      if (const std::uint32_t id = value_of(operand);
          id != facts::no_region_index && next < described.operands.size())
        described.operands[next++] = id;
    if (described.op == facts::RegionOp::load || described.op == facts::RegionOp::store)
      described.site = add_site(instruction, block, described.location);
    else if (described.op == facts::RegionOp::call)
      check_call(llvm::cast<llvm::CallBase>(instruction), described.location);
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      refuse(described.location, "has an atomic operation, whose access is not counted",
             "write it plainly: one thread needs none, and reductions are recognised");
    facts_.instructions.push_back(described);
  }

  std::uint32_t add_site(llvm::Instruction& instruction, std::uint32_t block,
                         const facts::SourceLocation& at) {
    const llvm::Type* type = llvm::getLoadStoreType(&instruction);
    facts::RegionSite site;
    site.block = block;
    site.kind = llvm::isa<llvm::LoadInst>(instruction) ? facts::AccessKind::load : facts::AccessKind::store;
    site.width_bytes = static_cast<std::uint32_t>(region_.function->getParent()
                                                      ->getDataLayout()
                                                      .getTypeStoreSize(const_cast<llvm::Type*>(type))
                                                      .getFixedValue());
    site.is_float = type->isFPOrFPVectorTy();
    site.written = written_loads(instruction);
    site.location = at;
    facts_.sites.push_back(site);
    region_.sites.push_back(&instruction);
    region_.site_names.push_back(variable_behind(*llvm::getLoadStorePointerOperand(&instruction)));
    return static_cast<std::uint32_t>(facts_.sites.size()) - 1;
  }

  /// "line 7"; in another file than the region's "file:7".
  std::string words_of(const facts::SourceLocation& at) const {
    const std::string line = std::to_string(at.line);
    return at.file == facts_.location.file || at.line == 0 ? "line " + line
                                                           : facts_.files[at.file] + ":" + line;
  }

  void refuse(const facts::SourceLocation& at, const std::string& why, const std::string& remedy) {
    facts::Note note;
    note.location = at;
    note.severity = facts::Note::Severity::invalid;
    note.text = words_of(at) + " " + why;
    note.remedy = remedy;
    facts_.notes.push_back(std::move(note));
  }

  void check_call(const llvm::CallBase& call, const facts::SourceLocation& at) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee && !callee->isDeclaration())
      return;
    if (grows_a_vector(call)) {
      refuse(
          facts_.location,
          "appends to a std::vector, which threads cannot do side by side: a stream compaction where a test "
          "decides",
          "give the vector its size before the loop and store by index; where a test decides, a prefix sum "
          "over "
          "the tests gives the places (copy_if in Thrust, DeviceSelect in CUB)");
      return;
    }
    if (call.isInlineAsm())
      refuse(at, "has inline assembly, which no GPU compiler takes", "write it in C");
    else if (!callee)
      refuse(at, "calls a function through a pointer: what it does is not counted", "call it by name");
    else
      refuse(at,
             "calls '" + llvm::demangle(callee->getName()) +
                 "', whose source is not among the files: its work and its memory are not known",
             "add the file that defines it, or take the call out of the loop");
  }

  StaticRegion& region_;
  facts::RegionTrace& facts_;
  const std::vector<SourceLoop>& source_loops_;
  std::map<const llvm::BasicBlock*, std::uint32_t> loops_of_, block_ids_;
  std::map<const llvm::Value*, std::uint32_t> values_;
  std::vector<llvm::Loop*> loops_;
  std::set<const llvm::Instruction*> control_, addresses_;
  bool ends_inside_ = false;
};

/// "Layer::forward", "scale<float>"; C's names as they are.
std::string readable_name(const llvm::Function& function) {
  std::string symbol = function.getName().str();
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()))
    return symbol;
  std::unique_ptr<char, decltype(&std::free)> name(demangler.getFunctionName(nullptr, nullptr), &std::free);
  return name ? name.get() : symbol;
}

std::vector<llvm::Function*> defined_functions(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  return functions;
}

} // namespace

llvm::Loop* find_marked_loop(llvm::LoopInfo& loops, const RegionMark& mark) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::DebugLoc start = loop->getLocRange().getStart();
    if (start && start.getLine() == mark.line && (mark.column == 0 || start.getCol() == mark.column) &&
        same_file(start->getFilename(), mark.file))
      return loop;
  }
  return nullptr;
}

std::vector<StaticRegion> find_regions(llvm::Module& module, const std::vector<RegionMark>& marks,
                                       const std::vector<SourceLoop>& source_loops) {
  std::vector<StaticRegion> regions;
  const std::vector<llvm::Function*> functions = defined_functions(module);
  for (const RegionMark& mark : marks)
    for (llvm::Function* function : functions) {
      llvm::DominatorTree tree(*function);
      llvm::LoopInfo loops(tree);
      llvm::Loop* loop = find_marked_loop(loops, mark);
      if (!loop)
        continue;
      StaticRegion region;
      region.mark = mark;
      region.function = function;
      region.header = loop->getHeader();
      copy_callees(region, loop->getBlocksVector());
      regions.push_back(std::move(region));
    }
  for (StaticRegion& region : regions) {
    split_at_calls(*region.function, region);
    for (llvm::Function* callee : region.callees)
      split_at_calls(*callee, region);
  }
  for (StaticRegion& region : regions) {
    region.facts.name = region.mark.name.empty()
                            ? readable_name(*region.function) + ":" + std::to_string(region.mark.line)
                            : region.mark.name;
    region.facts.shared = region.mark.shared;
    region.facts.tile = region.mark.tile;
    Describer(region, source_loops).describe();
  }
  return regions;
}

} // namespace forewarp::port

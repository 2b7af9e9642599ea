#include "port/static/scalars.h"

#include "ir/loops/induction.h"
#include "port/static/describe.h"
#include "port/static/patterns.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <set>

namespace forewarp::port {
namespace {

/// "+" for add and fmuladd's sum, ...; "" when the instruction does not combine.
std::string combination(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::Add:
  case llvm::Instruction::FSub:
  case llvm::Instruction::Sub:
    return "+";
  case llvm::Instruction::FMul:
  case llvm::Instruction::Mul:
    return "*";
  case llvm::Instruction::And:
    return "&";
  case llvm::Instruction::Or:
    return "|";
  case llvm::Instruction::Xor:
    return "^";
  default:
    break;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->getCalledFunction()) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    if (name.starts_with("llvm.fma") || name.starts_with("llvm.fmuladd"))
      return "+";
    if (name.contains("max"))
      return "max";
    if (name.contains("min"))
      return "min";
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    if (const auto* test = llvm::dyn_cast<llvm::CmpInst>(select->getCondition())) {
      const bool same =
          (test->getOperand(0) == select->getTrueValue() || test->getOperand(1) == select->getTrueValue()) &&
          (test->getOperand(0) == select->getFalseValue() || test->getOperand(1) == select->getFalseValue());
      if (same)
        return "min or max";
    }
  return {};
}

/// May the gathered value come in by operand `index`? The sum is fmuladd's third one, and nothing is gathered
/// by being subtracted.
bool gathers_through(const llvm::Instruction& instruction, unsigned index, const std::string& word) {
  if (llvm::isa<llvm::CallBase>(instruction) && word == "+")
    return index == 2;
  const bool subtracts =
      instruction.getOpcode() == llvm::Instruction::FSub || instruction.getOpcode() == llvm::Instruction::Sub;
  return !(subtracts && index == 1);
}

/// Does `value` lie in memory at `home`: was it loaded there or stored there, whichever way control came?
bool lies_at(const llvm::Value* value, const llvm::Value* home, std::set<const llvm::Value*>& seen) {
  if (!seen.insert(value).second)
    return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value); load && load->getPointerOperand() == home)
    return true;
  const auto is_stored = [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store && store->getPointerOperand() == home && store->getValueOperand() == value;
  };
  if (llvm::isa<llvm::Instruction>(value) && std::any_of(value->user_begin(), value->user_end(), is_stored))
    return true;
  const auto* joined = llvm::dyn_cast<llvm::PHINode>(value);
  return joined && std::all_of(joined->op_begin(), joined->op_end(),
                               [&](const llvm::Use& use) { return lies_at(use.get(), home, seen); });
}

/// Where in memory the value lives that `phi` stands for while the loop runs: what is stored there is what
/// the phi hands on. Null: nowhere.
const llvm::Value* home_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store && store->getValueOperand()->getType() == phi.getType() &&
          loop.isLoopInvariant(store->getPointerOperand())) {
        std::set<const llvm::Value*> seen;
        if (lies_at(&phi, store->getPointerOperand(), seen))
          return store->getPointerOperand();
      }
  return nullptr;
}

/// Walks back from the value that the next iteration gets to `phi`.
class Chain {
public:
  Chain(const llvm::PHINode& phi, const llvm::Loop& loop) : phi_(phi), loop_(loop) {}

  std::string operation() {
    for (unsigned i = 0; i < phi_.getNumIncomingValues(); ++i)
      if (loop_.contains(phi_.getIncomingBlock(i)) && !reaches(phi_.getIncomingValue(i)))
        return {};
    return one_use_each() ? operation_ : std::string();
  }

private:
  bool reaches(const llvm::Value* value) {
    if (value == &phi_)
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction))
      return false;
    if (members_.contains(instruction))
      return true;
    members_.insert(instruction);
    if (const auto* inner = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      for (const llvm::Value* incoming : inner->incoming_values())
        if (!reaches(incoming))
          return undo(instruction);
      return true;
    }
    return combines(*instruction) || undo(instruction);
  }

  bool undo(const llvm::Instruction* instruction) {
    members_.erase(instruction);
    return false;
  }

  bool combines(const llvm::Instruction& instruction) {
    const std::string word = combination(instruction);
    if (word.empty() || (!operation_.empty() && operation_ != word))
      return false;
    const std::string before = operation_;
    operation_ = word;
    unsigned count = 0;
    const unsigned first = llvm::isa<llvm::SelectInst>(instruction) ? 1 : 0;
    for (unsigned i = first; i < instruction.getNumOperands(); ++i)
      if (!llvm::isa<llvm::Function>(instruction.getOperand(i)) && reaches(instruction.getOperand(i))) {
        if (!gathers_through(instruction, i, word))
          return false;
        ++count;
      }
    if (count != 1)
      operation_ = before;
    return count == 1;
  }

  /// A partial result that something else reads makes a scan, not a reduction. A store to where the value
  /// lives when no loop runs is no reader.
  bool one_use_each() const {
    const llvm::Value* home = home_of(phi_, loop_);
    auto inside = [&](const llvm::Instruction& instruction) {
      for (const llvm::User* user : instruction.users()) {
        const auto* reader = llvm::cast<llvm::Instruction>(user);
        const auto* kept = llvm::dyn_cast<llvm::StoreInst>(reader);
        if (kept && home && kept->getPointerOperand() == home && kept->getValueOperand() == &instruction)
          continue;
        const bool test_of_select = llvm::isa<llvm::CmpInst>(reader) && operation_.starts_with("min");
        if (loop_.contains(reader) && reader != &phi_ && !members_.contains(reader) && !test_of_select)
          return false;
      }
      return true;
    };
    if (!inside(phi_))
      return false;
    for (const llvm::Instruction* member : members_)
      if (!inside(*member))
        return false;
    return true;
  }

  const llvm::PHINode& phi_;
  const llvm::Loop& loop_;
  std::set<const llvm::Instruction*> members_;
  std::string operation_;
};

facts::SourceLocation place_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  return location ? facts::SourceLocation{0, location.getLine(), location.getCol()} : facts::SourceLocation{};
}

/// Line that makes the value of the next iteration: looked for behind the phis that join it.
facts::SourceLocation writer_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  std::vector<const llvm::PHINode*> pending = {&phi};
  std::set<const llvm::PHINode*> seen = {&phi};
  for (std::size_t at = 0; at < pending.size(); ++at)
    for (unsigned i = 0; i < pending[at]->getNumIncomingValues(); ++i) {
      const auto* writer = llvm::dyn_cast<llvm::Instruction>(pending[at]->getIncomingValue(i));
      if (!writer || !loop.contains(writer) || !loop.contains(pending[at]->getIncomingBlock(i)))
        continue;
      const auto* joined = llvm::dyn_cast<llvm::PHINode>(writer);
      if (const auto place = place_of(*writer); place.line != 0 && !joined)
        return place;
      if (joined && seen.insert(joined).second)
        pending.push_back(joined);
    }
  const llvm::DebugLoc start = loop.getStartLoc();
  const auto own = place_of(phi);
  return own.line != 0 || !start ? own : facts::SourceLocation{0, start.getLine(), start.getCol()};
}

/// The variable, or the array whose element the compiler kept in a register for the next iteration.
std::string name_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (const llvm::Value* home = home_of(phi, loop))
    return variable_behind(*home);
  if (std::string name = variable_behind(phi); !name.empty() && name != phi.getName())
    return name;
  for (const llvm::Value* incoming : phi.incoming_values())
    for (const llvm::User* user : incoming->users())
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && loop.contains(store))
        return variable_behind(*store->getPointerOperand());
  return {};
}

facts::SourceLocation reader_of(const llvm::PHINode& phi) {
  facts::SourceLocation first;
  for (const llvm::User* user : phi.users())
    if (const auto* reader = llvm::dyn_cast<llvm::Instruction>(user);
        reader && !llvm::isa<llvm::PHINode>(reader))
      if (const auto place = place_of(*reader);
          place.line != 0 && (first.line == 0 || place.line < first.line))
        first = place;
  return first;
}

} // namespace

llvm::PHINode* induction_of(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const std::string& name) {
  llvm::PHINode* first = nullptr;
  for (llvm::PHINode& phi : loop.getHeader()->phis())
    if (ir::step_of(phi, loop, evolution) != 0) {
      if (!name.empty() && (variable_behind(phi) == name || phi.getName().starts_with(name)))
        return &phi;
      if (!first)
        first = &phi;
    }
  return first;
}

std::string reduction_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  return Chain(phi, loop).operation();
}

std::string reduction_of(const llvm::StoreInst& store) {
  const auto* value = llvm::dyn_cast<llvm::Instruction>(store.getValueOperand());
  if (!value || !value->hasOneUse())
    return {};
  std::string word = combination(*value);
  if (word.empty())
    return {};
  for (const llvm::Use& operand : value->operands())
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(operand.get()))
      if (load->getPointerOperand() == store.getPointerOperand() && load->hasOneUse() &&
          gathers_through(*value, operand.getOperandNo(), word))
        return word;
  return {};
}

std::string reduction_of(const llvm::StoreInst& store, const llvm::Loop& loop) {
  if (!loop.contains(store.getParent()) || !llvm::isa<llvm::Instruction>(store.getValueOperand()))
    return {};
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (phi.getType() == store.getValueOperand()->getType() &&
        home_of(phi, loop) == store.getPointerOperand())
      return reduction_of(phi, loop);
  return {};
}

std::vector<facts::RegionDependence> scalar_dependences(llvm::Loop& loop, std::uint32_t loop_index,
                                                        llvm::ScalarEvolution& evolution) {
  std::vector<facts::RegionDependence> found;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (ir::recurrence_of(phi, loop, evolution) || phi.use_empty())
      continue;
    facts::RegionDependence dependence;
    dependence.loop = loop_index;
    dependence.variable = name_of(phi, loop);
    dependence.source = writer_of(phi, loop);
    dependence.sink = reader_of(phi);
    dependence.reduction = reduction_of(phi, loop);
    if (dependence.reduction.empty())
      dependence.pattern = pattern_of(phi, loop);
    found.push_back(std::move(dependence));
  }
  return found;
}

} // namespace forewarp::port

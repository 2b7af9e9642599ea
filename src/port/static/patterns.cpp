#include "port/static/patterns.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

namespace forewarp::port {
namespace {

using Pattern = facts::RegionDependence::Pattern;

/// What the next iteration gets in place of a header's phi: values that selects and phis of the loop choose
/// from.
struct Choice {
  std::set<const llvm::Value*> between; ///< the phi itself is one of them where it may stay
  std::set<const llvm::Value*> nodes;   ///< selects and phis on the way, and the phi
};

void gather(const llvm::Value* value, const llvm::Loop& loop, Choice& choice) {
  if (choice.nodes.contains(value)) {
    choice.between.insert(value);
    return;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction) ||
      !llvm::isa<llvm::SelectInst, llvm::PHINode>(instruction)) {
    choice.between.insert(value);
    return;
  }
  choice.nodes.insert(value);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    gather(select->getTrueValue(), loop, choice);
    gather(select->getFalseValue(), loop, choice);
    return;
  }
  for (const llvm::Value* incoming : llvm::cast<llvm::PHINode>(instruction)->incoming_values())
    gather(incoming, loop, choice);
}

Choice choice_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  Choice choice;
  choice.nodes.insert(&phi);
  if (const llvm::BasicBlock* latch = loop.getLoopLatch())
    gather(phi.getIncomingValueForBlock(latch), loop, choice);
  return choice;
}

/// The one value that replaces the phi at times; null: none, or several.
const llvm::Value* replacement(const llvm::PHINode& phi, const Choice& choice) {
  const llvm::Value* found = nullptr;
  bool stays = false;
  for (const llvm::Value* value : choice.between) {
    const bool is_node = choice.nodes.contains(value);
    stays = stays || value == &phi;
    if (is_node)
      continue;
    if (found != nullptr)
      return nullptr;
    found = value;
  }
  return stays ? found : nullptr;
}

/// Is the phi read by nothing in the loop but the choice, and what `also` allows?
template <class Also>
bool read_only_by_choice(const llvm::PHINode& phi, const llvm::Loop& loop, const Choice& choice,
                         const Also& also) {
  return std::all_of(phi.user_begin(), phi.user_end(), [&](const llvm::User* user) {
    const auto* reader = llvm::dyn_cast<llvm::Instruction>(user);
    return reader == nullptr || !loop.contains(reader) || choice.nodes.contains(reader) || also(*reader);
  });
}

/// The best so far: kept, or replaced by what it was compared with.
bool is_extremum(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const Choice choice = choice_of(phi, loop);
  const llvm::Value* other = replacement(phi, choice);
  bool compared = false;
  const auto is_comparison = [&](const llvm::Instruction& reader) {
    const bool with_other =
        llvm::isa<llvm::CmpInst>(reader) && (reader.getOperand(0) == other || reader.getOperand(1) == other);
    compared = compared || with_other;
    return with_other;
  };
  return other != nullptr && read_only_by_choice(phi, loop, choice, is_comparison) && compared;
}

/// Kept, or replaced by something that does not come from it: the place of the best.
bool is_remembered(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const Choice choice = choice_of(phi, loop);
  return replacement(phi, choice) != nullptr &&
         read_only_by_choice(phi, loop, choice, [](const llvm::Instruction&) { return false; });
}

/// Do its values only lead to addresses of loads whose values are only compared?
bool is_compared_as_place(const llvm::Instruction& reader, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  if (llvm::isa<llvm::CmpInst>(reader))
    return true;
  return depth < deepest && llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::LoadInst>(reader) &&
         std::all_of(
             reader.user_begin(), reader.user_end(),
             [&](const llvm::User* user) {
               const auto* next = llvm::dyn_cast<llvm::Instruction>(user);
               return next != nullptr && loop.contains(next) && is_compared_as_place(*next, loop, depth + 1);
             });
}

/// The place of the best so far, which is read again each time: a[i] < a[place].
bool is_place_of_extremum(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const Choice choice = choice_of(phi, loop);
  bool read = false;
  const auto leads_to_comparison = [&](const llvm::Instruction& reader) {
    const bool loads = llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(reader);
    read = read || loads;
    return loads && is_compared_as_place(reader, loop);
  };
  return replacement(phi, choice) != nullptr && read_only_by_choice(phi, loop, choice, leads_to_comparison) &&
         read;
}

bool is_arg_extremum(const llvm::PHINode& phi, const llvm::Loop& loop) {
  unsigned extrema = 0, remembered = 0;
  for (const llvm::PHINode& other : loop.getHeader()->phis()) {
    extrema += is_extremum(other, loop) ? 1 : 0;
    remembered += is_remembered(other, loop) ? 1 : 0;
  }
  return extrema == 1 && remembered > 0 && (is_extremum(phi, loop) || is_remembered(phi, loop));
}

/// node + constant, or the next element after a pointer.
bool moves_on(const llvm::Value& value, const Choice& choice) {
  const auto* add = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  const auto* next = llvm::dyn_cast<llvm::GetElementPtrInst>(&value);
  if (add != nullptr && add->getOpcode() == llvm::Instruction::Add)
    return choice.nodes.contains(add->getOperand(0)) && llvm::isa<llvm::ConstantInt>(add->getOperand(1));
  return next != nullptr && choice.nodes.contains(next->getPointerOperand()) && next->hasAllConstantIndices();
}

/// Does a store of the loop go to an address that is made from `value`?
bool leads_to_a_store(const llvm::Value& value, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  return depth < deepest && std::any_of(
                                value.user_begin(), value.user_end(),
                                [&](const llvm::User* user) {
                                  const auto* reader = llvm::dyn_cast<llvm::Instruction>(user);
                                  if (reader == nullptr || !loop.contains(reader))
                                    return false;
                                  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(reader))
                                    return store->getPointerOperand() == &value;
                                  return llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(reader) &&
                                         leads_to_a_store(*reader, loop, depth + 1);
                                });
}

bool is_compaction(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const Choice choice = choice_of(phi, loop);
  bool moves = false;
  for (const llvm::Value* value : choice.between) {
    if (choice.nodes.contains(value))
      continue;
    if (!moves_on(*value, choice))
      return false;
    moves = true;
  }
  return moves && std::any_of(choice.nodes.begin(), choice.nodes.end(),
                              [&](const llvm::Value* node) { return leads_to_a_store(*node, loop); });
}

} // namespace

Pattern pattern_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (is_arg_extremum(phi, loop) || is_place_of_extremum(phi, loop))
    return Pattern::arg_extremum;
  return is_compaction(phi, loop) ? Pattern::compaction : Pattern::none;
}

} // namespace forewarp::port

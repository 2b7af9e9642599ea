#include "frontend/ptx/operations/asynchronous/meetings.h"

#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/memory.h"
#include "frontend/ptx/operations/operations.h"

namespace forewarp::frontend::ptx {

llvm::Value* barrier_address(Expansion& e, const Statement& s, const std::string& operand) {
  for (const std::string& modifier : s.modifiers)
    if (modifier.starts_with("shared"))
      return e.registers.address(operand, spaces::shared);
  llvm::Value* address = e.registers.address(operand, spaces::generic);
  return address ? e.b.CreateAddrSpaceCast(address, llvm::PointerType::get(e.context(), spaces::shared))
                 : nullptr;
}

llvm::CallInst* call_meeting(Expansion& e, const std::string& name, llvm::Type* result, llvm::Value* place,
                             llvm::Value* number) {
  return lowering::call_marker(e.b, "meeting." + name, result, {place, number},
                               lowering::MarkerEffect::memory_write);
}

bool expand_with_bytes(Expansion& e, const Statement& s, bool (*expand)(Expansion&, const Statement&)) {
  Statement ordered = s;
  std::erase(ordered.modifiers, "async");
  if (s.has("global")) // beside the warps, but nobody waits for it
    return expand(e, ordered);
  if (!s.has("mbarrier::complete_tx::bytes") || !s.has("shared::cluster"))
    return e.refuse("without a barrier in a group's shared memory this is not modelled");
  if (s.operands.size() != 3)
    return false;
  Statement plain = s;
  plain.operands.pop_back();
  std::erase(plain.modifiers, "async");
  llvm::Value* barrier = e.registers.address(s.operands.back(), spaces::shared);
  if (!barrier || !expand(e, plain))
    return false;
  const unsigned count = s.has("v2") ? 2 : s.has("v4") ? 4 : 1;
  call_meeting(e, "bytes_come", e.b.getVoidTy(), barrier, e.b.getInt32(count * s.type().size() / 8));
  return true;
}

bool gather_at(Expansion& e, const Statement& s, bool waits) {
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Value* name = s.operands.empty() ? nullptr : e.registers.read(s.operands[0], word);
  llvm::Value* items = s.operands.size() > 1 ? e.registers.read(s.operands[1], word) : e.b.getInt32(0);
  if (!name || !items || s.operands.size() > 2)
    return false;
  call_meeting(e, "gather", e.b.getVoidTy(), name, items);
  if (waits)
    call_meeting(e, "leave", e.b.getVoidTy(), name, e.b.getInt32(0));
  return true;
}

namespace {

bool in_call(Expansion& e, const Statement& s, const char* name, std::size_t operands) {
  llvm::Value* address = s.operands.size() == operands ? barrier_address(e, s, s.operands[0]) : nullptr;
  llvm::Value* number = operands > 1 && address ? e.registers.read(s.operands[1], e.b.getInt32Ty()) : nullptr;
  if (!address || !number)
    return false;
  call_meeting(e, name, e.b.getVoidTy(), address, number);
  return true;
}

/// arrive state, [address] {, number}: with .expect_tx the number is one of bytes. Older forms have no state.
bool arrive(Expansion& e, const Statement& s) {
  const bool has_state = !s.operands.empty() && s.operands[0].front() != '[', expects = s.has("expect_tx");
  const std::size_t at = has_state ? 1 : 0;
  if (s.operands.size() <= at || s.operands.size() > at + 2)
    return false;
  llvm::Value* address = barrier_address(e, s, s.operands[at]);
  llvm::Value* number =
      s.operands.size() > at + 1 ? e.registers.read(s.operands[at + 1], e.b.getInt32Ty()) : e.b.getInt32(1);
  if (!address || !number)
    return false;
  if (expects) {
    call_meeting(e, "expect", e.b.getVoidTy(), address, number);
    number = e.b.getInt32(1);
  }
  const bool drops = s.has("arrive_drop");
  llvm::Value* phase = call_meeting(e, drops ? "drop" : "arrive", e.b.getInt64Ty(), address, number);
  return !has_state || s.operands[0] == "_" || e.registers.write(s.operands[0], phase);
}

/// test_wait p, [address], state or parity {, hint of time}
bool wait(Expansion& e, const Statement& s) {
  const bool parity = s.has("parity");
  if (s.operands.size() < 3 || s.operands.size() > 4)
    return false;
  llvm::Value* address = barrier_address(e, s, s.operands[1]);
  llvm::Value* asked = e.registers.read(s.operands[2], parity ? e.b.getInt32Ty() : e.b.getInt64Ty());
  return address && asked &&
         e.registers.write(s.operands[0], call_meeting(e, parity ? "wait_parity" : "wait_phase",
                                                       e.b.getInt1Ty(), address, asked));
}

bool barrier_in_memory(Expansion& e, const Statement& s) {
  if (s.has("inval"))
    return s.operands.size() == 1 && barrier_address(e, s, s.operands[0]) != nullptr;
  if (s.has("init"))
    return in_call(e, s, "begin", 2);
  if (s.has_any({"arrive", "arrive_drop"}))
    return arrive(e, s);
  if (s.has("pending_count")) { // of the state that an arrival returned: which phase it was, not how many are
                                // left
    llvm::Value* state = s.operands.size() == 2 ? e.registers.read(s.operands[1], e.b.getInt64Ty()) : nullptr;
    return state &&
           e.registers.write(s.operands[0], lowering::call_marker(e.b, "unknown.i32", e.b.getInt32Ty(),
                                                                  {state}, lowering::MarkerEffect::pure));
  }
  if (s.has("expect_tx"))
    return in_call(e, s, "expect", 2);
  if (s.has("complete_tx"))
    return in_call(e, s, "bytes_come", 2);
  return s.has_any({"test_wait", "try_wait"}) && wait(e, s);
}

constexpr Operation rows[] = {
    {"mbarrier", barrier_in_memory,
     ".init, .inval, .arrive, .arrive_drop with a count or .expect_tx, .pending_count (unknown), .expect_tx, "
     ".complete_tx, .test_wait "
     "and "
     ".try_wait by state or .parity (both wait); generic, .shared, .shared::cluster"},
};

} // namespace

std::span<const Operation> meeting_rows() {
  return rows;
}

} // namespace forewarp::frontend::ptx

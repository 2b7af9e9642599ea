// Exchange between the lanes of a warp.
#include "frontend/ptx/operations/arithmetic.h"
#include "frontend/ptx/operations/operations.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <optional>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

/// "d|p" -> d, p; "_" where one of them is not there.
std::pair<std::string, std::string> targets_of(const std::string& operand) {
  const std::size_t bar = operand.find('|');
  if (bar == std::string::npos)
    return {operand, "_"};
  return {std::string(trimmed(std::string_view(operand).substr(0, bar))),
          std::string(trimmed(std::string_view(operand).substr(bar + 1)))};
}

std::optional<intrinsics::ID> shuffle_of(const Statement& s) {
  return s.has("up")     ? intrinsics::nvvm_shfl_sync_up_i32p
         : s.has("down") ? intrinsics::nvvm_shfl_sync_down_i32p
         : s.has("bfly") ? intrinsics::nvvm_shfl_sync_bfly_i32p
         : s.has("idx")  ? std::optional<intrinsics::ID>(intrinsics::nvvm_shfl_sync_idx_i32p)
                         : std::nullopt;
}

std::optional<intrinsics::ID> shuffle_without_predicate(const Statement& s) {
  return s.has("up")     ? intrinsics::nvvm_shfl_sync_up_i32
         : s.has("down") ? intrinsics::nvvm_shfl_sync_down_i32
         : s.has("bfly") ? intrinsics::nvvm_shfl_sync_bfly_i32
         : s.has("idx")  ? std::optional<intrinsics::ID>(intrinsics::nvvm_shfl_sync_idx_i32)
                         : std::nullopt;
}

/// shfl.sync.down.b32 d|p, a, b, c, members; before PTX 6.0 without members.
bool shuffle(Expansion& e, const Statement& s) {
  const bool sync = s.has("sync");
  if (s.operands.size() != (sync ? 5U : 4U) || s.bits() != 32)
    return false;
  llvm::Type* word = e.b.getInt32Ty();
  llvm::SmallVector<llvm::Value*, 4> arguments = {sync ? e.registers.read(s.operands[4], word)
                                                       : e.b.getInt32(all_lanes)};
  for (unsigned i = 1; i < 4; ++i)
    arguments.push_back(e.registers.read(s.operands[i], word));
  if (std::find(arguments.begin(), arguments.end(), nullptr) != arguments.end())
    return false;
  const auto [value, predicate] = targets_of(s.operands[0]);
  if (predicate == "_") {
    const auto id = shuffle_without_predicate(s);
    return id && e.registers.write(value, e.b.CreateIntrinsic(*id, {}, arguments));
  }
  const auto id = shuffle_of(s);
  if (!id)
    return false;
  llvm::Value* made = e.b.CreateIntrinsic(*id, {}, arguments);
  return e.registers.write(value, e.b.CreateExtractValue(made, 0)) &&
         e.registers.write(predicate, e.b.CreateExtractValue(made, 1));
}

/// vote.sync.ballot.b32 d, p, members.
bool vote(Expansion& e, const Statement& s) {
  const bool sync = s.has("sync");
  if (s.operands.size() != (sync ? 3U : 2U))
    return false;
  llvm::Value* predicate = e.registers.read(s.operands[1], e.b.getInt1Ty());
  llvm::Value* members = sync ? e.registers.read(s.operands[2], e.b.getInt32Ty()) : e.b.getInt32(all_lanes);
  const auto id = s.has("ballot") ? intrinsics::nvvm_vote_ballot_sync
                  : s.has("all")  ? intrinsics::nvvm_vote_all_sync
                  : s.has("any")  ? intrinsics::nvvm_vote_any_sync
                  : s.has("uni")  ? std::optional<intrinsics::ID>(intrinsics::nvvm_vote_uni_sync)
                                  : std::nullopt;
  return predicate && members && id &&
         e.registers.write(s.operands[0], e.b.CreateIntrinsic(*id, {}, {members, predicate}));
}

/// match.any.sync.b32 d, a, members; match.all.sync.b32 d|p, a, members.
bool match(Expansion& e, const Statement& s) {
  if (s.operands.size() != 3 || !s.has("sync") || (s.bits() != 32 && s.bits() != 64))
    return false;
  const bool wide = s.bits() == 64;
  llvm::Value* value = e.registers.read(s.operands[1], e.b.getIntNTy(s.bits()));
  llvm::Value* members = e.registers.read(s.operands[2], e.b.getInt32Ty());
  if (!value || !members)
    return false;
  const auto [mask, predicate] = targets_of(s.operands[0]);
  if (s.has("any"))
    return e.registers.write(mask, e.b.CreateIntrinsic(wide ? intrinsics::nvvm_match_any_sync_i64
                                                            : intrinsics::nvvm_match_any_sync_i32,
                                                       {}, {members, value}));
  llvm::Value* made =
      e.b.CreateIntrinsic(wide ? intrinsics::nvvm_match_all_sync_i64p : intrinsics::nvvm_match_all_sync_i32p,
                          {}, {members, value});
  return s.has("all") && e.registers.write(mask, e.b.CreateExtractValue(made, 0)) &&
         e.registers.write(predicate, e.b.CreateExtractValue(made, 1));
}

/// redux.sync.add.s32 d, a, members.
/// redux.sync.min.abs.NaN.f32: as the order of words that have the sign's meaning; NaN is left out, or the
/// result.
bool reduce_floats(Expansion& e, const Statement& s) {
  const bool larger = s.has("max"), magnitudes = s.has("abs");
  if (!larger && !s.has("min"))
    return false;
  llvm::Value* value = e.registers.read(s.operands[1], e.b.getFloatTy());
  llvm::Value* members = e.registers.read(s.operands[2], e.b.getInt32Ty());
  if (!value || !members)
    return false;
  const auto count = [&](llvm::Value* made) { return part(made); };
  if (magnitudes)
    value = count(e.b.CreateUnaryIntrinsic(intrinsics::fabs, value));
  llvm::Value* bits = count(e.b.CreateBitCast(value, e.b.getInt32Ty()));
  llvm::Value* order = bits; // negative numbers from the largest size on
  llvm::Value* negative = count(e.b.CreateICmpSLT(bits, e.b.getInt32(0)));
  llvm::Value* turned = count(e.b.CreateXor(bits, e.b.getInt32(0x7FFFFFFF)));
  order = count(e.b.CreateSelect(negative, turned, bits));
  llvm::Value* is_nan = count(e.b.CreateFCmpUNO(value, value));
  // Without .NaN a NaN never wins, with it always.
  const bool wins_low = larger != s.has("NaN");
  order = count(e.b.CreateSelect(is_nan, e.b.getInt32(wins_low ? 0x80000000U : 0x7FFFFFFFU), order));
  llvm::Value* made = e.b.CreateIntrinsic(
      larger ? intrinsics::nvvm_redux_sync_max : intrinsics::nvvm_redux_sync_min, {}, {order, members});
  llvm::Value* below = count(e.b.CreateICmpSLT(made, e.b.getInt32(0)));
  llvm::Value* back =
      count(e.b.CreateSelect(below, count(e.b.CreateXor(made, e.b.getInt32(0x7FFFFFFF))), made));
  return e.registers.write(s.operands[0], count(e.b.CreateBitCast(back, e.b.getFloatTy())));
}

bool reduce(Expansion& e, const Statement& s) {
  if (s.operands.size() != 3 || s.bits() != 32)
    return false;
  if (s.type().is_float())
    return reduce_floats(e, s);
  const bool is_signed = s.kind() == 's';
  const auto id =
      s.has("add")   ? intrinsics::nvvm_redux_sync_add
      : s.has("min") ? (is_signed ? intrinsics::nvvm_redux_sync_min : intrinsics::nvvm_redux_sync_umin)
      : s.has("max") ? (is_signed ? intrinsics::nvvm_redux_sync_max : intrinsics::nvvm_redux_sync_umax)
      : s.has("and") ? intrinsics::nvvm_redux_sync_and
      : s.has("or")  ? intrinsics::nvvm_redux_sync_or
      : s.has("xor") ? std::optional<intrinsics::ID>(intrinsics::nvvm_redux_sync_xor)
                     : std::nullopt;
  llvm::Value* value = e.registers.read(s.operands[1], e.b.getInt32Ty());
  llvm::Value* members = e.registers.read(s.operands[2], e.b.getInt32Ty());
  return id && value && members &&
         e.registers.write(s.operands[0], e.b.CreateIntrinsic(*id, {}, {value, members}));
}

llvm::Value* active_lanes(Expansion& e) {
  return e.b.CreateIntrinsic(intrinsics::nvvm_vote_ballot_sync, {}, {e.b.getInt32(all_lanes), e.b.getTrue()});
}

bool active_mask(Expansion& e, const Statement& s) {
  return s.operands.size() == 1 && e.registers.write(s.operands[0], active_lanes(e));
}

/// elect.sync d|p, members: the lowest lane of those that are there.
bool elect(Expansion& e, const Statement& s) {
  if (s.operands.size() != 2 || !s.has("sync"))
    return false;
  llvm::Value* members = e.registers.read(s.operands[1], e.b.getInt32Ty());
  if (!members)
    return false;
  const auto [leader, predicate] = targets_of(s.operands[0]);
  llvm::Value* lowest =
      e.b.CreateBinaryIntrinsic(intrinsics::cttz, e.b.CreateAnd(members, active_lanes(e)), e.b.getFalse());
  llvm::Value* lane = e.b.CreateIntrinsic(intrinsics::nvvm_read_ptx_sreg_laneid, {}, {});
  return e.registers.write(leader, lowest) && e.registers.write(predicate, e.b.CreateICmpEQ(lane, lowest));
}

constexpr Operation warp_row_list[] = {
    {"activemask", active_mask, ".b32"},
    {"elect", elect, ".sync: the lowest active member"},
    {"match", match, ".any.sync and .all.sync of 32 and 64 bits"},
    {"redux", reduce,
     ".sync .add, .min, .max, .and, .or, .xor of 32-bit integers; .min, .max of f32, .abs, .NaN"},
    {"shfl", shuffle, ".up, .down, .bfly, .idx of 32 bits, .sync and without; a predicate result"},
    {"vote", vote, ".all, .any, .uni, .ballot, .sync and without"},
};

} // namespace

std::span<const Operation> warp_rows() {
  return warp_row_list;
}

} // namespace forewarp::frontend::ptx

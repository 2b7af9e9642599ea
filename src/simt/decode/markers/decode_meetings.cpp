// Barriers in memory, named barriers and bulk copies (ir/builtins.h).
#include "simt/decode/decoder.h"

#include <llvm/ADT/StringSwitch.h>

#include <bit>
#include <optional>

namespace forewarp::simt {

bool Decoder::decode_meeting_marker(const llvm::CallBase& call, llvm::StringRef name) {
  using Kind = MeetingOp::Kind;
  const auto kind = llvm::StringSwitch<std::optional<Kind>>(name)
                        .Case("begin", Kind::begin)
                        .Case("arrive", Kind::arrive)
                        .Cases("arrive_copied", "arrive_multiplied", "arrive_multiplied_in", Kind::arrive)
                        .Case("copied", Kind::copied)
                        .Case("expect", Kind::expect)
                        .Case("bytes_come", Kind::bytes_come)
                        .Case("drop", Kind::drop)
                        .Case("wait_parity", Kind::parity)
                        .Case("wait_phase", Kind::phase)
                        .Case("gather", Kind::gather)
                        .Case("leave", Kind::leave)
                        .Case("cluster_arrive", Kind::cluster_arrive)
                        .Case("cluster_leave", Kind::cluster_leave)
                        .Default(std::nullopt);
  const bool in_several_groups = call.arg_size() == 3;
  if (!kind || (!in_several_groups && call.arg_size() != 2))
    return false;
  program_.has_barrier = true;
  program_.crosses_groups = program_.crosses_groups || in_several_groups || *kind == Kind::cluster_arrive ||
                            *kind == Kind::cluster_leave;
  const std::int32_t place = slot(call.getArgOperand(0)), number = slot(call.getArgOperand(1)),
                     groups = in_several_groups ? slot(call.getArgOperand(2)) : no_slot;
  const std::int32_t result = call.getType()->isVoidTy() ? no_slot : define(call).front();
  program_.meeting_ops.push_back({*kind, site_of(call)});
  Instruction& out =
      emit_special(Special::meet, result, static_cast<std::uint32_t>(program_.meeting_ops.size() - 1));
  out.slots.a = place;
  out.slots.b = number;
  out.slots.c = groups;
  return true;
}

/// cluster.map(address, rank): where the same word of the group of that rank lies. cluster.rank_of(address)
bool Decoder::decode_cluster_marker(const llvm::CallBase& call, llvm::StringRef name) {
  program_.crosses_groups = program_.has_barrier = true;
  constexpr std::uint64_t bits = std::countr_zero(facts::cluster_span);
  const std::int32_t address = slot(call.getArgOperand(0)), own = group_value(GroupValue::cluster_rank);
  const std::int32_t window = constant(LaneType::quad, facts::cluster_window),
                     shift = constant(LaneType::quad, bits);
  if (name == "rank_of") {
    const std::int32_t rank =
        emit(LaneOp::trunc64to32, emit(LaneOp::lshr64, emit(LaneOp::sub64, address, window), shift));
    put(LaneOp::select32, define(call).front(), emit(LaneOp::ult64, address, window), own, rank);
    return true;
  }
  if (name != "map")
    return false;
  const std::int32_t rank = slot(call.getArgOperand(1));
  const std::int32_t offset = emit(LaneOp::and64, address, constant(LaneType::quad, facts::cluster_span - 1));
  const std::int32_t first =
      emit(LaneOp::add64, window, emit(LaneOp::shl64, emit(LaneOp::zext32to64, rank), shift));
  put(LaneOp::select64, define(call).front(), emit(LaneOp::eq32, rank, own), address,
      emit(LaneOp::add64, first, offset));
  return true;
}

namespace {

/// "add.f32", "min.s64", "add.map"
bool read_combination(llvm::StringRef how, EngineOp& op) {
  const auto [verb, type] = how.split('.');
  op.combination = verb;
  if (type == "map")
    return true;
  const auto bits = llvm::StringSwitch<unsigned>(type)
                        .Cases("f16", "bf16", 16)
                        .Cases("u32", "s32", "b32", "f32", 32)
                        .Cases("u64", "s64", "b64", "f64", 64)
                        .Default(0);
  op.combined_kind = type.starts_with("bf") ? 'h' : type[0];
  op.combined_bytes = bits / 8;
  return bits > 0;
}

} // namespace

/// engine.{bytes,tile}.{in,out}.{read,write}, engine.bytes.across.{read,write}, engine.arrive, engine.more
bool Decoder::decode_engine_marker(const llvm::CallBase& call, llvm::StringRef name) {
  using Step = EngineOp::Step;
  if (name == "commit" || name.starts_with("wait.")) // a run's copies are over at once
    return true;
  EngineOp op;
  op.step = name == "spread"             ? Step::spread
            : name.ends_with("read")     ? Step::read
            : name.ends_with("write")    ? Step::write
            : name.contains(".combine.") ? Step::write
            : name == "arrive"           ? Step::arrive
                                         : Step::more;
  if (op.step == Step::more && name != "more")
    return false;
  op.shape = name.contains(".rows.")      ? EngineOp::Shape::rows
             : name.contains(".columns.") ? EngineOp::Shape::columns
             : name.starts_with("tile")   ? EngineOp::Shape::tile
                                          : EngineOp::Shape::bytes;
  if (const auto [before, how] = name.split(".combine."); !how.empty() && !read_combination(how, op))
    return false;
  op.to_shared = name.contains(".in.");
  program_.crosses_groups = program_.crosses_groups || op.step == Step::spread;
  if (op.step != Step::more && op.step != Step::spread)
    op.site = site_of(call);
  for (const llvm::Use& argument : call.args()) {
    op.operands.push_back(slot(argument));
    op.types.push_back(leaves(argument->getType()).front().lane);
  }
  const std::int32_t result = call.getType()->isVoidTy() ? no_slot : define(call).front();
  program_.engine_ops.push_back(std::move(op));
  emit_special(result == no_slot ? Special::engine_copy : Special::engine_more, result,
               static_cast<std::uint32_t>(program_.engine_ops.size() - 1));
  return true;
}

} // namespace forewarp::simt

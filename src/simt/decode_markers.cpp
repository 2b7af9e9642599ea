// Calls of the project's own markers (ir/builtins.h).
#include "simt/decoder.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

namespace forewarp::simt {

bool Decoder::decode_marker(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("item."))
    return decode_item_marker(call, name);
  if (name.consume_front("math."))
    return decode_math_marker(call, name);
  if (name.consume_front("warp."))
    return decode_warp_marker(call, name);
  if (name.consume_front("image."))
    return decode_image_marker(call, name);
  return false;
}

bool Decoder::decode_item_marker(const llvm::CallBase& call, llvm::StringRef name) {
  struct Item {
    const char* name;
    GroupValue first;
  };
  static constexpr Item items[] = {{"local_size.", GroupValue::size_x},
                                   {"num_groups.", GroupValue::groups_x},
                                   {"global_size.", GroupValue::global_x},
                                   {"enqueued_size.", GroupValue::enqueued_x}};
  for (const Item& item : items) {
    llvm::StringRef axis = name;
    if (axis.consume_front(item.name) && axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z')
      return assign(call, group_value(static_cast<GroupValue>(static_cast<int>(item.first) + axis[0] - 'x'))),
             true;
  }
  if (name == "work_dim")
    return assign(call, group_value(GroupValue::work_dim)), true;
  if (name == "warp_count")
    return assign(call, group_value(GroupValue::warps)), true;
  if (name == "lane")
    return assign(call, warp_value(WarpValue::lane)), true;
  if (name == "warp")
    return assign(call, warp_value(WarpValue::warp)), true;
  return false;
}

bool Decoder::decode_math_marker(const llvm::CallBase& call, llvm::StringRef name) {
  struct Entry {
    const char* name;
    LaneOp f, d;
  };
  static constexpr Entry entries[] = {
      {"acosh", LaneOp::acoshf_, LaneOp::acoshd}, {"asinh", LaneOp::asinhf_, LaneOp::asinhd},
      {"atanh", LaneOp::atanhf_, LaneOp::atanhd}, {"atan2", LaneOp::atan2f_, LaneOp::atan2d},
      {"cbrt", LaneOp::cbrtf_, LaneOp::cbrtd},    {"erf", LaneOp::erff_, LaneOp::erfd},
      {"erfc", LaneOp::erfcf_, LaneOp::erfcd},    {"expm1", LaneOp::expm1f_, LaneOp::expm1d},
      {"hypot", LaneOp::hypotf_, LaneOp::hypotd}, {"lgamma", LaneOp::lgammaf_, LaneOp::lgammad},
      {"log1p", LaneOp::log1pf_, LaneOp::log1pd}, {"tgamma", LaneOp::tgammaf_, LaneOp::tgammad},
  };
  const llvm::StringRef base = name.split('.').first;
  for (const Entry& entry : entries)
    if (base == entry.name)
      return elementwise(call, entry.f, entry.d), true;
  return false;
}

bool Decoder::decode_warp_marker(const llvm::CallBase& call, llvm::StringRef name) {
  const llvm::StringRef base = name.split('.').first;
  if (base == "barrier")
    return true;
  CrossLaneOp op;
  auto push = [&] {
    program_.cross_lane_ops.push_back(op);
    return static_cast<std::uint32_t>(program_.cross_lane_ops.size() - 1);
  };
  if (base == "any" || base == "all") {
    op.vote = base == "any" ? VoteMode::any : VoteMode::all;
    const std::int32_t flag = slot(call.getArgOperand(0)), d = define(call).front();
    const std::int32_t bit = emit(LaneOp::ne32, flag, constant(LaneType::word, 0)), answer = new_register();
    emit_special(Special::vote, answer, push()).slots.a = bit;
    put(LaneOp::zextb32, d, answer);
    return true;
  }
  if (base == "ballot") {
    op.type = LaneType::quad;
    const std::int32_t flag = slot(call.getArgOperand(0)), d = define(call).front();
    emit_special(Special::ballot, d, push()).slots.a = flag;
    return true;
  }
  if (base == "shuffle" || base == "broadcast" || base.starts_with("shuffle_")) {
    op.shuffle = base == "shuffle_up"     ? ShuffleMode::up
                 : base == "shuffle_down" ? ShuffleMode::down
                 : base == "shuffle_xor"  ? ShuffleMode::butterfly
                                          : ShuffleMode::index;
    const Slots value = slots(call.getArgOperand(0)), d = define(call);
    const std::vector<Leaf> parts = leaves(call.getType());
    const std::int32_t lane = slot(call.getArgOperand(1));
    const std::int32_t clamp =
        constant(LaneType::word, op.shuffle == ShuffleMode::up ? 0 : program_.warp_width - 1);
    for (std::size_t k = 0; k < d.size(); ++k) {
      op.type = parts[k].lane;
      Instruction& out = emit_special(Special::shuffle, d[k], push());
      out.slots.a = value[k];
      out.slots.b = lane;
      out.slots.c = clamp;
    }
    return true;
  }
  return false;
}

bool Decoder::decode_image_marker(const llvm::CallBase& call, llvm::StringRef name) {
  if (!name.starts_with("read.") && !name.starts_with("write."))
    return false; // queries need the image's description, which a launch cannot give yet
  MemoryOp op;
  op.site = site_of(call);
  op.kind = name.starts_with("read.") ? facts::AccessKind::load : facts::AccessKind::store;
  Slots result;
  if (!call.getType()->isVoidTy()) {
    result = define(call);
    op.components = components(call.getType(), result);
  }
  program_.memory_ops.push_back(std::move(op));
  emit_special(Special::texture, no_slot, static_cast<std::uint32_t>(program_.memory_ops.size() - 1));
  return true;
}

} // namespace forewarp::simt

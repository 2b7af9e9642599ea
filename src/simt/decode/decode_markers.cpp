// Calls of the project's own markers (ir/builtins.h).
#include "simt/decode/decoder.h"

#include "launch/image.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

#include <bit>

namespace forewarp::simt {

bool Decoder::decode_marker(const llvm::CallBase& call, llvm::StringRef name) {
  if (name.consume_front("item."))
    return decode_item_marker(call, name);
  if (name.consume_front("math."))
    return decode_math_marker(call, name);
  if (name.consume_front("warp."))
    return decode_warp_marker(call, name);
  if (name == "dot4.s")
    return elementwise_int(call, LaneOp::dp4a_s, LaneOp::dp4a_s), true;
  if (name == "dot4.u")
    return elementwise_int(call, LaneOp::dp4a_u, LaneOp::dp4a_u), true;
  if (name.consume_front("fp8."))
    return decode_small_float(call, name);
  if (name.starts_with("unknown.")) {
    for (const std::int32_t each : define(call))
      emit_special(Special::unknown_value, each);
    return true;
  }
  if (name.consume_front("cvt."))
    return decode_conversion(call, name);
  if (name.consume_front("image."))
    return decode_image_marker(call, name);
  if (name.consume_front("machine."))
    return decode_machine_marker(call, name);
  if (name.consume_front("meeting."))
    return decode_meeting_marker(call, name);
  if (name.consume_front("atomic."))
    return decode_short_atomic(call, name);
  if (name.consume_front("cluster."))
    return decode_cluster_marker(call, name);
  if (name.consume_front("matrix."))
    return decode_matrix_marker(call, name);
  if (name.consume_front("engine."))
    return decode_engine_marker(call, name);
  if (name.consume_front("tensor_memory."))
    return decode_tensor_memory(call, name);
  if (name.consume_front("mma."))
    return decode_marked_product(call, name), true;
  if (name.consume_front("wgmma."))
    return decode_group_product(call, name), true;
  if (name == "grid.barrier") {
    program_.has_barrier = program_.has_grid_barrier = true;
    emit_special(Special::grid_barrier, no_slot);
    return true;
  }
  return false;
}

bool Decoder::decode_small_float(const llvm::CallBase& call, llvm::StringRef name) {
  const bool e4m3 = name.ends_with(".e4m3");
  if (name.starts_with("pack.")) {
    const std::int32_t upper = slot(call.getArgOperand(0)), lower = slot(call.getArgOperand(1));
    put(e4m3 ? LaneOp::fto_e4m3 : LaneOp::fto_e5m2, define(call).front(), upper, lower);
    return true;
  }
  const bool narrow = name.starts_with("narrow.");
  const LaneOp op =
      narrow ? (e4m3 ? LaneOp::hto_e4m3 : LaneOp::hto_e5m2) : (e4m3 ? LaneOp::e4m3toh : LaneOp::e5m2toh);
  return elementwise_int(call, op, op), true;
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
  if (name == "dynamic_shared_size")
    return assign(call, group_value(GroupValue::dynamic_shared)), true;
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
      {"acosh", LaneOp::acoshf_, LaneOp::acoshd},    {"asinh", LaneOp::asinhf_, LaneOp::asinhd},
      {"atanh", LaneOp::atanhf_, LaneOp::atanhd},    {"atan2", LaneOp::atan2f_, LaneOp::atan2d},
      {"cbrt", LaneOp::cbrtf_, LaneOp::cbrtd},       {"erf", LaneOp::erff_, LaneOp::erfd},
      {"erfc", LaneOp::erfcf_, LaneOp::erfcd},       {"expm1", LaneOp::expm1f_, LaneOp::expm1d},
      {"hypot", LaneOp::hypotf_, LaneOp::hypotd},    {"lgamma", LaneOp::lgammaf_, LaneOp::lgammad},
      {"log1p", LaneOp::log1pf_, LaneOp::log1pd},    {"pow", LaneOp::powf_, LaneOp::powd},
      {"tgamma", LaneOp::tgammaf_, LaneOp::tgammad},
  };
  const llvm::StringRef base = name.split('.').first;
  struct PiEntry {
    const char* name;
    LaneOp f, d;
    bool before; ///< the argument is multiplied by pi, else the result is divided by it
  };
  static constexpr PiEntry pi_entries[] = {
      {"sinpi", LaneOp::sinf_, LaneOp::sind, true},        {"cospi", LaneOp::cosf_, LaneOp::cosd, true},
      {"tanpi", LaneOp::tanf_, LaneOp::tand, true},        {"asinpi", LaneOp::asinf_, LaneOp::asind, false},
      {"acospi", LaneOp::acosf_, LaneOp::acosd, false},    {"atanpi", LaneOp::atanf_, LaneOp::atand, false},
      {"atan2pi", LaneOp::atan2f_, LaneOp::atan2d, false},
  };
  for (const PiEntry& entry : pi_entries) {
    if (base != entry.name)
      continue;
    llvm::Type* type = call.getType()->getScalarType();
    if (!type->isFloatTy() && !type->isDoubleTy())
      return false;
    const double factor = entry.before ? 3.14159265358979323846 : 0.31830988618379067154;
    const std::int32_t scale =
        type->isFloatTy() ? constant(LaneType::word, std::bit_cast<std::uint32_t>(static_cast<float>(factor)))
                          : constant(LaneType::quad, std::bit_cast<std::uint64_t>(factor));
    const LaneOp multiply = type->isFloatTy() ? LaneOp::fmulf : LaneOp::fmuld;
    const Slots a = slots(call.getArgOperand(0)), d = define(call);
    const Slots b = call.arg_size() > 1 ? slots(call.getArgOperand(1)) : a;
    for (std::size_t k = 0; k < d.size(); ++k) {
      const LaneOp op = type->isFloatTy() ? entry.f : entry.d;
      if (entry.before)
        put(op, d[k], emit(multiply, a[k], scale));
      else
        put(multiply, d[k], emit(op, a[k], b[k]), scale);
    }
    return true;
  }
  for (const Entry& entry : entries)
    if (base == entry.name)
      return elementwise(call, entry.f, entry.d), true;
  return false;
}

/// Arithmetic of sub-group reductions and scans on one component.
void Decoder::collective_step(llvm::StringRef op, llvm::Type* type, std::int32_t d, std::int32_t a,
                              std::int32_t b) {
  const bool is_float = type->isFloatingPointTy();
  if (is_float && op == "min")
    return float_op(LaneOp::fminf_, LaneOp::fmind, type, d, a, b);
  if (is_float && op == "max")
    return float_op(LaneOp::fmaxf_, LaneOp::fmaxd, type, d, a, b);
  if (is_float)
    return float_binary(op == "mul" ? llvm::Instruction::FMul : llvm::Instruction::FAdd, type, d, a, b);
  if (op == "min" || op == "max" || op == "umin" || op == "umax") {
    const unsigned width = integer_width(type);
    const std::int32_t less = new_register(LaneType::bit);
    integer_compare(op.starts_with("u") ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_SLT, width, less, a,
                    b);
    const bool is_max = op.ends_with("max");
    return put(width <= 32 ? LaneOp::select32 : LaneOp::select64, d, less, is_max ? b : a, is_max ? a : b);
  }
  const unsigned opcode = op == "mul"   ? llvm::Instruction::Mul
                          : op == "and" ? llvm::Instruction::And
                          : op == "or"  ? llvm::Instruction::Or
                          : op == "xor" ? llvm::Instruction::Xor
                                        : llvm::Instruction::Add;
  integer_binary(opcode, integer_width(type), d, a, b);
}

std::int32_t Decoder::exchange(ShuffleMode mode, LaneType type, std::int32_t value, std::uint32_t distance) {
  CrossLaneOp op;
  op.shuffle = mode;
  op.type = type;
  const std::int32_t d = new_register(type), lane = constant(LaneType::word, distance);
  const std::int32_t clamp = constant(LaneType::word, mode == ShuffleMode::up ? 0 : program_.warp_width - 1);
  Instruction& out = emit_cross_lane(Special::shuffle, d, op);
  out.slots.a = value;
  out.slots.b = lane;
  out.slots.c = clamp;
  return d;
}

/// Reductions as butterflies, scans by doubling distances. A warp with lanes missing gives unknown values.
bool Decoder::decode_warp_collective(const llvm::CallBase& call, llvm::StringRef base) {
  const bool reduction = base.consume_front("reduce_"), inclusive = base.consume_front("scan_inclusive_");
  const bool exclusive = !reduction && !inclusive && base.consume_front("scan_exclusive_");
  llvm::Type* type = call.getType();
  const std::vector<Leaf> parts = leaves(type);
  if ((!reduction && !inclusive && !exclusive) || parts.size() != 1 || parts[0].lane == LaneType::bit)
    return false;
  std::int32_t value = slot(call.getArgOperand(0));
  const std::int32_t lane = warp_value(WarpValue::lane);
  const LaneOp choose = parts[0].lane == LaneType::word ? LaneOp::select32 : LaneOp::select64;
  for (std::uint32_t distance = 1; distance < program_.warp_width; distance *= 2) {
    const std::int32_t other =
        exchange(reduction ? ShuffleMode::butterfly : ShuffleMode::up, parts[0].lane, value, distance);
    const std::int32_t joined = new_register(parts[0].lane);
    collective_step(base, type, joined, value, other);
    value = reduction
                ? joined
                : emit(choose, emit(LaneOp::ult32, lane, constant(LaneType::word, distance)), value, joined);
  }
  if (exclusive) { // the identity of the operation in lane 0
    const bool wide = parts[0].lane == LaneType::quad;
    const unsigned width = parts[0].bytes * 8;
    const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    std::uint64_t identity = 0;
    if (type->isFloatingPointTy()) {
      if (!type->isFloatTy() && !type->isDoubleTy())
        return false;
      const std::uint64_t infinity = wide ? 0x7FF0000000000000ULL : 0x7F800000U,
                          one = wide ? 0x3FF0000000000000ULL : 0x3F800000U;
      identity = base == "min"   ? infinity
                 : base == "max" ? infinity | std::uint64_t{1} << (width - 1)
                 : base == "mul" ? one
                                 : 0;
    } else {
      identity = base == "mul"                     ? 1
                 : base == "and" || base == "umin" ? ones
                 : base == "min"                   ? ones >> 1
                 : base == "max"                   ? std::uint64_t{1} << (width - 1)
                                                   : 0;
    }
    value = emit(choose, emit(LaneOp::eq32, lane, constant(LaneType::word, 0)),
                 constant(parts[0].lane, identity), exchange(ShuffleMode::up, parts[0].lane, value, 1));
  }
  alias(call, {value});
  return true;
}

bool Decoder::decode_warp_marker(const llvm::CallBase& call, llvm::StringRef name) {
  const llvm::StringRef base = name.split('.').first;
  if (base == "barrier")
    return true;
  CrossLaneOp op;
  if (base == "any" || base == "all") {
    op.vote = base == "any" ? VoteMode::any : VoteMode::all;
    const std::int32_t flag = slot(call.getArgOperand(0)), d = define(call).front();
    const std::int32_t bit = emit(LaneOp::ne32, flag, constant(LaneType::word, 0)), answer = new_register();
    emit_cross_lane(Special::vote, answer, op).slots.a = bit;
    put(LaneOp::zextb32, d, answer);
    return true;
  }
  if (base == "ballot") {
    op.type = LaneType::quad;
    const std::int32_t flag = slot(call.getArgOperand(0)), d = define(call).front();
    emit_cross_lane(Special::ballot, d, op).slots.a = flag;
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
      Instruction& out = emit_cross_lane(Special::shuffle, d[k], op);
      out.slots.a = value[k];
      out.slots.b = lane;
      out.slots.c = clamp;
    }
    return true;
  }
  return decode_warp_collective(call, base);
}

namespace {

/// The bits of a sampler that the program declares; none: it is no constant, or there is none (-1).
std::optional<std::uint64_t> sampler_bits(const llvm::Value* sampler) {
  if (const auto* cast = llvm::dyn_cast<llvm::Operator>(sampler);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr)
    sampler = cast->getOperand(0);
  const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(sampler);
  return bits && !bits->isMinusOne() ? std::optional(bits->getZExtValue()) : std::nullopt;
}

} // namespace

bool Decoder::decode_image_size(const llvm::CallBase& call, llvm::StringRef name) {
  const ImageSize what = llvm::StringSwitch<ImageSize>(name)
                             .Case("width", ImageSize::width)
                             .Case("height", ImageSize::height)
                             .Cases("depth", "array_size", ImageSize::depth)
                             .Default(ImageSize::channel);
  const std::int32_t image = slot(call.getArgOperand(0)), to = define(call).front();
  emit_special(Special::image_size, to, static_cast<std::uint32_t>(what)).slots.a = image;
  return true;
}

/// "read.2d.f32.i32.p.s", "write.2da.f32"; `.b`: a surface, whose x counts bytes.
bool Decoder::decode_image_marker(const llvm::CallBase& call, llvm::StringRef name) {
  const bool is_read = name.consume_front("read.");
  if (!is_read && !name.consume_front("write."))
    return decode_image_size(call, name);
  MemoryOp op;
  op.site = site_of(call);
  op.kind = is_read ? facts::AccessKind::load : facts::AccessKind::store;
  const llvm::Value* at = call.getArgOperand(is_read ? 2 : 1);
  const llvm::StringRef dimension = name.split('.').first;
  op.last_is_layer = dimension.ends_with("da");
  op.coordinates = slots(at);
  const std::size_t axes = static_cast<std::size_t>(dimension.front() - '0') + (op.last_is_layer ? 1 : 0);
  op.coordinates.resize(std::min(op.coordinates.size(), axes));
  op.real_coordinates = at->getType()->isFPOrFPVectorTy();
  if (is_read) {
    const llvm::Value* sampler = call.getArgOperand(1);
    if (const auto bits = sampler_bits(sampler))
      op.sampler = launch::sampler_of_bits(*bits);
    else if (!llvm::isa<llvm::Constant>(sampler))
      op.sampler_slot = slot(sampler);
  }
  op.bytes_along_x = name.ends_with(".b");
  if (!call.getType()->isVoidTy())
    op.components = components(call.getType(), define(call));
  const std::int32_t image = slot(call.getArgOperand(0));
  program_.memory_ops.push_back(std::move(op));
  emit_special(Special::texture, no_slot, static_cast<std::uint32_t>(program_.memory_ops.size() - 1))
      .slots.a = image;
  return true;
}

} // namespace forewarp::simt

// Work-item functions and integer intrinsics.
#include "statictrace/values.h"

#include <algorithm>
#include <bit>

namespace forewarp::statictrace {

Lanes Values::work_item(llvm::StringRef name) const {
  const facts::LaunchShape& shape = launch_.shape;
  const auto each = [&](const std::array<std::uint64_t, most_lanes>& at) {
    Lanes out;
    out.known = true;
    out.uniform = false;
    out.at = at;
    return out;
  };
  const unsigned axis = name.ends_with(".x") ? 0 : name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 3;
  if (axis < 3) {
    const auto of = [&](const facts::Dim3& size) { return axis == 0 ? size.x : axis == 1 ? size.y : size.z; };
    llvm::StringRef what = name.drop_back(2);
    what = what.substr(what.rfind("sreg.") == llvm::StringRef::npos ? 0 : what.rfind("sreg.") + 5);
    what.consume_front("llvm.amdgcn.");
    what.consume_front("forewarp.item.");
    if (what == "tid" || what == "workitem.id")
      return each(item_[axis]);
    if (what == "ctaid" || what == "workgroup.id")
      return Lanes::all(of(group_));
    if (what == "ntid" || what == "local_size")
      return Lanes::all(of(group_size_));
    if (what == "nctaid" || what == "num_groups")
      return Lanes::all(of(shape.groups));
    if (what == "global_size")
      return Lanes::all(of(shape.global_items));
    if (what == "enqueued_size")
      return Lanes::all(of(shape.group_size));
    return Lanes::unknown();
  }
  if (name.ends_with("laneid") || name == "forewarp.item.lane") {
    std::array<std::uint64_t, most_lanes> lanes{};
    for (unsigned l = 0; l < width_; ++l)
      lanes[l] = l;
    return each(lanes);
  }
  if (name.ends_with("sreg.warpid") || name == "forewarp.item.warp")
    return Lanes::all(warp_);
  if (name.ends_with("nwarpid") || name == "forewarp.item.warp_count")
    return Lanes::all((group_size_.count() + width_ - 1) / width_);
  if (name.ends_with("warpsize"))
    return Lanes::all(width_);
  if (name == "forewarp.item.dynamic_shared_size")
    return Lanes::all(shape.dynamic_shared_bytes);
  if (name == "forewarp.item.work_dim")
    return Lanes::all(shape.global_items.z > 1 ? 3 : shape.global_items.y > 1 ? 2 : 1);
  return Lanes::unknown();
}

Lanes Values::call(const llvm::CallBase& call) {
  const llvm::Function* called = call.getCalledFunction();
  if (called == nullptr)
    return Lanes::unknown();
  const llvm::StringRef name = called->getName();
  if (name.contains("read.ptx.sreg.") || name.starts_with("forewarp.item.") ||
      name.starts_with("llvm.amdgcn.work"))
    return work_item(name);
  const unsigned bits = bits_of(call.getType());
  if (call.arg_size() == 0 || bits_of(call.getArgOperand(0)->getType()) == 0)
    return Lanes::unknown();
  const Lanes a = value(call.getArgOperand(0));
  const auto one = [&](const auto& f) {
    return each_lane(a, a, width_, [&](std::uint64_t x, std::uint64_t) { return low_bits(f(x), bits); });
  };
  const auto two = [&](const auto& f) { return each_lane(a, value(call.getArgOperand(1)), width_, f); };
  switch (called->getIntrinsicID()) {
  case llvm::Intrinsic::umin:
    return two([](std::uint64_t x, std::uint64_t y) { return std::min(x, y); });
  case llvm::Intrinsic::umax:
    return two([](std::uint64_t x, std::uint64_t y) { return std::max(x, y); });
  case llvm::Intrinsic::smin:
    return two(
        [&](std::uint64_t x, std::uint64_t y) { return as_signed(x, bits) < as_signed(y, bits) ? x : y; });
  case llvm::Intrinsic::smax:
    return two(
        [&](std::uint64_t x, std::uint64_t y) { return as_signed(x, bits) > as_signed(y, bits) ? x : y; });
  case llvm::Intrinsic::usub_sat:
    return two([](std::uint64_t x, std::uint64_t y) { return x > y ? x - y : 0; });
  case llvm::Intrinsic::abs:
    return one([&](std::uint64_t x) { return as_signed(x, bits) < 0 ? 0 - x : x; });
  case llvm::Intrinsic::ctpop:
    return one([&](std::uint64_t x) { return static_cast<std::uint64_t>(std::popcount(low_bits(x, bits))); });
  case llvm::Intrinsic::ctlz:
    return one([&](std::uint64_t x) {
      return static_cast<std::uint64_t>(std::countl_zero(low_bits(x, bits))) - (64 - bits);
    });
  case llvm::Intrinsic::cttz:
    return one([&](std::uint64_t x) {
      return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::countr_zero(low_bits(x, bits))), bits);
    });
  case llvm::Intrinsic::expect:
    return a;
  case llvm::Intrinsic::fshl:
    if (call.getArgOperand(0) == call.getArgOperand(1)) { // a rotation
      const Lanes by = value(call.getArgOperand(2));
      return each_lane(a, by, width_, [&](std::uint64_t x, std::uint64_t n) {
        n %= bits;
        return n == 0 ? x : low_bits(x << n | low_bits(x, bits) >> (bits - n), bits);
      });
    }
    return Lanes::unknown();
  default:
    return Lanes::unknown();
  }
}

Lanes Values::of_checked(const llvm::WithOverflowInst& checked, bool overflow) {
  const unsigned bits = bits_of(checked.getLHS()->getType());
  if (bits == 0 || bits > 64)
    return Lanes::unknown();
  const Lanes a = value(checked.getLHS()), b = value(checked.getRHS());
  const unsigned opcode = checked.getBinaryOp();
  if (!overflow)
    return binary(opcode, a, b, bits);
  const auto whole = [&](std::uint64_t x) {
    return checked.isSigned() ? static_cast<__int128>(as_signed(x, bits))
                              : static_cast<__int128>(low_bits(x, bits));
  };
  return each_lane(a, b, width_, [&](std::uint64_t x, std::uint64_t y) -> std::uint64_t {
    if (opcode == llvm::Instruction::Mul && !checked.isSigned()) // beyond a signed product of 128 bits
      return x != 0 && low_bits(y, bits) > low_bits(~std::uint64_t{0}, bits) / low_bits(x, bits) ? 1 : 0;
    const __int128 exact = opcode == llvm::Instruction::Add   ? whole(x) + whole(y)
                           : opcode == llvm::Instruction::Sub ? whole(x) - whole(y)
                                                              : whole(x) * whole(y);
    return exact != whole(static_cast<std::uint64_t>(exact)) ? 1 : 0;
  });
}

} // namespace forewarp::statictrace

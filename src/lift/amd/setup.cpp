// What is in registers when a wave starts. Order of the scalar registers: "User Guide for AMDGPU Backend",
// Initial Kernel Execution State.
#include "ir/address_spaces.h"
#include "lift/amd/arguments.h"
#include "lift/amd/lifter.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

namespace forewarp::lift::amd {
namespace {

constexpr const char* axes = "xyz";

bool has_packed_items(const std::string& target) {
  return target == "gfx90a" || target.starts_with("gfx94") || target.starts_with("gfx11") ||
         target.starts_with("gfx12");
}

} // namespace

void Lifter::set_up() {
  scc_ = b.CreateAlloca(b.getInt1Ty(), ir::local_space, nullptr, "scc");
  set_exec(b.getTrue());
  const amdgcn::Setup& setup = kernel.setup;
  if (machine_code.target.starts_with("gfx12"))
    return refuse("a wave's numbers are elsewhere on gfx12");
  unsigned next = 0;
  const auto give_pointer = [&](const char* name) {
    Value* pointer = call(name, b.getPtrTy(ir::constant_space), {});
    Value* address = b.CreatePtrToInt(pointer, b.getInt64Ty());
    set_scalar(next++, low(address));
    set_scalar(next++, high(address));
  };
  next += setup.private_buffer ? 4 : 0;
  if (setup.dispatch_pointer)
    give_pointer("llvm.amdgcn.dispatch.ptr");
  next += setup.queue_pointer ? 2 : 0;
  if (setup.argument_pointer) {
    set_scalar(next++, word(arguments_address));
    set_scalar(next++, word(arguments_address >> 32));
  }
  next += (setup.dispatch_id ? 2 : 0) + (setup.flat_scratch ? 2 : 0) + (setup.private_size ? 1 : 0);
  for (unsigned k = 0; k < setup.preloaded_words; ++k) {
    Value* from = b.CreateIntToPtr(b.getInt64(arguments_address + 4 * (setup.preload_offset_words + k)),
                                   b.getPtrTy(ir::constant_space));
    set_scalar(next++, b.CreateAlignedLoad(b.getInt32Ty(), from, llvm::Align(4)));
  }
  next = setup.user_registers;
  const bool asked_groups[] = {setup.group_x, setup.group_y, setup.group_z};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (asked_groups[axis])
      set_scalar(next++, call(std::string("llvm.amdgcn.workgroup.id.") + axes[axis], b.getInt32Ty(), {}));
  if (setup.group_info)
    ++next;
  if (setup.private_segment)
    set_scalar(next++, word(0)); // a frame has an address of its own
  Value* packed = nullptr;
  for (unsigned axis = 0; axis <= setup.item_axes && axis < 3; ++axis) {
    Value* item = call(std::string("llvm.amdgcn.workitem.id.") + axes[axis], b.getInt32Ty(), {});
    if (!has_packed_items(machine_code.target))
      set_vector_whole(OperandKind::vector, axis, item);
    else
      packed = packed == nullptr ? item : b.CreateOr(packed, b.CreateShl(item, 10 * axis));
  }
  if (packed != nullptr)
    set_vector_whole(OperandKind::vector, 0, packed);
}

} // namespace forewarp::lift::amd

// Work-item functions, computed in 32 bits and zero-extended, with range facts: what the vendors' compilers
// do.
#include "frontend/lowering/lower.h"
#include "frontend/lowering/tables/tables.h"
#include "frontend/lowering/work_item.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

namespace forewarp::frontend::lowering {

namespace {

// Limits of every CUDA device since compute capability 3.0 and of OpenCL drivers for AMD; they are facts for
// the optimiser, and LLVM itself states the same for its intrinsics.
constexpr std::uint32_t max_group_items = 1024;
constexpr std::uint32_t max_groups_x = 0x7fffffff, max_groups_yz = 65535;

llvm::Value* with_range(BuiltinCall& call, llvm::Value* value, std::uint64_t low, std::uint64_t high) {
  auto* made = llvm::cast<llvm::Instruction>(value);
  llvm::MDBuilder builder(call.b.getContext());
  made->setMetadata(llvm::LLVMContext::MD_range,
                    builder.createRange(llvm::APInt(32, low), llvm::APInt(32, high)));
  return value;
}

llvm::Value* marker_of_dimension(BuiltinCall& call, const char* name, unsigned dimension) {
  static constexpr const char* suffixes[] = {".x", ".y", ".z"};
  return call.marker(std::string("item.") + name + suffixes[dimension], call.b.getInt32Ty(), {});
}

std::uint64_t max_groups(unsigned dimension) {
  return dimension == 0 ? max_groups_x : max_groups_yz;
}

} // namespace

llvm::Value* item_index(BuiltinCall& call, ItemIndex what, unsigned dimension) {
  using namespace llvm::Intrinsic;
  static constexpr ID nvidia_ids[4][3] = {
      {nvvm_read_ptx_sreg_tid_x, nvvm_read_ptx_sreg_tid_y, nvvm_read_ptx_sreg_tid_z},
      {nvvm_read_ptx_sreg_ntid_x, nvvm_read_ptx_sreg_ntid_y, nvvm_read_ptx_sreg_ntid_z},
      {nvvm_read_ptx_sreg_ctaid_x, nvvm_read_ptx_sreg_ctaid_y, nvvm_read_ptx_sreg_ctaid_z},
      {nvvm_read_ptx_sreg_nctaid_x, nvvm_read_ptx_sreg_nctaid_y, nvvm_read_ptx_sreg_nctaid_z}};
  static constexpr ID amd_ids[2][3] = {{amdgcn_workitem_id_x, amdgcn_workitem_id_y, amdgcn_workitem_id_z},
                                       {amdgcn_workgroup_id_x, amdgcn_workgroup_id_y, amdgcn_workgroup_id_z}};
  auto read = [&](int row, int amd_row, const char* amd_marker) -> llvm::Value* {
    if (call.nvidia())
      return call.intrinsic(nvidia_ids[row][dimension], {}, {});
    return amd_marker ? marker_of_dimension(call, amd_marker, dimension)
                      : call.intrinsic(amd_ids[amd_row][dimension], {}, {});
  };
  switch (what) {
  case ItemIndex::local_id:
    return with_range(call, read(0, 0, nullptr), 0, max_group_items);
  case ItemIndex::local_size:
    return with_range(call, read(1, 0, "local_size"), 1, max_group_items + 1);
  case ItemIndex::group_id:
    return with_range(call, read(2, 1, nullptr), 0, max_groups(dimension));
  case ItemIndex::group_count:
    return with_range(call, read(3, 0, "num_groups"), 1, max_groups(dimension) + 1);
  case ItemIndex::global_size:
    return marker_of_dimension(call, "global_size", dimension);
  case ItemIndex::enqueued_size:
    return with_range(call, marker_of_dimension(call, "enqueued_size", dimension), 1, max_group_items + 1);
  case ItemIndex::global_id: {
    if (call.whole_global_ids)
      return marker_of_dimension(call, "global_id", dimension);
    llvm::Value* group = item_index(call, ItemIndex::group_id, dimension);
    llvm::Value* size = item_index(call, ItemIndex::local_size, dimension);
    llvm::Value* item = item_index(call, ItemIndex::local_id, dimension);
    return call.b.CreateAdd(call.b.CreateMul(group, size), item);
  }
  }
  return nullptr;
}

void expand_global_ids(llvm::Module& module, const Options& options) {
  Report nothing_to_say;
  static constexpr Row row{"get_global_id", nullptr};
  static constexpr const char* names[] = {"forewarp.item.global_id.x", "forewarp.item.global_id.y",
                                          "forewarp.item.global_id.z"};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    llvm::Function* marker = module.getFunction(names[dimension]);
    if (marker == nullptr)
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
      auto& call = llvm::cast<llvm::CallInst>(*user);
      BuiltinCall id{call,           llvm::IRBuilder<>(&call), row,           row.name, {},
                     options.family, options.warp_width,       nothing_to_say};
      call.replaceAllUsesWith(item_index(id, ItemIndex::global_id, dimension));
      call.eraseFromParent();
    }
    marker->eraseFromParent();
  }
}

llvm::Value* linear_local_id(BuiltinCall& call) {
  auto at = [&](ItemIndex what, unsigned dimension) { return item_index(call, what, dimension); };
  llvm::Value* zy = call.b.CreateAdd(
      call.b.CreateMul(at(ItemIndex::local_id, 2), at(ItemIndex::local_size, 1)), at(ItemIndex::local_id, 1));
  return call.b.CreateAdd(call.b.CreateMul(zy, at(ItemIndex::local_size, 0)), at(ItemIndex::local_id, 0));
}

llvm::Value* linear_local_size(BuiltinCall& call) {
  auto size = [&](unsigned dimension) { return item_index(call, ItemIndex::local_size, dimension); };
  return call.b.CreateMul(call.b.CreateMul(size(0), size(1)), size(2));
}

namespace {

/// The value outside of 0..2 (OpenCL 6.12.1): 0 for ids, 1 for sizes.
unsigned value_outside(ItemIndex what) {
  return what == ItemIndex::local_id || what == ItemIndex::group_id || what == ItemIndex::global_id ? 0 : 1;
}

llvm::Value* emit_item(BuiltinCall& call) {
  auto what = static_cast<ItemIndex>(call.row.code);
  auto extend = [&](llvm::Value* value) { return call.b.CreateZExt(value, call.type()); };
  if (auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.arg(0))) {
    std::uint64_t d = dimension->getZExtValue();
    return d < 3 ? extend(item_index(call, what, static_cast<unsigned>(d)))
                 : llvm::ConstantInt::get(call.type(), value_outside(what));
  }
  llvm::Value* result = llvm::ConstantInt::get(call.type(), value_outside(what));
  for (unsigned d = 0; d < 3; ++d)
    result = call.b.CreateSelect(call.b.CreateICmpEQ(call.arg(0), call.b.getInt32(d)),
                                 extend(item_index(call, what, d)), result);
  return result;
}

llvm::Value* emit_global_offset(BuiltinCall& call) {
  return llvm::ConstantInt::get(call.type(), 0);
}

llvm::Value* emit_work_dim(BuiltinCall& call) {
  return with_range(call, call.marker("item.work_dim", call.b.getInt32Ty(), {}), 1, 4);
}

llvm::Value* emit_linear_local(BuiltinCall& call) {
  return call.b.CreateZExt(linear_local_id(call), call.type());
}

llvm::Value* emit_linear_global(BuiltinCall& call) {
  auto at = [&](ItemIndex what, unsigned d) {
    return call.b.CreateZExt(item_index(call, what, d), call.type());
  };
  llvm::Value* zy =
      call.b.CreateAdd(call.b.CreateMul(at(ItemIndex::global_id, 2), at(ItemIndex::global_size, 1)),
                       at(ItemIndex::global_id, 1));
  return call.b.CreateAdd(call.b.CreateMul(zy, at(ItemIndex::global_size, 0)), at(ItemIndex::global_id, 0));
}

constexpr unsigned code(ItemIndex what) {
  return static_cast<unsigned>(what);
}

constexpr Row work_item_row_list[] = {
    {"get_global_id", emit_item, code(ItemIndex::global_id)},
    {"get_local_id", emit_item, code(ItemIndex::local_id)},
    {"get_group_id", emit_item, code(ItemIndex::group_id)},
    {"get_local_size", emit_item, code(ItemIndex::local_size)},
    {"get_enqueued_local_size", emit_item, code(ItemIndex::enqueued_size)},
    {"get_num_groups", emit_item, code(ItemIndex::group_count)},
    {"get_global_size", emit_item, code(ItemIndex::global_size)},
    {"get_global_offset", emit_global_offset},
    {"get_work_dim", emit_work_dim},
    {"get_local_linear_id", emit_linear_local},
    {"get_global_linear_id", emit_linear_global},
};

} // namespace

std::span<const Row> work_item_rows() {
  return work_item_row_list;
}

} // namespace forewarp::frontend::lowering

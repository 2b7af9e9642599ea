// What the waits of asynchronous copies wait for, and how many operations a matrix product is.
#include "unit/codegen/ir_fixture.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace forewarp::codegen::testing {
namespace {

using facts::MachineOp;
using facts::MachineProgram;
using facts::OpClass;

const MachineOp* find(const MachineProgram& program, std::size_t block, OpClass op) {
  const auto& ops = program.blocks[block].ops;
  const auto found =
      std::find_if(ops.begin(), ops.end(), [&](const MachineOp& each) { return each.op == op; });
  return found == ops.end() ? nullptr : &*found;
}

// A loop that starts copy i, then waits but for the newest `spared` groups. Block 1 is the loop.
MachineProgram loop_with_wait(int spared, int groups = 1) {
  std::string commits;
  for (int i = 0; i < groups; ++i)
    commits += "  call void @llvm.nvvm.cp.async.commit.group()\n";
  return lower_text("ptr addrspace(1) %a, i32 %n",
                    R"(
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %w
  %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  %v = load volatile i32, ptr addrspace(1) %p, align 4, !forewarp.async !0
  store volatile i32 %v, ptr addrspace(3) %q, align 4, !forewarp.async !0
)" + commits + R"(
  call void @llvm.nvvm.cp.async.wait.group(i32 )" +
                        std::to_string(spared) + R"()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void)",
                    "@tile = internal addrspace(3) global [64 x i32] undef, align 16\n!0 = !{}\n"
                    "declare void @llvm.nvvm.cp.async.commit.group()\n"
                    "declare void @llvm.nvvm.cp.async.wait.group(i32)\n");
}

TEST(AsyncCopies, nobody_but_the_wait_reads_what_is_copied) {
  const MachineProgram program = loop_with_wait(0);
  const MachineOp* load = find(program, 1, OpClass::load_global);
  const MachineOp* wait = find(program, 1, OpClass::fence);
  ASSERT_TRUE(load && wait);
  const auto reads = [](const MachineOp& op, std::uint32_t value) {
    return std::find(op.sources.begin(), op.sources.begin() + op.source_count, value) !=
           op.sources.begin() + op.source_count;
  };
  EXPECT_TRUE(reads(*wait, load->destination));
  EXPECT_EQ(find(program, 1, OpClass::store_shared), nullptr); // the load's instruction
  ASSERT_NE(load->stores_site, facts::no_value);
  EXPECT_EQ(program.sites[load->stores_site].kind, facts::AccessKind::store);
  EXPECT_EQ(load->source_count, 2); // both places
}

// `cp.async` with a source size of 0 or 4: zeros or the copy, by one instruction. A warp all of whose lanes
// copy issues nothing for the zeros, one none of whose lanes copies issues the copy's slot.
TEST(AsyncCopies, zeros_in_place_of_a_copy_are_its_instruction) {
  const MachineProgram program = lower_text("ptr addrspace(1) %a, ptr addrspace(3) %t, i32 %n",
                                            R"(
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %lane, %n
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %lane
  %q = getelementptr i32, ptr addrspace(3) %t, i32 %lane
  br i1 %some, label %copy, label %fill
copy:
  %v = load volatile i32, ptr addrspace(1) %p, align 4, !forewarp.async !0
  store volatile i32 %v, ptr addrspace(3) %q, align 4, !forewarp.async !0
  br label %end
fill:
  store i32 0, ptr addrspace(3) %q, align 4, !forewarp.async.fill !0
  br label %end
end:
  call void @llvm.nvvm.barrier0()
  ret void)",
                                            "!0 = !{}\n");
  std::vector<std::uint32_t> accesses;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::PassedBody& passed : block.passed)
      accesses.push_back(passed.accesses);
  std::sort(accesses.begin(), accesses.end());
  EXPECT_EQ(accesses, (std::vector<std::uint32_t>{0, 1}));
}

// Two groups spared: what came two iterations ago. The chain at the loop's head is first <- load, second <-
// first around the loop, and nothing from before it.
TEST(AsyncCopies, a_wait_that_spares_groups_reads_what_earlier_iterations_copied) {
  const MachineProgram program = loop_with_wait(2);
  const MachineOp* load = find(program, 1, OpClass::load_global);
  const MachineOp* wait = find(program, 1, OpClass::fence);
  ASSERT_TRUE(load && wait);
  ASSERT_EQ(wait->source_count, 1);
  const auto before = [&](std::uint32_t value, std::uint32_t from) {
    for (const facts::PhiAlias& phi : program.blocks[1].phis)
      if (phi.destination == value && phi.previous_block == from)
        return phi.source;
    return value; // not moved
  };
  const std::uint32_t one_ago = before(wait->sources[0], 1);
  EXPECT_EQ(before(one_ago, 1), load->destination);
  EXPECT_EQ(before(wait->sources[0], 0), facts::no_value);
  EXPECT_EQ(before(one_ago, 0), facts::no_value);
}

// Two groups an iteration, of two factors: four groups are two iterations, as one group an iteration and two
// are.
TEST(AsyncCopies, iterations_end_several_groups) {
  const MachineProgram one = loop_with_wait(2), two = loop_with_wait(4, 2);
  ASSERT_EQ(one.blocks[1].phis.size(), two.blocks[1].phis.size());
  const MachineOp* wait = find(two, 1, OpClass::fence);
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->source_count, 1);
  EXPECT_NE(wait->sources[0], find(two, 1, OpClass::load_global)->destination);
}

// A loop that waits at its head for all but the newest group, then starts a copy and ends its group: what
// came two iterations ago. A listing may have the copy's block before the head's, as PTX of rotated loops
// does.
TEST(AsyncCopies, the_order_of_a_listing_does_not_matter) {
  const std::string head = R"(
head:
  %i = phi i32 [ 0, %entry ], [ %next, %copy ]
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  %more = icmp slt i32 %i, %n
  br i1 %more, label %copy, label %end)",
                    copy = R"(
copy:
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %w
  %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  %v = load volatile i32, ptr addrspace(1) %p, align 4, !forewarp.async !0
  store volatile i32 %v, ptr addrspace(3) %q, align 4, !forewarp.async !0
  call void @llvm.nvvm.cp.async.commit.group()
  %next = add i32 %i, 1
  br label %head)";
  for (const bool copy_first : {false, true}) {
    const MachineProgram program = lower_text(
        "ptr addrspace(1) %a, i32 %n",
        "\nentry:\n  br label %head" + (copy_first ? copy + head : head + copy) + "\nend:\n  ret void",
        "@tile = internal addrspace(3) global [64 x i32] undef, align 16\n!0 = !{}\n"
        "declare void @llvm.nvvm.cp.async.commit.group()\n"
        "declare void @llvm.nvvm.cp.async.wait.group(i32)\n");
    const std::uint32_t at_head = copy_first ? 2 : 1, at_copy = copy_first ? 1 : 2;
    const MachineOp* load = find(program, at_copy, OpClass::load_global);
    const MachineOp* wait = find(program, at_head, OpClass::fence);
    ASSERT_TRUE(load && wait);
    ASSERT_EQ(wait->source_count, 1);
    std::uint32_t value = wait->sources[0];
    unsigned iterations = 0;
    for (; value != load->destination && iterations < 4; ++iterations)
      for (const facts::PhiAlias& phi : program.blocks[at_head].phis)
        if (phi.destination == value && phi.previous_block == at_copy) {
          value = phi.source;
          break;
        }
    EXPECT_EQ(iterations, 2U) << copy_first;
  }
}

MachineProgram product(const std::string& name, const std::string& types, const std::string& result,
                       const gpu::Machine& machine) {
  const std::string declaration = "declare " + result + " @llvm.nvvm." + name + "(" + types + ")\n";
  std::string arguments;
  for (std::size_t at = 0; at < types.size();
       at = types.find(", ", at) == std::string::npos ? types.size() : types.find(", ", at) + 2)
    arguments += (at ? ", " : "") + types.substr(at, types.find(", ", at) - at) + " undef";
  return lower_text("", "  %r = call " + result + " @llvm.nvvm." + name + "(" + arguments + ")\n  ret void",
                    declaration, machine);
}

int products(const std::string& name, const std::string& types, const std::string& result,
             double capability) {
  gpu::Machine machine = volta_like();
  machine.tensor_multiply_adds = gpu::tensor_multiply_adds(capability >= 8 ? "16x8x16" : "16x8x8");
  return mix(product(name, types, result, machine).blocks[0])["tensor_mma"];
}

// 16 * 8 * 16 = 2048 multiply-adds: one operation from 8.0 on, two of 16x8x8 before. tf32 elements are twice
// as wide (16x8x8: 1024 * 2), bytes half as wide (16x8x32: 4096 / 2).
TEST(MatrixProducts, operations_by_shape_type_and_generation) {
  const std::string halves =
      "<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float";
  const std::string floats = "{ float, float, float, float }", words = "{ i32, i32, i32, i32 }";
  EXPECT_EQ(products("mma.m16n8k16.row.col.f32.f32", halves, floats, 8.0), 1);
  EXPECT_EQ(products("mma.m16n8k16.row.col.f32.f32", halves, floats, 7.5), 2);
  EXPECT_EQ(products("mma.m16n8k8.row.col.tf32", "i32, i32, i32, i32, i32, i32, float, float, float, float",
                     floats, 8.0),
            1);
  EXPECT_EQ(products("mma.m16n8k32.row.col.satfinite.s8", "i32, i32, i32, i32, i32, i32, i32, i32, i32, i32",
                     words, 8.0),
            1);
}

void expect_work(const MachineProgram& program, std::size_t operations, double flops, double peak) {
  std::size_t found = 0;
  for (const MachineOp& op : program.blocks[0].ops)
    if (op.op == OpClass::tensor_mma) {
      ++found;
      EXPECT_FLOAT_EQ(op.tensor.flops, static_cast<float>(flops));
      EXPECT_FLOAT_EQ(op.tensor.peak_flops, static_cast<float>(peak));
    }
  EXPECT_EQ(found, operations);
}

// 2 * 2048 flops a product of 16x8x16. GeForce boards sum in floats at half the rate: two operations of half
// of it, and half the peak. f64 at 1/16 of halves: 2 * 256 flops take two operations, whose peak is 2 * 2048
// / 16.
TEST(MatrixProducts, flops_and_the_peak_of_the_types) {
  const std::string h = "<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, ";
  const std::string halves = h + "<2 x half>, <2 x half>", floats = h + "float, float, float, float";
  const std::string four = "{ float, float, float, float }", two = "{ <2 x half>, <2 x half> }";
  gpu::Machine machine = volta_like();
  machine.tensor_multiply_adds = 16 * 8 * 16;
  machine.matrix_rates.f64 = 1.0 / 16;
  expect_work(product("mma.m16n8k16.row.col.f32.f32", floats, four, machine), 1, 4096, 4096);
  expect_work(
      product("mma.m8n8k4.row.col.f64", "double, double, double, double", "{ double, double }", machine), 2,
      256, 256);
  machine.matrix_rates.float_sums = 0.5;
  expect_work(product("mma.m16n8k16.row.col.f32.f32", floats, four, machine), 2, 2048, 2048);
  expect_work(product("mma.m16n8k16.row.col.f16.f16", halves, two, machine), 1, 4096, 4096);
}

// 16 * 8 * 32 numbers of 8 bits take the time of 2048 halves, summed in floats on a GeForce twice that;
// numbers of 4 bits a quarter of halves; of a sparse factor of halves half is multiplied, and 2 * 4096 flops
// are counted.
TEST(MatrixProducts, of_few_bits_and_of_sparse_factors) {
  gpu::Machine machine = volta_like();
  machine.tensor_multiply_adds = 16 * 8 * 16;
  const std::string floats = "float, float, float, float", four = "{ " + floats + " }";
  const std::string factors = "i32, i32, i32, i32, i32, i32, ", scales = ", i32, i32";
  const auto marked = [&](const std::string& name, const std::string& parameters) {
    const std::string call = four + " @forewarp.mma." + name + ".f32x4(";
    std::string values;
    for (const llvm::StringRef type : llvm::split(parameters, ", "))
      values += (values.empty() ? "" : ", ") + type.str() + (type == "float" ? " 0.0" : " 0");
    return lower_text("ptr addrspace(1) %p", "  %r = call " + call + values + ")\n  ret void",
                      "declare " + call + parameters + ")\n", machine);
  };
  const std::string fp8 = "m16n8k32.row.col.e4m3.e4m3.f32";
  expect_work(marked(fp8, factors + floats), 1, 8192, 8192);
  expect_work(marked("m16n8k64.row.col.fp4.fp4.f32.scaled.4.ue4m3.0.0.0.0", factors + floats + scales), 1,
              16384, 16384);
  expect_work(marked("m16n8k32.row.col.f16.f16.f32.sparse.0", factors + "i32, i32, " + floats + ", i32"), 1,
              8192, 8192);
  machine.matrix_rates.float_sums = 0.5;
  expect_work(marked(fp8, factors + floats), 2, 4096, 4096);
}

// m64n128k16 by four warps: 64 * 128 * 16 / 4 = 32768 multiply-adds of halves each, and 2048 * 8 / 5 = 3276
// an operation: 10. Bytes: as many of 32 deep.
TEST(MatrixProducts, of_a_warp_group_reach_the_peak) {
  gpu::Machine machine = volta_like();
  machine.compute_capability = 9.0;
  machine.tensor_multiply_adds = 16 * 8 * 16;
  machine.warpgroup_product_rate = 1.6;
  for (const char* name : {"m64n128k16.f16.memory2.f32x2", "m64n128k32.e4m3.memory2.f32x2"}) {
    const std::string marker = std::string("@forewarp.wgmma.") + name;
    const MachineProgram program =
        lower_text("float %a",
                   "  %r = call { float, float } " + marker +
                       "(i64 1, i64 2, float %a, float %a)\n"
                       "  %s = extractvalue { float, float } %r, 0\n"
                       "  %w = call { float } @forewarp.wgmma.wait.0.f32x1(float %s)\n  ret void",
                   "declare { float, float } " + marker +
                       "(i64, i64, float, float)\n"
                       "declare { float } @forewarp.wgmma.wait.0.f32x1(float)\n",
                   machine);
    EXPECT_EQ(mix(program.blocks[0])["tensor_mma"], 10) << name;
    const bool halves = std::string(name).find("f16") != std::string::npos;
    const double flops = 2 * 64 * 128 * (halves ? 16 : 32) / 40.0;
    expect_work(program, 10, flops, flops); // at the peak by the rate that was given
    const MachineOp* wait = find(program, 0, OpClass::fence);
    ASSERT_TRUE(wait);
    ASSERT_EQ(wait->source_count, 1);
    EXPECT_EQ(wait->sources[0], (wait - 1)->destination);
    EXPECT_TRUE((wait - 1)->queued); // the warps go on
    EXPECT_FALSE(wait->queued);
  }
}

} // namespace
} // namespace forewarp::codegen::testing

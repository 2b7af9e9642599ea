// The AMDGPU back end's machine code as operations: classes, sites, registers, functions from the table.
#include "amdgcn/classify.h"
#include "codegen/machine_step.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <map>
#include <set>

namespace forewarp::codegen {
using amdgcn::classify_amd, amdgcn::is_wide_integer, amdgcn::width_of_amd;
namespace {

using facts::OpClass;

constexpr const char* layout =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:"
    "256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-"
    "n32:64-S32-A5-G1-ni:7:8:9";

facts::MachineProgram lower_amd(const std::string& parameters, const std::string& body,
                                const std::string& outside = "", const std::string& target = "gfx90a",
                                unsigned wide_integer_passes = 1, unsigned llvm_release = 19,
                                bool hoists_reciprocals = true) {
  const std::string text = "target triple = \"amdgcn-amd-amdhsa\"\ntarget datalayout = \"" +
                           std::string(layout) + "\"\n" + "declare i32 @llvm.amdgcn.workitem.id.x()\n" +
                           outside + "\ndefine amdgpu_kernel void @k(" + parameters + ") {\n" + body +
                           "\n}\n";
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto parsed = llvm::parseAssemblyString(text, diagnostic, *context);
  if (!parsed)
    throw std::runtime_error(diagnostic.getMessage().str());
  ir::KernelModule module(std::move(context), std::move(parsed));
  module.family = ir::TargetFamily::amd;
  module.target = target;
  module.warp_width = target.starts_with("gfx1") ? 32 : 64;
  ir::KernelSignature kernel;
  kernel.name = kernel.symbol = "k";
  module.kernels.push_back(kernel);
  gpu::Machine machine;
  machine.vendor = "amd";
  machine.target = target;
  machine.wide_integer_passes = wide_integer_passes;
  machine.compiler.llvm_release = llvm_release;
  machine.compiler.hoists_reciprocals = hoists_reciprocals;
  auto program = lower(module, module.kernels.front(), machine);
  if (!program)
    throw std::runtime_error(program.error().message);
  return *program;
}

std::map<OpClass, int> mix(const facts::MachineProgram& program) {
  std::map<OpClass, int> counts;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      ++counts[op.op];
  return counts;
}

std::vector<OpClass> continued(const facts::MachineProgram& program) {
  std::vector<OpClass> found;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      if (op.continues)
        found.push_back(op.op);
  return found;
}

std::multiset<std::uint32_t> sites(const facts::MachineProgram& program) {
  std::multiset<std::uint32_t> found;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      if (op.site != facts::no_value)
        found.insert(op.site);
  return found;
}

TEST(AmdClassify, NamesOfTheBackEnd) {
  const std::pair<const char*, OpClass> rows[] = {{"V_FMAC_F32_e32", OpClass::fp32_fma},
                                                  {"V_PK_FMA_F32", OpClass::fp32_fma},
                                                  {"V_PK_MUL_F16", OpClass::fp16_mul},
                                                  {"V_ADD_F64_e64", OpClass::fp64_add},
                                                  {"V_RCP_F32_e32", OpClass::sfu},
                                                  {"V_RSQ_F64_e32", OpClass::sfu},
                                                  {"V_FREXP_MANT_F32_e32", OpClass::fp32_add},
                                                  {"V_EXP_F32_e32", OpClass::sfu},
                                                  {"V_MUL_LO_U32_e64", OpClass::int_mul},
                                                  {"V_MUL_HI_U32_e64", OpClass::int_mul_hi},
                                                  {"V_MAD_U64_U32_e64", OpClass::int_mul_wide},
                                                  {"V_MUL_U32_U24_e32", OpClass::int_add},
                                                  {"V_CMP_LT_I32_e32", OpClass::int_minmax_cmp},
                                                  {"V_CNDMASK_B32_e64", OpClass::int_minmax_cmp},
                                                  {"V_LSHLREV_B64_e64", OpClass::int_shift},
                                                  {"V_MOV_B32_e32", OpClass::move},
                                                  {"V_READFIRSTLANE_B32", OpClass::move},
                                                  {"V_CVT_F32_UBYTE0_e32", OpClass::cvt_narrow},
                                                  {"S_LOAD_DWORDX4_IMM", OpClass::scalar_load},
                                                  {"S_AND_SAVEEXEC_B64", OpClass::scalar_alu},
                                                  {"S_CBRANCH_EXECZ", OpClass::branch},
                                                  {"S_BARRIER", OpClass::barrier},
                                                  {"GLOBAL_LOAD_DWORD_SADDR", OpClass::load_global},
                                                  {"GLOBAL_ATOMIC_ADD_SADDR", OpClass::atomic_global},
                                                  {"FLAT_STORE_DWORDX2", OpClass::store_global},
                                                  {"SCRATCH_STORE_DWORD_SADDR", OpClass::store_local},
                                                  {"DS_READ2_B32_gfx9", OpClass::load_shared},
                                                  {"DS_WRITE_B128_gfx9", OpClass::store_shared},
                                                  {"DS_ADD_RTN_U32_gfx9", OpClass::atomic_shared},
                                                  {"DS_BPERMUTE_B32", OpClass::shuffle},
                                                  {"V_MFMA_F32_32X32X8F16_e64", OpClass::tensor_mma}};
  for (const auto& [name, op] : rows)
    EXPECT_EQ(classify_amd(name, false), op) << name;
  EXPECT_EQ(classify_amd("BUFFER_LOAD_DWORD_OFFSET", true), OpClass::load_local);
  EXPECT_TRUE(is_wide_integer("V_LSHLREV_B64_e64") && is_wide_integer("V_ASHRREV_I64_e64") &&
              is_wide_integer("V_CMP_LT_I64_e64"));
  EXPECT_FALSE(is_wide_integer("V_LSHLREV_B32_e32") || is_wide_integer("V_CMP_LT_F64_e64") ||
               is_wide_integer("S_LSHL_B64"));
  EXPECT_FALSE(classify_amd("S_WAITCNT", false)); // the wait follows from the registers
  EXPECT_EQ(width_of_amd("GLOBAL_LOAD_DWORDX4_SADDR"), 16U);
  EXPECT_EQ(width_of_amd("GLOBAL_LOAD_UBYTE"), 1U);
  EXPECT_EQ(width_of_amd("DS_READ_B64_gfx9"), 8U);
}

// y[i] += a * x[i]: two loads, one multiply-add, one store, kernel arguments through the scalar cache.
TEST(AmdCode, SaxpyIsWhatTheBackEndMakes) {
  const auto program = lower_amd("ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, float %a",
                                 "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                                 "%j = zext i32 %i to i64\n"
                                 "%px = getelementptr float, ptr addrspace(1) %x, i64 %j\n"
                                 "%py = getelementptr float, ptr addrspace(1) %y, i64 %j\n"
                                 "%vx = load float, ptr addrspace(1) %px\n"
                                 "%vy = load float, ptr addrspace(1) %py\n"
                                 "%m = fmul contract float %a, %vx\n"
                                 "%s = fadd contract float %m, %vy\n"
                                 "store float %s, ptr addrspace(1) %py\nret void");
  EXPECT_EQ(program.resources.source, "amdgpu backend");
  auto counts = mix(program);
  EXPECT_EQ(counts[OpClass::load_global], 2);
  EXPECT_EQ(counts[OpClass::store_global], 1);
  EXPECT_EQ(counts[OpClass::fp32_fma], 1);
  EXPECT_GE(counts[OpClass::scalar_load], 1);
  EXPECT_EQ(sites(program), (std::multiset<std::uint32_t>{0, 1, 2}));
  // The multiply-add waits for both loads and the store for it.
  std::map<std::uint32_t, OpClass> maker;
  for (const facts::MachineOp& op : program.blocks[0].ops) {
    std::multiset<OpClass> from;
    for (unsigned s = 0; s < op.source_count; ++s)
      from.insert(maker[op.sources[s]]);
    if (op.op == OpClass::fp32_fma) {
      EXPECT_EQ(from.count(OpClass::load_global), 2U);
    }
    if (op.op == OpClass::store_global) {
      EXPECT_EQ(from.count(OpClass::fp32_fma), 1U);
    }
    if (op.destination != facts::no_value)
      maker[op.destination] = op.op;
  }
}

// The back end joins a load of a byte with its conversion and gives it the conversion's place: it is the
// byte's access all the same, not a spill without one.
TEST(AmdCode, WidenedBytesKeepTheirAccess) {
  for (const char* widen :
       {"%w = uitofp i8 %v to float", "%e = sext i8 %v to i32\n%w = sitofp i32 %e to float"}) {
    const auto program =
        lower_amd("ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y",
                  "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                  "%px = getelementptr i8, ptr addrspace(1) %x, i32 %i\n"
                  "%py = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
                  "%v = load i8, ptr addrspace(1) %px\n" +
                      std::string(widen) + "\nstore float %w, ptr addrspace(1) %py\nret void");
    EXPECT_EQ(mix(program)[OpClass::load_global], 1);
    EXPECT_EQ(sites(program), (std::multiset<std::uint32_t>{0, 1}));
  }
}

// Four neighbours in one request: the one site that has the operation says its bytes.
TEST(AmdCode, JoinedLoadsSayTheirBytes) {
  std::string body = "%i = call i32 @llvm.amdgcn.workitem.id.x()\n%i4 = mul nuw nsw i32 %i, 4\n"
                     "%py = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
                     "%p0 = getelementptr inbounds float, ptr addrspace(1) %x, i32 %i4\n";
  for (int k = 1; k < 4; ++k)
    body += "%p" + std::to_string(k) + " = getelementptr inbounds float, ptr addrspace(1) %p0, i32 " +
            std::to_string(k) + "\n";
  for (int k = 0; k < 4; ++k)
    body += "%v" + std::to_string(k) + " = load float, ptr addrspace(1) %p" + std::to_string(k) + ", align " +
            (k == 0 ? "16" : "4") + "\n";
  const auto program = lower_amd("ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y",
                                 body + "%a = fadd float %v0, %v1\n%b = fadd float %v2, %v3\n"
                                        "%s = fmul float %a, %b\n"
                                        "store float %s, ptr addrspace(1) %py\nret void");
  ASSERT_EQ(mix(program)[OpClass::load_global], 1);
  unsigned joined = 0;
  for (const facts::MemorySite& site : program.sites)
    joined += site.joined_bytes;
  EXPECT_EQ(joined, 16U);
}

// A sum over a loop: the multiply-add of one iteration reads the one before through a phi.
TEST(AmdCode, LoopCarriesValuesThroughPhis) {
  const auto program = lower_amd("ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i32 %n",
                                 "entry:\n%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                                 "%py = getelementptr float, ptr addrspace(1) %y, i32 %i\nbr label %loop\n"
                                 "loop:\n%k = phi i32 [ 0, %entry ], [ %k1, %loop ]\n"
                                 "%s = phi float [ 0.0, %entry ], [ %s1, %loop ]\n"
                                 "%o = mul i32 %k, 64\n%p = add i32 %o, %i\n"
                                 "%px = getelementptr float, ptr addrspace(1) %x, i32 %p\n"
                                 "%v = load float, ptr addrspace(1) %px\n"
                                 "%s1 = call float @llvm.fma.f32(float %v, float %v, float %s)\n"
                                 "%k1 = add i32 %k, 1\n%c = icmp slt i32 %k1, %n\n"
                                 "br i1 %c, label %loop, label %out\n"
                                 "out:\nstore float %s1, ptr addrspace(1) %py\nret void",
                                 "declare float @llvm.fma.f32(float, float, float)");
  ASSERT_EQ(program.blocks.size(), 3U);
  const facts::MachineBlock& loop = program.blocks[1];
  std::uint32_t sum = facts::no_value;
  std::vector<std::uint32_t> read;
  for (const facts::MachineOp& op : loop.ops)
    if (op.op == OpClass::fp32_fma) {
      sum = op.destination;
      read.assign(op.sources.begin(), op.sources.begin() + op.source_count);
    }
  ASSERT_NE(sum, facts::no_value);
  bool carried = false;
  for (const facts::PhiAlias& phi : loop.phis)
    carried = carried || (phi.previous_block == 1 && phi.source == sum &&
                          std::find(read.begin(), read.end(), phi.destination) != read.end());
  EXPECT_TRUE(carried);
  EXPECT_EQ(sites(program), (std::multiset<std::uint32_t>{0, 1}));
}

// Two words of LDS 256 bytes apart: one instruction of two addresses, which carries both sites.
TEST(AmdCode, LdsReadOfTwoAddressesCarriesBothSites) {
  const auto program = lower_amd("ptr addrspace(1) noalias %y",
                                 "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                                 "%p = getelementptr [1024 x float], ptr addrspace(3) @tile, i32 0, i32 %i\n"
                                 "%q = getelementptr float, ptr addrspace(3) %p, i32 64\n"
                                 "%a = load float, ptr addrspace(3) %p\n"
                                 "%b = load float, ptr addrspace(3) %q\n"
                                 "%s = fadd float %a, %b\n"
                                 "%py = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
                                 "store float %s, ptr addrspace(1) %py\nret void",
                                 "@tile = internal addrspace(3) global [1024 x float] poison");
  EXPECT_EQ(sites(program), (std::multiset<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(mix(program)[OpClass::load_shared], 2);
  EXPECT_EQ(continued(program), (std::vector{OpClass::load_shared})); // one issue slot
  EXPECT_EQ(program.resources.static_shared_bytes, 4096U);
}

// Words at 4 i and 4 i + 4: two addresses of one instruction today, one access of 8 bytes before LLVM 15.
TEST(AmdCode, LdsWordsInARowWereOneAccessBeforeLlvm15) {
  const auto words = [](unsigned release) {
    return lower_amd("ptr addrspace(1) noalias %y",
                     "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                     "%p = getelementptr [1024 x float], ptr addrspace(3) @tile, i32 0, i32 %i\n"
                     "%q = getelementptr float, ptr addrspace(3) %p, i32 1\n"
                     "%a = load float, ptr addrspace(3) %p\n"
                     "%b = load float, ptr addrspace(3) %q\n"
                     "%s = fadd float %a, %b\n"
                     "%py = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
                     "store float %s, ptr addrspace(1) %py\nret void",
                     "@tile = internal addrspace(3) global [1024 x float] poison", "gfx90a", 1, release);
  };
  EXPECT_EQ(mix(words(19))[OpClass::load_shared], 2);
  const auto joined = words(14);
  EXPECT_EQ(mix(joined)[OpClass::load_shared], 1);
  EXPECT_EQ(joined.sites[0].joined_bytes + joined.sites[1].joined_bytes, 8U);
  EXPECT_TRUE(joined.sites[0].moved_by_neighbour != joined.sites[1].moved_by_neighbour);
}

// for (i = 0; i < n; ++i) sum += i / d: in LLVM 19 1 / d is made once before the loop.
TEST(AmdCode, ReciprocalsOfDivisorsStayInLoopsWhereTheGpuSaysSo) {
  const auto reciprocals_in_loop = [](bool hoisted) {
    const auto program = lower_amd("ptr addrspace(1) noalias %y, i32 %n, i32 %d",
                                   "entry:\n%id = call i32 @llvm.amdgcn.workitem.id.x()\nbr label %loop\n"
                                   "loop:\n%i = phi i32 [ %id, %entry ], [ %next, %loop ]\n"
                                   "%sum = phi i32 [ 0, %entry ], [ %more, %loop ]\n"
                                   "%q = udiv i32 %i, %d\n%more = add i32 %sum, %q\n"
                                   "%next = add i32 %i, 1\n%go = icmp slt i32 %next, %n\n"
                                   "br i1 %go, label %loop, label %done\n"
                                   "done:\nstore i32 %more, ptr addrspace(1) %y\nret void",
                                   "", "gfx906", 1, 19, hoisted);
    return std::ranges::count(program.blocks[1].ops, OpClass::sfu, &facts::MachineOp::op);
  };
  EXPECT_EQ(reciprocals_in_loop(true), 0);
  EXPECT_EQ(reciprocals_in_loop(false), 1);
}

// y[i] = x[i] << 5 of 64 bits: the second pass writes the result that the store waits for.
TEST(AmdCode, WideShiftsTakeTwoPassesWhereTheGpuSaysSo) {
  const char* parameters = "ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i64 %n";
  const char* body = "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                     "%px = getelementptr i64, ptr addrspace(1) %x, i32 %i\n"
                     "%v = load i64, ptr addrspace(1) %px\n"
                     "%s = shl i64 %v, 5\n"
                     "%py = getelementptr i64, ptr addrspace(1) %y, i32 %i\n"
                     "store i64 %s, ptr addrspace(1) %py\nret void";
  const auto one = lower_amd(parameters, body, "", "gfx90a", 1),
             two = lower_amd(parameters, body, "", "gfx906", 2);
  EXPECT_TRUE(continued(one).empty());
  const auto passes = continued(two);
  ASSERT_FALSE(passes.empty());
  EXPECT_EQ(passes, std::vector(passes.size(), OpClass::int_shift));
  for (const facts::MachineOp& op : two.blocks[0].ops)
    if (op.continues) {
      EXPECT_NE(op.destination, facts::no_value);
    }
}

TEST(AmdCode, LibraryFunctionsComeFromTheTable) {
  const char* body = "%i = call i32 @llvm.amdgcn.workitem.id.x()\n"
                     "%p = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
                     "%v = load float, ptr addrspace(1) %p\n"
                     "%s = call float @llvm.pow.f32(float %v, float 3.5)\n"
                     "store float %s, ptr addrspace(1) %p\nret void";
  const auto program =
      lower_amd("ptr addrspace(1) %y", body, "declare float @llvm.pow.f32(float, float)", "gfx1032");
  EXPECT_EQ(program.resources.source, "amdgpu backend");
  EXPECT_GE(mix(program)[OpClass::fp32_fma], 15);
  ASSERT_EQ(program.notes.size(), 1U);
  EXPECT_NE(program.notes.front().text.find("library"), std::string::npos);
}

TEST(AmdCode, ImagesLeaveTheEstimate) {
  const auto program = lower_amd("ptr addrspace(1) %y",
                                 "%v = call i32 @forewarp.image.width(ptr addrspace(1) %y)\n"
                                 "store i32 %v, ptr addrspace(1) %y\nret void",
                                 "declare i32 @forewarp.image.width(ptr addrspace(1))");
  EXPECT_EQ(program.resources.source, "estimate");
  ASSERT_FALSE(program.notes.empty());
  EXPECT_NE(program.notes.back().text.find("forewarp.image.width"), std::string::npos);
}

} // namespace
} // namespace forewarp::codegen

// Copies of loop bodies, as NVIDIA's compiler (cicc 13.0) and then its assembler (ptxas 13.0, sm_75) make
// them of the same loops.
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

/// In the place of a target: the compilers of compute capability 1.x, of 10.0 and later, and of 6.0 to 7.0.
constexpr const char *open64 = "open64", *blackwell = "blackwell", *pascal = "pascal";

/// Loads of the kernel `k` after the compiler.
unsigned loads_in(const std::string& text, const std::string& ending, ir::TargetFamily family,
                  const std::string& target) {
  const test::TemporaryFile file(text, ending);
  CompileRequest request = test::request_for(family);
  request.path = file.path();
  if (target == open64 || target == blackwell || target == pascal)
    request.compiler = target;
  else if (!target.empty())
    test::set_target(request, target);
  const auto module = compile(request);
  EXPECT_TRUE(module) << to_string(module.error());
  unsigned count = 0;
  if (module)
    for (const llvm::Instruction& instruction : llvm::instructions(*module->module().getFunction("k")))
      count += llvm::isa<llvm::LoadInst>(instruction);
  return count;
}

/// Loads from `b` in the kernel `void k(global float* a, global const float* b, int n, int w)` with this
/// loop.
unsigned loads(const std::string& loop, ir::TargetFamily family = ir::TargetFamily::nvidia,
               const std::string& target = "") {
  const std::string text =
      "kernel void k(global float* restrict a, global const float* restrict b, int n, int w) {\n"
      "  int i = get_global_id(0); float s = 0;\n" +
      loop + "\n  a[i] = s;\n}\n";
  return loads_in(text, ".cl", family, target);
}

/// A loop over `b` with `steps` multiply-adds beside the load.
std::string sum_of(int steps, const std::string& trips) {
  std::string text = "for (int k = 0; k < " + trips + "; k++) { s += b[k * w + i];";
  for (int step = 0; step < steps; ++step)
    text += " s = fma(s, s, 3.0f);";
  return text + " }";
}

// The compiler makes four copies and a loop for the rest; of a short body the assembler makes four again, and
// keeps the compiler's loop for what they leave.
TEST(UnrollLoops, FourCopiesAndALoopForTheRest) {
  EXPECT_EQ(loads(sum_of(4, "n")), 4u + 1);
  EXPECT_EQ(loads(sum_of(0, "n")), 16u + 4 + 1);
  EXPECT_EQ(loads("for (int k = i; k < n; k++) s += b[k * w];"), 16u + 4 + 1);
}

TEST(UnrollLoops, TheRestOfAnInnerLoopIsUnrolledToo) {
  EXPECT_EQ(loads("for (int j = 0; j < n; j++) " + sum_of(4, "n")), 4u + 3);
  EXPECT_EQ(loads("for (int j = 0; j < n; j++) " + sum_of(0, "n")), 16u + 4 + 3);
}

// Shuffles keep the assembler away, not the compiler.
TEST(UnrollLoops, ExchangesAreNotRepeatedByTheAssembler) {
  EXPECT_EQ(loads("for (int k = 0; k < n; k++) s += sub_group_broadcast(b[k * w + i], k);"), 4u + 1);
}

// 602 = 2 x 301, 604 = 4 x 151, 600 = 8 x 75. Sixteen multiply-adds a load are too long for the assembler.
TEST(UnrollLoops, LargestPowerOfTwoThatDividesAConstantCount) {
  EXPECT_EQ(loads(sum_of(0, "16")), 16u); // in full
  EXPECT_EQ(loads(sum_of(40, "602")), 2u);
  EXPECT_EQ(loads(sum_of(20, "604")), 4u);
  EXPECT_EQ(loads(sum_of(10, "600")), 8u);
}

// 25 times four copies of a load and a multiply-add, 350 instructions: gone. 64 x 16: four copies of the
// sixteen.
TEST(UnrollLoops, TheAssemblerRepeatsKnownCounts) {
  EXPECT_EQ(loads(sum_of(0, "100")), 100u);
  EXPECT_EQ(loads(sum_of(0, "1024")), 64u);
}

TEST(UnrollLoops, LongBodiesFewerTimes) {
  const auto body = [](int steps) {
    std::string text = "for (int k = 0; k < n; k++) { s += b[k];";
    for (int step = 0; step < steps; ++step)
      text += " s *= s; s -= 3;";
    return loads(text + " }");
  };
  EXPECT_EQ(body(20), 4u + 1);
  EXPECT_EQ(body(24), 2u + 1);
  EXPECT_EQ(body(32), 2u + 1);
  EXPECT_EQ(body(48), 1u);
}

// cicc 13.0 for sm_86, loops from `threadIdx.x & 15` in steps of 16: 19 and 20 iterations at most stay a loop
// (of which the assembler makes four copies), 21 and more do not.
TEST(UnrollLoops, OutermostLoopsOfFewIterationsAreLeft) {
  const auto of = [](int iterations) {
    return loads("for (int k = get_local_id(0) & 15; k < " + std::to_string(16 * iterations - 4) +
                 "; k += 16) s += b[k * w];");
  };
  EXPECT_EQ(of(8), 4u + 1);
  EXPECT_EQ(of(20), 4u + 1);
  EXPECT_EQ(of(32), 16u + 4 + 1);
}

// The same inside another loop: copies and rest whatever the number (r2, r3, r4: 3, 7 and 7 multiply-adds).
TEST(UnrollLoops, InnerLoopsOfFewIterationsKeepCopiesAndRestApart) {
  const auto of = [](int iterations) {
    return loads("for (int j = 0; j < n; j++) for (int k = get_local_id(0) & 15; k < " +
                 std::to_string(16 * iterations - 4) + "; k += 16) s += b[k * w];");
  };
  EXPECT_EQ(of(2), 2u + 1);
  EXPECT_EQ(of(3), 4u + 3);
  EXPECT_EQ(of(4), 4u + 3);
}

// Under a pragma they go away up to 64 iterations; from 65 on it changes nothing, and keeps the assembler
// away.
TEST(UnrollLoops, APragmaOnALoopOfFewIterations) {
  const auto of = [](int iterations) {
    return loads("#pragma unroll\nfor (int k = get_local_id(0) & 15; k < " +
                 std::to_string(16 * iterations - 4) + "; k += 16) s += b[k * w];");
  };
  EXPECT_EQ(of(4), 4u);
  EXPECT_EQ(of(64), 64u);
  EXPECT_EQ(of(65), 4u + 1);
}

// Work-items' numbers lie below 1024, which cicc 13.0 knows for sm_100 and later only: at most seven
// iterations.
TEST(UnrollLoops, BlackwellsCompilerKnowsTheLimitsOfWorkItemNumbers) {
  const std::string tile = "for (int k = get_local_id(0); k < 206; k += 32) s += b[k * w];";
  EXPECT_EQ(loads(tile), 16u + 4 + 1);
  EXPECT_EQ(loads(tile, ir::TargetFamily::nvidia, blackwell), 4u + 1);
  EXPECT_EQ(loads("#pragma unroll\n" + tile, ir::TargetFamily::nvidia, blackwell), 7u);
}

// At most seven iterations: LLVM's own rule, AMD's, makes seven copies. NVIDIA's compiler makes what it would
// make without a pragma, and the assembler adds nothing.
TEST(UnrollLoops, APragmaOnALoopOfUnknownCount) {
  const std::string pragma = "#pragma unroll\n";
  const std::string tile = "for (int k = get_local_id(0); k < 206; k += 32) s += b[k * w];";
  EXPECT_EQ(loads(pragma + tile), 4u + 1);
  EXPECT_EQ(loads(pragma + tile, ir::TargetFamily::amd), 7u);
  EXPECT_EQ(loads("for (int j = 0; j < n; j++)\n" + pragma + tile), 4u + 3);
  EXPECT_EQ(loads(pragma + sum_of(0, "n")), 4u + 1);
}

// LLVM unrolls the rest since 2017: Maxwell's code is older.
TEST(UnrollLoops, OlderCompilersLeaveALoopForTheRestOfAnInnerLoop) {
  const std::string nested = "for (int j = 0; j < n; j++) " + sum_of(4, "n");
  EXPECT_EQ(loads(nested, ir::TargetFamily::nvidia, "sm_61"), 4u + 3);
  EXPECT_EQ(loads(nested, ir::TargetFamily::nvidia, "sm_52"), 4u + 1);
  EXPECT_EQ(loads(nested, ir::TargetFamily::nvidia, "sm_35"), 4u + 1);
}

// Some 43 operations a copy: 600 are beyond LLVM's limit of a pragma, 2000 beyond that of NVRTC 9.1 and 10.1.
TEST(UnrollLoops, APragmaOnALongLoopOfAConstantCount) {
  const auto with_pragma = [](const char* trips, const char* compiler) {
    return loads("_Pragma(\"unroll\") " + sum_of(40, trips), ir::TargetFamily::nvidia, compiler);
  };
  EXPECT_EQ(with_pragma("300", ""), 300u);
  EXPECT_LT(with_pragma("600", ""), 600u);
  EXPECT_EQ(with_pragma("600", pascal), 600u);
  EXPECT_LT(with_pragma("2000", pascal), 2000u);
}

// Machine code of ptxas 7.5 for sm_35 and sm_52 of the same loops: the compiler of that release copies
// nothing of an unknown count, the assembler makes the copies.
TEST(UnrollLoops, Release75LeavesUnknownCountsToTheAssembler) {
  const auto kepler = [](const std::string& loop) { return loads(loop, ir::TargetFamily::nvidia, "sm_35"); };
  const auto maxwell = [](const std::string& loop) { return loads(loop, ir::TargetFamily::nvidia, "sm_52"); };
  const std::string one = "for (int k = 0; k < n; k++) s += b[k];";
  const std::string two = "for (int k = 0; k < n; k++) s += b[k] * b[k * w];";
  const std::string tiles = "local float t[64]; for (int k = 0; k < n; k++) { t[i & 63] = b[k]; barrier(1); "
                            "s += t[k & 63]; barrier(1); }";
  EXPECT_EQ(kepler(one), 4u + 1);
  EXPECT_EQ(maxwell(one), 4u + 1);
  EXPECT_EQ(kepler(two), 2 * (2u + 1));
  EXPECT_EQ(maxwell(two), 2 * (4u + 1));
  EXPECT_EQ(kepler(tiles), 2u);
  EXPECT_EQ(maxwell(tiles), 2u);
  EXPECT_EQ(kepler(sum_of(70, "n")), 4u + 1);
  EXPECT_EQ(kepler(sum_of(150, "n")), 2u + 1);
  EXPECT_EQ(kepler(sum_of(240, "n")), 1u);
  EXPECT_EQ(maxwell(sum_of(70, "n")), 1u);
  EXPECT_EQ(kepler("for (int k = 0; k < n; k++) s += b[k] / s;"), 1u);
}

// PTX of NVRTC 7.5, 9.1 and 10.1: 25 of 1000, of which the assembler for Kepler makes 50, 9.1 leaves 25.
TEST(UnrollLoops, OlderCompilersMakeAsManyCopiesAsDivideAKnownCount) {
  const auto of = [](const std::string& trips, const std::string& target) {
    return loads("for (int k = 0; k < " + trips + "; k++) s += b[k];", ir::TargetFamily::nvidia, target);
  };
  EXPECT_EQ(of("100", "sm_35"), 100u);
  EXPECT_EQ(of("1000", "sm_35"), 50u);
  EXPECT_EQ(of("1000", "sm_52"), 25u);
  EXPECT_EQ(of("1000", "sm_61"), 25u);
  EXPECT_EQ(of("211", "sm_52"), 1u);
}

// PTX of NVRTC 11.5 and 12.9: 48 loads and 20.
TEST(UnrollLoops, NoCopiesOfALoopAroundALongOne) {
  const auto sums_of = [](const std::string& tile) {
    return loads("for (int m = 0; m < n / " + tile + "; m++) for (int k = 0; k < " + tile +
                 "; k++) s += b[m * " + tile + " + k];");
  };
  EXPECT_EQ(sums_of("20"), 20u);
  EXPECT_GT(sums_of("16"), 16u);
}

// The processor written into IR is another program's; the GPU asked for counts.
TEST(UnrollLoops, OfLlvmIrAsOfTheGpuAskedFor) {
  const std::string nested = R"(
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias readonly %b, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %outer, label %done
outer:
  %j = phi i32 [ 0, %entry ], [ %next_j, %outer_end ]
  %from = phi float [ 0.0, %entry ], [ %s5, %outer_end ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %next_k, %inner ]
  %s = phi float [ %from, %outer ], [ %s5, %inner ]
  %index = zext nneg i32 %k to i64
  %at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  %x = load float, ptr addrspace(1) %at
  %s1 = fadd float %s, %x
  %s2 = fmul float %s1, %s1
  %s3 = fadd float %s2, 3.0
  %s4 = fmul float %s3, %s3
  %s5 = fadd float %s4, 3.0
  %next_k = add nuw nsw i32 %k, 1
  %more_k = icmp slt i32 %next_k, %n
  br i1 %more_k, label %inner, label %outer_end
outer_end:
  %next_j = add nuw nsw i32 %j, 1
  %more_j = icmp slt i32 %next_j, %n
  br i1 %more_j, label %outer, label %done
done:
  %sum = phi float [ 0.0, %entry ], [ %s5, %outer_end ]
  store float %sum, ptr addrspace(1) %a
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)";
  const auto of = [&](const std::string& target) {
    return loads_in(nested, ".ll", ir::TargetFamily::nvidia, target);
  };
  EXPECT_EQ(of("sm_35"), 4u + 1);
  EXPECT_EQ(of("sm_61"), 4u + 3);
}

// Fifteen iterations of a loop of 11 to 20 operations are above LLVM's limit until 2017 (150) and within
// today's (300).
TEST(UnrollLoops, KeplersCompilersLeftLoopsAroundLoops) {
  const std::string triangle = "for (int j = 1; j < 16; j++) for (int k = 0; k < j; k++) s += b[k * 16 + j];";
  EXPECT_EQ(loads(triangle, ir::TargetFamily::nvidia, "sm_52"), 120u);
  EXPECT_EQ(loads(triangle, ir::TargetFamily::nvidia, "sm_35"), 4u + 1);
  const std::string rows = "for (int j = 0; j < 4; j++) for (int k = 0; k < n; k++) s += b[k * w + j];";
  EXPECT_EQ(loads(rows, ir::TargetFamily::nvidia, "sm_35"), 4u * (4 + 1));
}

TEST(UnrollLoops, LeftAlone) {
  EXPECT_EQ(loads("for (int k = i; k < n; k += get_global_size(0)) s += b[k];"), 1u);
  EXPECT_EQ(loads("for (int k = n; k > 1; k /= 3) s += b[k];"), 1u);
  EXPECT_EQ(loads("#pragma unroll 1\nfor (int k = 0; k < n; k++) s += b[k * w + i];"), 1u);
  EXPECT_EQ(loads("#pragma unroll 2\nfor (int k = 0; k < n; k++) s += b[k * w + i];"), 2u + 1);
}

/// The same in CUDA, whose loops end or do something (OpenCL C does not promise it, so that LLVM does not
/// know how often a loop runs whose step it does not know).
unsigned cuda_loads(const std::string& loop, const std::string& target = "") {
  const std::string text = "extern \"C\" __global__ void k(float* a, const float* b, int n, int w) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;\n" +
                           loop + "\n  a[i] = s;\n}\n";
  return loads_in(text, ".cu", ir::TargetFamily::nvidia, target);
}

// The compilers (NVRTC 11.8 to 12.9, cicc 13.0) divide for the count; the assembler copies nothing.
TEST(UnrollLoops, SignedStridesOfAnUnknownSize) {
  const std::string strides = "for (int k = i; k < n; k += w) s += b[k];";
  EXPECT_EQ(cuda_loads(strides), 4u + 1);
  EXPECT_EQ(cuda_loads("int g = blockDim.x * gridDim.x; for (int k = i; k < n; k += g) s += b[k];"), 4u + 1);
  EXPECT_EQ(cuda_loads("long long m = n, g = w; for (long long k = i; k < m; k += g) s += b[k];"), 4u + 1);
  EXPECT_EQ(cuda_loads("for (int k = i; k < n; k += w) if (b[k] > s) s = 1;"), 4u + 1);
  EXPECT_EQ(cuda_loads("for (int j = 0; j < n; j++) for (int k = i; k < n; k += w) s += b[j + k];"), 4u + 3);
  EXPECT_EQ(cuda_loads(strides, "sm_52"), 1u); // LLVM knows such counts since 2016
}

TEST(UnrollLoops, OtherStridesOfAnUnknownSizeStayALoop) {
  EXPECT_EQ(cuda_loads("for (unsigned k = i; k < (unsigned)n; k += (unsigned)w) s += b[k];"), 1u);
  EXPECT_EQ(cuda_loads("for (int k = i; k < n; k += blockDim.x * gridDim.x) s += b[k];"), 1u);
  EXPECT_EQ(cuda_loads("for (int k = i; k <= n; k += w) s += b[k];"), 1u);
  EXPECT_EQ(cuda_loads("for (int k = n; k >= 0; k -= w) s += b[k];"), 1u);
  EXPECT_EQ(cuda_loads("for (int k = i; k < n; k += w) { if (b[k] == 3) break; s += k; }"), 1u);
  EXPECT_EQ(cuda_loads("for (int j = 0; j < n; j++) for (int k = j * 2; k < n; k += w) s += b[j + k];"), 1u);
}

// NVRTC 11.8 and 12.9: one load for the first three, four for the last.
TEST(UnrollLoops, LoopsAroundLoopsGoAwayWholeOrStay) {
  const auto around = [](const std::string& trips) {
    return cuda_loads("for (int j = 0; j < " + trips +
                      "; j++) for (unsigned k = i; k < w; k += blockDim.x) s += b[j * w + k];");
  };
  EXPECT_EQ(around("n"), 1u);
  EXPECT_EQ(around("64"), 1u);
  EXPECT_EQ(cuda_loads("for (int j = 0; j < n; j++) for (int k = j; k > 1; k /= 3) s += b[k];"), 1u);
  EXPECT_EQ(around("4"), 4u);
}

// They may be the last that the program does, for all that the compilers know.
TEST(UnrollLoops, AtomicsKeepASignedStrideALoop) {
  const auto with = [](const std::string& statement) {
    return cuda_loads("for (int k = i; k < n; k += w) { float x = b[k]; " + statement + " }");
  };
  EXPECT_EQ(with("s += x;"), 4u + 1);
  EXPECT_EQ(with("atomicAdd(a + (k & 7), x);"), 1u);
  EXPECT_EQ(with("s += __shfl_xor_sync(~0u, x, 1);"), 1u);
  EXPECT_EQ(with("*(volatile float*)(a + k) = x;"), 1u);
}

// Two loads an iteration; the second loop's stride leaves its count open to the compiler, not to the
// assembler.
TEST(UnrollLoops, BarriersDoNotHinder) {
  const std::string body = " { t[l] = b[k * w + i]; barrier(1); s += t[l ^ 1]; barrier(1); }";
  const std::string tile = "local float t[256]; int l = get_local_id(0);\n";
  EXPECT_EQ(loads(tile + "for (int k = 0; k < n; k++)" + body), 2u * (16 + 4 + 1));
  EXPECT_EQ(loads(tile + "for (int k = 0; k < n; k += 16)" + body), 2u * (4 + 1));
}

// Seven powers of two below 128; LLVM finds their number by going through them. Steps of equal size are
// unrolled in full by both.
TEST(UnrollLoops, PowersStayALoopForTheCompilerOfComputeCapability1) {
  const std::string powers = "for (int k = 1; k < 128; k *= 2) s += b[k * w + i];";
  const std::string halves = "for (int k = 64; k > 0; k >>= 1) s += b[k * w + i];";
  for (const std::string& loop : {powers, halves}) {
    EXPECT_EQ(loads(loop, ir::TargetFamily::nvidia, "sm_35"), 7u) << loop;
    EXPECT_EQ(loads(loop, ir::TargetFamily::nvidia, open64), 1u) << loop;
  }
  EXPECT_EQ(loads(sum_of(0, "8"), ir::TargetFamily::nvidia, open64), 8u);
}

// The index may overflow, or the loop branches: the compiler's four copies stay.
TEST(UnrollLoops, LeftAloneByTheAssembler) {
  EXPECT_EQ(loads("for (int k = 0; k < n; k++) s += b[(uint)(k * w) + i];"), 4u + 1);
  EXPECT_EQ(loads("for (int k = 0; k < n; k++) if (b[k] > s) s += b[k + w];"), 2u * (4 + 1));
}

// An argument is the distance of shared addresses: copies would hold a register for each multiple of it.
TEST(UnrollLoops, SharedRowsOfAnUnknownLengthAreNotRepeated) {
  const std::string tile = "local float t[1024]; int l = get_local_id(0); t[l] = b[i]; barrier(1);\n";
  EXPECT_EQ(loads(tile + "for (int k = 0; k < n; k++) s += t[k * w + l];"), 1u + (4 + 1));
  EXPECT_EQ(loads(tile + "for (int k = 0; k < n; k++) s += t[k * 16 + l];"), 1u + (16 + 4 + 1));
}

} // namespace
} // namespace forewarp::frontend

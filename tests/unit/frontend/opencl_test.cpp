#include "frontend/driver.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace {

using namespace forewarp;
using testing::Test;

constexpr auto amd = ir::TargetFamily::amd;
constexpr auto nvidia = ir::TargetFamily::nvidia;

TEST(OpenCl, SignatureComesFromTheSource) {
  auto module = test::compile_text(R"(
struct node { int left; float weight[3]; };
kernel __attribute__((reqd_work_group_size(8, 4, 2)))
void first(global const float4* restrict in, local uint* scratch, constant short* table, struct node n,
           float3 v, read_only image2d_t picture, sampler_t how, const uchar flags, global struct node* nodes) {
  scratch[get_local_id(0)] = in[0].x + table[0] + n.left + v.x + flags + read_imagef(picture, how, (int2)(0, 0)).x;
  nodes[0].left = scratch[0];
}
kernel void second(global int* out) { local int tile[10]; tile[get_local_id(0)] = 1; barrier(1); out[0] = tile[3]; })");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->kernels.size(), 2u);
  const ir::KernelSignature& first = module->kernels[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.location.line, 4u);
  EXPECT_EQ(first.required_group_size, (facts::Dim3{8, 4, 2}));
  EXPECT_TRUE(first.uses_dynamic_shared);
  const auto& p = first.parameters;
  ASSERT_EQ(p.size(), 9u);
  EXPECT_EQ(p[0].name, "in");
  EXPECT_EQ(p[0].type_name, "float4");
  EXPECT_TRUE(p[0].is_pointer && p[0].is_const && p[0].is_restrict);
  EXPECT_EQ(p[0].space, ir::AddressSpace::global);
  EXPECT_EQ(p[0].scalar, facts::ScalarType::f32);
  EXPECT_EQ(p[0].components, 4u);
  EXPECT_EQ(p[0].pointee_bytes, 16u);
  EXPECT_EQ(p[1].space, ir::AddressSpace::shared);
  EXPECT_EQ(p[1].scalar, facts::ScalarType::u32);
  EXPECT_EQ(p[2].space, ir::AddressSpace::constant);
  EXPECT_EQ(p[3].type_name, "struct node");
  EXPECT_EQ(p[3].size_bytes, 16u);
  EXPECT_FALSE(p[3].scalar);
  EXPECT_EQ(p[4].components, 3u);
  EXPECT_EQ(p[4].size_bytes, 16u) << "a float3 takes the place of a float4";
  EXPECT_TRUE(p[5].is_image);
  EXPECT_TRUE(p[6].is_sampler);
  EXPECT_EQ(p[7].scalar, facts::ScalarType::u8);
  EXPECT_EQ(p[8].pointee_bytes, 16u);
  EXPECT_EQ(module->kernels[1].static_shared_bytes, 40u);
  EXPECT_EQ(module->kernels[0].static_shared_bytes, 0u) << "the other kernel's tile";
}

TEST(OpenCl, IndicesAreComputedIn32Bits) {
  auto module = test::compile_text("kernel void k(global int* p) { p[get_global_id(0)] = get_group_id(1); }");
  ASSERT_TRUE(module) << to_string(module.error());
  std::string text = test::ir_text(*module);
  EXPECT_NE(text.find("mul i32"), std::string::npos);
  EXPECT_EQ(text.find("mul i64"), std::string::npos);
  EXPECT_NE(text.find("llvm.nvvm.read.ptx.sreg.ctaid.y"), std::string::npos);
}

TEST(OpenCl, EveryAccessOfNvidiaHasItsAddressSpace) {
  auto module = test::compile_text(R"(
float pick(float* a, int i) { return a[i]; }
kernel void k(global float* p, local float* l, constant float* c, int n) {
  float mine[16];
  for (int i = 0; i < 16; i++) mine[i] = p[i * n];
  l[get_local_id(0)] = c[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = pick(mine, n) + l[n];
})");
  ASSERT_TRUE(module) << to_string(module.error());
  for (const llvm::Instruction& i : llvm::instructions(*module->module().getFunction("k"))) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
      EXPECT_NE(load->getPointerAddressSpace(), 0u);
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      EXPECT_NE(store->getPointerAddressSpace(), 0u);
    }
  }
}

TEST(OpenCl, AlignedVectorsStayVectors) {
  auto module = test::compile_text("kernel void k(global float4* p, global float4* q) { q[0] = p[1]; }");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_NE(test::ir_text(*module).find("load <4 x float>"), std::string::npos);
}

// vload4 promises the alignment of a float, so that the machine takes a word at a time.
TEST(OpenCl, VectorsOfUnknownAlignmentAreWords) {
  auto module =
      test::compile_text("kernel void k(global float* p, global float4* q) { q[0] = vload4(1, p); }");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(test::ir_text(*module).find("load <4 x float>"), std::string::npos);
}

TEST(OpenCl, FunctionsAreInlinedAndKeepTheirLines) {
  auto module =
      test::compile_text("float twice(float x) {\n  return x * 2.0f + sqrt(x);\n}\n"
                         "__attribute__((noinline)) float more(float x) { return twice(x) * 3.0f; }\n"
                         "kernel void k(global float* p) { p[0] = more(p[1]); }\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const llvm::Function* kernel = module->module().getFunction("k");
  bool line_2 = false;
  for (const llvm::Instruction& instruction : llvm::instructions(*kernel))
    line_2 |= ir::location_of(instruction, module->files).line == 2;
  EXPECT_TRUE(line_2);
  EXPECT_EQ(module->files.size(), 1u);
}

TEST(OpenCl, AKernelMayCallAKernel) {
  for (auto family : {nvidia, amd}) {
    auto module = test::compile_text("kernel void inner(global int* p) { p[get_global_id(0)] = 7; }\n"
                                     "kernel void outer(global int* p) { inner(p + 1); }",
                                     family);
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(module->kernels.size(), 2u);
    EXPECT_EQ(test::ir_text(*module).find("inner.called"), std::string::npos) << "inlined and gone";
  }
}

TEST(OpenCl, CopiesAreLoadsAndStores) {
  for (auto family : {nvidia, amd}) {
    auto module = test::compile_text(
        "struct s { int a[9]; short b; }; struct big { float x[100]; };\n"
        "kernel void k(global struct s* p, global struct big* q) {\n p[1] = p[0];\n q[1] = q[0]; }",
        family);
    ASSERT_TRUE(module) << to_string(module.error());
    const llvm::Function* kernel = module->module().getFunction("k");
    EXPECT_EQ(test::ir_text(*module).find("call void @llvm.mem"), std::string::npos);
    unsigned on_line_3 = 0, on_line_4 = 0, nowhere = 0;
    for (const auto& site : ir::number(*kernel).sites) {
      unsigned line = ir::location_of(*site.instruction, module->files).line;
      on_line_3 += line == 3;
      on_line_4 += line == 4;
      nowhere += line == 0;
    }
    EXPECT_GE(on_line_3, 2u);
    EXPECT_GE(on_line_4, 2u);
    EXPECT_EQ(nowhere, 0u);
  }
}

TEST(OpenCl, OptionsThatMeanNothingAreRefused) {
  test::TemporaryFile file("kernel void k(global int* p) { p[0] = 1; }", ".cl");
  auto request = test::request_for(nvidia);
  request.path = file.path();
  for (const char* option : {"-no-such-option", "word", "-mllvm"}) {
    request.extra_options = {option};
    auto module = frontend::compile(request);
    ASSERT_FALSE(module) << option;
    EXPECT_EQ(module.error().code, ErrorCode::usage) << to_string(module.error());
  }
  request.extra_options = {"-cl-fast-relaxed-math"};
  EXPECT_TRUE(frontend::compile(request));
}

TEST(OpenCl, ProcessorsOfTheCatalogue) {
  test::TemporaryFile file("kernel void k(global float* p) { p[get_global_id(0)] = sqrt(p[0]) / p[1]; }",
                           ".cl");
  for (const char* processor : {"sm_20", "sm_30", "sm_35", "sm_50", "sm_61", "sm_70", "sm_80", "sm_89",
                                "sm_90a", "gfx803", "gfx906", "gfx90a", "gfx942", "gfx1032", "gfx1100"}) {
    bool is_amd = processor[0] == 'g';
    auto request = test::request_for(is_amd ? amd : nvidia);
    request.path = file.path();
    request.target = processor;
    if (std::string_view(processor).starts_with("gfx1"))
      request.warp_width = 32;
    auto module = frontend::compile(request);
    EXPECT_TRUE(module) << processor << ": " << (module ? "" : to_string(module.error()));
  }
}

// As Clang's own driver decides: the multiply-add of gfx6 to gfx8 at full rate is the one that flushes.
TEST(OpenCl, FloatDenormalsAreFlushedBeforeGfx9) {
  const test::TemporaryFile file("kernel void k(global float* a) { a[0] = a[1] * a[2] + a[3]; }", ".cl");
  for (const auto& [target, flushes] :
       {std::pair{"gfx701", true}, {"gfx803", true}, {"gfx900", false}, {"gfx1032", false}}) {
    frontend::CompileRequest request = test::request_for(amd);
    request.path = file.path();
    request.target = target;
    auto module = frontend::compile(request);
    ASSERT_TRUE(module) << to_string(module.error());
    const llvm::Function* kernel = module->module().getFunction("k");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->getDenormalMode(llvm::APFloat::IEEEsingle()) == llvm::DenormalMode::getPreserveSign(),
              flushes)
        << target;
  }
}

TEST(OpenCl, PrintfIsLeftOutAndSaid) {
  auto module = test::compile_text("kernel void k(global int* p) {\n printf(\"%d\", p[0]);\n p[1] = 2; }");
  ASSERT_TRUE(module) << to_string(module.error());
  ASSERT_EQ(module->notes.size(), 1u);
  EXPECT_EQ(module->notes[0].location.line, 2u);
}

TEST(OpenCl, WarningsAreKeptInTheCompilersWords) {
  auto module = test::compile_text("kernel void k(global int* p) { if (p[0] = 1) p[1] = 2; }");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_NE(module->diagnostics.find("warning: using the result of an assignment as a condition"),
            std::string::npos);
}

TEST(OpenCl, StandardAndDefines) {
  test::TemporaryFile file("kernel void k(global int* p) { p[0] = __OPENCL_C_VERSION__ + X; }", ".cl");
  for (auto [standard, version] : {std::pair{"", 120}, {"CL2.0", 200}, {"cl3.0", 300}, {"1.1", 110}}) {
    auto request = test::request_for(nvidia);
    request.path = file.path();
    request.standard = standard;
    request.defines = {"X=7"};
    auto module = frontend::compile(request);
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_NE(test::ir_text(*module).find("store i32 " + std::to_string(version + 7)), std::string::npos);
    EXPECT_EQ(module->non_uniform_groups_allowed, version >= 200);
  }
  auto request = test::request_for(nvidia);
  request.path = file.path();
  request.standard = "CL9.9";
  EXPECT_EQ(frontend::compile(request).error().code, ErrorCode::usage);
}

TEST(OpenCl, AmdKeepsArgumentsAndUsesItsOwnIndices) {
  auto module =
      test::compile_text("kernel void k(global float* p, float a) { p[get_global_id(0)] = a; }", amd);
  ASSERT_TRUE(module) << to_string(module.error());
  std::string text = test::ir_text(*module);
  EXPECT_NE(text.find("llvm.amdgcn.workitem.id.x"), std::string::npos);
  EXPECT_NE(text.find("forewarp.item.local_size.x"), std::string::npos);
  EXPECT_EQ(text.find("kernarg"), std::string::npos);
}

// What must be refused.

struct Refusal {
  const char* name;
  const char* text;
  ErrorCode code;
  const char* words;
};

class OpenClRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(OpenClRefusal, NamesThePlace) {
  const Refusal& refusal = GetParam();
  for (auto family : {nvidia, amd}) {
    auto module = test::compile_text(refusal.text, family);
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, refusal.code) << to_string(module.error());
    EXPECT_NE(to_string(module.error()).find(refusal.words), std::string::npos) << to_string(module.error());
  }
}

const Refusal refusals[] = {
    {"syntax", "kernel void k(global int* p) {\n  p[0] = 3\n}", ErrorCode::compile,
     ".cl:2:11: error: expected ';' after expression"},
    {"unknown_identifier", "kernel void k(global int* p) {\n p[0] = q; }", ErrorCode::compile,
     "error: use of undeclared identifier 'q'"},
    {"unknown_function", "float magic(float);\nkernel void k(global float* p) {\n\n p[0] = magic(p[1]); }",
     ErrorCode::unsupported, ".cl:4:9: call of 'magic'"},
    {"recursion",
     "int f(int n) { return n < 2 ? 1 : f(n - 1) * f(n - 2); }\nkernel void k(global int* p) { p[0] = "
     "f(p[1]); }",
     ErrorCode::unsupported, "recursion through 'f'"},
    {"mutual_recursion",
     "int g(int n);\nint f(int n) { return n < 2 ? 1 : g(n - 1) + g(n / 2); }\nint g(int n) { return f(n) * "
     "f(n - 3); }\n"
     "kernel void k(global int* p) { p[0] = f(p[1]); }",
     ErrorCode::unsupported, "recursion through"},
    {"assembly", "kernel void k(global int* p) {\n  __asm__ volatile(\"brkpt;\");\n  p[0] = 1; }",
     ErrorCode::unsupported, ".cl:2:3: inline assembly"},
    {"no_kernel", "float f(float x) { return x; }", ErrorCode::bad_input, "no kernel"},
    {"include", "#include \"nowhere.h\"\nkernel void k(global int* p) { p[0] = 1; }", ErrorCode::compile,
     "'nowhere.h' file not found"},
    {"error_directive", "#error stop here", ErrorCode::compile, "stop here"},
};

INSTANTIATE_TEST_SUITE_P(Cases, OpenClRefusal, testing::ValuesIn(refusals),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(OpenCl, EveryUnknownFunctionIsNamedOnce) {
  auto module = test::compile_text("float a(float); float b(float);\n"
                                   "kernel void k(global float* p) { p[0] = a(p[1]) + b(p[2]); }");
  ASSERT_FALSE(module);
  std::string text = to_string(module.error());
  EXPECT_NE(text.find("'a'"), std::string::npos);
  EXPECT_NE(text.find("'b'"), std::string::npos);
}

TEST(OpenCl, AnUnknownProcessorIsNamed) {
  test::TemporaryFile file("kernel void k(global int* p) { p[0] = 1; }", ".cl");
  auto request = test::request_for(nvidia);
  request.path = file.path();
  request.target = "sm_999";
  auto module = frontend::compile(request);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::unsupported);
  EXPECT_NE(module.error().message.find("sm_999"), std::string::npos);
}

TEST(OpenCl, SameInputSameModule) {
  const char* text =
      "kernel void k(global float* p) { p[get_global_id(0)] = sin(p[0]) + get_local_size(1); }";
  test::TemporaryFile file(text, ".cl");
  auto request = test::request_for(nvidia);
  request.path = file.path();
  auto a = frontend::compile(request), b = frontend::compile(request);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(test::ir_text(*a), test::ir_text(*b));
}

/// C's plain inline functions have their definition here, optimised or not.
TEST(OpenCl, ListsKernelsThatCallInlineFunctions) {
  test::TemporaryFile file("inline int twice(int x) { return 2 * x; }\n"
                           "kernel void k(global int* x) { x[0] = twice(x[1]); }",
                           ".cl");
  auto request = test::request_for(nvidia);
  request.path = file.path();
  request.signatures_only = true;
  auto module = frontend::compile(request);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->kernels.size(), 1U);
}

} // namespace

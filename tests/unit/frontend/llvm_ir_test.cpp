#include "support/counter_random.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/Bitcode/BitcodeWriter.h>

namespace {

using namespace forewarp;

constexpr auto nvidia = ir::TargetFamily::nvidia;
constexpr auto amd = ir::TargetFamily::amd;

const char* const opencl_source = R"(
float square(float x) { return x * x; }
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void scale(global float4* out, global const uint* in, local float* tile, float a) {
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = square(a) * tile[3] + exp(a);
})";

std::string compiled_ir(ir::TargetFamily family) {
  auto module = test::compile_text(opencl_source, family);
  EXPECT_TRUE(module) << to_string(module.error());
  return test::ir_text(*module);
}

std::string compiled_bitcode() {
  auto module = test::compile_text(opencl_source, nvidia);
  EXPECT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module->module(), out);
  return bytes;
}

void expect_scale_signature(const ir::KernelModule& module) {
  ASSERT_EQ(module.kernels.size(), 1u);
  const ir::KernelSignature& kernel = module.kernels[0];
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.required_group_size, (facts::Dim3{64, 1, 1}));
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].name, "out");
  EXPECT_EQ(kernel.parameters[0].type_name, "float4");
  EXPECT_EQ(kernel.parameters[0].components, 4u);
  EXPECT_EQ(kernel.parameters[0].pointee_bytes, 16u);
  EXPECT_EQ(kernel.parameters[1].scalar, facts::ScalarType::u32);
  EXPECT_TRUE(kernel.parameters[1].is_const);
  EXPECT_EQ(kernel.parameters[2].space, ir::AddressSpace::shared);
  EXPECT_EQ(kernel.parameters[3].scalar, facts::ScalarType::f32);
  EXPECT_TRUE(kernel.uses_dynamic_shared);
}

TEST(LlvmIr, TextAndBitcodeOfOurOwnComeBack) {
  for (auto family : {nvidia, amd}) {
    auto module = test::compile_text(compiled_ir(family), family, "", ".ll");
    ASSERT_TRUE(module) << to_string(module.error());
    expect_scale_signature(*module);
  }
  auto module = test::compile_text(compiled_bitcode(), nvidia, "", ".bc");
  ASSERT_TRUE(module) << to_string(module.error());
  expect_scale_signature(*module);
}

const char* const foreign = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_fast_sinf(float)
declare float @__nv_powf(float, float)
declare double @__nv_erf(double)
declare i32 @__nv_umulhi(i32, i32)
declare i64 @_Z13get_global_idj(i32)
define internal float @helper(float %x) noinline optnone {
  %s = call float @__nv_fast_sinf(float %x)
  %p = call float @__nv_powf(float %s, float 3.0)
  ret float %p
}
define void @_Z5applyIfEvPfi(ptr %data, i32 %n) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr %data, i64 %i
  %x = load float, ptr %at
  %d = fpext float %x to double
  %e = call double @__nv_erf(double %d)
  %h = call i32 @__nv_umulhi(i32 %n, i32 -5)
  %hf = uitofp i32 %h to float
  %y = call float @helper(float %x)
  %ef = fptrunc double %e to float
  %sum = fadd float %y, %ef
  %sum2 = fadd float %sum, %hf
  store float %sum2, ptr %at
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @_Z5applyIfEvPfi, !"kernel", i32 1}
!1 = !{ptr @_Z5applyIfEvPfi, !"maxntidx", i32 128, !"minctasm", i32 4}
)";

TEST(LlvmIr, VendorFunctionsAndBuiltinsAreLowered) {
  auto module = test::compile_text(foreign, nvidia, "", ".ll");
  ASSERT_TRUE(module) << to_string(module.error());
  std::string text = test::ir_text(*module);
  for (const char* expected :
       {"llvm.nvvm.sin.approx.f", "llvm.pow.f32", "forewarp.math.erf.f64", "sreg.ctaid.x"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  EXPECT_NE(text.find("zext i32 %n to i64"), std::string::npos) << "umulhi is unsigned";
  const ir::KernelSignature& kernel = module->kernels.at(0);
  EXPECT_EQ(kernel.name, "apply<float>");
  EXPECT_EQ(kernel.max_group_threads, 128u);
  EXPECT_EQ(kernel.min_groups_per_sm, 4u);
  EXPECT_EQ(kernel.parameters[0].space, ir::AddressSpace::global);
  EXPECT_EQ(kernel.parameters[0].scalar, facts::ScalarType::f32);
  EXPECT_TRUE(frontend::select_kernel(*module, "apply"));
}

ErrorCode code_of(const std::string& text, const std::string& ending, std::string* message = nullptr) {
  auto module = test::compile_text(text, nvidia, "", ending);
  if (module)
    return ErrorCode::internal;
  if (message)
    *message = to_string(module.error());
  return module.error().code;
}

TEST(LlvmIr, BrokenTextHasPlaceAndReason) {
  std::string message;
  EXPECT_EQ(code_of("define void @k() {\n  ret voidd\n}\n", ".ll", &message), ErrorCode::bad_input);
  EXPECT_NE(message.find(".ll:2:7: error: expected type"), std::string::npos) << message;
  EXPECT_EQ(code_of("define void @k() {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret void\n}\n", ".ll",
                    &message),
            ErrorCode::bad_input);
  EXPECT_NE(message.find("does not dominate"), std::string::npos) << message;
}

TEST(LlvmIr, GarbageIsRefused) {
  EXPECT_EQ(code_of(std::string("\0\1\2\3", 4), ".bc"), ErrorCode::bad_input);
  EXPECT_EQ(code_of(std::string("BC\xC0\xDE", 4) + std::string(200, '\xff'), ".bc"), ErrorCode::bad_input);
  EXPECT_EQ(code_of(std::string(100000, '('), ".ll"), ErrorCode::bad_input);
}

TEST(LlvmIr, OtherMachinesAreRefusedByName) {
  std::string message;
  EXPECT_EQ(
      code_of("target triple = \"x86_64-pc-linux-gnu\"\ndefine void @k() { ret void }", ".ll", &message),
      ErrorCode::unsupported);
  EXPECT_NE(message.find("x86_64-pc-linux-gnu"), std::string::npos);
}

TEST(LlvmIr, CallsThatCannotBeModelledAreNamed) {
  const std::string head = "target triple = \"nvptx64-nvidia-cuda\"\n";
  const std::string kernel_mark = "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  std::string message;
  EXPECT_EQ(code_of(head + "declare void @mystery()\ndefine void @k() { call void @mystery() ret void }\n" +
                        kernel_mark,
                    ".ll", &message),
            ErrorCode::unsupported);
  EXPECT_NE(message.find("'mystery'"), std::string::npos);
  EXPECT_EQ(
      code_of(head + "define void @k(ptr %f) { call void %f() ret void }\n" + kernel_mark, ".ll", &message),
      ErrorCode::unsupported);
  EXPECT_NE(message.find("function pointer"), std::string::npos);
  EXPECT_EQ(code_of(head + "define void @k() { call void asm sideeffect \"brkpt;\", \"\"() ret void }\n" +
                        kernel_mark,
                    ".ll", &message),
            ErrorCode::unsupported);
  EXPECT_NE(message.find("assembly"), std::string::npos);
}

// A built-in's name on a declaration of another shape must not bring the program down.
TEST(LlvmIr, BuiltinsOfWrongShapeAreRefused) {
  const std::string kernel_mark = "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  for (const char* call : {"float @_Z5clampfff(float 1.0)", "float @_Z3maxff(float 1.0)", "float @_Z4sinf()",
                           "float @_Z6vload4mPU3AS1Kf(i64 0)", "i32 @_Z10atomic_addPU3AS1Vii(i32 1)",
                           "i64 @_Z13get_global_idj()", "float @_Z7shuffleDv4_fDv4_j(float 1.0)"}) {
    std::string text = call;
    std::string declared = text.substr(0, text.find('(') + 1);
    if (text.find("()") == std::string::npos)
      declared += text.find("i64 0") != std::string::npos   ? "i64"
                  : text.find("i32 1") != std::string::npos ? "i32"
                                                            : "float";
    std::string module = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare " + declared +
                         ")\ndefine void @k(ptr addrspace(1) %p) {\n  %v = call " + text +
                         "\n  store volatile i32 0, ptr addrspace(1) %p\n  ret void\n}\n" + kernel_mark;
    std::string message;
    ErrorCode code = code_of(module, ".ll", &message);
    EXPECT_TRUE(code == ErrorCode::unsupported || code == ErrorCode::internal) << call << ": " << message;
  }
}

// Mutated files: refused or compiled, never a crash or a hang (LLVM's bitcode reader crashes on about one in
// 25).
TEST(LlvmIr, MutatedFilesNeverCrash) {
  for (const auto& [original, ending] : {std::pair{compiled_bitcode(), ".bc"}, {compiled_ir(nvidia), ".ll"}})
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      std::string bytes = original;
      for (std::uint64_t i = 0; i <= seed % 16; ++i)
        bytes[counter_random(seed, 2 * i) % bytes.size()] =
            static_cast<char>(counter_random(seed, 2 * i + 1));
      auto module = test::compile_text(bytes, nvidia, "", ending);
      if (!module) {
        EXPECT_FALSE(module.error().message.empty());
      }
    }
}

} // namespace

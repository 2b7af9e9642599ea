// Short cuts of a compilation: one kernel alone, own headers compiled before. Neither changes the code.
#include "frontend/store/prelude.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <regex>

namespace forewarp::frontend {
namespace {

constexpr const char* two_kernels = R"(
#include <vector>
__device__ float half_of(float x) { return 0.5f * x; }
__global__ void first(float* a) { a[threadIdx.x] += 1.0f; }
__global__ void second(float* a, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = half_of(a[threadIdx.x]);
  __syncthreads();
  for (int i = 0; i < n; ++i) a[threadIdx.x] += sqrtf(s[(threadIdx.x + i) % 64]) + STEP;
}
template <class T> __global__ void third(T* a) { a[threadIdx.x] *= 2; }
int main() { std::vector<float> v(3); third<<<1, 64>>>(v.data()); return static_cast<int>(v.size()); }
)";

/// Numbers of attributes and debug records depend on what else the module holds.
std::string code_of(const ir::KernelModule& module, const std::string& kernel) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ir::KernelSignature& signature : module.kernels)
    if (signature.name == kernel)
      module.module().getFunction(signature.symbol)->print(out);
  return std::regex_replace(text, std::regex("[#!][0-9]+"), "");
}

class OneKernel : public testing::Test {
protected:
  OneKernel() { request.path = file.path(), request.defines = {"STEP=3"}; }
  test::TemporaryFile file{two_kernels, ".cu"};
  CompileRequest request = test::request_for(ir::TargetFamily::nvidia);
};

TEST_F(OneKernel, OthersAreLeftOutAndItsCodeIsTheSame) {
  const auto whole = compile(request);
  ASSERT_TRUE(whole) << to_string(whole.error());
  EXPECT_EQ(whole->kernels.size(), 3U);
  request.only_kernel = "second";
  const auto one = compile(request);
  ASSERT_TRUE(one) << to_string(one.error());
  ASSERT_EQ(one->kernels.size(), 1U);
  EXPECT_EQ(code_of(*one, "second"), code_of(*whole, "second"));
  EXPECT_EQ(one->kernels.front().static_shared_bytes, 256U);
}

TEST_F(OneKernel, AnInstanceIsMadeByItsName) {
  const auto whole = compile(request);
  ASSERT_TRUE(whole) << to_string(whole.error());
  request.only_kernel = "third<float>"; // only host code instantiates it, which is not read
  const auto one = compile(request);
  ASSERT_TRUE(one) << to_string(one.error());
  ASSERT_EQ(one->kernels.size(), 1U);
  EXPECT_EQ(code_of(*one, "third<float>"), code_of(*whole, "third<float>"));
}

TEST_F(OneKernel, ThatOnlyHostCodeInstantiatesIsNotFoundWithoutItsArguments) {
  request.only_kernel = "third";
  const auto one = compile(request);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::bad_input);
}

TEST_F(OneKernel, HostFunctionsGiveItsInstance) {
  const auto whole = compile(request);
  ASSERT_TRUE(whole) << to_string(whole.error());
  request.read_host_functions = true;
  for (const char* name : {"third<float>", "third", "second"}) {
    request.only_kernel = name;
    const auto one = compile(request);
    ASSERT_TRUE(one) << to_string(one.error());
    ASSERT_EQ(one->kernels.size(), 1U);
    EXPECT_EQ(code_of(*one, one->kernels.front().name), code_of(*whole, one->kernels.front().name));
  }
  request.only_kernel = "fourth"; // what is there is the error's business
  const auto all = compile(request);
  ASSERT_TRUE(all) << to_string(all.error());
  EXPECT_EQ(all->kernels.size(), 3U);
}

TEST_F(OneKernel, KeptHeadersGiveTheSameCodeAndTheSameFiles) {
  FileLog alone, kept;
  request.log = &alone;
  const auto without = compile(request);
  ASSERT_TRUE(without) << to_string(without.error());
  PreludeStore preludes;
  request.preludes = &preludes;
  request.log = &kept;
  for (int i = 0; i < 3; ++i) { // no store, made, used again
    kept.seen.clear();
    const auto with = compile(request);
    ASSERT_TRUE(with) << to_string(with.error());
    for (const char* kernel : {"first", "second", "third<float>"})
      EXPECT_EQ(code_of(*with, kernel), code_of(*without, kernel)) << i;
    for (const auto& [path, seen] : alone.seen) {
      if (seen.kind != FileSeen::Kind::read)
        continue;
      EXPECT_EQ(kept.seen[path].content, seen.content) << path;
    }
  }
}

TEST_F(OneKernel, DefinesThatOwnHeadersHoldMeanTheSame) {
  test::TemporaryFile text("__global__ void k(double* a) { a[0] = M_SQRT2 + STEP; }\n", ".cu");
  request.path = text.path();
  request.defines.push_back("M_SQRT2=1.5"); // math.h defines it anew
  const auto without = compile(request);
  ASSERT_TRUE(without) << to_string(without.error());
  PreludeStore preludes;
  request.preludes = &preludes;
  for (int i = 0; i < 2; ++i) {
    const auto with = compile(request);
    ASSERT_TRUE(with) << to_string(with.error());
    EXPECT_EQ(code_of(*with, "k"), code_of(*without, "k")) << i;
  }
}

TEST_F(OneKernel, OtherHeadersThanTheFirstTimeAreNoticed) {
  test::TemporaryFile text("#ifdef OTHER\n#include <vector>\n#else\n#include <climits>\n#endif\n"
                           "__global__ void k(double* a) { a[0] = STEP; }\n",
                           ".cu");
  request.path = text.path();
  PreludeStore preludes;
  request.preludes = &preludes;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(compile(request));
  EXPECT_EQ(preludes.headers_of(request.path).names, std::vector<std::string>{"climits"});
  request.defines.push_back("OTHER");
  const auto other = compile(request);
  ASSERT_TRUE(other) << to_string(other.error());
  EXPECT_TRUE(preludes.headers_of(request.path).names.empty());
  EXPECT_TRUE(compile(request));
}

TEST_F(OneKernel, MacrosThatLibraryHeadersHoldMeanTheSame) {
  test::TemporaryFile text("#define SA_NODEFER 7\n#undef SA_NODEFER\n#include <csignal>\n"
                           "__global__ void k(int* a) { a[0] = SA_NODEFER; }\n",
                           ".cu");
  request.path = text.path();
  const auto without = compile(request);
  ASSERT_TRUE(without) << to_string(without.error());
  PreludeStore preludes;
  request.preludes = &preludes;
  for (int i = 0; i < 3; ++i) {
    const auto with = compile(request);
    ASSERT_TRUE(with) << to_string(with.error());
    EXPECT_EQ(code_of(*with, "k"), code_of(*without, "k")) << i;
  }
  EXPECT_TRUE(preludes.headers_of(request.path).macros.contains("SA_NODEFER"));
}

TEST_F(OneKernel, ErrorsAreThoseOfAWholeCompilation) {
  test::TemporaryFile broken("__global__ void k(float* a) { a[0] = threadIdx; }\n", ".cu");
  request.path = broken.path();
  const auto without = compile(request);
  ASSERT_FALSE(without);
  PreludeStore preludes;
  request.preludes = &preludes;
  for (int i = 0; i < 2; ++i) {
    const auto with = compile(request);
    ASSERT_FALSE(with);
    EXPECT_EQ(to_string(with.error()), to_string(without.error()));
  }
}

} // namespace
} // namespace forewarp::frontend

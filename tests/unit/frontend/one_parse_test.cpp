// A CUDA source whose host code is read is compiled of the same parse, to what a compilation of its own
// makes.
#include "frontend/compile.h"
#include "frontend/host/host_program.h"
#include "frontend/store/module_store.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <regex>
#include <unistd.h>

namespace forewarp::frontend::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* two_kernels =
    "__device__ float twice(float x) { return 2 * x; }\n"
    "template <typename T, int N> __global__ void scale(T* y) {\n"
    "  for (int i = 0; i < N; ++i) y[threadIdx.x + i] = twice(y[threadIdx.x + i]);\n"
    "}\n"
    "__global__ void other(int* y) { y[threadIdx.x] = 1; }\n"
    "void broken() { nothing_of_this_name(); }\n"
    "int main() {\n"
    "  float* y; cudaMalloc(&y, 4096); int* z; cudaMalloc(&z, 4096);\n"
    "  other<<<1, 32>>>(z);\n"
    "  scale<float, 4><<<2, 64>>>(y);\n"
    "}\n";

/// Without the numbers of attributes and of metadata, which count the whole module's.
std::string code_of(const ir::KernelModule& module, const std::string& kernel) {
  const auto found = select_kernel(module, kernel);
  std::string text;
  llvm::raw_string_ostream out(text);
  if (found)
    if (const llvm::Function* function = module.module().getFunction((*found)->symbol))
      function->print(out);
  return std::regex_replace(text, std::regex("[!#][0-9]+"), "");
}

class OneParse : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("forewarp-parse-" + std::to_string(::getpid()) + "-" +
                                          testing::UnitTest::GetInstance()->current_test_info()->name());
    request.compile.cache_folder = folder.string();
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The program, with the module of `kernel` kept; "": of all kernels.
  HostProgram read(const std::string& path, const std::string& kernel) {
    request.compile.path = path;
    chosen = request.compile;
    chosen.only_kernel = kernel;
    request.wants_module = [this](const HostProgram& program) {
      EXPECT_FALSE(program.launches.empty());
      return chosen;
    };
    auto program = read_host_program(request);
    EXPECT_TRUE(program) << to_string(program.error());
    return program ? *std::move(program) : HostProgram();
  }
  std::optional<Result<ir::KernelModule>> kept() const { return ModuleStore(folder.string()).find(chosen); }
  Result<ir::KernelModule> alone() const {
    CompileRequest without = chosen;
    without.cache_folder.clear();
    return compile(without);
  }

  fs::path folder;
  HostRequest request;
  CompileRequest chosen;
};

TEST_F(OneParse, KeepsTheModuleOfTheKernelThatIsNamed) {
  const test::TemporaryFile file(two_kernels, ".cu");
  EXPECT_EQ(read(file.path(), "scale<float, 4>").launches.size(), 2U);
  const auto module = kept();
  ASSERT_TRUE(module && *module);
  const auto expected = alone();
  ASSERT_TRUE(expected) << to_string(expected.error());
  const std::string code = code_of(*expected, "scale<float, 4>");
  EXPECT_NE(code, "");
  EXPECT_EQ(code_of(**module, "scale<float, 4>"), code);
  EXPECT_EQ((*module)->notes.size(), expected->notes.size()); // nothing of 'broken'
}

TEST_F(OneParse, KeepsAllKernelsWhereNoneIsNamed) {
  const test::TemporaryFile file(two_kernels, ".cu");
  read(file.path(), "");
  const auto module = kept();
  ASSERT_TRUE(module && *module);
  const auto expected = alone();
  ASSERT_TRUE(expected);
  EXPECT_EQ((*module)->kernels.size(), 2U);
  for (const ir::KernelSignature& kernel : expected->kernels)
    EXPECT_EQ(code_of(**module, kernel.symbol), code_of(*expected, kernel.symbol)) << kernel.name;
  EXPECT_EQ((*module)->notes.size(), expected->notes.size()); // 'broken' is told
}

// What another compilation may still be able to do is left to it.
TEST_F(OneParse, KeepsNoErrorAndNoModuleWithoutTheKernel) {
  const test::TemporaryFile bad("__global__ void k(int* y) { y[0] = none; }\n"
                                "int main() { int* y; cudaMalloc(&y, 64); k<<<1, 32>>>(y); }\n",
                                ".cu");
  EXPECT_EQ(read(bad.path(), "k").launches.size(), 1U); // read all the same
  EXPECT_FALSE(kept());
  const test::TemporaryFile good(two_kernels, ".cu");
  read(good.path(), "scale<float, 8>"); // nothing of the source makes this one
  EXPECT_FALSE(kept());
}

} // namespace
} // namespace forewarp::frontend::host

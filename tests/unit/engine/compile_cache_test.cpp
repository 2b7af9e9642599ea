// What is compiled once for several GPUs.
#include "engine/compile_cache.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

class Kept : public testing::Test {
protected:
  std::shared_ptr<const CompiledKernel> get(const PredictRequest& request, const std::string& gpu) {
    static const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
    const auto machine = gpu::resolve(catalogue->find(gpu)->file, "");
    EXPECT_TRUE(machine) << gpu;
    const auto compiled = cache.get(request, *machine);
    EXPECT_TRUE(compiled) << to_string(compiled.error());
    return compiled.value_or(nullptr);
  }
  static PredictRequest request_of(const test::TemporaryFile& file) {
    PredictRequest request;
    request.compile.path = file.path();
    request.compile.only_kernel = request.kernel = "k";
    return request;
  }
  CompileCache cache;
};

/// Copied by the compiler and again by the assembler since Pascal, by the assembler alone of each before.
const std::string repeated_loop =
    "__global__ void k(float* a, float* b, int n) {\n"
    "  float s = 0; for (int i = 0; i < n; i++) s += b[i]; a[threadIdx.x] = s; }";

TEST_F(Kept, CudaThatAsksNoArchitectureIsSharedByAGeneration) {
  const test::TemporaryFile file(repeated_loop, ".cu");
  const PredictRequest request = request_of(file);
  const auto first = get(request, "gtx 680"); // for itself: nothing is known of the source
  EXPECT_EQ(first->module.target, "sm_30");
  const auto pascal = get(request, "gtx 1080 ti"), volta = get(request, "v100");
  EXPECT_EQ(pascal, volta);
  EXPECT_EQ(get(request, "rtx 3090"), volta); // a count that is known alone would be another
  EXPECT_EQ(get(request, "rtx 2080 ti"), volta);
  EXPECT_EQ(cache.compiles(), 2U);
  EXPECT_NE(get(request, "gtx 980"), volta);
  EXPECT_EQ(cache.compiles(), 3U);
  EXPECT_EQ(get(request, "gtx 680"), first);
  const auto kepler = get(request, "k20");
  EXPECT_NE(kepler, volta);
  EXPECT_NE(kepler, get(request, "gtx 980"));
  EXPECT_EQ(cache.compiles(), 4U);
}

TEST_F(Kept, GenerationsShareWhatHasNoLoopThatTheyTreatOtherwise) {
  const test::TemporaryFile file("__global__ void k(float* a) { a[threadIdx.x] += 1; }", ".cu");
  const PredictRequest request = request_of(file);
  get(request, "gtx 680");
  const auto one = get(request, "v100");
  for (const char* gpu : {"rtx 3090", "gtx 980", "k20"})
    EXPECT_EQ(get(request, gpu), one) << gpu;
  EXPECT_EQ(cache.compiles(), 2U);
}

TEST_F(Kept, LoopsInLoopsAreOtherwiseBeforePascal) {
  const test::TemporaryFile file("__global__ void k(float* a, float* b, int n) {\n"
                                 "  for (int j = 0; j < n; j++) { float s = 0;\n"
                                 "    for (int i = 0; i < n; i++) s += b[i * j]; a[j] = s; } }",
                                 ".cu");
  const PredictRequest request = request_of(file);
  get(request, "gtx 680");
  EXPECT_NE(get(request, "v100"), get(request, "gtx 980"));
}

TEST_F(Kept, CudaThatAsksHasAModuleATarget) {
  const test::TemporaryFile file(
      "__global__ void k(float* a) {\n#if STEP > 1\n  atomicAdd(a, STEP);\n#endif\n"
      "  a[1] = STEP;\n}",
      ".cu");
  PredictRequest request = request_of(file);
  request.compile.defines = {"STEP=1"};
  get(request, "k20");
  EXPECT_EQ(get(request, "gtx 1080 ti")->module.target, "sm_70");
  request.compile.defines = {"STEP=2"};
  EXPECT_EQ(get(request, "gtx 1080 ti")->module.target, "sm_61");
  EXPECT_EQ(get(request, "k20")->module.target, "sm_35");
}

TEST_F(Kept, KernelsThatHostCodeInstantiatesAreTriedOnceWithoutIt) {
  const test::TemporaryFile file("template <class T> __global__ void k(T* a) { a[0] += 1; }\n"
                                 "template <class T> __global__ void other(T* a) { a[0] += 2; }\n"
                                 "void run(float* a) { k<<<1, 1>>>(a); other<<<1, 1>>>(a); }",
                                 ".cu");
  PredictRequest request = request_of(file);
  EXPECT_EQ(get(request, "v100")->module.kernels.size(), 1U);
  EXPECT_EQ(cache.compiles(), 2U);
  request.compile.only_kernel = request.kernel = "other<float>";
  EXPECT_EQ(get(request, "v100")->kernel->name, "other<float>");
  EXPECT_EQ(cache.compiles(), 3U);
}

} // namespace
} // namespace forewarp::engine

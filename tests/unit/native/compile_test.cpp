// Kernels as object files of this machine: what stands in them for the library that runs them.
#include "native/compile.h"

#include "frontend/compile.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace forewarp::native {
namespace {

std::string object_of(const std::string& source, bool checked = true) {
  const std::string path = testing::TempDir() + "forewarp_native_" + std::to_string(::getpid()) + ".cu";
  std::ofstream(path) << source;
  frontend::CompileRequest request;
  request.path = path;
  request.target = "sm_70";
  auto module = frontend::compile(request);
  std::remove(path.c_str());
  if (!module)
    throw std::runtime_error(to_string(module.error()));
  auto object = compile_to_object(*module, {"1:source.cu", checked});
  if (!object)
    throw std::runtime_error(to_string(object.error()));
  return *object;
}

bool holds(const std::string& object, const char* text) {
  return object.find(text) != std::string::npos;
}

constexpr const char* plain = "__global__ void twice(float* a) { a[threadIdx.x] *= 2; }";

TEST(Native, AnObjectHandsItsKernelsOver) {
  const std::string object = object_of(plain);
  EXPECT_TRUE(object.starts_with("\177ELF"));
  for (const char* text : {"_Z5twicePf", "1:source.cu", "forewarp_register_module"})
    EXPECT_TRUE(holds(object, text)) << text;
  EXPECT_FALSE(holds(object, "forewarp_frame")) << "its work-items do not wait for each other";
}

TEST(Native, AccessesAreLookedAtUnlessToldNotTo) {
  EXPECT_TRUE(holds(object_of(plain), "forewarp_find"));
  EXPECT_FALSE(holds(object_of(plain, false), "forewarp_find"));
}

TEST(Native, WhatLiesBetweenBarriersIsALoop) {
  const std::string object = object_of(
      "__global__ void turn(int* a) { __shared__ int t[64]; int own = a[threadIdx.x]; t[threadIdx.x] = own;"
      " __syncthreads(); a[threadIdx.x] = t[63 - threadIdx.x] + own; }");
  EXPECT_FALSE(holds(object, "forewarp_frame"));
  EXPECT_TRUE(holds(object, "forewarp_context")) << "what an item keeps over the barrier";
}

TEST(Native, WorkItemsThatWaitForTheirWarpHaveFrames) {
  EXPECT_TRUE(holds(object_of("__global__ void sum(int* a) { a[threadIdx.x] +="
                              " __shfl_down_sync(0xffffffffu, a[threadIdx.x], 1); }"),
                    "forewarp_frame"));
}

TEST(Native, BarriersThatOnlySomeComeToHaveFrames) {
  EXPECT_TRUE(
      holds(object_of("__global__ void some(int* a) { if (a[threadIdx.x] > 0) { a[0] = 1; __syncthreads();"
                      " a[1] = a[0]; } else { a[2] = 3; __syncthreads(); a[3] = a[2]; } __syncthreads();"
                      " a[4] = a[3]; }"),
            "forewarp_frame"));
}

TEST(Native, TexturesAndPrintedLinesAreTheLibrarys) {
  const std::string object = object_of("__global__ void texel(cudaTextureObject_t t, float* out) {"
                                       " out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }");
  EXPECT_TRUE(holds(object, "forewarp_image"));
  EXPECT_FALSE(holds(object, "not there on the processor"));
}

TEST(Native, GroupsThatWaitForEachOtherAreThereAtOnce) {
  const std::string object =
      object_of("extern \"C\" __device__ void fw_grid_barrier(void);"
                "__global__ void meet(int* a) { a[threadIdx.x] = 1; fw_grid_barrier(); a[0] = 2; }");
  EXPECT_TRUE(holds(object, "forewarp_frame"));
  EXPECT_FALSE(holds(object, "not there on the processor"));
}

TEST(Native, WhatAProcessorCannotDoIsSaidInTheObject) {
  const std::string object =
      object_of("__global__ void named(int* a) { asm volatile(\"bar.sync 1, 64;\"); a[0] = 1; }");
  EXPECT_TRUE(holds(object, "not there on the processor"));
}

} // namespace
} // namespace forewarp::native

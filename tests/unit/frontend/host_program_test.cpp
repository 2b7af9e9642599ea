// Host code is followed on the numbers that it holds itself; what comes from outside is named.
#include "frontend/host/host_program.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

namespace forewarp::frontend::host {
namespace {

constexpr const char* kernel =
    "__global__ void k(float* y, const float* x, int n, float a) { y[threadIdx.x] = a * x[n]; }\n";

Result<HostProgram> read(const std::string& text, HostRequest request = {},
                         const std::string& ending = ".cu") {
  const test::TemporaryFile file(text, ending);
  request.compile.path = file.path();
  return read_host_program(request);
}

Result<HostProgram> read_kernel(const std::string& text, HostRequest request = {}) {
  return read(kernel + text, std::move(request));
}

TEST(HostProgram, ConstantsArithmeticAndAllocations) {
  const auto program = read_kernel("int up(int a, int b) { return (a + b - 1) / b; }\n"
                                   "int main() {\n"
                                   "  const int n = 1000; float *x, *y;\n"
                                   "  cudaMalloc((void**)&x, n * sizeof(float));\n"
                                   "  cudaMalloc(&y, 2 * n * sizeof(float));\n"
                                   "  cudaMemset(x, 0, n * sizeof(float));\n"
                                   "  dim3 block(64, 2); dim3 grid(up(n, block.x), 3);\n"
                                   "  k<<<grid, block, 16 * sizeof(int)>>>(y + 100, x, n - 1, 0.5f);\n"
                                   "}\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  const FoundLaunch& launch = program->launches[0];
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.line, 9U);
  EXPECT_EQ(launch.groups, (facts::Dim3{16, 3, 1})); // ceil(1000 / 64)
  EXPECT_EQ(launch.group_size, (facts::Dim3{64, 2, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 64U);
  EXPECT_EQ(launch.rests_on, 0U);
  ASSERT_EQ(launch.arguments.size(), 4U);
  EXPECT_EQ(launch.arguments[0].bytes, 8000U - 400U); // y + 100 floats
  EXPECT_EQ(launch.arguments[1].bytes, 4000U);
  EXPECT_TRUE(launch.arguments[1].zeros);
  EXPECT_FALSE(launch.arguments[0].zeros);
  EXPECT_EQ(launch.arguments[2].text, "999");
  EXPECT_EQ(launch.arguments[3].text, "0.5");
}

TEST(HostProgram, TwoLaunchesOfOneLineAreTwoPlaces) {
  const auto program = read_kernel("int main() {\n"
                                   "  float* x; cudaMalloc(&x, 4096);\n"
                                   "  k<<<2, 64>>>(x, x, 1, 1.0f); k<<<2, 64>>>(x, x, 2, 1.0f);\n"
                                   "}\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 2U); // the same sizes, other arguments
  EXPECT_EQ(program->launches[0].line, program->launches[1].line);
  EXPECT_LT(program->launches[0].column, program->launches[1].column);
}

constexpr const char* with_arguments = "int main(int argc, char** argv) {\n"
                                       "  if (argc < 2) { return 1; }\n"
                                       "  int n = atoi(argv[1]);\n"
                                       "  float *x; cudaMalloc(&x, n * 4);\n"
                                       "  k<<<n / 256, 256>>>(x, x, n, 1.0f);\n"
                                       "}\n";

// A file is parsed once, and followed with smaller numbers as long as what was found is not enough.
TEST(HostProgram, IsFollowedAgainWithSmallerNumbers) {
  HostRequest request;
  request.smaller_assumed = {256, 64};
  std::vector<std::uint64_t> seen;
  request.wants_smaller = [&](const HostProgram& program) {
    seen.push_back(program.launches.empty() ? 0 : program.launches[0].group_size.x);
    return program.launches.empty() || program.launches[0].group_size.x > 128;
  };
  const auto program = read_kernel("int main(int argc, char** argv) {\n"
                                   "  int n = atoi(argv[1]); float* x; cudaMalloc(&x, 4096);\n"
                                   "  k<<<4, n>>>(x, x, 1, 1.0f);\n}\n",
                                   request);
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1024, 256}));
  EXPECT_EQ(program->launches[0].group_size.x, 64U);
}

TEST(HostProgram, ParametersAreTheDefinitions) {
  const auto program = read("__global__ void k(float*, int);\n"
                            "int main() { float* x; cudaMalloc(&x, 4096); k<<<1, 32>>>(x, 3); }\n"
                            "__global__ void k(float* values, int n) { values[n] = 1; }\n");
  ASSERT_TRUE(program && program->launches.size() == 1);
  ASSERT_EQ(program->launches[0].parameters.size(), 2U);
  EXPECT_EQ(program->launches[0].parameters[1].name, "n");
}

TEST(HostProgram, ProgramArgumentsAreOpenNumbers) {
  const auto program = read_kernel(with_arguments);
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);      // the way out of the program is not taken
  EXPECT_EQ(program->launches[0].groups.x, 4U); // 1024 assumed / 256
  EXPECT_NE(program->launches[0].rests_on, 0U);
  bool named = false;
  for (const OpenNumber& number : program->open)
    named |= number.origin == "argv[1]" && number.line == 4;
  EXPECT_TRUE(named);
}

TEST(HostProgram, ProgramArgumentsGiven) {
  HostRequest request;
  request.program_arguments = std::vector<std::string>{"5120"};
  const auto program = read_kernel(with_arguments, request);
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  EXPECT_EQ(program->launches[0].groups.x, 20U); // 5120 / 256
  EXPECT_EQ(program->launches[0].rests_on, 0U);
}

TEST(HostProgram, AVariableGiven) {
  HostRequest request;
  request.variables["n"] = 2560;
  const auto program = read_kernel(with_arguments, request);
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  EXPECT_EQ(program->launches[0].groups.x, 10U);
}

TEST(HostProgram, UnknownHeadersTypesAndMacrosStopNothing) {
  const auto program = read_kernel("#include \"not_there.h\"\n"
                                   "int main() {\n"
                                   "  Timer clock; int n = 512; float* x;\n"
                                   "  CHECK(cudaMalloc(&x, n * sizeof(float)));\n"
                                   "  auto data = load_all(n);\n"
                                   "  k<<<n / 64, 64>>>(x, data.pointer, n, 1.0f);\n"
                                   "}\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  EXPECT_EQ(program->launches[0].groups.x, 8U);
  ASSERT_EQ(program->launches[0].arguments.size(), 4U);
  EXPECT_EQ(program->launches[0].arguments[0].bytes, 2048U);
  EXPECT_EQ(program->launches[0].arguments[1].kind, HostArgument::Kind::open);
}

TEST(HostProgram, LoopsGiveEachOfTheirSizes) {
  const auto program = read_kernel("int main() { float* x; cudaMalloc(&x, 4096);\n"
                                   "  for (int s = 1; s <= 8; s *= 2) k<<<s, 32>>>(x, x, s, 1.0f);\n"
                                   "  for (int s = 0; s < 10; ++s) k<<<5, 32>>>(x, x, 5, 1.0f); }\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 5U); // 1 2 4 8, and 5 ten times
  EXPECT_EQ(program->launches[3].groups.x, 8U);
  EXPECT_EQ(program->launches[4].repeated, 10U);
}

TEST(HostProgram, AFunctionThatNothingCallsIsReadOnItsOwn) {
  const auto program = read_kernel("void run(float* x, int n) { k<<<n / 128, 128>>>(x, x, n, 1.0f); }\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  EXPECT_TRUE(program->launches[0].in_isolation);
  EXPECT_EQ(program->launches[0].groups.x, 8U);
}

TEST(HostProgram, OpenClInC) {
  const auto program =
      read("#include <CL/cl.h>\n#include <stdlib.h>\n"
           "int main(void) { size_t global[2] = {1024, 512}, local[2] = {16, 8}; int n = 7; cl_int err;\n"
           "  cl_context c = clCreateContext(0, 1, 0, 0, 0, &err);\n"
           "  cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 4096 * sizeof(float), NULL, &err);\n"
           "  cl_program p = clCreateProgramWithSource(c, 1, 0, 0, &err);\n"
           "  if (err != CL_SUCCESS) exit(1);\n"
           "  cl_kernel k = clCreateKernel(p, \"blur\", &err);\n"
           "  clSetKernelArg(k, 0, sizeof(cl_mem), &m); clSetKernelArg(k, 1, sizeof(int), &n);\n"
           "  clSetKernelArg(k, 2, 256, NULL);\n"
           "  clEnqueueNDRangeKernel(0, k, 2, NULL, global, local, 0, NULL, NULL);\n"
           "  return 0; }\n",
           {}, ".c");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  const FoundLaunch& launch = program->launches[0];
  EXPECT_EQ(launch.kernel, "blur");
  EXPECT_TRUE(launch.in_items);
  EXPECT_EQ(launch.groups, (facts::Dim3{1024, 512, 1}));
  EXPECT_EQ(launch.group_size, (facts::Dim3{16, 8, 1}));
  ASSERT_EQ(launch.arguments.size(), 3U);
  EXPECT_EQ(launch.arguments[0].bytes, 16384U);
  EXPECT_EQ(launch.arguments[1].text, "7");
  EXPECT_EQ(launch.arguments[2].kind, HostArgument::Kind::local_memory);
  EXPECT_EQ(launch.arguments[2].bytes, 256U);
}

TEST(HostProgram, ADeviceVariableThatTheHostSets) {
  const auto program =
      read_kernel("__constant__ int width;\n"
                  "int main() { int w = 77; cudaMemcpyToSymbol(width, &w, sizeof(int)); float* x;\n"
                  "  cudaMalloc(&x, 64); k<<<1, 32>>>(x, x, 1, 1.0f); }\n");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  ASSERT_TRUE(program->launches[0].symbols.contains("width"));
  EXPECT_EQ(program->launches[0].symbols.at("width").contents, (std::vector<std::uint8_t>{77, 0, 0, 0}));
}

constexpr const char* texture_host = R"(
texture<float, 2, cudaReadModeElementType> image;
__global__ void k(cudaTextureObject_t t, cudaTextureObject_t line, float* y) { y[0] = tex2D(image, 0.f, 0.f); }
int main() {
  int width = 640, height = 480; float* y; cudaMalloc(&y, 4096);
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
  cudaArray* array; cudaMallocArray(&array, &channels, width, height);
  cudaResourceDesc resource; memset(&resource, 0, sizeof(resource));
  resource.resType = cudaResourceTypeArray; resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeMirror; how.filterMode = cudaFilterModeLinear; how.normalizedCoords = 1;
  cudaTextureObject_t t = 0, line = 0; cudaCreateTextureObject(&t, &resource, &how, NULL);
  resource.resType = cudaResourceTypeLinear; resource.res.linear.devPtr = y;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  resource.res.linear.sizeInBytes = 4096;
  cudaTextureDesc plain = {}; plain.addressMode[0] = cudaAddressModeClamp;
  cudaCreateTextureObject(&line, &resource, &plain, NULL);
  image.filterMode = cudaFilterModeLinear;
  cudaBindTextureToArray(image, array);
  k<<<1, 32>>>(t, line, y);
})";

TEST(HostProgram, TexturesAsTheyAreMade) {
  const auto program = read(texture_host);
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  const FoundLaunch& launch = program->launches[0];
  EXPECT_EQ(launch.arguments[0].text, "image:640x480:rgba32f:linear:normalised:mirror");
  EXPECT_EQ(launch.arguments[1].text, "image:1024:r32f:nearest:clamp");
  ASSERT_TRUE(launch.symbols.contains("image"));
  EXPECT_EQ(launch.symbols.at("image").text, "image:640x480:rgba32f:linear:clamp");
}

TEST(HostProgram, OpenClImagesAndSamplers) {
  const auto program =
      read("#include <CL/cl.h>\n"
           "int main() {\n"
           "  cl_context c = 0; cl_kernel kernel = clCreateKernel(0, \"k\", 0); cl_int e;\n"
           "  cl_image_format format = {CL_RGBA, CL_UNORM_INT8};\n"
           "  cl_image_desc shape = {CL_MEM_OBJECT_IMAGE2D, 320, 200};\n"
           "  cl_mem image = clCreateImage(c, CL_MEM_READ_ONLY, &format, &shape, 0, &e);\n"
           "  cl_sampler sampler = clCreateSampler(c, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &e);\n"
           "  clSetKernelArg(kernel, 0, sizeof(cl_mem), &image);\n"
           "  clSetKernelArg(kernel, 1, sizeof(cl_sampler), &sampler);\n"
           "  size_t n[2] = {320, 200}; clEnqueueNDRangeKernel(0, kernel, 2, 0, n, 0, 0, 0, 0);\n"
           "}\n",
           {}, ".cpp");
  ASSERT_TRUE(program) << to_string(program.error());
  ASSERT_EQ(program->launches.size(), 1U);
  ASSERT_EQ(program->launches[0].arguments.size(), 2U);
  EXPECT_EQ(program->launches[0].arguments[0].text, "image:320x200:rgba8");
  EXPECT_EQ(program->launches[0].arguments[1].text, "sampler:linear:normalised:wrap");
}

} // namespace
} // namespace forewarp::frontend::host

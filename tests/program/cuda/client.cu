// What `forewarp run` is tried on: one word chooses what it does. Prints what it finds; exit code 1 where
// that is wrong.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <vector>

__constant__ float factor[4];
__device__ int counter;

/// As code from before 2017 sums a warp: no barrier, all lanes are taken to be at the same instruction.
__global__ void lockstep_sums(const int* from, int* to) {
  __shared__ int shared[64];
  volatile int* sums = shared;
  sums[threadIdx.x] = 0;
  const int at = threadIdx.x + 32;
  int sum = sums[at] = from[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2)
    sums[at] = sum += sums[at - distance];
  to[threadIdx.x] = sum;
}

template <class T> __global__ void scale(const T* from, T* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * static_cast<T>(factor[i & 3]);
}

__global__ void warp_sums(const float* from, float* sums) {
  float value = from[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffffu, value, step);
  unsigned all = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  if (threadIdx.x % 32 == 0) {
    sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
    atomicAdd(&counter, __popc(all));
  }
}

__global__ void reverse(int* values, int n) {
  extern __shared__ int kept[];
  int i = threadIdx.x;
  kept[i] = values[i];
  __syncthreads();
  values[i] = kept[n - 1 - i];
  if (__syncthreads_count(values[i] > 10) != n - 11)
    values[i] = -1;
}

__global__ void beyond(float* values, int n, int far) {
  values[blockIdx.x * blockDim.x + threadIdx.x + far] = n; // with 1, the last one has no neighbour
}

__global__ void row_lengths(const int* starts, const int* columns, int* sums, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; ++k)
    sum += columns[k];
  sums[row] = sum;
}

struct Pair {
  int first;
  float* second;
};
__global__ void by_value(Pair pair, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    pair.second[i] = pair.first + i / n;
}

static int check(bool right, const char* what) {
  printf("%s %s\n", what, right ? "right" : "wrong");
  return right ? 0 : 1;
}

template <class T> static T* on_device(const std::vector<T>& from) {
  T* to = nullptr;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

template <class T> static std::vector<T> read(const T* from, size_t n) {
  std::vector<T> to(n);
  cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
  return to;
}

static int kernels() {
  const int n = 4096;
  const float factors[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(factor, factors, sizeof(factors));
  std::vector<float> ones(n, 1);
  float *from = on_device(ones), *to = on_device(ones);
  scale<float><<<n / 128, 128>>>(from, to, n);
  const auto scaled = read(to, n);
  bool right = true;
  for (int i = 0; i < n; ++i)
    right = right && scaled[i] == 1 + i % 4;
  int wrong = check(right, "constant");
  warp_sums<<<n / 64, 64>>>(to, from);
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  wrong += check(read(from, 1)[0] == 80 && count == n / 64 * 22, "warp");
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[i] = i;
  int* values = on_device(numbers);
  reverse<<<1, 64, 64 * sizeof(int)>>>(values, 64);
  wrong += check(read(values, 64)[0] == 63 && read(values, 64)[63] == 0, "barrier");
  by_value<<<1, 64>>>(Pair{7, to}, 0);
  by_value<<<1, 64>>>(Pair{7, to}, n);
  wrong += check(read(to, n)[n - 1] == 7, "struct");
  return wrong + check(cudaDeviceSynchronize() == cudaSuccess, "end");
}

static int out_of_bounds() {
  float* values;
  cudaMalloc(&values, 1000 * sizeof(float));
  beyond<<<10, 100>>>(values, 1, 1);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); // as on cards, whose pages are larger
  beyond<<<10, 100>>>(values, 1, 1 << 28);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error == cudaErrorIllegalAddress ? 0 : 1;
}

static int errors() {
  float* values;
  int wrong = check(cudaMalloc(&values, size_t(1) << 50) == cudaErrorMemoryAllocation, "memory");
  wrong += check(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess,
                 "last error");
  float* one = nullptr;
  cudaMalloc(&one, 4);
  wrong += check(cudaMemcpy(one, nullptr, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue && cudaGetLastError() != cudaSuccess,
                 "copies from null");
  beyond<<<1, 2048>>>(values, 0, 1);
  wrong += check(cudaGetLastError() == cudaErrorInvalidConfiguration, "block size");
  reverse<<<1, 32, 1 << 20>>>(nullptr, 0);
  return wrong + check(cudaGetLastError() == cudaErrorLaunchOutOfResources, "shared memory");
}

static int timing() {
  const int n = 1 << 22;
  float *from, *to, ms = 0;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  scale<float><<<n / 256, 256, 0, stream>>>(from, to, n);
  cudaStreamSynchronize(stream);
  const auto before = std::chrono::steady_clock::now();
  cudaEventRecord(start, stream);
  scale<float><<<n / 256, 256, 0, stream>>>(from, to, n);
  cudaEventRecord(stop, stream);
  cudaStreamSynchronize(stream);
  const auto after = std::chrono::steady_clock::now();
  cudaEventElapsedTime(&ms, start, stop);
  printf("event %.0f ns\nwall %lld ns\n", ms * 1e6,
         (long long)std::chrono::nanoseconds(after - before).count());
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  printf("device %s, %d\n", properties.name, properties.multiProcessorCount);
  return 0;
}

static int rows() {
  const int count = 3000;
  std::vector<int> starts(count + 1), columns;
  for (int row = 0; row < count; ++row) {
    for (int k = 0; k < row % 7; ++k)
      columns.push_back(k);
    starts[row + 1] = static_cast<int>(columns.size());
  }
  int *ds = on_device(starts), *dc = on_device(columns), *sums = on_device(starts);
  row_lengths<<<(count + 127) / 128, 128>>>(ds, dc, sums, count);
  return check(read(sums, count)[6] == 15, "rows");
}

static int graph() {
  const float factors[4] = {2, 2, 2, 2};
  cudaMemcpyToSymbol(factor, factors, sizeof(factors));
  float* values = on_device(std::vector<float>(256, 1));
  cudaStream_t stream;
  cudaGraph_t made;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  scale<float><<<1, 256, 0, stream>>>(values, values, 256);
  cudaStreamEndCapture(stream, &made);
  cudaGraphInstantiate(&ready, made, 0);
  for (int k = 0; k < 5; ++k)
    cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  return check(read(values, 1)[0] == 32, "graph");
}

static int crash() {
  timing();
  std::abort();
}

static int killed() {
  timing();
  return kill(getpid(), SIGKILL);
}

/// 100 streams on four threads at once.
static int streams() {
  const float factors[4] = {2, 2, 2, 2};
  cudaMemcpyToSymbol(factor, factors, sizeof(factors));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([thread, &wrong] {
      std::vector<cudaStream_t> own(25);
      std::vector<float*> values(25);
      for (int k = 0; k < 25; ++k) {
        cudaStreamCreate(&own[k]);
        values[k] = on_device(std::vector<float>(256, thread * 25 + k));
        scale<float><<<1, 256, 0, own[k]>>>(values[k], values[k], 256);
      }
      for (int k = 0; k < 25; ++k) {
        cudaStreamSynchronize(own[k]);
        wrong[thread] += read(values[k], 256)[255] != 2 * (thread * 25 + k);
        cudaStreamDestroy(own[k]);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  return check(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0, "streams");
}

/// A read beyond the end, which cards let pass.
__global__ void neighbour(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + from[i + 1];
}

static int near() {
  float *from = on_device(std::vector<float>(256, 1)), *to = on_device(std::vector<float>(256, 0));
  neighbour<<<1, 256>>>(from, to, 256);
  const auto sums = read(to, 256);
  return check(sums[254] == 2 && sums[255] == 1, "near");
}

static int lockstep() {
  std::vector<int> from(32);
  for (int k = 0; k < 32; ++k)
    from[k] = k;
  int* in = on_device(from);
  int* out = on_device(from);
  lockstep_sums<<<1, 32>>>(in, out);
  int wrong = 0;
  const std::vector<int> sums = read(out, 32);
  for (int k = 0; k < 32; ++k)
    wrong += sums[k] == k * (k + 1) / 2 ? 0 : 1;
  return check(wrong == 0, "lockstep");
}

/// Calls that programs make now and then: one device, one pool.
static int calls() {
  int wrong = 0, least = 1;
  wrong += check(cudaDeviceDisablePeerAccess(0) != cudaSuccess && cudaGetLastError() != cudaSuccess, "peers");
  cudaMemPool_t pool;
  std::uint64_t threshold = 1 << 20, got = 0;
  wrong +=
      check(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
                cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess &&
                cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got) == cudaSuccess &&
                got == threshold,
            "pool");
  float* pages;
  cudaMallocManaged(&pages, 4096);
  wrong += check(
      cudaMemPrefetchAsync(pages, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0) == cudaSuccess &&
          cudaDeviceGetAttribute(&least, cudaDevAttrConcurrentManagedAccess, 0) == cudaSuccess && least == 1,
      "pages");
  cudaStream_t stream;
  unsigned flags = 0;
  cudaStreamCaptureStatus status;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  wrong += check(cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking &&
                     cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
                     status == cudaStreamCaptureStatusNone,
                 "stream");
  return wrong;
}

int main(int count, char** words) {
  const struct {
    const char* name;
    int (*run)();
  } tries[] = {{"kernels", kernels}, {"beyond", out_of_bounds},
               {"errors", errors},   {"timing", timing},
               {"rows", rows},       {"graph", graph},
               {"crash", crash},     {"killed", killed},
               {"streams", streams}, {"near", near},
               {"calls", calls},     {"lockstep", lockstep}};
  for (const auto& each : tries)
    if (count > 1 && std::strcmp(words[1], each.name) == 0)
      return each.run();
  return 2;
}

// Rows of a matrix, one a block of GROUP threads. softmax_three_passes: largest value, sum of exponentials, quotients, each from the row
// in memory; softmax_online: largest value and sum in one pass (M. Milakov and N. Gimelshein, 2018); layer_norm: sum and sum of squares in one pass.
struct Pair {
  float first, second;
};

static __device__ __forceinline__ Pair add(Pair a, Pair b) { return {a.first + b.first, a.second + b.second}; }
static __device__ __forceinline__ Pair larger(Pair a, Pair b) { return {fmaxf(a.first, b.first), 0.0f}; }
/// Largest value and sum of the exponentials of the distances to it.
static __device__ __forceinline__ Pair rescaled(Pair a, Pair b) {
  float top = fmaxf(a.first, b.first);
  return {top, a.second * expf(a.first - top) + b.second * expf(b.first - top)};
}

/// All threads' values joined; valid in all threads.
template <Pair (*Join)(Pair, Pair)>
static __device__ __forceinline__ Pair block_joined(Pair value, Pair neutral) {
  __shared__ Pair parts[32];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = Join(value, {__shfl_xor_sync(0xffffffffu, value.first, distance), __shfl_xor_sync(0xffffffffu, value.second, distance)});
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < GROUP / 32 ? parts[threadIdx.x] : neutral;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
      value = Join(value, {__shfl_xor_sync(0xffffffffu, value.first, distance), __shfl_xor_sync(0xffffffffu, value.second, distance)});
    if (threadIdx.x == 0)
      parts[0] = value;
  }
  __syncthreads();
  value = parts[0];
  __syncthreads();
  return value;
}

#define EACH_COLUMN for (int i = threadIdx.x; i < columns; i += GROUP)

extern "C" __global__ void softmax_three_passes(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  Pair top = {-INFINITY, 0.0f};
  EACH_COLUMN top.first = fmaxf(top.first, row[i]);
  float largest = block_joined<larger>(top, {-INFINITY, 0.0f}).first;
  Pair sum = {0.0f, 0.0f};
  EACH_COLUMN sum.first += expf(row[i] - largest);
  float scale = 1.0f / block_joined<add>(sum, {0.0f, 0.0f}).first;
  EACH_COLUMN out[blockIdx.x * columns + i] = expf(row[i] - largest) * scale;
}

extern "C" __global__ void softmax_online(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  Pair state = {-INFINITY, 0.0f};
  EACH_COLUMN state = rescaled(state, {row[i], 1.0f});
  Pair all = block_joined<rescaled>(state, {-INFINITY, 0.0f});
  float scale = 1.0f / all.second;
  EACH_COLUMN out[blockIdx.x * columns + i] = expf(row[i] - all.first) * scale;
}

extern "C" __global__ void layer_norm(const float* in, float* out, const float* gain, const float* bias, int columns) {
  const float* row = in + blockIdx.x * columns;
  Pair sums = {0.0f, 0.0f};
  EACH_COLUMN {
    float value = row[i];
    sums = add(sums, {value, value * value});
  }
  sums = block_joined<add>(sums, {0.0f, 0.0f});
  float mean = sums.first / columns;
  float scale = rsqrtf(sums.second / columns - mean * mean + 1e-5f);
  EACH_COLUMN out[blockIdx.x * columns + i] = gain[i] * (row[i] - mean) * scale + bias[i];
}

// Kernels whose work-items wait for each other in many ways, beside the same in plain loops on the host.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int width = 48;

/// Some items end before the barriers that the others come to.
__global__ void some_leave(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  int last = blockIdx.x == gridDim.x - 1 ? (n - 1) % blockDim.x : blockDim.x - 1;
  out[i] = tile[last - threadIdx.x];
  if (threadIdx.x % 3 == 0)
    return;
  __syncthreads();
  out[i] += tile[0];
}

/// Loops of unlike lengths, and one of equal length within an `if`, between barriers of a loop that memory
/// bounds.
__global__ void unlike_loops(const float* in, const int* rounds, float* out) {
  __shared__ float here[128];
  float sum = 0;
  for (int k = 0; k <= rounds[blockIdx.x]; ++k) {
    here[threadIdx.x] = in[(blockIdx.x * 128 + threadIdx.x + 7 * k) % 512];
    __syncthreads();
    int at = threadIdx.x;
    while (at < 100) {
      for (int j = 0; j < 20; ++j)
        sum += here[j] * in[at] - in[j];
      at += 64 + threadIdx.x;
    }
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

/// Private arrays live on over barriers; groups of three axes.
__global__ void private_arrays(const int* in, int* out) {
  __shared__ int tile[5 * 3 * 2];
  int own[4] = {}, at = (threadIdx.z * 3 + threadIdx.y) * 5 + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    tile[at] = in[blockIdx.x * 30 + at] + k;
    __syncthreads();
    own[tile[(at + 1) % 30] & 3] += tile[(at + k) % 30];
    __syncthreads();
  }
  out[blockIdx.x * 30 + at] = own[0] + 3 * own[1] + 5 * own[2] + 7 * own[3];
}

/// A loop that all items run alike; edges of the image read nothing outside of it.
__global__ void blur(const float* in, float* out, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width)
    return;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    if (x + k >= 0 && x + k < width)
      sum += in[y * width + x + k];
  for (int k = 0; k < radius; ++k)
    sum = sum * 0.5f + in[k * width + x];
  out[y * width + x] = sum;
}

/// Items of a row come back to what others of it have written before the barrier.
__global__ void in_turn(int* values, int rounds) {
  for (int k = 0; k < rounds; ++k) {
    int next = values[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    values[threadIdx.x] = next * 3 + k;
    __syncthreads();
  }
}

/// By a number's bits or more: nothing is left.
__global__ void shifts(const unsigned* by, unsigned* out) {
  unsigned n = by[threadIdx.x];
  out[threadIdx.x] = (0x80000001u << n) ^ (0xffffffffu >> n) ^ unsigned(int(0x80000000u) >> n);
}

template <class T> struct Both {
  explicit Both(int n) : host(n) { cudaMalloc(&device, n * sizeof(T)); }
  void up() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> down() {
    std::vector<T> out(host.size());
    cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }
  std::vector<T> host;
  T* device = nullptr;
};

template <class T> void compare(const char* name, Both<T>& expected) {
  int wrong = 0;
  const auto got = expected.down();
  for (std::size_t k = 0; k < got.size(); ++k)
    wrong += !(std::fabs(double(got[k]) - double(expected.host[k])) <=
               1e-4 * std::fabs(double(expected.host[k])) + 1e-5);
  std::printf("%s: %d wrong\n", name, wrong);
}

void leave() {
  const int n = 200;
  Both<int> in(n), out(n);
  for (int k = 0; k < n; ++k)
    in.host[k] = 17 * k % 101;
  in.up();
  some_leave<<<4, 64>>>(in.device, out.device, n);
  for (int i = 0; i < n; ++i) {
    int block = i / 64, at = i % 64, last = block == 3 ? (n - 1) % 64 : 63;
    out.host[i] = in.host[block * 64 + last - at] + (at % 3 ? in.host[block * 64] : 0);
  }
  compare("some_leave", out);
}

void loops() {
  Both<float> in(512), out(4 * 128);
  Both<int> rounds(4);
  for (int k = 0; k < 512; ++k)
    in.host[k] = (k * 37 % 50) * 0.25f;
  for (int k = 0; k < 4; ++k)
    rounds.host[k] = k;
  in.up(), rounds.up();
  unlike_loops<<<4, 128>>>(in.device, rounds.device, out.device);
  for (int block = 0; block < 4; ++block)
    for (int x = 0; x < 128; ++x) {
      float sum = 0;
      for (int k = 0; k <= block; ++k)
        for (int at = x; at < 100; at += 64 + x)
          for (int j = 0; j < 20; ++j)
            sum += in.host[(block * 128 + j + 7 * k) % 512] * in.host[at] - in.host[j];
      out.host[block * 128 + x] = sum;
    }
  compare("unlike_loops", out);
}

void arrays() {
  Both<int> in(3 * 30), out(3 * 30);
  for (int k = 0; k < 90; ++k)
    in.host[k] = 29 * k % 31;
  in.up();
  private_arrays<<<3, dim3(5, 3, 2)>>>(in.device, out.device);
  for (int k = 0; k < 90; ++k) {
    const int *tile = &in.host[k / 30 * 30], at = k % 30;
    int own[4] = {};
    for (int j = 0; j < 4; ++j)
      own[(tile[(at + 1) % 30] + j) & 3] += tile[(at + j) % 30] + j;
    out.host[k] = own[0] + 3 * own[1] + 5 * own[2] + 7 * own[3];
  }
  compare("private_arrays", out);
}

void image(dim3 size) {
  Both<float> in(width * width), out(width * width);
  for (int k = 0; k < width * width; ++k)
    in.host[k] = k * 13 % 97 * 0.5f;
  in.up();
  const int radius = 9;
  blur<<<dim3((width + size.x - 1) / size.x, (width + size.y - 1) / size.y), size>>>(in.device, out.device,
                                                                                     radius);
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int k = -radius; k <= radius; ++k)
        if (x + k >= 0 && x + k < width)
          sum += in.host[y * width + x + k];
      for (int k = 0; k < radius; ++k)
        sum = sum * 0.5f + in.host[k * width + x];
      out.host[y * width + x] = sum;
    }
  compare("blur", out);
}

void turns() {
  const int n = 96, rounds = 5;
  Both<int> values(n);
  for (int k = 0; k < n; ++k)
    values.host[k] = k % 7;
  values.up();
  in_turn<<<1, n>>>(values.device, rounds);
  for (int k = 0; k < rounds; ++k) {
    const auto before = values.host;
    for (int x = 0; x < n; ++x)
      values.host[x] = before[(x + 1) % n] * 3 + k;
  }
  compare("in_turn", values);
}

void bits() {
  Both<unsigned> by(40), out(40);
  for (unsigned k = 0; k < 40; ++k) {
    by.host[k] = k;
    out.host[k] = unsigned(0x80000001ull << k) ^ unsigned(0xffffffffull >> k) ^ unsigned(-0x80000000ll >> k);
  }
  by.up();
  shifts<<<1, 40>>>(by.device, out.device);
  compare("shifts", out);
}

int main() {
  bits();
  leave();
  loops();
  arrays();
  image(dim3(16, 8));
  image(dim3(37, 3));
  image(dim3(4, 16));
  turns();
}

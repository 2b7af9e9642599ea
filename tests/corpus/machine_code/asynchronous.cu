// Asynchronous copies, barriers in memory and products of a warp group, as kernels of sm_90a write them.
#include <cstdint>
#include <cuda_fp16.h>

namespace {

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ void begin(std::uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
}
__device__ void expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(
                   shared_address(barrier)),
               "r"(parity)
               : "memory");
}
__device__ void bring(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
__device__ void take(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
               "r"(bytes)
               : "memory");
}

constexpr int tile = 256, stages = 3;

} // namespace

/// y = 2 x + its index in the tile: tiles of 256 floats come in a pipeline of three, and go out in one.
extern "C" __global__ void bulk_pipeline(const float* x, float* y, int tiles) {
  __shared__ alignas(128) float in[stages][tile];
  __shared__ alignas(128) float out[tile];
  __shared__ std::uint64_t full[stages];
  const int t = threadIdx.x;
  const float* own = x + blockIdx.x * tiles * tile;
  float* to = y + blockIdx.x * tiles * tile;
  if (t == 0) {
    for (int s = 0; s < stages; ++s)
      begin(&full[s], 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
    for (int s = 0; s < stages && s < tiles; ++s) {
      expect(&full[s], tile * 4);
      bring(in[s], own + s * tile, tile * 4, &full[s]);
    }
  }
  __syncthreads();
  for (int i = 0; i < tiles; ++i) {
    const int s = i % stages;
    wait(&full[s], i / stages & 1);
    const float value = 2 * in[s][t] + t;
    if (t == 0)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    out[t] = value;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      take(to + i * tile, out, tile * 4);
      asm volatile("cp.async.bulk.commit_group;");
      if (i + stages < tiles) {
        expect(&full[s], tile * 4);
        bring(in[s], own + (i + stages) * tile, tile * 4, &full[s]);
      }
    }
  }
  if (t == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// One warp brings tiles, the other seven sum them up; registers go from one to the others.
extern "C" __global__ void __launch_bounds__(384) specialised(const float* x, float* sums, int tiles) {
  __shared__ alignas(128) float in[stages][tile];
  __shared__ std::uint64_t full[stages], empty[stages];
  const int t = threadIdx.x;
  const float* own = x + blockIdx.x * tiles * tile;
  if (t == 0) {
    for (int s = 0; s < stages; ++s) {
      begin(&full[s], 1);
      begin(&empty[s], 256);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (t >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (t == 256)
      for (int i = 0; i < tiles; ++i) {
        const int s = i % stages;
        if (i >= stages)
          wait(&empty[s], (i / stages - 1) & 1);
        expect(&full[s], tile * 4);
        bring(in[s], own + i * tile, tile * 4, &full[s]);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
    float sum = 0;
    for (int i = 0; i < tiles; ++i) {
      const int s = i % stages;
      wait(&full[s], i / stages & 1);
      sum += in[s][t] * (i + 1);
      arrive(&empty[s]);
    }
    sums[blockIdx.x * 256 + t] = sum;
  }
}

/// Halves of a group hand tiles to each other at barriers of their own.
extern "C" __global__ void named_barriers(const float* x, float* y, int tiles) {
  __shared__ float part[tile / 2];
  const int t = threadIdx.x, own = t % (tile / 2);
  for (int i = 0; i < 2 * tiles; ++i) {
    const int at = (blockIdx.x * tiles * 2 + i) * (tile / 2) + own;
    if (t < tile / 2) {
      if (i > 0)
        asm volatile("bar.sync 2, 256;" ::: "memory");
      part[own] = x[at];
      asm volatile("bar.arrive 1, 256;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 256;" ::: "memory");
      y[at] = part[own] + 1;
      if (i + 1 < 2 * tiles)
        asm volatile("bar.arrive 2, 256;" ::: "memory");
    }
  }
}

/// Arrivals that hand out states, others that do not wait: values change places at a barrier in memory.
extern "C" __global__ void states(const float* x, float* y, int rounds) {
  __shared__ float part[64];
  __shared__ std::uint64_t barrier;
  const int t = threadIdx.x;
  if (t == 0)
    begin(&barrier, 64);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    std::uint64_t state;
    part[t] = x[t];
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(&barrier)) : "memory");
    unsigned over = 0;
    while (over == 0)
      asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                   : "=r"(over)
                   : "r"(shared_address(&barrier)), "l"(state)
                   : "memory");
    sum += part[63 - t];
    arrive(&barrier);
    wait(&barrier, 1);
  }
  y[t] = sum;
}

/// Matrices of 8 by 8 halves through shared memory: stmatrix, plain and transposed.
extern "C" __global__ void matrices(const unsigned* words, unsigned* plain, unsigned* turned) {
  __shared__ alignas(16) unsigned to[4 * 8 * 4], to2[4 * 8 * 4];
  const int t = threadIdx.x;
  unsigned w[4];
  for (int k = 0; k < 4; ++k)
    w[k] = words[4 * t + k];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(&to[4 * t])),
               "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(shared_address(&to2[4 * t])),
               "r"(w[0]), "r"(w[1]));
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    plain[4 * t + k] = to[4 * t + k];
    if (t < 16)
      turned[4 * t + k] = to2[4 * t + k];
  }
}

/// c = a b for 64 by 64 by k: products of a warp group from shared memory, a tile of 64 halves of k a step.
template <int N> __device__ void group_product(const __half* a, const __half* b, float* c, int k) {
  __shared__ alignas(1024) __half part_a[2][64 * 64], part_b[2][N * 64];
  __shared__ std::uint64_t full[2];
  const int t = threadIdx.x;
  if (t == 0) {
    begin(&full[0], 1);
    begin(&full[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  const int steps = k / 64;
  const auto ask = [&](int step) {
    if (t == 0 && step < steps) {
      std::uint64_t* barrier = &full[step % 2];
      expect(barrier, sizeof part_a[0] + sizeof part_b[0]);
      bring(part_a[step % 2], a + step * 64 * 64, sizeof part_a[0], barrier);
      bring(part_b[step % 2], b + step * N * 64, sizeof part_b[0], barrier);
    }
  };
  float d[N / 2] = {};
  ask(0);
  ask(1);
  for (int step = 0; step < steps; ++step) {
    wait(&full[step % 2], step / 2 & 1);
#if __CUDA_ARCH__ == 900
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const auto descriptor = [](const void* at) {
      return (std::uint64_t{shared_address(at)} >> 4 & 0x3FFF) | std::uint64_t{1} << 16 | std::uint64_t{64} << 32 |
             std::uint64_t{1} << 62;
    };
    for (int part = 0; part < 4; ++part) {
      const std::uint64_t of_a = descriptor(part_a[step % 2] + part * 16), of_b = descriptor(part_b[step % 2] + part * 16);
      if constexpr (N == 8)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(of_a), "l"(of_b));
      else
        asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
                     "%11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                       "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                     : "l"(of_a), "l"(of_b));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
    __syncthreads();
    ask(step + 2);
  }
  for (int i = 0; i < N / 2; ++i)
    c[(blockIdx.x * 128 + t) * (N / 2) + i] = d[i];
}
extern "C" __global__ void group_product_8(const __half* a, const __half* b, float* c, int k) {
  group_product<8>(a, b, c, k);
}
extern "C" __global__ void group_product_32(const __half* a, const __half* b, float* c, int k) {
  group_product<32>(a, b, c, k);
}

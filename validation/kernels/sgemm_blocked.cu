// C = alpha A B + beta C for square row-major matrices, with tiles in shared memory and in registers.
//
// BM x BN: tile of C a block; BK: its depth. WM x WN: part of it that LX x LY lanes hold together (a warp's part, or
// the whole tile). TM x TN: neighbouring elements that a lane holds; where LX TN < WN or LY TM < WM it holds several such pieces,
// WN / (LX TN) along a row.
// VECTOR: 16 bytes a load of global memory. TRANSPOSE: the tile of A is kept by columns. STAGES 2: the next tile is
// loaded into registers while this one is multiplied, into a second buffer. UNROLL: the loop over a tile's depth is unrolled.
#define THREADS ((BM / WM) * (BN / WN) * LX * LY)
#define PIECES_M (WM / (LY * TM))
#define PIECES_N (WN / (LX * TN))
#define WIDTH (VECTOR ? 4 : 1)
#define LOADS_A (BM * BK / THREADS / WIDTH)
#define LOADS_B (BK * BN / THREADS / WIDTH)

#if TRANSPOSE
#define A_AT(row, k) ((k) * BM + (row))
#else
#define A_AT(row, k) ((row) * BK + (k))
#endif

struct Fetched {
  float a[LOADS_A * WIDTH];
  float b[LOADS_B * WIDTH];
};

static __device__ __forceinline__ void fetch(Fetched& to, const float* a, const float* b, int n) {
#pragma unroll
  for (int i = 0; i < LOADS_A; ++i) {
    int at = (i * THREADS + threadIdx.x) * WIDTH;
    const float* from = a + at / BK * n + at % BK;
#if VECTOR
    float4 four = *(const float4*)from;
    to.a[4 * i] = four.x;
    to.a[4 * i + 1] = four.y;
    to.a[4 * i + 2] = four.z;
    to.a[4 * i + 3] = four.w;
#else
    to.a[i] = *from;
#endif
  }
#pragma unroll
  for (int i = 0; i < LOADS_B; ++i) {
    int at = (i * THREADS + threadIdx.x) * WIDTH;
    const float* from = b + at / BN * n + at % BN;
#if VECTOR
    float4 four = *(const float4*)from;
    to.b[4 * i] = four.x;
    to.b[4 * i + 1] = four.y;
    to.b[4 * i + 2] = four.z;
    to.b[4 * i + 3] = four.w;
#else
    to.b[i] = *from;
#endif
  }
}

static __device__ __forceinline__ void keep(const Fetched& from, float* tile_a, float* tile_b) {
#pragma unroll
  for (int i = 0; i < LOADS_A; ++i) {
    int at = (i * THREADS + threadIdx.x) * WIDTH;
#if VECTOR && !TRANSPOSE
    *(float4*)(tile_a + at) = make_float4(from.a[4 * i], from.a[4 * i + 1], from.a[4 * i + 2], from.a[4 * i + 3]);
#else
#pragma unroll
    for (int j = 0; j < WIDTH; ++j)
      tile_a[A_AT(at / BK, at % BK + j)] = from.a[i * WIDTH + j];
#endif
  }
#pragma unroll
  for (int i = 0; i < LOADS_B; ++i) {
    int at = (i * THREADS + threadIdx.x) * WIDTH;
#if VECTOR
    *(float4*)(tile_b + at) = make_float4(from.b[4 * i], from.b[4 * i + 1], from.b[4 * i + 2], from.b[4 * i + 3]);
#else
    tile_b[at] = from.b[i];
#endif
  }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    sgemm_blocked(int n, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ __align__(16) float tile_a[STAGES][BM * BK];
  __shared__ __align__(16) float tile_b[STAGES][BK * BN];
  int part = threadIdx.x / (LX * LY);
  int lane = threadIdx.x % (LX * LY);
  int first_row = part / (BN / WN) * WM + lane / LX * TM;
  int first_column = part % (BN / WN) * WN + lane % LX * TN;
  a += blockIdx.y * BM * n;
  b += blockIdx.x * BN;
  c += blockIdx.y * BM * n + blockIdx.x * BN;

  float sum[PIECES_M * TM][PIECES_N * TN] = {};
  Fetched next;
#if STAGES == 2
  fetch(next, a, b, n);
  keep(next, tile_a[0], tile_b[0]);
  __syncthreads();
#endif
  int now = 0;
  for (int first = 0; first < n; first += BK) {
#if STAGES == 2
    if (first + BK < n)
      fetch(next, a + BK, b + BK * n, n);
#else
    fetch(next, a, b, n);
    keep(next, tile_a[0], tile_b[0]);
    __syncthreads();
#endif
#if UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int k = 0; k < BK; ++k) {
      float column[PIECES_M * TM];
      float row[PIECES_N * TN];
#pragma unroll
      for (int i = 0; i < PIECES_M * TM; ++i)
        column[i] = tile_a[now][A_AT(first_row + i / TM * LY * TM + i % TM, k)];
#pragma unroll
      for (int j = 0; j < PIECES_N * TN; ++j)
        row[j] = tile_b[now][k * BN + first_column + j / TN * LX * TN + j % TN];
#pragma unroll
      for (int i = 0; i < PIECES_M * TM; ++i)
#pragma unroll
        for (int j = 0; j < PIECES_N * TN; ++j)
          sum[i][j] += column[i] * row[j];
    }
#if STAGES == 2
    now ^= 1;
    if (first + BK < n)
      keep(next, tile_a[now], tile_b[now]);
#endif
    __syncthreads();
    a += BK;
    b += BK * n;
  }
#pragma unroll
  for (int i = 0; i < PIECES_M * TM; ++i)
#pragma unroll
    for (int j = 0; j < PIECES_N * TN; ++j) {
      float* at = c + (first_row + i / TM * LY * TM + i % TM) * n + first_column + j / TN * LX * TN + j % TN;
      *at = alpha * sum[i][j] + beta * *at;
    }
}

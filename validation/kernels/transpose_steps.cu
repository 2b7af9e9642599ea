// Copies and transposes of a square matrix by tiles, a tile a block, ROWS threads along its columns.
// "partial" ones (after "Optimizing Matrix Transpose in CUDA", G. Ruetsch and P. Micikevicius, 2009) transpose only inside a tile or
// only the tiles themselves; "diagonal" numbers the blocks along diagonals.
#define EACH_ROW for (int i = 0; i < TILE; i += ROWS)

static __device__ __forceinline__ int element(int block_x, int block_y, int width) {
  return (block_y * TILE + threadIdx.y) * width + block_x * TILE + threadIdx.x;
}

extern "C" __global__ void copy_direct(float* out, const float* in, int width) {
  int at = element(blockIdx.x, blockIdx.y, width);
  EACH_ROW out[at + i * width] = in[at + i * width];
}

extern "C" __global__ void copy_shared(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE];
  int at = element(blockIdx.x, blockIdx.y, width);
  EACH_ROW tile[threadIdx.y + i][threadIdx.x] = in[at + i * width];
  __syncthreads();
  EACH_ROW out[at + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

extern "C" __global__ void transpose_direct(float* out, const float* in, int width) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  EACH_ROW out[x * width + y + i] = in[(y + i) * width + x];
}

extern "C" __global__ void transpose_shared(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + PAD];
  int from = element(blockIdx.x, blockIdx.y, width);
  int to = element(blockIdx.y, blockIdx.x, width);
  EACH_ROW tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  EACH_ROW out[to + i * width] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_tiles_only(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int from = element(blockIdx.x, blockIdx.y, width);
  int to = element(blockIdx.y, blockIdx.x, width);
  EACH_ROW tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  EACH_ROW out[to + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

extern "C" __global__ void transpose_inside_tiles(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int at = element(blockIdx.x, blockIdx.y, width);
  EACH_ROW tile[threadIdx.y + i][threadIdx.x] = in[at + i * width];
  __syncthreads();
  EACH_ROW out[at + i * width] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_diagonal(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int y = blockIdx.x;
  int x = (blockIdx.x + blockIdx.y) % gridDim.x;
  int from = element(x, y, width);
  int to = element(y, x, width);
  EACH_ROW tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  EACH_ROW out[to + i * width] = tile[threadIdx.x][threadIdx.y + i];
}

#ifdef WIDTH
#if WIDTH == 4
typedef float4 Vector;
#else
typedef float2 Vector;
#endif

/// WIDTH floats of a row a thread, in TILE / WIDTH x ROWS threads; the tile in shared memory holds single floats.
extern "C" __global__ void transpose_vectors(float* out, const float* in, int width) {
  __shared__ float tile[TILE][TILE + PAD];
  union {
    Vector whole;
    float part[WIDTH];
  } piece;
  int from = (blockIdx.y * TILE + threadIdx.y) * width + blockIdx.x * TILE + threadIdx.x * WIDTH;
  int to = (blockIdx.x * TILE + threadIdx.y) * width + blockIdx.y * TILE + threadIdx.x * WIDTH;
#pragma unroll
  EACH_ROW {
    piece.whole = *(const Vector*)(in + from + i * width);
#pragma unroll
    for (int j = 0; j < WIDTH; ++j)
      tile[threadIdx.y + i][threadIdx.x * WIDTH + j] = piece.part[j];
  }
  __syncthreads();
#pragma unroll
  EACH_ROW {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j)
      piece.part[j] = tile[threadIdx.x * WIDTH + j][threadIdx.y + i];
    *(Vector*)(out + to + i * width) = piece.whole;
  }
}
#endif

// Textures, surfaces, lines that kernels print, and groups that wait for each other.
#include <cooperative_groups.h>
#include <cstdio>

namespace {

constexpr int side = 4, bytes = side * side * sizeof(float);

void say(const char* what, bool right) {
  std::printf("%s %s\n", what, right ? "right" : "wrong");
}

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 1, cudaReadModeNormalizedFloat> colours;
texture<uint4, 2, cudaReadModeElementType> words;

__global__ void fetch_plane(cudaTextureObject_t plane, const float2* at, float* out) {
  out[threadIdx.x] = tex2D<float>(plane, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void fetch_lines(float* out) {
  out[threadIdx.x] = tex1Dfetch(line, threadIdx.x) + tex1Dfetch(colours, threadIdx.x).y;
}
__global__ void fetch_words(uint4* out) {
  out[threadIdx.x] = tex2D(words, threadIdx.x, 1);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  float value;
  surf2Dread(&value, from, threadIdx.x * sizeof(float), threadIdx.y);
  surf2Dwrite(value + 1, to, threadIdx.y * sizeof(float), threadIdx.x);
}
__global__ void talk(const char* word) {
  if (threadIdx.x == 1)
    printf("block %d: %s, %5.2f, %llu, 100 %%\n", blockIdx.x, word, 2.5f, 1ull << 40);
}

/// Each group reads what its neighbour wrote.
__global__ void pass_on(int* values, int* out) {
  __shared__ int own;
  if (threadIdx.x == 0)
    own = values[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 31)
    out[blockIdx.x] = own + values[(blockIdx.x + 1) % gridDim.x];
}

cudaArray_t array_of(const float* values, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, side, side, flags);
  cudaMemcpy2DToArray(array, 0, 0, values, side * sizeof(float), side * sizeof(float), side, cudaMemcpyHostToDevice);
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, bool normalized, cudaTextureAddressMode address) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = address;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &resource, &how, nullptr);
  return made;
}

void planes(const float* values) {
  const cudaArray_t array = array_of(values, 0);
  constexpr int count = 3;
  float2* at;
  float *out, got[count];
  cudaMallocManaged(&at, count * sizeof(float2));
  cudaMalloc(&out, count * sizeof(float));
  const auto fetched = [&](cudaTextureObject_t plane, float2 a, float2 b, float2 c) {
    at[0] = a, at[1] = b, at[2] = c;
    fetch_plane<<<1, count>>>(plane, at, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  };
  fetched(texture_of(array, cudaFilterModePoint, false, cudaAddressModeClamp), {1.5f, 2.5f}, {3.9f, 0.1f}, {-7, 9});
  say("point", got[0] == 9 && got[1] == 3 && got[2] == 12);
  fetched(texture_of(array, cudaFilterModeLinear, false, cudaAddressModeBorder), {2, 2}, {1.25f, 0.5f}, {-3, -3});
  say("linear", got[0] == 7.5f && got[1] == 0.75f && got[2] == 0);
  fetched(texture_of(array, cudaFilterModePoint, true, cudaAddressModeWrap), {0.3f, 0.8f}, {1.3f, 0.1f}, {-0.1f, 2.6f});
  say("normalized", got[0] == 13 && got[1] == 1 && got[2] == 11);
}

void lines(const float* values) {
  float *memory, *out, got[side];
  uchar4* pixels;
  const uchar4 pixel[side] = {{0, 255, 0, 0}, {0, 0, 0, 0}, {0, 51, 0, 0}, {9, 102, 9, 9}};
  cudaMalloc(&memory, bytes);
  cudaMalloc(&pixels, sizeof(pixel));
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(memory, values, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(pixels, pixel, sizeof(pixel), cudaMemcpyHostToDevice);
  cudaBindTexture(nullptr, line, memory, bytes);
  cudaBindTexture(nullptr, colours, pixels, sizeof(pixel));
  fetch_lines<<<1, side>>>(out);
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  say("references", got[0] == 1 && got[1] == 1 && got[2] == 2.2f && got[3] == 3.4f);
}

/// Integers of more bits than a float has.
void whole_words() {
  const uint4 texels[2][2] = {{{}, {}}, {{0x2000902u, 1, 2, 0xffffffffu}, {0x9001609u, 0x1000001u, 3, 4}}};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uint4>();
  cudaArray_t array;
  uint4 *out, got[2];
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpyToArray(array, 0, 0, texels, sizeof(texels), cudaMemcpyHostToDevice);
  cudaBindTextureToArray(words, array, format);
  cudaMalloc(&out, sizeof(got));
  fetch_words<<<1, 2>>>(out);
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  say("words", got[0].x == 0x2000902u && got[0].w == 0xffffffffu && got[1].x == 0x9001609u && got[1].y == 0x1000001u);
}

void surfaces(const float* values) {
  const cudaArray_t from = array_of(values, cudaArraySurfaceLoadStore), to = array_of(values, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  cudaSurfaceObject_t a, b;
  resource.res.array.array = from;
  cudaCreateSurfaceObject(&a, &resource);
  resource.res.array.array = to;
  cudaCreateSurfaceObject(&b, &resource);
  turn<<<1, dim3(side, side)>>>(a, b);
  float got[side * side];
  cudaMemcpyFromArray(got, to, 0, 0, bytes, cudaMemcpyDeviceToHost);
  say("surfaces", got[1] == 5 && got[4] == 2 && got[15] == 16);
}

} // namespace

void meetings() {
  int *values, *out;
  cudaMalloc(&values, 8 * sizeof(int));
  cudaMallocManaged(&out, 8 * sizeof(int));
  void* words[] = {&values, &out};
  cudaLaunchCooperativeKernel(pass_on, 8, 32, words);
  cudaDeviceSynchronize();
  say("grid", out[0] == 3 && out[7] == 9);
}

int main() {
  float values[side * side];
  for (int k = 0; k < side * side; ++k)
    values[k] = k;
  planes(values);
  lines(values);
  whole_words();
  surfaces(values);
  meetings();
  char* word;
  cudaMallocManaged(&word, 8);
  for (int k = 0; k < 5; ++k)
    word[k] = "words"[k];
  talk<<<2, 32>>>(word);
  cudaDeviceSynchronize();
}

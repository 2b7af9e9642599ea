// Dependent loads: element i holds i + stride, and a pass goes on until the footprint's end. One lane would do; the whole
// warp asks for one address.
#define LOADS4(SPACE) at = SPACE[at]; at = SPACE[at]; at = SPACE[at]; at = SPACE[at];
#define LOADS16(SPACE) LOADS4(SPACE) LOADS4(SPACE) LOADS4(SPACE) LOADS4(SPACE)
#define LOADS64(SPACE) LOADS16(SPACE) LOADS16(SPACE) LOADS16(SPACE) LOADS16(SPACE)
#define LOADS256(SPACE) LOADS64(SPACE) LOADS64(SPACE) LOADS64(SPACE) LOADS64(SPACE)
// `loads` is a multiple of BLOCK.
#define CHASE(SPACE, BLOCK)                                                                                            \
  uint at = 0;                                                                                                         \
  _Pragma("unroll 1")                                                                                                  \
  for (int pass = 0; pass < passes; ++pass) {                                                                          \
    _Pragma("unroll 1")                                                                                                \
    for (int k = 0; k < loads; k += BLOCK) {                                                                           \
      LOADS##BLOCK(SPACE)                                                                                              \
    }                                                                                                                  \
    at -= wrap;                                                                                                        \
  }                                                                                                                    \
  out[get_local_id(0)] = at;

// `restrict`: read-only, also where L1 keeps nothing else.
__kernel void chase_global(__global uint* restrict out, __global const uint* restrict next, int loads, int passes, uint wrap) {
  CHASE(next, 64)
}

// Few elements a pass: probes of lines and ways.
__kernel void chase_few(__global uint* restrict out, __global const uint* restrict next, int loads, int passes, uint wrap) {
  CHASE(next, 4)
}

// Pages: zeros that the next address depends on, so that large buffers need no contents.
__kernel void chase_pages(__global uint* restrict out, __global const uint* restrict zeros, int stride, uint mask, int loads) {
  uint at = 0;
#pragma unroll 1
  for (int k = 0; k < loads; k += 16) {
#pragma unroll
    for (int i = 0; i < 16; ++i)
      at = (at + zeros[at] + stride) & mask;
  }
  out[get_local_id(0)] = at;
}

// Constant memory has no addresses that a CUDA driver could be given: a table of the module, stride 16 words.
#define T4(i) (i) + 16, (i) + 17, (i) + 18, (i) + 19
#define T16(i) T4(i), T4((i) + 4), T4((i) + 8), T4((i) + 12)
#define T64(i) T16(i), T16((i) + 16), T16((i) + 32), T16((i) + 48)
#define T256(i) T64(i), T64((i) + 64), T64((i) + 128), T64((i) + 192)
#define T1024(i) T256(i), T256((i) + 256), T256((i) + 512), T256((i) + 768)
#define T4096(i) T1024(i), T1024((i) + 1024), T1024((i) + 2048), T1024((i) + 3072)
__constant uint table[8192] = {T4096(0), T4096(4096)};

__kernel void chase_constant(__global uint* out, uint mask, int loads) {
  uint at = 0;
#pragma unroll 1
  for (int k = 0; k < loads; k += 64) {
#pragma unroll
    for (int i = 0; i < 64; ++i)
      at = table[at] & mask;
  }
  out[get_local_id(0)] = at;
}

__kernel void chase_shared(__global uint* out, __global const uint* next, int loads, int passes, uint wrap) {
  __local uint copy[4096];
  for (int i = get_local_id(0); i < 4096; i += get_local_size(0))
    copy[i] = next[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  CHASE(copy, 256)
}

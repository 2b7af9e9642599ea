// One time step of a lattice Boltzmann solver in place: D3Q19, one relaxation time, walls by bounce-back, distributions
// less their weights, streaming by "Esoteric Pull" (M. Lehmann, Computation 10(6), 92, 2022): a cell reads half of its distributions
// from its neighbours and leaves their opposites there; odd and even steps exchange the two places.
// REDUCED 0: distributions in float; 1: in half, scaled by 2^15. SIDE: cells along an edge of the cubic box.
#define CELLS ((ulong)SIDE * SIDE * SIDE)
#define SOLID 1

#if REDUCED
typedef half stored;
#define LOAD(at) (vload_half(at, distributions) * 3.0517578e-5f)
#define STORE(at, value) vstore_half_rte((value) * 32768.0f, at, distributions)
#else
typedef float stored;
#define LOAD(at) distributions[at]
#define STORE(at, value) distributions[at] = value
#endif

// The first of each pair of opposite directions.
constant int along_x[9] = {1, 0, 0, 1, 1, 0, 1, 1, 0};
constant int along_y[9] = {0, 1, 0, 1, 0, 1, -1, 0, 1};
constant int along_z[9] = {0, 0, 1, 0, 1, 1, 0, -1, -1};

static uint moved(uint at, int by) {
  return by == 0 ? at : by > 0 ? (at + 1u) % SIDE : (at + SIDE - 1u) % SIDE;
}

kernel void lattice_boltzmann(global stored* distributions, global const uchar* flags, uint step, float relaxation) {
  uint cell = get_global_id(0);
  if (cell >= CELLS || (flags[cell] & SOLID))
    return;
  uint x = cell % SIDE;
  uint y = cell / SIDE % SIDE;
  uint z = cell / (SIDE * SIDE);
  uint odd = step & 1u;

  uint neighbour[9];
  float f[19];
  f[0] = LOAD(cell);
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    neighbour[i] = moved(x, along_x[i]) + (moved(y, along_y[i]) + moved(z, along_z[i]) * SIDE) * SIDE;
    f[2 * i + 1] = LOAD(cell + (ulong)(2 * i + 2 - odd) * CELLS);
    f[2 * i + 2] = LOAD(neighbour[i] + (ulong)(2 * i + 1 + odd) * CELLS);
  }

  float density = f[0], momentum_x = 0.0f, momentum_y = 0.0f, momentum_z = 0.0f;
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    float difference = f[2 * i + 1] - f[2 * i + 2];
    density += f[2 * i + 1] + f[2 * i + 2];
    momentum_x += along_x[i] * difference;
    momentum_y += along_y[i] * difference;
    momentum_z += along_z[i] * difference;
  }
  density += 1.0f;
  float ux = momentum_x / density, uy = momentum_y / density, uz = momentum_z / density;
  float still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
  f[0] += relaxation * ((density * still - 1.0f) / 3.0f - f[0]);
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    float weight = i < 3 ? 1.0f / 18.0f : 1.0f / 36.0f;
    float along = 3.0f * (along_x[i] * ux + along_y[i] * uy + along_z[i] * uz);
    float even = weight * (density * (still + 0.5f * along * along) - 1.0f);
    float uneven = weight * density * along;
    f[2 * i + 1] += relaxation * (even + uneven - f[2 * i + 1]);
    f[2 * i + 2] += relaxation * (even - uneven - f[2 * i + 2]);
  }

  STORE(cell, f[0]);
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    STORE(neighbour[i] + (ulong)(2 * i + 1 + odd) * CELLS, f[2 * i + 1]);
    STORE(cell + (ulong)(2 * i + 2 - odd) * CELLS, f[2 * i + 2]);
  }
}

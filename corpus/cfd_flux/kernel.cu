// Fluxes of mass, momentum and energy over the four faces of each element, with artificial viscosity.
// A neighbour is stored as its distance; below the first element lies a wall, behind the last the free stream.
// Reads go through the read-only path; the faces are unrolled.
constexpr float gamma_gas = 1.4f, viscosity = 0.2f;
constexpr int faces = 4;

__device__ __forceinline__ float inner(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Gas {
  float mass, energy, pressure, speed, sound;
  float3 momentum;

  __device__ Gas(float m, float3 p, float e) : mass(m), energy(e), momentum(p) {
    const float squared = inner(p, p) / (m * m);
    speed = sqrtf(squared);
    pressure = (gamma_gas - 1.0f) * (e - 0.5f * m * squared);
    sound = sqrtf(gamma_gas * pressure / m);
  }
};

__device__ __forceinline__ float3 three(const float* p, int at, int stride) {
  return make_float3(__ldg(p + at), __ldg(p + at + stride), __ldg(p + at + 2 * stride));
}

struct Flux {
  float mass = 0, x = 0, y = 0, z = 0, energy = 0;

  __device__ void add(const Gas& gas, float3 normal, float weight) {
    const float volume = weight * inner(gas.momentum, normal) / gas.mass, push = weight * gas.pressure;
    mass += volume * gas.mass;
    energy += volume * (gas.energy + gas.pressure);
    x += volume * gas.momentum.x + push * normal.x;
    y += volume * gas.momentum.y + push * normal.y;
    z += volume * gas.momentum.z + push * normal.z;
  }
  __device__ void damp(const Gas& here, const Gas& there, float damping) {
    mass -= damping * (here.mass - there.mass);
    energy -= damping * (here.energy - there.energy);
    x -= damping * (here.momentum.x - there.momentum.x);
    y -= damping * (here.momentum.y - there.momentum.y);
    z -= damping * (here.momentum.z - there.momentum.z);
  }
};

__global__ void cfd_flux(const int* __restrict__ neighbour_distance, const float* __restrict__ face_normal,
                         const float* __restrict__ density, const float* __restrict__ momentum,
                         const float* __restrict__ energy, const float* __restrict__ free_stream, float* density_flux,
                         float* momentum_flux, float* energy_flux, int elements) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements)
    return;
  const Gas here(__ldg(density + element), three(momentum, element, elements), __ldg(energy + element));
  Flux flux;
#pragma unroll
  for (int face = 0; face < faces; ++face) {
    const int at = element + face * elements;
    const float3 normal = three(face_normal, at, faces * elements);
    const int next = element + __ldg(neighbour_distance + at);
    if (next < 0) {
      flux.x += here.pressure * normal.x;
      flux.y += here.pressure * normal.y;
      flux.z += here.pressure * normal.z;
    } else if (next < elements) {
      const Gas there(__ldg(density + next), three(momentum, next, elements), __ldg(energy + next));
      const float damping =
          0.5f * viscosity * sqrtf(inner(normal, normal)) * (here.speed + there.speed + here.sound + there.sound);
      flux.add(here, normal, 0.5f);
      flux.add(there, normal, 0.5f);
      flux.damp(here, there, damping);
    } else {
      const Gas far(free_stream[0], make_float3(free_stream[1], free_stream[2], free_stream[3]), free_stream[4]);
      flux.add(here, normal, 0.5f);
      flux.add(far, normal, 0.5f);
    }
  }
  density_flux[element] = flux.mass;
  momentum_flux[element] = flux.x;
  momentum_flux[element + elements] = flux.y;
  momentum_flux[element + 2 * elements] = flux.z;
  energy_flux[element] = flux.energy;
}

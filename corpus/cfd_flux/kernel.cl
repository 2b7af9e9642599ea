// Fluxes of mass, momentum and energy over the four faces of each element, with artificial viscosity.
// A neighbour is stored as its distance; below the first element lies a wall, behind the last the free stream.
#define GAMMA 1.4f
#define VISCOSITY 0.2f
#define FACES 4

typedef struct {
  float mass, energy, pressure, speed, sound;
  float3 momentum, velocity;
} State;

State state_of(float mass, float3 momentum, float energy) {
  State s;
  s.mass = mass;
  s.momentum = momentum;
  s.energy = energy;
  s.velocity = momentum / mass;
  float squared = dot(s.velocity, s.velocity);
  s.speed = sqrt(squared);
  s.pressure = (GAMMA - 1.0f) * (energy - 0.5f * mass * squared);
  s.sound = sqrt(GAMMA * s.pressure / mass);
  return s;
}

typedef struct {
  float mass, energy;
  float3 momentum;
} Flux;

/// What flows through a face with this normal, were it all like `s`.
Flux through(State s, float3 normal) {
  float volume = dot(s.velocity, normal);
  Flux f;
  f.mass = volume * s.mass;
  f.energy = volume * (s.energy + s.pressure);
  f.momentum = volume * s.momentum + s.pressure * normal;
  return f;
}

__kernel void cfd_flux(__global const int* neighbour_distance, __global const float* face_normal,
                       __global const float* density, __global const float* momentum, __global const float* energy,
                       __constant float* free_stream, __global float* density_flux, __global float* momentum_flux,
                       __global float* energy_flux, int elements) {
  int element = get_global_id(0);
  if (element >= elements)
    return;
  State here = state_of(density[element],
                        (float3)(momentum[element], momentum[element + elements], momentum[element + 2 * elements]),
                        energy[element]);
  float mass_sum = 0.0f, energy_sum = 0.0f;
  float3 momentum_sum = (float3)(0.0f);
  for (int face = 0; face < FACES; ++face) {
    int at = element + face * elements;
    float3 normal = (float3)(face_normal[at], face_normal[at + FACES * elements], face_normal[at + 2 * FACES * elements]);
    int next = element + neighbour_distance[at];
    if (next < 0) {
      momentum_sum += here.pressure * normal;
      continue;
    }
    State there;
    float damping = 0.0f;
    if (next >= elements) {
      there = state_of(free_stream[0], (float3)(free_stream[1], free_stream[2], free_stream[3]), free_stream[4]);
    } else {
      there = state_of(density[next], (float3)(momentum[next], momentum[next + elements], momentum[next + 2 * elements]),
                       energy[next]);
      damping = 0.5f * VISCOSITY * sqrt(dot(normal, normal)) * (here.speed + there.speed + here.sound + there.sound);
    }
    Flux in = through(there, normal), out = through(here, normal);
    mass_sum += 0.5f * (in.mass + out.mass) - damping * (here.mass - there.mass);
    energy_sum += 0.5f * (in.energy + out.energy) - damping * (here.energy - there.energy);
    momentum_sum += 0.5f * (in.momentum + out.momentum) - damping * (here.momentum - there.momentum);
  }
  density_flux[element] = mass_sum;
  momentum_flux[element] = momentum_sum.x;
  momentum_flux[element + elements] = momentum_sum.y;
  momentum_flux[element + 2 * elements] = momentum_sum.z;
  energy_flux[element] = energy_sum;
}

// Longest stable time step over volume of each element: 0.5 / (sqrt(area) (|velocity| + speed of sound)).
#define GAMMA 1.4f

__kernel void cfd_step_factor(__global const float* density, __global const float* momentum,
                              __global const float* energy, __global const float* area, __global float* step_factor,
                              int elements) {
  int element = get_global_id(0);
  if (element >= elements)
    return;
  float mass = density[element];
  float vx = momentum[element] / mass;
  float vy = momentum[element + elements] / mass;
  float vz = momentum[element + 2 * elements] / mass;
  float speed_squared = vx * vx + vy * vy + vz * vz;
  float pressure = (GAMMA - 1.0f) * (energy[element] - 0.5f * mass * speed_squared);
  float sound = sqrt(GAMMA * pressure / mass);
  step_factor[element] = 0.5f / (sqrt(area[element]) * (sqrt(speed_squared) + sound));
}

// One stage of a Runge-Kutta step: new = old + factor / (stages left) * flux, five variables, variable-major.
#define STAGES 3

__kernel void cfd_time_step(__global const float* old_variable, __global const float* step_factor,
                            __global const float* flux, __global float* variable, int stage, int elements) {
  int element = get_global_id(0);
  if (element >= elements)
    return;
  float factor = step_factor[element] / (float)(STAGES - stage);
  for (int v = 0; v < 5; ++v) {
    int at = v * elements + element;
    variable[at] = old_variable[at] + factor * flux[at];
  }
}

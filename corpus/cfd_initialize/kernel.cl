// Every element's five conserved variables start as the free stream's; variable-major.
#define VARIABLES 5

__kernel void cfd_initialize(__global float* variable, __constant float* free_stream, int elements) {
  int element = get_global_id(0);
  if (element >= elements)
    return;
  for (int v = 0; v < VARIABLES; ++v)
    variable[v * elements + element] = free_stream[v];
}

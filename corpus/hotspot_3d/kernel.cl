// Heat of a stack of chips: a seven-point step with power and ambient; a work-item walks up the layers.
// At an edge a cell is its own neighbour.
__kernel void hotspot_3d(__global const float* power, __global const float* heat, __global float* result, int columns,
                         int rows, int layers, float across, float up, float centre, float per_watt, float ambient) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= columns || y >= rows)
    return;
  int layer = columns * rows;
  int here = y * columns + x;
  int west = x > 0 ? here - 1 : here, east = x < columns - 1 ? here + 1 : here;
  int north = y > 0 ? here - columns : here, south = y < rows - 1 ? here + columns : here;
  float below = heat[here], middle = below;
  for (int z = 0; z < layers; ++z) {
    int base = z * layer;
    float above = z < layers - 1 ? heat[base + layer + here] : middle;
    result[base + here] = centre * middle + across * (heat[base + west] + heat[base + east] + heat[base + north] +
                                                      heat[base + south]) +
                          up * (below + above) + per_watt * power[base + here] + ambient;
    below = middle;
    middle = above;
  }
}

// Euclidean distance of (latitude, longitude) pairs to a target.
__kernel void nearest_neighbour(__global const float2* place, __global float* distance_to, int places, float latitude,
                                float longitude) {
  int i = get_global_id(0);
  if (i >= places)
    return;
  float2 here = place[i];
  float north = latitude - here.x, east = longitude - here.y;
  distance_to[i] = sqrt(north * north + east * east);
}

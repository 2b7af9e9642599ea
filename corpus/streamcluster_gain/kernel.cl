// Stream clustering: what would opening a centre at `candidate` save? Each point compares its distance to the
// candidate, whose coordinates lie in shared memory, with what it pays now. Coordinates are dimension-major. A point
// that stays adds to its centre's entry of its own row: what closing that centre would cost it.
#define MOST_DIMENSIONS 256

__kernel void streamcluster_gain(__global const float* coordinate, __global const float* weight,
                                 __global const int* assigned, __global const float* cost,
                                 __global const int* centre_entry, __global float* change_of, __global uchar* switches,
                                 int points, int dimensions, int candidate, int row_length) {
  __local float target[MOST_DIMENSIONS];
  int lane = get_local_id(0), size = get_local_size(0);
  for (int d = lane; d < dimensions; d += size)
    target[d] = coordinate[d * points + candidate];
  barrier(CLK_LOCAL_MEM_FENCE);
  int point = get_global_id(0);
  if (point >= points)
    return;
  float distance = 0.0f;
  for (int d = 0; d < dimensions; ++d) {
    float difference = coordinate[d * points + point] - target[d];
    distance += difference * difference;
  }
  float change = distance * weight[point] - cost[point];
  if (change < 0.0f) {
    switches[point] = 1;
    change_of[point * row_length + row_length - 1] = change;
  } else {
    change_of[point * row_length + centre_entry[assigned[point]]] -= change;
  }
}

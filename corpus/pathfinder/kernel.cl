// Cheapest path down a grid, `steps` rows at a time: the tile shrinks by one column on each side a row.
#define GROUP 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pathfinder(__global const int* wall, __global const int* source, __global int* result, int columns, int first_row,
                int steps) {
  __local int previous[GROUP];
  __local int current[GROUP];
  int lane = get_local_id(0);
  int useful = GROUP - 2 * steps;
  int column = get_group_id(0) * useful - steps + lane;
  bool inside = column >= 0 && column < columns;
  int left = column > 0 ? lane - 1 : lane, right = column < columns - 1 ? lane + 1 : lane;
  if (inside)
    previous[lane] = source[column];
  barrier(CLK_LOCAL_MEM_FENCE);
  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = inside && lane >= step + 1 && lane <= GROUP - 2 - step;
    if (computed)
      current[lane] = min(previous[left], min(previous[lane], previous[right])) + wall[(first_row + step) * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (computed)
      previous[lane] = current[lane];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed && lane >= steps && lane < GROUP - steps)
    result[column] = previous[lane];
}

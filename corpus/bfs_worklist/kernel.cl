// One level of a breadth-first search, data-driven: a work-item takes a node of the worklist, claims its unvisited
// neighbours and appends them to the next worklist.
__kernel void bfs_worklist(__global const int* edge_begin, __global const int* edge, __global int* level,
                           __global const int* worklist, __global int* next, __global int* next_count, int count,
                           int depth) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  int node = worklist[i];
  for (int e = edge_begin[node]; e < edge_begin[node + 1]; ++e) {
    int neighbour = edge[e];
    if (level[neighbour] < 0 && atomic_cmpxchg(&level[neighbour], -1, depth) < 0)
      next[atomic_inc(next_count)] = neighbour;
  }
}

// One round of Bellman and Ford: a work-item takes a node and offers each neighbour the way through it.
__kernel void sssp_relax(__global const int* edge_begin, __global const int* edge, __global const int* weight,
                         __global const int* distance, __global int* next, int nodes) {
  int node = get_global_id(0);
  if (node >= nodes)
    return;
  int here = distance[node];
  for (int e = edge_begin[node]; e < edge_begin[node + 1]; ++e) {
    int neighbour = edge[e];
    int through = here + weight[e];
    if (through < distance[neighbour])
      atomic_min(&next[neighbour], through);
  }
}

// One round of Bellman and Ford: a thread takes a node and offers each neighbour the way through it.
__global__ void sssp_relax(const int* edge_begin, const int* edge, const int* weight, const int* distance,
                           int* next, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes)
    return;
  int here = distance[node];
  for (int e = edge_begin[node]; e < edge_begin[node + 1]; ++e) {
    int neighbour = edge[e];
    int through = here + weight[e];
    if (through < distance[neighbour])
      atomicMin(&next[neighbour], through);
  }
}

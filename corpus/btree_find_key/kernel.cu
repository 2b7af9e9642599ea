// Look-up of one key in a B+ tree of three levels: a block a query, a thread a key of the node.
// The key behind a thread's own comes from its neighbour, over the warp's edge from memory.
#define ORDER 128

__device__ int matching_slot(const int* key, int node, int wanted, int* found) {
  const int slot = node * ORDER + threadIdx.x;
  const int own = __ldg(key + slot);
  int behind = __shfl_down_sync(0xffffffffu, own, 1);
  if (threadIdx.x % 32 == 31)
    behind = __ldg(key + slot + 1);
  if (own <= wanted && wanted < behind)
    *found = slot;
  __syncthreads();
  const int chosen = *found;
  __syncthreads();
  return chosen;
}

__global__ void __launch_bounds__(ORDER)
    btree_find_key(const int* root_key, const int* root_child, const int* inner_key, const int* inner_child,
                   const int* leaf_key, const int* record, const int* query, int* answer, int queries) {
  __shared__ int found;
  if (static_cast<int>(blockIdx.x) >= queries)
    return;
  const int wanted = query[blockIdx.x];
  const int inner = root_child[matching_slot(root_key, 0, wanted, &found)];
  const int leaf = inner_child[matching_slot(inner_key, inner, wanted, &found)];
  const int slot = leaf * ORDER + threadIdx.x;
  if (leaf_key[slot] == wanted)
    answer[blockIdx.x] = record[slot];
}

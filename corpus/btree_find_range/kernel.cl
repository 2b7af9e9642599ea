// Ranges of keys in a B+ tree of three levels: a group a query, a work-item a key of the node.
// Level l keeps the keys of its nodes side by side, with the next node's first key behind the last one.
#define ORDER 128

__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1)))
void btree_find_range(__global const int* root_key, __global const int* root_child, __global const int* inner_key,
                      __global const int* inner_child, __global const int* leaf_key, __global const int* record,
                      __global const int* range_begin, __global const int* range_size, __global int* first_record,
                      __global int* found, int last_key, int queries) {
  __local int low_node, high_node;
  int lane = get_local_id(0), query = get_group_id(0);
  if (query >= queries)
    return;
  int low = range_begin[query], high = min(low + range_size[query], last_key);
  if (lane == 0)
    low_node = high_node = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = 0; level < 2; ++level) {
    __global const int* key = level == 0 ? root_key : inner_key;
    __global const int* child = level == 0 ? root_child : inner_child;
    int low_slot = low_node * ORDER + lane, high_slot = high_node * ORDER + lane;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (key[low_slot] <= low && low < key[low_slot + 1])
      low_node = child[low_slot];
    if (key[high_slot] <= high && high < key[high_slot + 1])
      high_node = child[high_slot];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int low_slot = low_node * ORDER + lane, high_slot = high_node * ORDER + lane;
  if (leaf_key[low_slot] == low)
    first_record[query] = record[low_slot];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (leaf_key[high_slot] == high)
    found[query] = record[high_slot] - first_record[query] + 1;
}

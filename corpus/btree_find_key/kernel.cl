// Look-up of one key in a B+ tree of three levels: a group a query, a work-item a key of the node.
// Level l keeps the keys of its nodes side by side, with the next node's first key behind the last one.
#define ORDER 128

/// The child of `node` whose keys can hold `wanted`; found by one work-item, told to all.
int descend(__global const int* key, __global const int* child, int node, int wanted, __local int* next) {
  int slot = node * ORDER + get_local_id(0);
  if (key[slot] <= wanted && wanted < key[slot + 1])
    *next = child[slot];
  barrier(CLK_LOCAL_MEM_FENCE);
  int chosen = *next;
  barrier(CLK_LOCAL_MEM_FENCE);
  return chosen;
}

__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1)))
void btree_find_key(__global const int* root_key, __global const int* root_child, __global const int* inner_key,
                    __global const int* inner_child, __global const int* leaf_key, __global const int* record,
                    __global const int* query, __global int* answer, int queries) {
  __local int next;
  if ((int)get_group_id(0) >= queries)
    return;
  int wanted = query[get_group_id(0)];
  int inner = descend(root_key, root_child, 0, wanted, &next);
  int leaf = descend(inner_key, inner_child, inner, wanted, &next);
  int slot = leaf * ORDER + get_local_id(0);
  if (leaf_key[slot] == wanted)
    answer[get_group_id(0)] = record[slot];
}

// Thrust in a program that `forewarp run` builds.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_orders.h>

namespace thrust {

#define FW_EACH(use) use(for_each) use(for_each_n) use(transform) use(transform_if) use(fill) use(fill_n) use(sequence) use(generate) use(tabulate) \
  use(gather) use(scatter) use(scatter_if) use(replace) use(replace_if) use(reverse) use(adjacent_difference)
#define FW_USE(name) FW_ALGORITHM(fw_transforms, name)
FW_EACH(FW_USE)
#undef FW_USE
#undef FW_EACH
#define FW_EACH(use) use(reduce) use(transform_reduce) use(inner_product) use(inclusive_scan) use(exclusive_scan) use(transform_inclusive_scan) \
  use(transform_exclusive_scan) use(inclusive_scan_by_key) use(exclusive_scan_by_key) use(reduce_by_key) use(find) use(find_if) use(find_if_not) \
  use(any_of) use(all_of) use(none_of) use(count) use(count_if) use(equal) use(max_element) use(min_element) use(minmax_element)
#define FW_USE(name) FW_ALGORITHM(fw_reductions, name)
FW_EACH(FW_USE)
#undef FW_USE
#undef FW_EACH
#define FW_EACH(use) use(copy) use(copy_n) use(copy_if) use(remove) use(remove_if) use(remove_copy_if) use(unique) use(unique_copy) use(unique_by_key) \
  use(partition) use(stable_partition) use(sort) use(stable_sort) use(sort_by_key) use(stable_sort_by_key) use(is_sorted) use(lower_bound) \
  use(upper_bound) use(merge) use(set_union) use(set_intersection) use(set_difference)
#define FW_USE(name) FW_ALGORITHM(fw_orders, name)
FW_EACH(FW_USE)
#undef FW_USE
#undef FW_EACH
template <class I, class T> FW_HOST void uninitialized_fill(I first, I last, const T& value) { fill(first, last, value); }

} // namespace thrust

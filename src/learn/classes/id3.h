// The decision tree of the dissertation's text: ID3 with the information gain of Eq. 4.1 (section 4.3.3).
#pragma once

#include "learn/classes/tree.h"

namespace forewarp::learn {

/// H = -sum over classes of P log2 P (Eq. 4.1; its base only scales it), in bits; 0 without rows.
double entropy(const std::vector<int>& classes, int number_of_classes);

/// What the question "level <= most?" about a feature takes from the entropy of `data`, in bits.
double information_gain(const ClassData& data, int feature, int most);

/// Splits by the greatest gain (the first feature and the lowest level of equals) until a node has one class,
/// or no question parts its rows, or they are no more than `node_size`. A leaf has its rows' most frequent
/// class, the lower one of equals. `data` must have rows.
Tree id3_tree(const ClassData& data, std::size_t node_size = 1);

} // namespace forewarp::learn

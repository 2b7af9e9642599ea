// Features of a program region for learned predictors (Ardalani, dissertation 2016, tables 3.1, 3.2, 4.1
// and 4.2).
#pragma once

#include <string>
#include <vector>

namespace forewarp::facts {

/// One number that describes a region, under the name that training tables and models use for it.
struct Feature {
  std::string name;
  double value = 0;
};

/// What one extractor says about one region. A model takes rows of the extractor that it was trained on, and
/// no others.
struct FeatureRow {
  std::string region;               ///< as the port command names it: file, line, label
  std::string extractor;            ///< kind and version, such as "dynamic-1" or "static-1"
  std::vector<Feature> features;    ///< in the extractor's fixed order; names are unique
  std::vector<std::string> assumed; ///< what had to be assumed for them, in words
};

} // namespace forewarp::facts

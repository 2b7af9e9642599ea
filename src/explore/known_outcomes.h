// Outcomes of configurations that other configurations share: a define that the kernel does not use changes
// nothing.
#pragma once

#include "explore/outcome.h"

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace forewarp::explore {

/// Keeps the `capacity` outcomes used last. One thread's use only.
class KnownOutcomes {
public:
  explicit KnownOutcomes(std::size_t capacity = 16384) : capacity_(capacity) {}
  /// Null: not there. Holds until the next call.
  const std::vector<Outcome>* find(const std::string& key);
  void keep(const std::string& key, std::vector<Outcome> outcomes);

private:
  struct Entry {
    std::string key;
    std::vector<Outcome> outcomes;
  };
  std::size_t capacity_;
  std::list<Entry> entries_;                                          ///< used last first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_; ///< looked up, never walked
};

} // namespace forewarp::explore

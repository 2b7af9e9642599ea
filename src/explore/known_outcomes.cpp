#include "explore/known_outcomes.h"

namespace forewarp::explore {

const std::vector<Outcome>* KnownOutcomes::find(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end())
    return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &entries_.front().outcomes;
}

void KnownOutcomes::keep(const std::string& key, std::vector<Outcome> outcomes) {
  entries_.push_front({key, std::move(outcomes)});
  index_[key] = entries_.begin();
  if (entries_.size() <= capacity_)
    return;
  index_.erase(entries_.back().key);
  entries_.pop_back();
}

} // namespace forewarp::explore

#include "explore/share/coordinator.h"

namespace forewarp::explore {
namespace {

/// A killed process loses at most this many configurations a worker.
constexpr std::size_t chunk = 16;

} // namespace

Coordinator::Coordinator(const Space& space, Store& store, const SweepOptions& options)
    : store_(store), dispatcher_(space, store, options.sample > 0, chunk), options_(options) {}

std::vector<std::uint64_t> Coordinator::exchange(std::uint64_t worker, const std::vector<Row>& rows) {
  const std::lock_guard guard(mutex_);
  if (error_)
    return {};
  if (!rows.empty()) {
    if (const auto added = store_.add(rows); !added) {
      error_ = added.error();
      return {};
    }
    done_ += rows.size();
  }
  auto ids = dispatcher_.next(worker);
  if (!ids) {
    error_ = ids.error();
    return {};
  }
  if (options_.progress)
    options_.progress(dispatcher_.fraction(), done_);
  return *std::move(ids);
}

void Coordinator::fail_with(const Error& error) {
  const std::lock_guard guard(mutex_);
  if (!error_)
    error_ = error;
}

Result<void> Coordinator::outcome() {
  const std::lock_guard guard(mutex_);
  if (error_)
    return tl::unexpected<Error>(*error_);
  return {};
}

} // namespace forewarp::explore

// Takes rows, gives ids: what the workers of a sweep share. Safe from several threads.
#pragma once

#include "explore/share/dispatcher.h"
#include "explore/sweep.h"

#include <mutex>

namespace forewarp::explore {

class Coordinator {
public:
  Coordinator(const Space& space, Store& store, const SweepOptions& options);

  /// Stores the rows (one transaction) and hands out the next ids; none: there is nothing left, or the sweep
  /// failed.
  std::vector<std::uint64_t> exchange(std::uint64_t worker, const std::vector<Row>& rows);
  /// The sweep ends with this error; the first one counts.
  void fail_with(const Error& error);
  Result<void> outcome();

private:
  std::mutex mutex_;
  Store& store_;
  Dispatcher dispatcher_;
  const SweepOptions& options_;
  std::uint64_t done_ = 0;
  std::optional<Error> error_;
};

} // namespace forewarp::explore

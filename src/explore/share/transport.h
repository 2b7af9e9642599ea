// The processes of an MPI job, as far as a sweep needs them: questions to rank 0 and its answers.
#pragma once

#include "support/result.h"

#include <functional>
#include <memory>
#include <string>

namespace forewarp::explore {

struct MpiFunctions;

/// True in all processes of an MPI job but the first, before anything is loaded.
bool is_helper_process();

class Transport {
public:
  /// Empty where this process was not started by an MPI launcher. The MPI library is loaded only where it
  /// was, from forewarp_mpi.so beside the program (or ../lib/forewarp). Errors: unsupported (no such file:
  /// built without MPI).
  static Result<std::unique_ptr<Transport>> connect();
  explicit Transport(const MpiFunctions* functions);
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  ~Transport();

  int rank() const;
  int size() const;
  /// Ranks above 0: one question, one answer. Safe from several threads.
  std::string ask(const std::string& question);
  /// Rank 0: takes one question if there is one; false: there was none.
  bool answer_one(const std::function<std::string(int rank, const std::string& question)>& answer);

private:
  struct Lock;
  const MpiFunctions* functions_;
  std::unique_ptr<Lock> lock_;
};

} // namespace forewarp::explore

// One task on a device -> the entries of the result.
#pragma once

#include "measure/run/plan.h"
#include "measure/run/session.h"
#include "measure/run/sm_clock.h"

namespace forewarp::measure {

/// What came of a task. Entries stay when an error came later.
struct TaskResult {
  nlohmann::json entries = nlohmann::json::array();
  std::string wrong; ///< results differ from the reference: what
};

class TaskRunner {
public:
  TaskRunner(Device& device, const Bundle& bundle, std::string keep)
      : device_(device), bundle_(bundle), keep_(std::move(keep)), clock_(device) {}
  void warm_up() { clock_.warm_up(1.0); }
  /// Errors: the device's, or the bundle's files.
  Result<TaskResult> run(const Task& task);

private:
  Result<TaskResult> check(const Task& task);
  Result<TaskResult> time(const Task& task);
  Result<TaskResult> sweep(const Task& task);
  Result<TaskResult> once(const Task& task);
  Result<LaunchSession*> session_of(const Task& task);
  nlohmann::json entry(const Task& task, const char* what) const;
  nlohmann::json clocks();

  Device& device_;
  const Bundle& bundle_;
  std::string keep_;
  SmClock clock_;
  std::unique_ptr<LaunchSession> session_; ///< of the last task: a check and a time of one launch share it
  std::size_t kernel_ = 0, launch_ = 0;
};

/// Copies between host and device over sizes, both directions; pinned memory where the driver has it.
Result<nlohmann::json> measure_copies(Device& device);

} // namespace forewarp::measure

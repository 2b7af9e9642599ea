// A kernel decoded once and run for many launches.
#pragma once

#include "simt/run.h"

#include <memory>

namespace forewarp::simt {

struct Program;

class PreparedKernel {
public:
  /// Errors: not_found, unsupported. `module` and `kernel` must outlive the result.
  static Result<PreparedKernel> prepare(const ir::KernelModule& module, const ir::KernelSignature& kernel);
  PreparedKernel(PreparedKernel&&) noexcept;
  PreparedKernel& operator=(PreparedKernel&&) noexcept;
  ~PreparedKernel();

  /// As simt::run. May be called from several threads at a time.
  Result<RunResult> run(const facts::Launch& launch, const RunOptions& options = {}) const;
  const Program& program() const { return *program_; }
  /// All groups of a launch have to be resident at one time.
  bool has_grid_barrier() const;

private:
  PreparedKernel(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                 std::unique_ptr<Program> program);
  Result<RunResult> run_once(const facts::Launch& launch, const RunOptions& options,
                             bool& without_replay) const;
  const ir::KernelModule* module_;
  const ir::KernelSignature* kernel_;
  std::unique_ptr<Program> program_;
};

} // namespace forewarp::simt

// What one request needs before anything is run: compile, machine step and occupancy for every GPU. What does
// not depend on the launch is kept for the next request.
#pragma once

#include "engine/compile_cache.h"
#include "facts/machine_program.h"
#include "facts/occupancy.h"
#include "facts/slow_division.h"
#include "simt/prepared.h"

#include <list>
#include <memory>
#include <string>
#include <vector>

namespace forewarp::engine {

/// One GPU of the request, ready to be predicted.
struct Target {
  const gpu::GpuChoice* choice = nullptr;
  std::shared_ptr<const gpu::Machine> machine;
  std::shared_ptr<const CompiledKernel> compiled; ///< shared by targets that run the same module
  std::shared_ptr<const simt::PreparedKernel> prepared;
  facts::LaunchShape shape;
  std::shared_ptr<const facts::MachineProgram> program;
  frontend::ContentHash program_content = {}; ///< of what made this program for this machine
  facts::Occupancy occupancy;
};

/// Plans requests and keeps the machines, decoded kernels and machine programs used last. A kept value was
/// made from nothing but its key, so that a plan does not depend on the requests before it. One thread's use
/// only.
class Planner {
public:
  explicit Planner(std::size_t capacity = 64) : modules_(capacity), capacity_(capacity) {}
  /// Targets in the order asked for.
  Result<std::vector<Target>> plan(const PredictRequest& request);
  /// Gives the target a machine program that takes these divisions' slow path.
  Result<void> count_slow_divisions(const PredictRequest& request, const facts::SlowDivisions& slow,
                                    Target& target);
  /// CompiledKernel::number of the request's module for this GPU.
  Result<std::uint64_t> module_number(const PredictRequest& request, const gpu::GpuChoice& choice);
  const CompileCache& modules() const { return modules_; }
  std::size_t machine_steps() const { return machine_steps_; }

private:
  struct KeptMachine {
    gpu::GpuFile file;
    std::string value_set;
    double sm_clock_mhz_given = 0;
    std::string cuda_compiler_given;
    std::shared_ptr<const gpu::Machine> machine;
  };
  struct KeptKernel {
    std::shared_ptr<const CompiledKernel> compiled; ///< lives as long as what refers to it
    std::shared_ptr<const simt::PreparedKernel> prepared;
  };
  struct KeptProgram {
    std::shared_ptr<const CompiledKernel> compiled;
    std::shared_ptr<const gpu::Machine> machine;
    unsigned group_threads = 0;
    bool registers_from_ptxas = false, ignore_control_words = false;
    double registers_given = 0, frame_bytes_given = -1;
    facts::SlowDivisions slow_divisions;
    std::shared_ptr<const facts::MachineProgram> program;
    frontend::ContentHash content = {};
  };

  Result<Target> prepare(const PredictRequest& request, const gpu::GpuChoice& choice);
  Result<std::shared_ptr<const gpu::Machine>> machine_for(const PredictRequest& request,
                                                          const gpu::GpuChoice& choice);
  Result<std::shared_ptr<const simt::PreparedKernel>>
  prepared_for(const std::shared_ptr<const CompiledKernel>& compiled);
  Result<void> take_resources_of_target(const PredictRequest& request, Target& target);
  Result<void> set_program(const PredictRequest& request, const facts::SlowDivisions& slow, Target& target);

  CompileCache modules_;
  std::size_t capacity_, machine_steps_ = 0;
  std::list<KeptMachine> machines_; ///< used last first, as all three
  std::list<KeptKernel> kernels_;
  std::list<KeptProgram> programs_;
};

} // namespace forewarp::engine

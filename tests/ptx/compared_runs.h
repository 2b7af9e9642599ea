// What two modules of one kernel do in the same launch, held against each other.
#pragma once

#include "facts/launch.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp::round_trip {

/// A kernel of a module, and the launch in its parameters' names.
struct Side {
  const ir::KernelModule* module = nullptr;
  const ir::KernelSignature* kernel = nullptr;
  facts::Launch launch;
};

struct Difference {
  std::string buffers;   ///< "": equal to the bit; else the first that differs
  std::string addresses; ///< "": each warp's accesses of global and shared memory are the same, in order
  std::string barriers;  ///< "": each warp comes to as many
  std::map<std::string, std::pair<double, double>> operations; ///< by unit, executed by warps: here and there
  std::map<std::string, std::pair<double, double>> classes;    ///< the same by class of operation
  double worst_operations = 0; ///< largest |there / here - 1| of a unit with at least a hundredth of all
  std::string worst_unit;
};

/// Runs every group of both. Errors: those of the run and of the machine step.
Result<Difference> compare(const Side& here, const Side& there, const gpu::Machine& machine);

/// The launch with its arguments in the order of `from` named as the parameters of `to`.
facts::Launch renamed(const facts::Launch& launch, const ir::KernelSignature& from,
                      const ir::KernelSignature& to);

} // namespace forewarp::round_trip

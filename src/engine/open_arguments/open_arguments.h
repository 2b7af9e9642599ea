// Arguments that a launch leaves open: values for what was not given, sizes for buffers that are to be as
// large as the launch touches.
#pragma once

#include "facts/launch.h"
#include "facts/trace.h"
#include "ir/kernel_module.h"
#include "simt/run.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::engine {

/// A whole number that had to be guessed, because nothing in the kernel says what the launch needs.
struct GuessedScalar {
  std::string name; ///< as an argument is named
  std::uint64_t value = 0;
  unsigned components = 1; ///< of a vector; all have the value
};

/// A launch in which every argument of the kernel has a value.
struct CompletedLaunch {
  facts::Launch launch;
  std::vector<facts::Note> notes;     ///< each assumption, with the option that settles it
  std::vector<GuessedScalar> guessed; ///< worth predicting with other values
};

/// A vector argument whose components all have the value: "1,1,1,1".
std::string repeated(const std::string& value, unsigned components);

/// True where a parameter has no argument, or a buffer has no size (`buffer:f32[auto]`).
bool has_open_arguments(const ir::KernelSignature& kernel, const facts::Launch& launch);

/// Fills in what is open:
/// - a whole number that a work-item's index is compared with: the work-items of the launch along that index;
///   one that only multiplies such an index: the work-items of a row (or plane);
/// - any other whole number: `open_number`, or half of it and so on where the kernel then leaves its own
/// arrays; a truth
///   value: true; a byte: 1; a float: 1;
/// - a buffer: as many elements as the sampled work-groups touch, found by running them on buffers without an
///   end; contents unknown;
/// - a struct by value: its fields as if each were a parameter; one whose layout is not known: zero bytes;
/// - pointers in a struct or a buffer: buffers of their own;
/// - an image: as many texels as the launch has work-items along each axis.
/// `sites`: of the kernel's IR. Sizes grow while the run still leaves a buffer, by a factor of two, at most
/// ten times. Errors: those of simt::run; launch where a buffer would need more than `device_bytes` (0: no
/// limit).
Result<CompletedLaunch> complete_launch(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                        const facts::Launch& launch, const facts::LaunchShape& shape,
                                        const std::vector<facts::MemorySite>& sites,
                                        const simt::RunOptions& options, double device_bytes,
                                        std::uint64_t open_number = 1024);

} // namespace forewarp::engine

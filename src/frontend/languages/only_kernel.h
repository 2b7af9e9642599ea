// A compilation for one kernel: what it does not need is left out before it costs time.
#pragma once

#include "ir/kernel_module.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// How the wanted kernel is called.
enum class KernelNames : std::uint8_t {
  exact, ///< KernelSignature::name or symbol; where no kernel has it, none is left
  loose  ///< as kernels_meant understands it; where it is not one kernel, all are left
};

/// A kernel's name without blanks and without the letters behind numbers: "f<32U, 4L>" and "f<32,4>" are one.
std::string bare_kernel_name(std::string_view name);

/// Whether `name` is the kernel's name or symbol, or, of one of several overloads, its name with the types of
/// its parameters, "add(float*, int)"; how template arguments are spelled does not count.
bool is_called(const ir::KernelSignature& kernel, std::string_view name);

/// Takes the bodies of all other kernels at the pipeline's start, but of those that are called like
/// functions. `signatures`: filled when the pipeline starts; must outlive the run.
void keep_one_kernel(llvm::PassBuilder& builder, const std::string& name, KernelNames names,
                     const std::vector<ir::KernelSignature>& signatures);

} // namespace forewarp::frontend

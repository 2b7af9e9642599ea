// Accesses to vectors that the machine cannot make at once.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// NVIDIA: a load or store of a vector takes 4, 8 or 16 bytes a lane, from an address that is a multiple of
/// its size (CUDA C++ Programming Guide, "Device Memory Accesses"; LLVM's back end splits all others in the
/// same way). At the end of the pipeline wider and less aligned ones become as many accesses of the largest
/// such size. Each is then a request of its own, whose lanes lie a whole vector apart.
void add_access_splitting(llvm::PassBuilder& builder);

} // namespace forewarp::frontend

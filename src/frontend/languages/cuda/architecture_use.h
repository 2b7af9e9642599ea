// Whether a CUDA source is another program on another architecture of NVIDIA's.
#pragma once

namespace clang {
class CompilerInstance;
}
namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// Sets `asked` where the source, or an own header that few sources include, reads __CUDA_ARCH__ or its
/// relatives; call from DriverHooks::begin_source. That it is defined at all tells the device from the host
/// only. `asked` must outlive the compilation.
void watch_architecture(clang::CompilerInstance& compiler, bool& asked);

/// Code that is made differently, or refused, for some architectures: atomics (some types are loops of
/// compare-and-swap on older ones) and arithmetic in half precision.
bool hangs_on_architecture(const llvm::Function& kernel);

} // namespace forewarp::frontend

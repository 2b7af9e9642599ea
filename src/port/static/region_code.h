// The code of marked loops taken out of the program, each a function of its own, for predict's machine step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace forewarp::port {

struct StaticRegion;

/// Metadata of an induction variable's phi: the number of its loop.
inline constexpr const char* induction_mark = "forewarp.induction";

struct RegionCode {
  std::shared_ptr<const std::string> bitcode; ///< one module holds all regions of a program
  std::vector<std::string> functions; ///< the region, then what it calls; empty: could not be taken out
  struct Place {
    std::uint32_t function = 0, block = 0; ///< block: position in the function
  };
  std::vector<Place> blocks; ///< by RegionBlock
};

/// In the order of the regions. The module stays as it is.
std::vector<RegionCode> extract_regions(const llvm::Module& module, const std::vector<StaticRegion>& regions);

} // namespace forewarp::port

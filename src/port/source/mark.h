// What the user says about a loop, and what the compiler knows about all loops of a file. No compiler header.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::port {

/// One loop statement of the source.
struct SourceLoop {
  enum class Kind : std::uint8_t { for_loop, range_for, while_loop, do_loop } kind = Kind::for_loop;
  std::string file; ///< as the compiler was given it
  std::uint32_t line = 0, column = 0;
  std::string function;
  std::string variable; ///< that the loop counts, when there is one
  int parent = -1;      ///< index of the loop around it in the same function
  double trips = 0;     ///< iterations of an execution, as a pragma says; 0: it does not
};

/// `#pragma forewarp parallel`, or a region chosen on the command line.
struct RegionMark {
  std::string file;
  std::uint32_t line = 0, column = 0; ///< of the loop
  bool swept = false;                 ///< by --all-loops or in place of a loop around it, not by name
  std::string inside;                 ///< FILE:LINE of the loop around it that it stands in for; "" none
  std::string name;                   ///< "" = function and line
  std::string function;
  std::array<std::uint64_t, 3> block = {0, 0, 0}; ///< x first; zeros: chosen by number of parallel loops
  unsigned block_dimensions = 0;
  std::vector<std::string> shared;
  std::uint64_t tile = 0;
  double trips = 0;  ///< trips(...): iterations of the loop; 0: not said
  double taken = -1; ///< taken(...): how often a branch inside is taken, 0 to 1; -1: not said
};

} // namespace forewarp::port

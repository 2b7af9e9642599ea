// What forewarp_mpi.so offers; the program itself knows nothing of MPI.
#pragma once

#include <string>

namespace forewarp::explore {

/// Every call may come from any thread, one at a time.
struct MpiFunctions {
  void (*start)();
  void (*finish)();
  int (*rank)();
  int (*size)();
  void (*send)(int rank, const std::string& bytes);
  /// Waits, without using the processor, for a message from `rank`.
  std::string (*receive)(int rank);
  /// A rank that has a message waiting, or -1.
  int (*waiting)();
};

/// Name and type of the library's one symbol.
inline constexpr const char* mpi_symbol = "forewarp_mpi_functions";
using MpiSymbol = const MpiFunctions* (*)();

} // namespace forewarp::explore

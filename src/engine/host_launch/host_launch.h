// A request without sizes: the launch that the host code of its file makes.
#pragma once

#include "engine/request.h"
#include "facts/trace.h"
#include "support/result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::engine {

/// Where a launch is looked for, and what is known of the program around it.
struct HostSource {
  std::string path;                                          ///< "": the kernel's own file
  std::optional<std::vector<std::string>> program_arguments; ///< behind the program's name
  std::map<std::string, double> variables;                   ///< values of variables, wherever they are set
  std::size_t launch_site = 0;                               ///< from 1; 0: the first
  std::uint64_t assumed = 1024;                              ///< an open whole number, at most
  /// Of a loop whose sizes rest on open numbers, the largest launch with the assumed ones; else an error.
  bool takes_open_loops = false;
};

/// A place of the host code that starts a kernel.
struct LaunchSite {
  std::string kernel, place; ///< "file:line"
  std::string sizes;         ///< "grid 4096, block 256"
  std::uint64_t times = 1;   ///< as far as the program was followed
};

struct FoundRequest {
  PredictRequest request;         ///< with kernel, sizes and what is known of the arguments
  std::vector<facts::Note> notes; ///< what was inferred, with the line
  std::vector<LaunchSite> sites;  ///< of the kernel, in the order of the program
  bool usual_sizes = false;       ///< nothing says how the kernel is started (usual_launch.h)
  bool rests_on_open = false;     ///< sizes or arguments rest on numbers that the program has from outside
};

/// True where the request gives no size, so that one has to be found.
bool needs_launch(const PredictRequest& request);

/// The launch of request.kernel (of the only kernel that is started, where that is empty). Open numbers are
/// 1024, or less where the launch does not fit the GPU otherwise. Among a place's sizes the largest is taken.
/// Errors: launch (nothing starts it; several kernels are started and none is named), bad_input (a loop whose
/// sizes rest on what is open), usage (no such launch site), and those of reading.
Result<FoundRequest> launch_from_host(const PredictRequest& request, const HostSource& host);

/// Whether launch_from_host refused a loop whose sizes rest on what is open.
bool is_open_loop(const Error& error);

/// The same request with the sizes of all buffers left open: for where the host's sizes do not hold.
PredictRequest with_open_buffers(PredictRequest request);

} // namespace forewarp::engine
